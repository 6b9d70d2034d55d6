import type { Account } from '../store/index.ts';
import { checkNewPassword } from './passwords/check-new-password.ts';

/** What somebody entered cannot be used: one sentence for that person. */
export class AccountProblem extends Error {
  override readonly name = 'AccountProblem';
}

/** In characters. */
const MAX_NAME = 100;

/** @throws {AccountProblem} */
export async function requireGoodPassword(
  password: string,
  { displayName, email }: Pick<Account, 'displayName' | 'email'>,
): Promise<void> {
  const problem = await checkNewPassword(password, [displayName, email]);
  if (problem !== null) throw new AccountProblem(problem);
}

/** An address as it is stored and looked up. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase().slice(0, 300).toWellFormed().replaceAll('\u0000', '');
}

/** Whether nothing of a text can be seen. */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** A name that somebody entered. @throws {AccountProblem} */
export function readName(text: string): string {
  const name = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if (isInvisible(name) || [...name].length > MAX_NAME)
    throw new AccountProblem(`Enter a name of 1 to ${MAX_NAME} characters.`);
  return name.toWellFormed();
}
