import { randomInt } from 'node:crypto';

/** How many codes an administrator gets at a time. */
export const RECOVERY_CODES = 10;

/** Letters and digits that nobody confuses with others: 32, so 5 bits each. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz0';
const GROUPS = 4;
const GROUP = 5;

/** A new code, such as `k3f9x-p2mvd-7hqta-wz84c`: 100 bits, so that its SHA-256 cannot be reversed. */
export function newRecoveryCode(): string {
  const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** The code as it is hashed, however somebody typed it; null for what cannot be one. */
export function normalizeRecoveryCode(text: string): string | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  return code.length === GROUPS * GROUP && [...code].every((one) => ALPHABET.includes(one)) ? code : null;
}

/** Whether a text is a code as it was shown. */
export function isRecoveryCode(text: string): boolean {
  return normalizeRecoveryCode(text) !== null && /^\w{5}(-\w{5}){3}$/.test(text);
}
