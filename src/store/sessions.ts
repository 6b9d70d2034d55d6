import { and, asc, count, eq, gt, inArray, isNull, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { openMemberships } from './open-memberships.ts';
import { apiTokens, identityProviders, members, sessions, users } from './schema/platform.ts';
import type { TokenOwner } from './tokens.ts';

/** Days after which a session ends however much it is used, and those after which one ends that is not used. */
export const SESSION_DAYS = { absolute: 30, idle: 7 } as const;

/** Sessions of one token, and those of one user without any; a further one ends the one that was used least recently. */
const MAX_SESSIONS = 50;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface FoundSession {
  readonly userId: string | null;
  /** How the user signed in. */
  readonly provider: string;
  /** The organization whose single sign-on these credentials pass, by whatever way. */
  readonly ssoOrganizationId: string | null;
  readonly sealedToken: string | null;
  readonly displayName: string;
}

/** Starts a session at `now`, and ends the oldest of its token or user beyond the most that it may have. */
export async function insertSession(
  db: Db,
  session: Pick<
    typeof sessions.$inferInsert,
    | 'id'
    | 'hash'
    | 'userId'
    | 'tokenId'
    | 'provider'
    | 'providerId'
    | 'ssoOrganizationId'
    | 'sealedToken'
    | 'displayName'
    | 'address'
    | 'userAgent'
  >,
  now: Date,
): Promise<{ readonly expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + SESSION_DAYS.absolute * DAY_MS);
  await db.insert(sessions).values({ ...session, createdAt: now, lastUsedAt: now, expiresAt });
  const { tokenId = null, userId = null } = session;
  const isSame =
    tokenId === null ? sql`token_id is null and user_id = ${userId}` : sql`token_id = ${tokenId}`;
  await db.execute(sql`
    delete from ${sessions} where ${isSame} and id in (
      select id from ${sessions} where ${isSame} order by last_used_at desc offset ${MAX_SESSIONS})`);
  return { expiresAt };
}

/**
 * The session with this hash; null when it was ended, expired or was idle too long, when its token was revoked or expired,
 * or when its user is no member any more. Its use is recorded.
 */
export async function findSession(db: Db, hash: string, now: Date): Promise<FoundSession | null> {
  const [row] = await db
    .select({
      id: sessions.id,
      userId: sessions.userId,
      provider: sessions.provider,
      ssoOrganizationId: sessions.ssoOrganizationId,
      sealedToken: sessions.sealedToken,
      displayName: sessions.displayName,
      lastUsedAt: sessions.lastUsedAt,
    })
    .from(sessions)
    .leftJoin(apiTokens, eq(apiTokens.id, sessions.tokenId))
    .where(and(eq(sessions.hash, hash), isLive(now), hasLiveToken(now), hasMembership()));
  if (!row) return null;
  const { id, lastUsedAt, ...session } = row;
  // At most once a minute, so that reading seldom writes.
  if (now.getTime() - lastUsedAt.getTime() > 60_000)
    await db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, id));
  return session;
}

/** Whether `findSession` would find the session with this hash. That somebody asks is no use of it. */
export async function isSessionOpen(db: Db, hash: string, now: Date): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .leftJoin(apiTokens, eq(apiTokens.id, sessions.tokenId))
    .where(and(eq(sessions.hash, hash), isLive(now), hasLiveToken(now), hasMembership()));
  return rows.length > 0;
}

/** Whether the session with this hash was begun since a moment. */
export async function isSessionBegunSince(db: Db, hash: string, since: Date): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.hash, hash), gt(sessions.createdAt, since)));
  return rows.length > 0;
}

/** Whom the session with this hash signed in, for requests to the platform; null as `findSession` says. */
export async function findSessionOwner(db: Db, hash: string, now: Date): Promise<TokenOwner | null> {
  return await findOwner(db, eq(sessions.hash, hash), now);
}

/** The same by the session's id, for what it was handed over to. */
export async function findOwnerOfSession(db: Db, id: string, now: Date): Promise<TokenOwner | null> {
  return await findOwner(db, eq(sessions.id, id), now);
}

async function findOwner(db: Db, which: SQL, now: Date): Promise<TokenOwner | null> {
  const [row] = await db
    .select({
      sessionId: sessions.id,
      tokenId: sessions.tokenId,
      userId: users.id,
      displayName: users.displayName,
      email: users.email,
      createdAt: users.createdAt,
      // An organization's provider vouches for nobody elsewhere, nor does a recovery code that was made after signing in there.
      organizationId: sql<
        string | null
      >`coalesce(${identityProviders.organizationId}, ${apiTokens.organizationId},
        case when ${sessions.provider} = 'recovery' then ${sessions.ssoOrganizationId} end)`,
      role: apiTokens.role,
      expiresAt: apiTokens.expiresAt,
      ssoOrganizationId: sessions.ssoOrganizationId,
      ssoProviderId: sql<string | null>`coalesce(${sessions.providerId}, ${apiTokens.ssoProviderId})`,
      memberships: openMemberships(sessions.userId, {
        passed: sessions.ssoOrganizationId,
        isServer: sql`${sessions.provider} = 'token' and ${apiTokens.createdBy} = 'server'`,
      }),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(identityProviders, eq(identityProviders.id, sessions.providerId))
    .leftJoin(apiTokens, eq(apiTokens.id, sessions.tokenId))
    .where(and(which, isLive(now), hasLiveToken(now), hasMembership()));
  return row === undefined ? null : { ...row, scope: 'api', isServer: false, expiredAt: null };
}

/** Ends a session, in every process from its next request on. Returns it unless there was none, or it was over already. */
export async function deleteSession(
  db: Db,
  hash: string,
  now: Date,
): Promise<Pick<typeof sessions.$inferSelect, 'id' | 'userId' | 'tokenId' | 'displayName'> | null> {
  const [row] = await db
    .delete(sessions)
    .where(eq(sessions.hash, hash))
    .returning({
      id: sessions.id,
      userId: sessions.userId,
      tokenId: sessions.tokenId,
      displayName: sessions.displayName,
      wasLive: sql<boolean>`${isLive(now)}`,
    });
  if (!row) return null;
  const { wasLive, ...session } = row;
  return wasLive ? session : null;
}

/** Whether the token and the session with which a request began are neither revoked nor over; true for those that are null. */
export async function hasLiveCredentials(
  db: Db,
  {
    tokenId = null,
    sessionId = null,
  }: { readonly tokenId?: string | null; readonly sessionId?: string | null },
  now: Date,
): Promise<boolean> {
  const token = db
    .select({ id: apiTokens.id })
    .from(apiTokens)
    .where(
      and(
        eq(apiTokens.id, tokenId ?? ''),
        isNull(apiTokens.revokedAt),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
      ),
    );
  const session = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId ?? ''), isLive(now)));
  const { rows } = await db.execute<{ live: boolean }>(sql`
    select (${tokenId}::text is null or exists ${token}) and (${sessionId}::text is null or exists ${session}) as live`);
  return rows[0]?.live === true;
}

