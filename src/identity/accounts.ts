import { randomBytes } from 'node:crypto';
import type { Queue } from '../queue/index.ts';
import {
  type Account,
  changeUserEmail,
  countRecoveryCodes,
  countSignInLinks,
  type Database,
  type Db,
  deleteSessionsOf,
  deleteSignInLinksOf,
  findSignInLink,
  findUserAccount,
  hasPeople,
  insertSignInLink,
  isMemberElsewhere,
  isSessionBegunSince,
  type LinkPurpose,
  loadAccount,
  lockEmail,
  markEmailVerified,
  type RequestOrigin,
  recordAudit,
  removeWaysIn,
  renameUser,
  replacePasswordHash,
  replaceRecoveryCodes,
  upsertPassword,
  useRecoveryCode,
  useSignInLink,
} from '../store/index.ts';
import { AccountProblem, normalizeEmail, readName, requireGoodPassword } from './account-input.ts';
import { storedUserAgent } from './begin-session.ts';
import { createFirstAdministrator, type NewAdministrator } from './first-administrator.ts';
import type { Mailer } from './mail/mailer.ts';
import { isMailAddress } from './mail/smtp-settings.ts';
import { MAX_PASSWORD } from './passwords/check-new-password.ts';
import { hashPassword, type PasswordCost, verifyPassword } from './passwords/hash-password.ts';
import { newRecoveryCode, normalizeRecoveryCode, RECOVERY_CODES } from './recovery-codes.ts';
import { requireUnmanaged } from './require-unmanaged.ts';
import type { SignIn } from './session-store.ts';
import {
  beginAttempt,
  beginKnownAttempt,
  beginLinkAttempt,
  beginRecoveryAttempt,
  countMailRequest,
  type KnownBrowser,
} from './sign-in/attempts.ts';
import { signInLinkJob } from './sign-in/link-job.ts';
import { hashToken } from './token-text.ts';

/** Sign-in by password, by mail and by recovery code, and what people change of their own account. */
export interface Accounts {
  /** Whether links for signing in can be mailed. */
  readonly canMail: boolean;
  /** Whether anybody can sign in other than with a token. */
  hasPeople(): Promise<boolean>;
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
  /** Null when the address or the code is wrong, or the code was used. @throws {TooManyAttempts} */
  signInWithRecoveryCode(
    entered: { readonly email: string; readonly code: string },
    origin: RequestOrigin,
  ): Promise<SignIn | null>;
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
  /**
   * Confirms the address of the user who is signed in. False as above.
   *
   * @param userId Of the user who is signed in; null for nobody.
   * @throws {TooManyAttempts} {AccountProblem} for the link of another user, which is not used up
   */
  useVerificationLink(secret: string, userId: string | null, origin: RequestOrigin): Promise<boolean>;
  load(userId: string): Promise<OwnAccount | null>;
  /** Whether a user is a member of no other organization. */
  isOnlyIn(userId: string, organizationId: string): Promise<boolean>;
  /** @throws {AccountProblem} */
  rename(userId: string, displayName: string, origin: RequestOrigin): Promise<void>;
  /**
   * Sets a password, or another one, and ends the user's other sessions.
   *
   * @param session The secret of the session that stays.
   * @throws {AccountProblem} {TooManyAttempts}
   */
  changePassword(
    userId: string,
    change: { readonly current: string; readonly next: string; readonly session: string | null },
    origin: RequestOrigin,
  ): Promise<void>;
  /** Mails a link that confirms the user's address. @throws {TooManyAttempts} */
  requestVerification(userId: string, origin: RequestOrigin): Promise<void>;
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
  /** New recovery codes of an administrator, which are shown once; those from before stop working. */
  makeRecoveryCodes(
    member: { readonly organizationId: string; readonly userId: string },
    origin: RequestOrigin,
  ): Promise<readonly string[]>;
  /**
   * Makes the first administrator, once: null when there is one already, or the set-up key was used meanwhile.
   *
   * @throws {AccountProblem}
   */
  createFirstAdministrator(
    administrator: NewAdministrator & { readonly password: string },
    origin: RequestOrigin,
  ): Promise<SignIn | null>;
  /** Starts mailing links in this process. */
  start(): Promise<void>;
}

/** What people see of their own account. */
export interface OwnAccount {
  readonly displayName: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly hasPassword: boolean;
  /** Unused ones, by organization. */
  readonly recoveryCodes: ReadonlyMap<string, number>;
}

