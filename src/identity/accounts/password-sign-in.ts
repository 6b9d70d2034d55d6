import { findUserAccount, type RequestOrigin, replacePasswordHash } from '../../store/index.ts';
import { normalizeEmail } from '../account-input.ts';
import { MAX_PASSWORD } from '../passwords/check-new-password.ts';
import { hashPassword, verifyPassword } from '../passwords/hash-password.ts';
import type { SignIn } from '../session-store.ts';
import { beginAttempt, beginKnownAttempt, type KnownBrowser } from '../sign-in/attempts.ts';
import { type AccountParts, recordFailure } from './account-steps.ts';

/** Sign-in with an address and its password. */
export interface PasswordSignIn {
  /** Null when the address or the password is wrong, which of them is not said. @throws {TooManyAttempts} {TooManySignIns} */
  signInWithPassword(
    entered: {
      readonly email: string;
      readonly password: string;
      /** Whose browser this is; when absent, nobody's. */
      readonly knownBrowsers?: readonly KnownBrowser[];
    },
    origin: RequestOrigin,
  ): Promise<SignIn | null>;
}

export function openPasswordSignIn(parts: AccountParts): PasswordSignIn {
  const { db, passwordCost, now } = parts;
  return {
    async signInWithPassword(entered, origin) {
      const email = normalizeEmail(entered.email);
      const account = await findUserAccount(db, email);
      const known = entered.knownBrowsers?.find(({ userId }) => userId === account?.userId);
      const attempt =
        known === undefined
          ? await beginAttempt(db, { email, address: origin.address }, now())
          : await beginKnownAttempt(db, known, now());
      const hash = account?.passwordHash ?? null;
      const password = entered.password.slice(0, MAX_PASSWORD);
      const { isRight, isOutdated } = await verifyPassword(hash, password, passwordCost);
      if (!isRight || account === null || hash === null) {
        await recordFailure(db, email, account, 'The address or the password was wrong.', origin);
        return null;
      }
      await attempt.succeed(db);
      if (isOutdated)
        await replacePasswordHash(db, account.userId, hash, await hashPassword(password, passwordCost));
      return { userId: account.userId, displayName: account.displayName, provider: 'password' };
    },
  };
}
