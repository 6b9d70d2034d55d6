import { and, count, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { passwords, recoveryCodes, signInLinks, userIdentities } from './schema/people.ts';
import { apiTokens, members, sessions, users } from './schema/platform.ts';

/** A person who may sign in. */
export interface Account {
  readonly userId: string;
  readonly displayName: string;
  /** In lower case. */
  readonly email: string;
  readonly emailVerifiedAt: Date | null;
  /** Null for an account without a password. */
  readonly passwordHash: string | null;
}

/** The account with this address, in lower case. */
export async function findUserAccount(db: Db, email: string): Promise<Account | null> {
  return await selectAccount(db, eq(users.email, email));
}

export async function loadAccount(db: Db, userId: string): Promise<Account | null> {
  return await selectAccount(db, eq(users.id, userId));
}

async function selectAccount(db: Db, condition: SQL): Promise<Account | null> {
  const [row] = await db
    .select({
      userId: users.id,
      displayName: users.displayName,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      passwordHash: passwords.hash,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(condition);
  return row ?? null;
}

/** Whether anybody can sign in other than with a token: with a password, a provider or a confirmed address. */
export async function hasPeople(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(sql`
    select exists (select from ${passwords}) or exists (select from ${userIdentities})
      or exists (select from ${users} where email_verified_at is not null) as found`);
  return rows[0]?.found === true;
}

export async function upsertPassword(db: Db, userId: string, hash: string, now: Date): Promise<void> {
  await db
    .insert(passwords)
    .values({ userId, hash, changedAt: now })
    .onConflictDoUpdate({ target: passwords.userId, set: { hash, changedAt: now } });
}

/** Stores the same password with another cost, unless it was changed meanwhile. */
export async function replacePasswordHash(
  db: Db,
  userId: string,
  before: string,
  hash: string,
): Promise<void> {
  await db
    .update(passwords)
    .set({ hash })
    .where(and(eq(passwords.userId, userId), eq(passwords.hash, before)));
}

/** Ends the sessions of a user, but for the one with the hash `except`. */
export async function deleteSessionsOf(db: Db, userId: string, except: string | null): Promise<void> {
  await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except === null ? undefined : ne(sessions.hash, except)));
}

/** Changes the name of a user, also in their sessions. */
export async function renameUser(db: Db, userId: string, displayName: string): Promise<void> {
  await db.update(users).set({ displayName }).where(eq(users.id, userId));
  await db.update(sessions).set({ displayName }).where(eq(sessions.userId, userId));
}

/**
 * Removes the ways into an account that were made while nobody had confirmed its address: the password, linked accounts,
 * sessions, recovery codes, and tokens, but for those that the operator made.
 */
export async function removeWaysIn(db: Db, userId: string, now: Date): Promise<void> {
  await db.delete(passwords).where(eq(passwords.userId, userId));
  await db.delete(userIdentities).where(eq(userIdentities.userId, userId));
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db
    .update(apiTokens)
    .set({ revokedAt: now })
    .where(and(eq(apiTokens.userId, userId), eq(apiTokens.createdBy, 'user'), isNull(apiTokens.revokedAt)));
  await deleteSessionsOf(db, userId, null);
}

/** Records that mail to the address reaches the user, if it is still theirs. */
export async function markEmailVerified(db: Db, userId: string, email: string, now: Date): Promise<void> {
  await db
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.id, userId), eq(users.email, email), isNull(users.emailVerifiedAt)));
}

/** Gives a user another address, which they have shown to be theirs. */
export async function changeUserEmail(db: Db, userId: string, email: string, now: Date): Promise<void> {
  await db.update(users).set({ email, emailVerifiedAt: now }).where(eq(users.id, userId));
}

/** What an address that works once is for. */
export type LinkPurpose = 'sign-in' | 'password' | 'verify-email' | 'change-email';

export async function insertSignInLink(
  db: Db,
  link: Pick<
    typeof signInLinks.$inferInsert,
    'hash' | 'userId' | 'email' | 'returnTo' | 'createdAt' | 'expiresAt'
  > & { readonly purpose: LinkPurpose },
): Promise<void> {
  await db.insert(signInLinks).values(link);
}

