import { and, asc, count, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import type { Grant } from './grants-of.ts';
import type { UserRow } from './organizations.ts';
import { grants, invites, teamMembers } from './schema/people.ts';
import { members, users } from './schema/platform.ts';
import { textRows } from './text-rows.ts';

/** Where something is granted: in the organization, or only in one space or collection of it. */
export interface GrantPlace {
  readonly organizationId: string;
  readonly spaceId: string | null;
  readonly collectionId: string | null;
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

/** What members were granted at a place, oldest grant first. */
export async function listUserGrants(
  db: Db,
  place: GrantPlace,
  { after, limit }: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{
  readonly count: number;
  readonly rows: readonly { readonly grant: GrantRow; readonly user: UserRow }[];
}> {
  const matching = and(isAt(place), isNotNull(grants.userId));
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

/** What teams were granted at a place, oldest grant first. */
export async function listTeamGrants(
  db: Db,
  place: GrantPlace,
  { after, limit }: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly GrantRow[] }> {
  const matching = and(isAt(place), isNotNull(grants.teamId));
  const [total] = await db.select({ count: count() }).from(grants).where(matching);
  const rows = await db
    .select()
    .from(grants)
    .where(and(matching, isYounger(grants, after)))
    .orderBy(asc(grants.createdAt), asc(grants.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** A member with all that counts at a place, their teams' grants included. */
export interface GrantedMember {
  readonly userId: string;
  readonly role: string | null;
  readonly joinedAt: Date;
  readonly disabledAt: Date | null;
  readonly grants: readonly Grant[];
}

/**
 * The members of an organization who are not disabled, those who joined first first, with what they were granted in it and
 * in these spaces and collections.
 */
export async function loadGrantedMembers(
  db: Db,
  organizationId: string,
  placeIds: readonly string[],
): Promise<readonly GrantedMember[]> {
  const isHere = sql`own.organization_id = ${organizationId} and (
    num_nonnulls(own.space_id, own.collection_id, own.site_id) = 0
    or coalesce(own.space_id, own.collection_id) in ${textRows(placeIds)})`;
  const { rows } = await db.execute(sql`
    select who.user_id, json_agg(json_build_object('role', who.role, 'teamId', who.team_id, 'spaceId', who.space_id,
      'collectionId', who.collection_id, 'siteId', null)) as grants
    from (
      select own.user_id, own.role, own.team_id, own.space_id, own.collection_id
      from ${grants} own where ${isHere} and own.user_id is not null
      union all
      select theirs.user_id, own.role, own.team_id, own.space_id, own.collection_id
      from ${grants} own join ${teamMembers} theirs on theirs.team_id = own.team_id where ${isHere}) who
    group by who.user_id`);
  const granted = new Map(
    (rows as { user_id: string; grants: Grant[] }[]).map((row) => [row.user_id, row.grants]),
  );
  const all = await db
    .select({
      userId: members.userId,
      role: members.role,
      joinedAt: members.joinedAt,
      disabledAt: members.disabledAt,
    })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), isNull(members.disabledAt)))
    .orderBy(sql`date_trunc('milliseconds', ${members.joinedAt})`, sql`${members.userId} collate "C"`);
  return all.map((member) => ({ ...member, grants: granted.get(member.userId) ?? [] }));
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

function isAt({ organizationId, spaceId, collectionId }: GrantPlace) {
  return and(
    eq(grants.organizationId, organizationId),
    spaceId === null ? isNull(grants.spaceId) : eq(grants.spaceId, spaceId),
    collectionId === null ? isNull(grants.collectionId) : eq(grants.collectionId, collectionId),
    isNull(grants.siteId),
  );
}

function isOf({ userId, teamId }: GrantSubject) {
  return userId === undefined ? eq(grants.teamId, teamId) : eq(grants.userId, userId);
}
