/** Steps that several parts of the accounts share: requiring who somebody is, setting a password, and recording both. */
import type { Queue } from '../../queue/index.ts';
import {
  type Account,
  type Database,
  type Db,
  deleteSessionsOf,
  deleteSignInLinksOf,
  loadAccount,
  type RequestOrigin,
  recordAudit,
  upsertPassword,
} from '../../store/index.ts';
import { AccountProblem } from '../account-input.ts';
import type { Mailer } from '../mail/mailer.ts';
import { isMailAddress } from '../mail/smtp-settings.ts';
import { MAX_PASSWORD } from '../passwords/check-new-password.ts';
import { type PasswordCost, verifyPassword } from '../passwords/hash-password.ts';
import { beginKnownAttempt } from '../sign-in/attempts.ts';

export interface AccountParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  /** What guessing a password costs; as OWASP asks when absent. */
  readonly passwordCost?: PasswordCost;
  readonly now: () => Date;
}

/** @throws {AccountProblem} when it was removed meanwhile */
export async function requireOwnAccount(db: Database, userId: string): Promise<Account> {
  const account = await loadAccount(db, userId);
  if (account === null) throw new AccountProblem('This account was removed.');
  return account;
}

/** Nothing for an account without a password. @throws {AccountProblem} {TooManyAttempts} */
export async function requireCurrentPassword(
  { db, passwordCost, now }: AccountParts,
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
    await recordFailure(db, account.email, account, 'The current password was wrong.', origin);
    throw new AccountProblem('The current password is wrong.');
  }
  await attempt.succeed(db);
}

/** Sets a password, and ends all sessions but one, and the links of the user. */
export async function setPassword(
  { mailer, publicUrl, now }: AccountParts,
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

/** Records that somebody could not show who they are. */
export async function recordFailure(
  db: Database,
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

/** Records what somebody did with their own account. */
export async function recordChange(
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