/** In minutes: links that sign in or set a password; and in hours: those that confirm an address. */
const LINK_MINUTES = 15;
const VERIFICATION_HOURS = 24;
const EMAIL_CHANGE_MINUTES = 60;
/** Since when somebody without a password must have signed in to change their address. */
const RECENT_SIGN_IN_MINUTES = 15;
/** Links of one user in an hour, so that nobody's mailbox is filled. */
const LINKS_PER_HOUR = 5;

export function openAccounts(parts: {
  readonly db: Database;
  readonly queue: Queue;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  /** What guessing a password costs; as OWASP asks when absent. */
  readonly passwordCost?: PasswordCost;
  readonly now?: () => Date;
}): Accounts {
  const { db, queue, mailer, publicUrl, passwordCost, now = () => new Date() } = parts;

  async function recordFailure(
    email: string,
    account: Account | null,
    reason: string,
    origin: RequestOrigin,
  ): Promise<void> {
    await recordAudit(db, {
      organizationId: null,
      action: 'session.start',
      outcome: 'failure',
      reason,
      actor: { kind: 'nobody', id: null, name: null, ...origin },
      target: { kind: 'user', id: account?.userId ?? null, name: isMailAddress(email) ? email : null },
    });
  }

  async function recordChange(
    tx: Db,
    action: string,
    { userId, displayName }: Pick<Account, 'userId' | 'displayName'>,
    origin: RequestOrigin,
    change: { readonly before?: Record<string, unknown>; readonly after?: Record<string, unknown> } = {},
    organizationId: string | null = null,
  ): Promise<void> {
    await recordAudit(tx, {
      organizationId,
      action,
      actor: { kind: 'user', id: userId, name: displayName, ...origin },
      target: { kind: 'user', id: userId, name: displayName },
      ...change,
    });
  }

  async function setPassword(
    tx: Db,
    account: Account,
    hash: string,
    exceptSession: string | null,
  ): Promise<void> {
    await upsertPassword(tx, account.userId, hash, now());
    await deleteSessionsOf(tx, account.userId, exceptSession);
    await deleteSignInLinksOf(tx, account.userId);
    if (mailer.isSet)
      await mailer.enqueue(tx, {
        template: 'password-changed',
        to: account.email,
        values: { url: `${publicUrl}/login/forgot` },
      });
  }

  /**
   * Gives an account to somebody who has shown that mail to its address reaches them. Until then anybody may have made it,
   * so the first time all other ways in end.
   */
  async function claim(tx: Db, { userId, email, emailVerifiedAt }: Account): Promise<void> {
    if (emailVerifiedAt !== null) return;
    await removeWaysIn(tx, userId, now());
    await markEmailVerified(tx, userId, email, now());
  }

  async function mailLink(
    tx: Db,
    {
      account,
      purpose,
      returnTo,
    }: { account: Account; purpose: Exclude<LinkPurpose, 'change-email'>; returnTo: string | null },
  ): Promise<void> {
    const [secret, at] = [randomBytes(32).toString('base64url'), now()];
    const minutes = purpose === 'verify-email' ? VERIFICATION_HOURS * 60 : LINK_MINUTES;
    const expiresAt = new Date(at.getTime() + minutes * 60_000);
    const { userId, email } = account;
    await insertSignInLink(tx, {
      hash: hashToken(secret),
      purpose,
      userId,
      email,
      returnTo,
      createdAt: at,
      expiresAt,
    });
    const common = { to: email, expiresAt };
    const url = `${publicUrl}${LINK_PATHS[purpose]}?key=${secret}`;
    if (purpose === 'verify-email')
      await mailer.enqueue(tx, {
        ...common,
        template: 'verify-email',
        values: { url, hours: VERIFICATION_HOURS },
      });
    else
      await mailer.enqueue(tx, {
        ...common,
        template: purpose === 'sign-in' ? 'sign-in' : 'reset-password',
        values: { url, minutes: LINK_MINUTES },
      });
  }

  async function isFlooded(userId: string): Promise<boolean> {
    return (await countSignInLinks(db, userId, new Date(now().getTime() - 60 * 60_000))) >= LINKS_PER_HOUR;
  }

  async function requireAccount(userId: string): Promise<Account> {
    const account = await loadAccount(db, userId);
    if (account === null) throw new AccountProblem('This account was removed.');
    return account;
  }

  /** Nothing for an account without a password. @throws {AccountProblem} {TooManyAttempts} */
  async function requireCurrentPassword(
    account: Account,
    current: string,
    origin: RequestOrigin,
  ): Promise<void> {
    if (account.passwordHash === null) return;
    // Whoever is signed in is known: nobody else locks them out of their own account.
    const attempt = await beginKnownAttempt(db, { userId: account.userId, id: 'session' }, now());
    const { isRight } = await verifyPassword(
      account.passwordHash,
      current.slice(0, MAX_PASSWORD),
      passwordCost,
    );
    if (!isRight) {
      await recordFailure(account.email, account, 'The current password was wrong.', origin);
      throw new AccountProblem('The current password is wrong.');
    }
    await attempt.succeed(db);
  }

  return {
    canMail: mailer.isSet,
    hasPeople: () => hasPeople(db),

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
        await recordFailure(email, account, 'The address or the password was wrong.', origin);
        return null;
      }
      await attempt.succeed(db);
      if (isOutdated)
        await replacePasswordHash(db, account.userId, hash, await hashPassword(password, passwordCost));
      return { userId: account.userId, displayName: account.displayName, provider: 'password' };
    },

    async signInWithRecoveryCode(entered, origin) {
      const email = normalizeEmail(entered.email);
      const attempt = await beginRecoveryAttempt(db, origin.address, now());
      const account = await findUserAccount(db, email);
      const code = normalizeRecoveryCode(entered.code);
      const used = await db.transaction(async (tx) => {
        const found =
          account === null || code === null
            ? null
            : await useRecoveryCode(tx, { userId: account.userId, hash: hashToken(code), now: now() });
        if (found === null || account === null) return null;
        await attempt.succeed(tx);
        await recordChange(tx, 'recovery-code.use', account, origin, {}, found.organizationId);
        return { account, ...found };
      });
      if (used === null) {
        await recordFailure(
          email,
          account,
          'The address or the recovery code was wrong, or the code was used.',
          origin,
        );
        return null;
      }
      const { userId, displayName } = used.account;
      return { userId, displayName, provider: 'recovery', ssoOrganizationId: used.organizationId };
    },

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

    async isLink(secret, purpose, { address }) {
      const attempt = await beginLinkAttempt(db, address, now());
      const link = await findSignInLink(db, { hash: hashToken(secret), purpose, now: now() });
      if (link !== null) await attempt.succeed(db);
      return link !== null;
    },

    async useSignInLink(secret, { address }) {
      const attempt = await beginLinkAttempt(db, address, now());
      const used = await db.transaction(async (tx) => {
        const link = await useSignInLink(tx, { hash: hashToken(secret), purpose: 'sign-in', now: now() });
        if (link === null) return null;
        await attempt.succeed(tx);
        await claim(tx, link.account);
        return link;
      });
      // Not recorded: anybody can send any text, and events stay for long.
      if (used === null) return null;
      const { userId, displayName } = used.account;
      return { signIn: { userId, displayName, provider: 'mail' }, returnTo: used.returnTo };
    },

    async usePasswordLink(secret, password, origin) {
      const link = { hash: hashToken(secret), purpose: 'password', now: now() } as const;
      const attempt = await beginLinkAttempt(db, origin.address, now());
      const found = await findSignInLink(db, link);
      if (found === null) return false;
      await attempt.succeed(db);
      await requireGoodPassword(password, found.account);
      const hash = await hashPassword(password, passwordCost);
      return await db.transaction(async (tx) => {
        const used = await useSignInLink(tx, link);
        if (used === null) return false;
        await claim(tx, used.account);
        await setPassword(tx, used.account, hash, null);
        await recordChange(tx, 'user.reset-password', used.account, origin);
        return true;
      });
    },

    async useVerificationLink(secret, userId, origin) {
      const attempt = await beginLinkAttempt(db, origin.address, now());
      const link = { hash: hashToken(secret), purpose: 'verify-email', now: now() } as const;
      const found = await findSignInLink(db, link);
      if (found === null) return false;
      await attempt.succeed(db);
      // Else the owner of the mailbox would confirm what somebody else made with the address.
      if (found.account.userId !== userId)
        throw new AccountProblem(
          'Sign in with this account first, in this browser; then open the link from the mail again.',
        );
      return await db.transaction(async (tx) => {
        const used = await useSignInLink(tx, link);
        if (used === null) return false;
        await markEmailVerified(tx, used.account.userId, used.account.email, now());
        await recordChange(tx, 'user.verify-email', used.account, origin);
        return true;
      });
    },

    async load(userId) {
      const account = await loadAccount(db, userId);
      if (account === null) return null;
      return {
        displayName: account.displayName,
        email: account.email,
        isEmailVerified: account.emailVerifiedAt !== null,
        hasPassword: account.passwordHash !== null,
        recoveryCodes: await countRecoveryCodes(db, userId),
      };
    },

    isOnlyIn: async (userId, organizationId) => !(await isMemberElsewhere(db, organizationId, userId)),

    async rename(userId, displayName, origin) {
      const account = await requireAccount(userId);
      const name = readName(displayName);
      if (name === account.displayName) return;
      await db.transaction(async (tx) => {
        await renameUser(tx, userId, name);
        await recordChange(tx, 'user.update', { ...account, displayName: name }, origin, {
          before: { displayName: account.displayName },
          after: { displayName: name },
        });
      });
    },

    async changePassword(userId, { current, next, session }, origin) {
      const account = await requireAccount(userId);
      await requireCurrentPassword(account, current, origin);
      await requireGoodPassword(next, account);
      const hash = await hashPassword(next, passwordCost);
      await db.transaction(async (tx) => {
        await setPassword(tx, account, hash, session === null ? null : hashToken(session));
        await recordChange(tx, 'user.change-password', account, origin);
      });
    },

    async requestVerification(userId, origin) {
      const account = await requireAccount(userId);
      await countMailRequest(db, origin.address, now());
      if (account.emailVerifiedAt !== null || (await isFlooded(userId))) return;
      await db.transaction((tx) => mailLink(tx, { account, purpose: 'verify-email', returnTo: null }));
    },

    async requestEmailChange(userId, { email, current, session }, origin) {
      const account = await requireAccount(userId);
      const at = now();
      const address = normalizeEmail(email);
      if (!isMailAddress(address))
        throw new AccountProblem('Enter your new e-mail address, such as ada@example.com.');
      if (address === account.email) throw new AccountProblem('This is your address already.');
      await requireUnmanaged(db, account, address);
      await requireCurrentPassword(account, current, origin);
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
      if (await isFlooded(userId))
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
      const attempt = await beginLinkAttempt(db, origin.address, now());
      const link = { hash: hashToken(secret), purpose: 'change-email', now: now() } as const;
      const found = await findSignInLink(db, link);
      if (found === null) return false;
      await attempt.succeed(db);
      if (found.account.userId !== userId)
        throw new AccountProblem(
          'Sign in with the account whose address is to change first, in this browser and with its password, a link by mail or GitHub; then open the link from the mail again.',
        );
      return await db.transaction(async (tx) => {
        await lockEmail(tx, found.email);
        const used = await useSignInLink(tx, link);
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

    async makeRecoveryCodes(member, origin) {
      const account = await requireAccount(member.userId);
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      await db.transaction(async (tx) => {
        await replaceRecoveryCodes(
          tx,
          member,
          codes.map((code) => hashToken(normalizeRecoveryCode(code) ?? code)),
        );
        await recordChange(tx, 'recovery-code.create', account, origin, {}, member.organizationId);
      });
      return codes;
    },

    async createFirstAdministrator({ password, ...entered }, origin) {
      const email = normalizeEmail(entered.email);
      if (!isMailAddress(email))
        throw new AccountProblem('Enter your e-mail address, such as ada@example.com.');
      const displayName = readName(entered.displayName);
      await requireGoodPassword(password, { displayName, email });
      const passwordHash = await hashPassword(password, passwordCost);
      const administrator = { displayName, email };
      return await createFirstAdministrator(db, { ...administrator, passwordHash, now: now(), origin });
    },

    async start() {
      if (!mailer.isSet) return;
      await queue.work(signInLinkJob, async ({ email, purpose, returnTo, ...origin }) => {
        const account = await findUserAccount(db, email);
        if (account === null) {
          await recordFailure(email, null, 'Somebody requested a link for an unknown address.', origin);
          return;
        }
        if (await isFlooded(account.userId)) return;
        await db.transaction((tx) => mailLink(tx, { account, purpose, returnTo }));
      });
    },
  };
}

/** Where each kind of link leads. */
const LINK_PATHS: Readonly<Record<LinkPurpose, string>> = {
  'sign-in': '/login/mail',
  password: '/login/new-password',
  'verify-email': '/login/verify-email',
  'change-email': '/login/change-email',
};
