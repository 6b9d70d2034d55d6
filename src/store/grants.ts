import { and, asc, count, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import type { Grant } from './grants-of.ts';
import type { MemberKey } from './members.ts';
import type { UserRow } from './organizations.ts';
import { grants, invites, teamMembers } from './schema/people.ts';
import { members, users } from './schema/platform.ts';
import { textRows } from './text-rows.ts';

/** Where something is granted: in the organization, or only in one space, collection or site of it. */
export interface GrantPlace {
  readonly organizationId: string;
  readonly spaceId: string | null;
  readonly collectionId: string | null;
  readonly siteId: string | null;
}

/** Whom something is granted to. */
export type GrantSubject =
  | { readonly userId: string; readonly teamId?: never }
  | { readonly teamId: string; readonly userId?: never };

export type GrantRow = typeof grants.$inferSelect;

/** Grants a role, instead of one that was granted there before; returns that one. */
export async function putGrant(
  db: Db,
  grant: GrantPlace & { readonly id: string; readonly role: string },
  subject: GrantSubject,
): Promise<string | null> {
  const before = await findGrant(db, grant, subject);
  await db
    .insert(grants)
    .values({ ...grant, ...subject })
    .onConflictDoUpdate({
      target: [
        grants.organizationId,
        grants.userId,
        grants.teamId,
        grants.spaceId,
        grants.collectionId,
        grants.siteId,
      ],
      set: { role: grant.role },
    });
  return before;
}

/** Removes a grant; returns its role, or null if there was none. */
export async function removeGrant(db: Db, place: GrantPlace, subject: GrantSubject): Promise<string | null> {
  const [row] = await db
    .delete(grants)
    .where(and(isAt(place), isOf(subject)))
    .returning();
  return row?.role ?? null;
}

export async function findGrant(db: Db, place: GrantPlace, subject: GrantSubject): Promise<string | null> {
  const [row] = await db
    .select({ role: grants.role })
    .from(grants)
    .where(and(isAt(place), isOf(subject)));
  return row?.role ?? null;
}

/** What members, or only this one, were granted at a place, oldest grant first. */
export async function listUserGrants(
  db: Db,
  place: GrantPlace,
  {
    userId,
    after,
    limit,
  }: { readonly userId: string | null; readonly after: AgeKey | null; readonly limit: number },
): Promise<{
  readonly count: number;
  readonly rows: readonly { readonly grant: GrantRow; readonly user: UserRow }[];
}> {
  const matching = and(isAt(place), userId === null ? isNotNull(grants.userId) : eq(grants.userId, userId));
  const [total] = await db.select({ count: count() }).from(grants).where(matching);
  const rows = await db
    .select({ grant: grants, user: users })
    .from(grants)
    .innerJoin(users, eq(users.id, grants.userId))
    .where(and(matching, isYounger(grants, after)))
    .orderBy(asc(grants.createdAt), asc(grants.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** What teams, or only this one, were granted at a place, oldest grant first. */
export async function listTeamGrants(
  db: Db,
  place: GrantPlace,
  {
    teamId,
    after,
    limit,
  }: { readonly teamId: string | null; readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly GrantRow[] }> {
  const matching = and(isAt(place), teamId === null ? isNotNull(grants.teamId) : eq(grants.teamId, teamId));
  const [total] = await db.select({ count: count() }).from(grants).where(matching);
  const rows = await db
    .select()
    .from(grants)
    .where(and(matching, isYounger(grants, after)))
    .orderBy(asc(grants.createdAt), asc(grants.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** A member and the highest of their roles at a place. */
export interface RankedMember {
  readonly userId: string;
  readonly joinedAt: Date;
  readonly role: string;
}

/**
 * The members of an organization who are not disabled and have a role at a place, those who joined first first: how many
 * there are, and those after `after`. Their role is the highest of what they are in the organization, `floor`, and what
 * they or their teams were granted in the organization and in these places.
 */
export async function listRankedMembers(
  db: Db,
  place: GrantPlace,
  options: {
    /** Those whose grants count there: the space, collection or site itself, and the collections above it. */
    readonly placeIds: readonly string[];
    /** All roles, the highest first. */
    readonly roles: readonly string[];
    /** What every member has there; null for nothing. */
    readonly floor: string | null;
    /** Only members with this role. */
    readonly role: string | null;
    /** Whether to leave out whom nothing was granted at the place itself. */
    readonly grantedHere: boolean;
    readonly after: MemberKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly RankedMember[] }> {
  const { placeIds, roles, floor, role, grantedHere, after, limit } = options;
  const { organizationId } = place;
  const rankOf = (value: SQL | string | null) =>
    sql`array_position(${sql.param(roles)}::text[], ${value}::text)`;
  const isHere = sql`own.organization_id = ${organizationId} and (
    num_nonnulls(own.space_id, own.collection_id, own.site_id) = 0
    or coalesce(own.space_id, own.collection_id, own.site_id) in ${textRows(placeIds)})`;
  const isOwnPlace = sql`(own.space_id is not distinct from ${place.spaceId}
    and own.collection_id is not distinct from ${place.collectionId}
    and own.site_id is not distinct from ${place.siteId})`;
  const ranked = sql`
    with granted as (
      select user_id, min(rank) as rank, bool_or(is_own_place) as is_own_place from (
        select own.user_id, ${rankOf(sql`own.role`)} as rank, ${isOwnPlace} as is_own_place
        from ${grants} own where ${isHere} and own.user_id is not null
        union all
        select theirs.user_id, ${rankOf(sql`own.role`)}, ${isOwnPlace}
        from ${grants} own join ${teamMembers} theirs on theirs.team_id = own.team_id where ${isHere}) each
      group by user_id
    ), ranked as (
      select ${members.userId} as user_id, ${members.joinedAt} as joined_at,
        least(${rankOf(sql`${members.role}`)}, ${rankOf(floor)}, granted.rank) as rank
      from ${members} left join granted on granted.user_id = ${members.userId}
      where ${members.organizationId} = ${organizationId} and ${members.disabledAt} is null
        and (not ${grantedHere}::boolean or granted.is_own_place)
    )`;
  const matches = role === null ? sql`rank is not null` : sql`rank = ${rankOf(role)}`;
  const total = await db.execute<{ count: number }>(
    sql`${ranked} select count(*)::int as count from ranked where ${matches}`,
  );
  const isBeyond =
    after === null
      ? sql``
      : sql`and (joined_at, user_id) > (${after.at.toISOString()}::timestamptz, ${after.userId})`;
  const { rows } = await db.execute<{ user_id: string; joined_at: string; rank: number }>(sql`
    ${ranked} select user_id, joined_at, rank from ranked where ${matches} ${isBeyond}
    order by joined_at, user_id limit ${limit}`);
  return {
    count: total.rows[0]?.count ?? 0,
    rows: rows.map((row) => ({
      userId: row.user_id,
      joinedAt: new Date(row.joined_at),
      role: roles[row.rank - 1] ?? '',
    })),
  };
}

export async function loadUsers(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, UserRow>> {
  const rows = await db
    .select()
    .from(users)
    .where(sql`${users.id} in ${textRows(userIds)}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What each of these teams was granted. */
export async function loadGrantsOfTeams(
  db: Db,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Grant[]>> {
  const rows = await db
    .select({
      role: grants.role,
      teamId: grants.teamId,
      spaceId: grants.spaceId,
      collectionId: grants.collectionId,
      siteId: grants.siteId,
    })
    .from(grants)
    .where(sql`${grants.teamId} in ${textRows(teamIds)}`);
  return Map.groupBy(rows, ({ teamId }) => teamId ?? '');
}

/**
 * Removes what people and teams were granted in spaces and collections, and revokes the invitations to them: call it when
 * these go to another organization, whose members are others.
 */
export async function removeSharing(
  db: Db,
  {
    spaceIds,
    collectionIds,
  }: { readonly spaceIds: readonly string[]; readonly collectionIds: readonly string[] },
): Promise<void> {
  const isThere = sql`(space_id in ${textRows(spaceIds)} or collection_id in ${textRows(collectionIds)})`;
  await db.execute(sql`delete from ${grants} where ${isThere}`);
  await db.execute(sql`update ${invites} set revoked_at = now() where ${isThere} and revoked_at is null`);
}

function isAt({ organizationId, spaceId, collectionId, siteId }: GrantPlace) {
  return and(
    eq(grants.organizationId, organizationId),
    spaceId === null ? isNull(grants.spaceId) : eq(grants.spaceId, spaceId),
    collectionId === null ? isNull(grants.collectionId) : eq(grants.collectionId, collectionId),
    siteId === null ? isNull(grants.siteId) : eq(grants.siteId, siteId),
  );
}

function isOf({ userId, teamId }: GrantSubject) {
  return userId === undefined ? eq(grants.teamId, teamId) : eq(grants.userId, userId);
}