/** Condition for sessions that neither expired nor were idle too long. */
function isLive(now: Date): SQL | undefined {
  const idleSince = new Date(now.getTime() - SESSION_DAYS.idle * DAY_MS);
  return and(gt(sessions.expiresAt, now), gt(sessions.lastUsedAt, idleSince));
}

function hasLiveToken(now: Date): SQL | undefined {
  const isUnexpired = or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now));
  return or(isNull(sessions.tokenId), and(isNull(apiTokens.revokedAt), isUnexpired));
}

/**
 * A session whose user is disabled in all organizations is over, and so is one of a token whose organization is closed to
 * its user. Somebody new belongs to no organization yet; when the last membership of a user ends, their sessions do, too.
 */
function hasMembership(): SQL {
  return sql`(${sessions.userId} is null
    or exists (
      select from ${members} where ${members.userId} = ${sessions.userId} and ${members.disabledAt} is null
        and (${apiTokens.organizationId} is null or ${members.organizationId} = ${apiTokens.organizationId}))
    or (${sessions.tokenId} is null and not exists (
      select from ${members} where ${members.userId} = ${sessions.userId})))`;
}

export type SessionRow = typeof sessions.$inferSelect;

/** Sessions of a user: all, those that were begun with a token, or those that are an organization's. */
export interface SessionScope {
  readonly userId: string;
  readonly tokenId: string | null;
  readonly organizationId: string | null;
}

/** The sessions of a user that are not over, oldest first. */
export async function listSessions(
  db: Db,
  of: SessionScope,
  { after, limit, now }: { readonly after: AgeKey | null; readonly limit: number; readonly now: Date },
): Promise<{ count: number; rows: SessionRow[] }> {
  const matching = and(isIn(db, of), isLive(now));
  const [total] = await db.select({ count: count() }).from(sessions).where(matching);
  const rows = await db
    .select()
    .from(sessions)
    .where(and(matching, isYounger(sessions, after)))
    .orderBy(asc(sessions.createdAt), asc(sessions.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** Ends sessions of a user: one, or all but one. Returns how many ended. */
export async function deleteSessions(
  db: Db,
  of: SessionScope,
  which: { readonly only: string } | { readonly except: string | null },
): Promise<number> {
  const chosen =
    'only' in which
      ? eq(sessions.id, which.only)
      : which.except === null
        ? undefined
        : ne(sessions.id, which.except);
  const rows = await db
    .delete(sessions)
    .where(and(isIn(db, of), chosen))
    .returning({ id: sessions.id });
  return rows.length;
}

/**
 * Ends the sessions of a member that are the organization's: those that passed its single sign-on or were begun with a token
 * for it alone, and all of a user who is in no other organization. Returns how many ended.
 */
export async function deleteMemberSessions(
  db: Db,
  organizationId: string,
  of: { readonly userId: string; readonly tokenId: string | null },
  { except }: { readonly except: string | null },
): Promise<number> {
  const elsewhere = db
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.userId, of.userId), ne(members.organizationId, organizationId)));
  const rows = await db
    .delete(sessions)
    .where(
      and(
        isOf(of),
        except === null ? undefined : ne(sessions.id, except),
        or(isOwnOf(db, organizationId), notExists(elsewhere)),
      ),
    )
    .returning({ id: sessions.id });
  return rows.length;
}

/** Condition for sessions that passed the single sign-on of an organization or were begun with a token for it alone. */
function isOwnOf(db: Db, organizationId: string): SQL | undefined {
  const own = (table: typeof identityProviders | typeof apiTokens) =>
    db.select({ id: table.id }).from(table).where(eq(table.organizationId, organizationId));
  return or(
    eq(sessions.ssoOrganizationId, organizationId),
    inArray(sessions.providerId, own(identityProviders)),
    inArray(sessions.tokenId, own(apiTokens)),
  );
}

function isIn(db: Db, { organizationId, ...of }: SessionScope): SQL | undefined {
  return and(isOf(of), organizationId === null ? undefined : isOwnOf(db, organizationId));
}

function isOf({ userId, tokenId }: { readonly userId: string; readonly tokenId: string | null }) {
  return and(eq(sessions.userId, userId), tokenId === null ? undefined : eq(sessions.tokenId, tokenId));
}
