import { and, asc, count, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { type OpenMembership, openMemberships } from './open-memberships.ts';
import type { UserRow } from './organizations.ts';
import { apiTokens, members, organizations, sessions, users } from './schema/platform.ts';

/** The name of the tokens with which servers call their own platform, which alone never expire. */
export const SERVICE_TOKEN_NAME = 'docloom serve';

export interface TokenOwner {
  /** Null for a session that was begun without a token. */
  readonly tokenId: string | null;
  /** The session of a browser; null for a token that a program sent. */
  readonly sessionId: string | null;
  readonly userId: string;
  readonly displayName: string;
  readonly email: string;
  readonly createdAt: Date;
  /** The only organization that the token opens, or null for all of its user's. */
  readonly organizationId: string | null;
  /** The most that its bearer may do, or null for all that its user may. */
  readonly role: string | null;
  /** What the token is for: `api`, or `scim` for the user provisioning of an organization. */
  readonly scope: string;
  readonly memberships: readonly OpenMembership[];
  /** The organization whose single sign-on these credentials have passed. */
  readonly ssoOrganizationId: string | null;
  /** The provider at which they passed it; null for a recovery code, which stands for it in its session alone. */
  readonly ssoProviderId: string | null;
  /** When the token expires, or that with which the session was begun. */
  readonly expiresAt: Date | null;
  /** Whether the server itself calls: its App and scheduler, not a person. */
  readonly isServer: boolean;
  /** Since when the token opens nothing; null while it is valid. */
  readonly expiredAt: Date | null;
}

/** The owner of the token with this hash, also of an expired one; null when it is unknown or revoked. */
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
      scope: apiTokens.scope,
      lastUsedAt: apiTokens.lastUsedAt,
      expiresAt: apiTokens.expiresAt,
      ssoOrganizationId: apiTokens.ssoOrganizationId,
      ssoProviderId: apiTokens.ssoProviderId,
      isServer: sql<boolean>`${apiTokens.createdBy} = 'server' and (
        ${apiTokens.name} = ${SERVICE_TOKEN_NAME} or starts_with(${apiTokens.name}, ${`${SERVICE_TOKEN_NAME}: `}))`,
      isExpired: sql<boolean>`coalesce(${apiTokens.expiresAt} <= now(), false)`,
      memberships: openMemberships(apiTokens.userId, {
        passed: apiTokens.ssoOrganizationId,
        isServer: sql`${apiTokens.createdBy} = 'server'`,
      }),
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.hash, hash), isNull(apiTokens.revokedAt)));
  if (!row) return null;
  const { lastUsedAt, isExpired, ...rest } = row;
  const owner = { ...rest, sessionId: null, expiredAt: isExpired ? row.expiresAt : null };
  if (isExpired) return owner;
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
  token: Pick<
    typeof apiTokens.$inferInsert,
    | 'id'
    | 'userId'
    | 'name'
    | 'hash'
    | 'prefix'
    | 'scope'
    | 'organizationId'
    | 'role'
    | 'expiresAt'
    | 'createdBy'
    | 'ssoOrganizationId'
    | 'ssoProviderId'
    | 'madeWith'
  >,
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
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The tokens after `after`, oldest first, without the tokens themselves, which are not stored; at most `limit`. */
export async function listTokenRows(
  db: Db,
  { after, limit }: { readonly after: Pick<TokenRow, 'createdAt' | 'id'> | null; readonly limit: number },
): Promise<readonly TokenRow[]> {
  return await db
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      organization: organizations.title,
      role: apiTokens.role,
      createdAt: apiTokens.createdAt,
      lastUsedAt: apiTokens.lastUsedAt,
      expiresAt: apiTokens.expiresAt,
      revokedAt: apiTokens.revokedAt,
    })
    .from(apiTokens)
    .leftJoin(organizations, eq(organizations.id, apiTokens.organizationId))
    .where(
      after === null
        ? undefined
        : sql`(${apiTokens.createdAt}, ${apiTokens.id}) > (${after.createdAt.toISOString()}::timestamptz, ${after.id})`,
    )
    .orderBy(asc(apiTokens.createdAt), asc(apiTokens.id))
    .limit(limit);
}

type RevokedToken = Pick<typeof apiTokens.$inferSelect, 'id' | 'name' | 'organizationId' | 'userId'>;

/**
 * Ends the token, those that were made with it, which a thief may have, and the sessions of all of them. Returns the token
 * first, then the others; nothing when there is no such token. One that was revoked before stays unchanged.
 */
