import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { UserRow } from './organizations.ts';
import { userIdentities } from './schema/people.ts';
import { users } from './schema/platform.ts';

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
