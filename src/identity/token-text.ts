import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 34;
const checksumLength = 6;

/**
 * A new token: `dl_`, 34 random characters (202 bits), and 6 of a checksum. The prefix lets secret scanners find
 * tokens; the checksum lets a mistyped one be refused without a query.
 */
export function newTokenText(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `dl_${secret}${checksumOf(secret)}`;
}

export function isTokenShaped(text: string): boolean {
  const match = /^dl_([0-9A-Za-z]{34})([0-9A-Za-z]{6})$/.exec(text);
  return match?.[1] !== undefined && checksumOf(match[1]) === match[2];
}

/** The beginning of a token by which its owner knows it again; it leaves 178 bits secret. */
export function tokenPrefix(token: string): string {
  return token.slice(0, 7);
}

const SESSION_PREFIX = 'dls_';

/** The bearer token with which a page calls the platform for the browser that has this secret (32 bytes in base64url). */
export function sessionToken(secret: string): string {
  return `${SESSION_PREFIX}${secret}`;
}

/** The secret of such a token; null for any other text. */
export function sessionSecretOf(token: string): string | null {
  return /^dls_([\w-]{43})$/.exec(token)?.[1] ?? null;
}

/** The stored form of a token. Tokens are random enough that a plain SHA-256 cannot be reversed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let index = 0; index < checksumLength; index++) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}