export async function revokeWithMade(tx: Db, id: string): Promise<readonly RevokedToken[]> {
  const all: RevokedToken[] = [];
  let revoked = await revokeTokens(tx, [id]);
  // Each statement sees what was made until the one before had locked the maker.
  while (revoked.length > 0) {
    all.push(...revoked);
    const made = await tx
      .select({ id: apiTokens.id })
      .from(apiTokens)
      .where(
        and(
          inArray(
            apiTokens.madeWith,
            revoked.map((token) => token.id),
          ),
          isNull(apiTokens.revokedAt),
        ),
      );
    revoked = await revokeTokens(
      tx,
      made.map((token) => token.id),
    );
  }
  return all;
}

async function revokeTokens(tx: Db, ids: readonly string[]): Promise<readonly RevokedToken[]> {
  if (ids.length === 0) return [];
  await tx.delete(sessions).where(inArray(sessions.tokenId, [...ids]));
  return await tx
    .update(apiTokens)
    .set({ revokedAt: sql`coalesce(${apiTokens.revokedAt}, now())` })
    .where(inArray(apiTokens.id, [...ids]))
    .returning({
      id: apiTokens.id,
      name: apiTokens.name,
      organizationId: apiTokens.organizationId,
      userId: apiTokens.userId,
    });
}

/** Whether a token is not revoked, which stays so until the transaction is complete. */
export async function lockLiveToken(tx: Db, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(and(eq(apiTokens.id, id), isNull(apiTokens.revokedAt)))
    .for('share');
  return row !== undefined;
}

/**
 * Revokes the tokens that a membership gave, once it has ended: those of the organization, and all of a user without
 * another membership. The server's own token stays.
 */
export async function revokeMemberTokens(db: Db, organizationId: string, userId: string): Promise<void> {
  await db.execute(sql`
    with revoked as (
      update ${apiTokens} set revoked_at = now()
      where user_id = ${userId} and revoked_at is null and (organization_id = ${organizationId} or (
        expires_at is not null and not exists (select from ${members} where user_id = ${userId})))
      returning id)
    delete from ${sessions} where token_id in (select id from revoked)
      or (user_id = ${userId} and not exists (select from ${members} where user_id = ${userId}))`);
}

/** Revokes the tokens whose makers passed single sign-on at a provider, and ends their sessions. Returns how many. */
export async function revokeProviderTokens(db: Db, providerId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    with revoked as (
      update ${apiTokens} set revoked_at = now()
      where sso_provider_id = ${providerId} and revoked_at is null returning id),
    ended as (delete from ${sessions} where token_id in (select id from revoked))
    select count(*)::int as count from revoked`);
  return rows[0]?.count ?? 0;
}

export type ApiTokenRow = typeof apiTokens.$inferSelect;

/** Tokens that people see: neither revoked nor the server's own. */
function isShown(): SQL | undefined {
  return and(isNull(apiTokens.revokedAt), isNotNull(apiTokens.expiresAt));
}

/** The tokens of a user, or those of an organization, or both, and if wanted of one scope; oldest first. */
export async function listApiTokens(
  db: Db,
  of: {
    readonly userId?: string;
    readonly organizationId?: string;
    readonly scope?: ApiTokenRow['scope'] | undefined;
  },
  { after, limit }: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ count: number; rows: { readonly token: ApiTokenRow; readonly user: UserRow }[] }> {
  const matching = and(
    isShown(),
    of.userId === undefined ? undefined : eq(apiTokens.userId, of.userId),
    of.organizationId === undefined ? undefined : eq(apiTokens.organizationId, of.organizationId),
    of.scope === undefined ? undefined : eq(apiTokens.scope, of.scope),
  );
  const [total] = await db.select({ count: count() }).from(apiTokens).where(matching);
  const rows = await db
    .select({ token: apiTokens, user: users })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(matching, isYounger(apiTokens, after)))
    .orderBy(asc(apiTokens.createdAt), asc(apiTokens.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** A token that people see; null for any other. */
export async function loadApiToken(db: Db, id: string): Promise<ApiTokenRow | null> {
  const [row] = await db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.id, id), isShown()));
  return row ?? null;
}

/** Locks a user and counts their tokens that are neither revoked nor expired. */
export async function countLiveTokens(tx: Db, userId: string): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const [row] = await tx
    .select({ count: count() })
    .from(apiTokens)
    .where(and(isShown(), eq(apiTokens.userId, userId), sql`${apiTokens.expiresAt} > now()`));
  return row?.count ?? 0;
}
