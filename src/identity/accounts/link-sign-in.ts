import {
  type Account,
  type Db,
  findUserAccount,
  type LinkPurpose,
  markEmailVerified,
  type RequestOrigin,
  removeWaysIn,
  useSignInLink,
} from '../../store/index.ts';
import { AccountProblem, normalizeEmail, requireGoodPassword } from '../account-input.ts';
import { storedUserAgent } from '../begin-session.ts';
import { isMailAddress } from '../mail/smtp-settings.ts';
import { hashPassword } from '../passwords/hash-password.ts';
import type { SignIn } from '../session-store.ts';
import { beginLinkAttempt, countMailRequest } from '../sign-in/attempts.ts';
import { signInLinkJob } from '../sign-in/link-job.ts';
import { hashToken } from '../token-text.ts';
import { type AccountParts, recordChange, recordFailure, setPassword } from './account-steps.ts';
import { findLink, isFlooded, mailLink } from './mail-link.ts';

/** Links by mail that sign in or set a new password. */
export interface LinkSignIn {
  /** Whether links for signing in can be mailed. */
  readonly canMail: boolean;
  /** Mails a link, if there is such an account. @throws {TooManyAttempts} {AccountProblem} */
  requestLink(
    wanted: {
      readonly email: string;
      readonly purpose: 'sign-in' | 'password';
      readonly returnTo: string | null;
    },
    origin: RequestOrigin,
  ): Promise<void>;
  /** Whether a link works; reading it does not use it up, because scanners of mails read every link. @throws {TooManyAttempts} */
  isLink(secret: string, purpose: LinkPurpose, origin: RequestOrigin): Promise<boolean>;
  /** Null when the link was used, has expired, or never was. @throws {TooManyAttempts} */
  useSignInLink(
    secret: string,
    origin: RequestOrigin,
  ): Promise<{ readonly signIn: SignIn; readonly returnTo: string | null } | null>;
  /** Sets a new password and ends all sessions. False as above. @throws {AccountProblem} {TooManyAttempts} */
  usePasswordLink(secret: string, password: string, origin: RequestOrigin): Promise<boolean>;
  /** Starts mailing links in this process. */
  start(): Promise<void>;
}

export function openLinkSignIn(parts: AccountParts): LinkSignIn {
  const { db, queue, mailer, passwordCost, now } = parts;
  return {
    canMail: mailer.isSet,

    async requestLink({ email, purpose, returnTo }, origin) {
      const address = normalizeEmail(email);
      if (!isMailAddress(address))
        throw new AccountProblem('Enter your e-mail address, such as ada@example.com.');
      await countMailRequest(db, origin.address, now());
      await queue.enqueue(db, signInLinkJob, {
        email: address,
        purpose,
        returnTo,
        address: origin.address,
        userAgent: storedUserAgent(origin),
        requestId: origin.requestId,
      });
    },

    isLink: async (secret, purpose, origin) => (await findLink(parts, secret, purpose, origin)) !== null,

    async useSignInLink(secret, { address }) {
      const attempt = await beginLinkAttempt(db, address, now());
      const used = await db.transaction(async (tx) => {
        const link = await useSignInLink(tx, { hash: hashToken(secret), purpose: 'sign-in', now: now() });
        if (link === null) return null;
        await attempt.succeed(tx);
        await claim(parts, tx, link.account);
        return link;
      });
      // Not recorded: anybody can send any text, and events stay for long.
      if (used === null) return null;
      const { userId, displayName } = used.account;
      return { signIn: { userId, displayName, provider: 'mail' }, returnTo: used.returnTo };
    },

    async usePasswordLink(secret, password, origin) {
      const found = await findLink(parts, secret, 'password', origin);
      if (found === null) return false;
      await requireGoodPassword(password, found.account);
      const hash = await hashPassword(password, passwordCost);
      return await db.transaction(async (tx) => {
        const used = await useSignInLink(tx, found.query);
        if (used === null) return false;
        await claim(parts, tx, used.account);
        await setPassword(parts, tx, used.account, hash, null);
        await recordChange(tx, 'user.reset-password', used.account, origin);
        return true;
      });
    },

    async start() {
      if (!mailer.isSet) return;
      await queue.work(signInLinkJob, async ({ email, purpose, returnTo, ...origin }) => {
        const account = await findUserAccount(db, email);
        if (account === null) {
          await recordFailure(db, email, null, 'Somebody requested a link for an unknown address.', origin);
          return;
        }
        if (await isFlooded(db, account.userId, now())) return;
        await db.transaction((tx) => mailLink(parts, tx, { account, purpose, returnTo }));
      });
    },
  };
}

/**
 * Gives an account to somebody who has shown that mail to its address reaches them. Until then anybody may have made it,
 * so the first time all other ways in end.
 */
async function claim(
  { now }: AccountParts,
  tx: Db,
  { userId, email, emailVerifiedAt }: Account,
): Promise<void> {
  if (emailVerifiedAt !== null) return;
  await removeWaysIn(tx, userId, now());
  await markEmailVerified(tx, userId, email, now());
}
