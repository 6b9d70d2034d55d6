import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { apiTokens, members, organizations, users } from './schema/platform.ts';

export interface TokenOwner {
  readonly tokenId: string;
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  readonly createdAt: Date;
  /** The only organization that the token opens, or null for all of its user's. */
  readonly organizationId: string | null;
  /** The most that its bearer may do, or null for all that its user may. */
  readonly role: string | null;
  readonly memberships: readonly { readonly organizationId: string; readonly role: string | null }[];
}

/** The owner of the token with this hash; null when it is unknown or revoked. */
export async function findTokenOwner(db: Db, hash: string): Promise<TokenOwner | null> {
  const [row] = await db
    .select({
      tokenId: apiTokens.id,
      userId: apiTokens.userId,
      displayName: users.displayName,
      email: users.email,
      createdAt: users.createdAt,
      organizationId: apiTokens.organizationId,
      role: apiTokens.role,
      lastUsedAt: apiTokens.lastUsedAt,
      memberships: sql<TokenOwner['memberships']>`(
        select coalesce(json_agg(json_build_object('organizationId', ${members.organizationId}, 'role', ${members.role})), '[]')
        from ${members} where ${members.userId} = ${apiTokens.userId})`,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.hash, hash), isNull(apiTokens.revokedAt)));
  if (!row) return null;
  const { lastUsedAt, ...owner } = row;
  if (!lastUsedAt || Date.now() - lastUsedAt.getTime() > 60_000) await recordUse(db, row.tokenId);
  return owner;
}

/** At most once a minute, so that a read request seldom writes. */
async function recordUse(db: Db, tokenId: string): Promise<void> {
  await db
    .update(apiTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(apiTokens.id, tokenId),
        or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, sql`now() - interval '1 minute'`)),
      ),
    );
}

export async function insertToken(
  db: Db,
  token: Pick<typeof apiTokens.$inferInsert, 'id' | 'userId' | 'name' | 'hash' | 'organizationId' | 'role'>,
): Promise<void> {
  await db.insert(apiTokens).values(token);
}

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly organization: string | null;
  readonly role: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** All tokens, oldest first, without the tokens themselves, which are not stored; at most 1,000. */
export async function listTokenRows(db: Db): Promise<readonly TokenRow[]> {
  return await db
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      organization: organizations.title,
      role: apiTokens.role,
      createdAt: apiTokens.createdAt,
      lastUsedAt: apiTokens.lastUsedAt,
      revokedAt: apiTokens.revokedAt,
    })
    .from(apiTokens)
    .leftJoin(organizations, eq(organizations.id, apiTokens.organizationId))
    .orderBy(asc(apiTokens.createdAt), asc(apiTokens.id))
    .limit(1_000);
}

/** Returns whether there is such a token; one that was revoked before stays unchanged. */
export async function markTokenRevoked(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .update(apiTokens)
    .set({ revokedAt: sql`coalesce(${apiTokens.revokedAt}, now())` })
    .where(eq(apiTokens.id, id))
    .returning({ id: apiTokens.id });
  return rows.length > 0;
}