/** How many links a user got since a moment. */
export async function countSignInLinks(db: Db, userId: string, since: Date): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(signInLinks)
    .where(and(eq(signInLinks.userId, userId), gt(signInLinks.createdAt, since)));
  return row?.count ?? 0;
}

export interface SignInLink {
  readonly account: Account;
  /** The address to which it was sent: the account's own, but for `change-email`. */
  readonly email: string;
  /** A path of this server. */
  readonly returnTo: string | null;
}

/**
 * The unused link with this hash, if its user has still the address to which it was sent; for `change-email`, whatever
 * address they have.
 */
export async function findSignInLink(
  db: Db,
  { hash, purpose, now }: { readonly hash: string; readonly purpose: LinkPurpose; readonly now: Date },
): Promise<SignInLink | null> {
  const [row] = await db
    .select({ userId: signInLinks.userId, email: signInLinks.email, returnTo: signInLinks.returnTo })
    .from(signInLinks)
    .where(isUsable(hash, purpose, now));
  return row === undefined ? null : await withAccount(db, row, purpose);
}

/** The same, and uses it up: of concurrent callers, one gets it. */
export async function useSignInLink(
  db: Db,
  { hash, purpose, now }: { readonly hash: string; readonly purpose: LinkPurpose; readonly now: Date },
): Promise<SignInLink | null> {
  const [row] = await db
    .update(signInLinks)
    .set({ usedAt: now })
    .where(isUsable(hash, purpose, now))
    .returning({ userId: signInLinks.userId, email: signInLinks.email, returnTo: signInLinks.returnTo });
  return row === undefined ? null : await withAccount(db, row, purpose);
}

function isUsable(hash: string, purpose: LinkPurpose, now: Date): SQL | undefined {
  return and(
    eq(signInLinks.hash, hash),
    eq(signInLinks.purpose, purpose),
    isNull(signInLinks.usedAt),
    gt(signInLinks.expiresAt, now),
  );
}

async function withAccount(
  db: Db,
  { userId, email, returnTo }: { userId: string | null; email: string | null; returnTo: string | null },
  purpose: LinkPurpose,
): Promise<SignInLink | null> {
  const account = userId === null ? null : await loadAccount(db, userId);
  if (account === null || email === null) return null;
  return purpose === 'change-email' || account.email === email ? { account, email, returnTo } : null;
}

/** Makes the links that a user was sent useless. */
export async function deleteSignInLinksOf(db: Db, userId: string): Promise<void> {
  await db.delete(signInLinks).where(eq(signInLinks.userId, userId));
}

/** Gives an administrator new recovery codes, by their hashes, in place of those from before. */
export async function replaceRecoveryCodes(
  db: Db,
  member: { readonly organizationId: string; readonly userId: string },
  hashes: readonly string[],
): Promise<void> {
  await db
    .delete(recoveryCodes)
    .where(
      and(eq(recoveryCodes.organizationId, member.organizationId), eq(recoveryCodes.userId, member.userId)),
    );
  await db.insert(recoveryCodes).values(hashes.map((hash) => ({ ...member, hash })));
}

/** How many recovery codes a user has left, by organization. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ organizationId: recoveryCodes.organizationId, count: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
    .groupBy(recoveryCodes.organizationId);
  return new Map(rows.map((row) => [row.organizationId, row.count]));
}

/** Uses up a recovery code of an administrator; null when there is no such unused one. Of concurrent callers, one gets it. */
export async function useRecoveryCode(
  db: Db,
  { userId, hash, now }: { readonly userId: string; readonly hash: string; readonly now: Date },
): Promise<{ readonly organizationId: string } | null> {
  const [row] = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.hash, hash),
        eq(recoveryCodes.userId, userId),
        isNull(recoveryCodes.usedAt),
        sql`exists (select from ${members} where ${members.organizationId} = ${recoveryCodes.organizationId}
          and ${members.userId} = ${recoveryCodes.userId} and ${members.role} = 'admin' and ${members.disabledAt} is null)`,
      ),
    )
    .returning({ organizationId: recoveryCodes.organizationId });
  return row ?? null;
}
