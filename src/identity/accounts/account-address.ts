import { randomBytes } from 'node:crypto';
import {
  changeUserEmail,
  deleteSessionsOf,
  deleteSignInLinksOf,
  findUserAccount,
  insertSignInLink,
  isSessionBegunSince,
  lockEmail,
  markEmailVerified,
  type RequestOrigin,
  useSignInLink,
} from '../../store/index.ts';
import { AccountProblem, normalizeEmail } from '../account-input.ts';
import { isMailAddress } from '../mail/smtp-settings.ts';
import { requireUnmanaged } from '../require-unmanaged.ts';
import { countMailRequest } from '../sign-in/attempts.ts';
import { hashToken } from '../token-text.ts';
import {
  type AccountParts,
  recordChange,
  requireCurrentPassword,
  requireOwnAccount,
} from './account-steps.ts';
import { findLink, isFlooded, LINK_PATHS, LINKS_PER_HOUR, mailLink } from './mail-link.ts';

/** The address of the own account, confirmed and changed with links by mail. */
export interface AccountAddress {
  /** Mails a link that confirms the user's address. @throws {TooManyAttempts} */
  requestVerification(userId: string, origin: RequestOrigin): Promise<void>;
  /**
   * Confirms the address of the user who is signed in. False when the link was used, has expired, or never was.
   *
   * @param userId Of the user who is signed in; null for nobody.
   * @throws {TooManyAttempts} {AccountProblem} for the link of another user, which is not used up
   */
  useVerificationLink(secret: string, userId: string | null, origin: RequestOrigin): Promise<boolean>;
  /**
   * Mails a link to another address, and a notice to the one from before. What it does is the same for an address that has
   * an account, whose owner gets another mail.
   *
   * @param change The current password, of an account that has one; other sessions must have begun just now.
   * @throws {AccountProblem} {TooManyAttempts}
   */
  requestEmailChange(
    userId: string,
    change: { readonly email: string; readonly current: string; readonly session: string | null },
    origin: RequestOrigin,
  ): Promise<void>;
  /**
   * Makes the address to which a link was sent that of the user who is signed in, and ends their other sessions. False as
   * above.
   *
   * @param own The user who is signed in, in a session that may change the account, and its secret.
   * @throws {TooManyAttempts} {AccountProblem} for the link of another user, which is not used up
   */
  useEmailChangeLink(
    secret: string,
    own: { readonly userId: string | null; readonly session: string | null },
    origin: RequestOrigin,
  ): Promise<boolean>;
}

const EMAIL_CHANGE_MINUTES = 60;
/** Since when somebody without a password must have signed in to change their address. */
const RECENT_SIGN_IN_MINUTES = 15;

export function openAccountAddress(parts: AccountParts): AccountAddress {
  const { db, mailer, publicUrl, now } = parts;
  return {
    async requestVerification(userId, origin) {
      const account = await requireOwnAccount(db, userId);
      await countMailRequest(db, origin.address, now());
      if (account.emailVerifiedAt !== null || (await isFlooded(db, userId, now()))) return;
      await db.transaction((tx) => mailLink(parts, tx, { account, purpose: 'verify-email', returnTo: null }));
    },

    async useVerificationLink(secret, userId, origin) {
      const found = await findLink(parts, secret, 'verify-email', origin);
      if (found === null) return false;
      // Else the owner of the mailbox would confirm what somebody else made with the address.
      if (found.account.userId !== userId)
        throw new AccountProblem(
          'Sign in with this account first, in this browser; then open the link from the mail again.',
        );
      return await db.transaction(async (tx) => {
        const used = await useSignInLink(tx, found.query);
        if (used === null) return false;
        await markEmailVerified(tx, used.account.userId, used.account.email, now());
        await recordChange(tx, 'user.verify-email', used.account, origin);
        return true;
      });
    },

    async requestEmailChange(userId, { email, current, session }, origin) {
      const account = await requireOwnAccount(db, userId);
      const at = now();
      const address = normalizeEmail(email);
      if (!isMailAddress(address))
        throw new AccountProblem('Enter your new e-mail address, such as ada@example.com.');
      if (address === account.email) throw new AccountProblem('This is your address already.');
      await requireUnmanaged(db, account, address);
      await requireCurrentPassword(parts, account, current, origin);
      const isRecent =
        session !== null &&
        (await isSessionBegunSince(
          db,
          hashToken(session),
          new Date(at.getTime() - RECENT_SIGN_IN_MINUTES * 60_000),
        ));
      if (account.passwordHash === null && !isRecent)
        throw new AccountProblem(
          'Your account has no password, so sign out and in again, and then change the address within 15 minutes.',
        );
      await countMailRequest(db, origin.address, at);
      if (await isFlooded(db, userId, now()))
        throw new AccountProblem(`${LINKS_PER_HOUR} links were mailed in the last hour. Try again later.`);
      const secret = randomBytes(32).toString('base64url');
      const expiresAt = new Date(at.getTime() + EMAIL_CHANGE_MINUTES * 60_000);
      await db.transaction(async (tx) => {
        const isTaken = (await findUserAccount(tx, address)) !== null;
        // Also where nobody gets the secret, so that what follows is the same.
        await insertSignInLink(tx, {
          hash: hashToken(secret),
          purpose: 'change-email',
          userId,
          email: address,
          createdAt: at,
          expiresAt,
        });
        if (isTaken)
          await mailer.enqueue(tx, {
            template: 'email-taken',
            to: address,
            values: { url: `${publicUrl}/login` },
          });
        else
          await mailer.enqueue(tx, {
            template: 'change-email',
            to: address,
            expiresAt,
            values: {
              url: `${publicUrl}${LINK_PATHS['change-email']}?key=${secret}`,
              minutes: EMAIL_CHANGE_MINUTES,
            },
          });
        await mailer.enqueue(tx, {
          template: 'email-change-requested',
          to: account.email,
          values: { url: `${publicUrl}/login/forgot` },
        });
        await recordChange(tx, 'user.request-email-change', account, origin, { after: { email: address } });
      });
    },

    async useEmailChangeLink(secret, { userId, session }, origin) {
      const found = await findLink(parts, secret, 'change-email', origin);
      if (found === null) return false;
      if (found.account.userId !== userId)
        throw new AccountProblem(
          'Sign in with the account whose address is to change first, in this browser and with its password, a link by mail or GitHub; then open the link from the mail again.',
        );
      return await db.transaction(async (tx) => {
        await lockEmail(tx, found.email);
        const used = await useSignInLink(tx, found.query);
        if (used === null) return false;
        const { account, email } = used;
        await requireUnmanaged(tx, account, email);
        if ((await findUserAccount(tx, email)) !== null)
          throw new AccountProblem(
            'Another account has this address by now, so nothing was changed. Sign in with that one, or choose another address.',
          );
        await changeUserEmail(tx, userId, email, now());
        await deleteSessionsOf(tx, userId, session === null ? null : hashToken(session));
        await deleteSignInLinksOf(tx, userId);
        await recordChange(tx, 'user.change-email', account, origin, {
          before: { email: account.email },
          after: { email },
        });
        await mailer.enqueue(tx, {
          template: 'email-changed',
          to: account.email,
          values: { url: `${publicUrl}/login` },
        });
        return true;
      });
    },
  };
}
