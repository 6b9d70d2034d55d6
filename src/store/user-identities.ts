import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { UserRow } from './organizations.ts';
import { passwords, recoveryCodes, userIdentities } from './schema/people.ts';
import { apiTokens, sessions, users } from './schema/platform.ts';

/** An account at a provider; `providerId` is null for GitHub. */
export interface IdentityKey {
  readonly kind: 'saml' | 'oidc' | 'github';
  readonly providerId: string | null;
  readonly subject: string;
}

/** Waits until no other transaction is about to admit somebody with this account or this address. */
export async function lockIdentity(db: Db, key: IdentityKey, email: string | null): Promise<void> {
  // In one order everywhere, so that no two wait for each other.
  await lockEmail(db, email);
  await lockText(db, `identity ${key.kind} ${key.providerId} ${key.subject}`);
}

/** Waits until no other transaction is about to give this address to somebody. */
export async function lockEmail(db: Db, email: string | null): Promise<void> {
  await lockText(db, `email ${email}`);
}

async function lockText(db: Db, text: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`);
}

/** The user of an account at a provider, whose use is recorded; null for one that nobody signed in with before. */
export async function findIdentityUser(db: Db, key: IdentityKey): Promise<UserRow | null> {
  const [row] = await db
    .update(userIdentities)
    .set({ lastUsedAt: sql`now()` })
    .from(users)
    .where(
      and(
        eq(users.id, userIdentities.userId),
        eq(userIdentities.kind, key.kind),
        key.providerId === null
          ? isNull(userIdentities.providerId)
          : eq(userIdentities.providerId, key.providerId),
        eq(userIdentities.subject, key.subject),
      ),
    )
    .returning({ user: users });
  return row?.user ?? null;
}

export async function insertUserIdentity(
  db: Db,
  identity: typeof userIdentities.$inferInsert,
): Promise<void> {
  await db.insert(userIdentities).values(identity);
}

/** The user with this address, in lower case. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row ?? null;
}

/**
 * How a user can sign in now other than by a link to their address. Locks the user, so that nothing is added until the
 * transaction is complete.
 */
export async function lockWaysIn(
  db: Db,
  userId: string,
): Promise<{
  /** The providers of organizations at which the user has an account. */
  readonly providerIds: ReadonlySet<string>;
  readonly hasAny: boolean;
}> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const identities = await db
    .select({ providerId: userIdentities.providerId })
    .from(userIdentities)
    .where(eq(userIdentities.userId, userId));
  const { rows } = await db.execute<{ found: boolean }>(sql`
    select exists (select from ${passwords} where user_id = ${userId})
      or exists (select from ${recoveryCodes} where user_id = ${userId} and used_at is null)
      or exists (select from ${apiTokens} where user_id = ${userId} and revoked_at is null
        and coalesce(expires_at > now(), true))
      or exists (select from ${sessions} where user_id = ${userId} and expires_at > now()) as found`);
  return {
    providerIds: new Set(identities.flatMap(({ providerId }) => providerId ?? [])),
    hasAny: identities.length > 0 || rows[0]?.found === true,
  };
}

/** Records that somebody trusted said that the address of a user is theirs. */
export async function setEmailVerified(db: Db, userId: string): Promise<UserRow> {
  const [row] = await db
    .update(users)
    .set({ emailVerifiedAt: sql`now()` })
    .where(eq(users.id, userId))
    .returning();
  return row as UserRow;
}

/** A new user whose address somebody trusted said is theirs. */
export async function insertVerifiedUser(
  db: Db,
  user: { readonly id: string; readonly displayName: string; readonly email: string },
): Promise<UserRow> {
  const [row] = await db
    .insert(users)
    .values({ ...user, emailVerifiedAt: sql`now()` })
    .returning();
  return row as UserRow;
}

export type UserIdentityRow = typeof userIdentities.$inferSelect;

/** The account of a user at a provider that belongs to no organization. */
export async function findUserIdentity(
  db: Db,
  userId: string,
  kind: 'github',
): Promise<UserIdentityRow | null> {
  const [row] = await db
    .select()
    .from(userIdentities)
    .where(and(eq(userIdentities.userId, userId), eq(userIdentities.kind, kind)));
  return row ?? null;
}

export async function deleteUserIdentity(db: Db, id: string): Promise<void> {
  await db.delete(userIdentities).where(eq(userIdentities.id, id));
}

/** Whether a user has a password, or an account at another provider than this one. */
export async function hasOtherWayIn(db: Db, userId: string, exceptIdentity: string): Promise<boolean> {
  const others = await db
    .select({ id: userIdentities.id })
    .from(userIdentities)
    .where(and(eq(userIdentities.userId, userId), ne(userIdentities.id, exceptIdentity)))
    .limit(1);
  if (others.length > 0) return true;
  const found = await db
    .select({ userId: passwords.userId })
    .from(passwords)
    .where(eq(passwords.userId, userId));
  return found.length > 0;
}

/** The user, whom nobody else changes until the transaction is complete. */
export async function lockUser(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id)).for('no key update');
  return row ?? null;
}
