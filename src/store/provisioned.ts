import { and, asc, count, eq, ne, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { MemberView } from './members.ts';
import { provisioned, teamMembers, teams } from './schema/people.ts';
import { members, users } from './schema/platform.ts';
import type { TeamRow } from './teams.ts';
import { textRows } from './text-rows.ts';

/** A member whom an identity provider keeps up to date, as it knows them. */
export type ProvisionedRow = typeof provisioned.$inferSelect;

export interface ProvisionedUser extends MemberView {
  readonly provisioned: ProvisionedRow;
}

/** A team that mirrors a group of an identity provider. */
export interface ProvisionedGroup {
  readonly team: TeamRow;
  readonly members: number;
}

/** A part of a list of which the caller names the start by its number. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** Only users about whom all of this is true. Names and addresses in any letter case. */
export interface ProvisionedUserFilter {
  readonly id?: string;
  readonly userName?: string;
  readonly externalId?: string;
  readonly email?: string;
}

/** Only groups about which all of this is true. The name in any letter case. */
export interface ProvisionedGroupFilter {
  readonly id?: string;
  readonly displayName?: string;
  readonly externalId?: string;
  /** A user who is in it. */
  readonly member?: string;
}

/** The users that match, oldest first: their number, and those in the window. */
export async function listProvisionedUsers(
  db: Db,
  organizationId: string,
  filter: ProvisionedUserFilter,
  { offset, limit }: Window,
): Promise<{ readonly count: number; readonly rows: readonly ProvisionedUser[] }> {
  const { id, userName, externalId, email } = filter;
  const matching = and(
    eq(provisioned.organizationId, organizationId),
    id === undefined ? undefined : eq(provisioned.userId, id),
    userName === undefined ? undefined : sql`lower(${provisioned.userName}) = lower(${userName})`,
    externalId === undefined ? undefined : eq(provisioned.externalId, externalId),
    email === undefined ? undefined : eq(users.email, email.toLowerCase()),
  );
  const [total] = await db
    .select({ count: count() })
    .from(provisioned)
    .innerJoin(users, eq(users.id, provisioned.userId))
    .where(matching);
  const rows = await db
    .select({ provisioned, member: members, user: users })
    .from(provisioned)
    .innerJoin(
      members,
      and(eq(members.organizationId, provisioned.organizationId), eq(members.userId, provisioned.userId)),
    )
    .innerJoin(users, eq(users.id, provisioned.userId))
    .where(matching)
    .orderBy(asc(provisioned.createdAt), asc(provisioned.userId))
    .offset(offset)
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

export async function loadProvisionedUser(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<ProvisionedUser | null> {
  const { rows } = await listProvisionedUsers(db, organizationId, { id: userId }, { offset: 0, limit: 1 });
  return rows[0] ?? null;
}

export async function insertProvisioned(db: Db, row: typeof provisioned.$inferInsert): Promise<void> {
  await db.insert(provisioned).values(row);
}

export async function updateProvisioned(
  db: Db,
  { organizationId, userId }: Pick<ProvisionedRow, 'organizationId' | 'userId'>,
  changes: Partial<Pick<ProvisionedRow, 'userName' | 'externalId' | 'active' | 'disabledAt' | 'profile'>>,
): Promise<void> {
  await db
    .update(provisioned)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(and(eq(provisioned.organizationId, organizationId), eq(provisioned.userId, userId)));
}

/** Ends that an identity provider keeps a member up to date, and takes them out of the teams that mirror its groups. */
export async function deleteProvisioned(
  db: Db,
  { organizationId, userId }: Pick<ProvisionedRow, 'organizationId' | 'userId'>,
): Promise<void> {
  await db
    .delete(provisioned)
    .where(and(eq(provisioned.organizationId, organizationId), eq(provisioned.userId, userId)));
  await db.execute(sql`
    delete from ${teamMembers} where organization_id = ${organizationId} and user_id = ${userId}
      and team_id in (select id from ${teams} where organization_id = ${organizationId} and provisioned_at is not null)`);
}

/** Which of these users an identity provider keeps up to date in the organization. */
export async function findProvisioned(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ userId: provisioned.userId })
    .from(provisioned)
    .where(
      and(eq(provisioned.organizationId, organizationId), sql`${provisioned.userId} in ${textRows(userIds)}`),
    );
  return new Set(rows.map(({ userId }) => userId));
}

/** Whether somebody is a member of another organization, too. */
export async function isMemberElsewhere(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.userId, userId), ne(members.organizationId, organizationId)))
    .limit(1);
  return rows.length > 0;
}

/** Changes what a user is called, or their address, of which somebody trusted said that it is theirs. */
export async function updateProvisionedAccount(
  db: Db,
  userId: string,
  { email, displayName }: { readonly email?: string; readonly displayName?: string },
): Promise<void> {
  if (email === undefined && displayName === undefined) return;
  await db
    .update(users)
    .set({
      ...(displayName === undefined ? {} : { displayName }),
      ...(email === undefined ? {} : { email, emailVerifiedAt: sql`now()` }),
    })
    .where(eq(users.id, userId));
}

/** The groups that match, oldest first: their number, and those in the window. */
export async function listProvisionedGroups(
  db: Db,
  organizationId: string,
  filter: ProvisionedGroupFilter,
  { offset, limit }: Window,
): Promise<{ readonly count: number; readonly rows: readonly ProvisionedGroup[] }> {
  const { id, displayName, externalId, member } = filter;
  const matching = and(
    eq(teams.organizationId, organizationId),
    sql`${teams.provisionedAt} is not null`,
    id === undefined ? undefined : eq(teams.id, id),
    displayName === undefined ? undefined : sql`lower(${teams.title}) = lower(${displayName})`,
    externalId === undefined ? undefined : eq(teams.externalId, externalId),
    member === undefined
      ? undefined
      : sql`exists (select from ${teamMembers} where team_id = ${teams.id} and user_id = ${member})`,
  );
  const [total] = await db.select({ count: count() }).from(teams).where(matching);
  const rows = await db
    .select({
      team: teams,
      members: sql<number>`(select count(*)::int from ${teamMembers} where ${teamMembers.teamId} = ${teams.id})`,
    })
    .from(teams)
    .where(matching)
    .orderBy(asc(teams.createdAt), asc(teams.id))
    .offset(offset)
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

export async function loadProvisionedGroup(
  db: Db,
  organizationId: string,
  teamId: string,
): Promise<ProvisionedGroup | null> {
  const { rows } = await listProvisionedGroups(db, organizationId, { id: teamId }, { offset: 0, limit: 1 });
  return rows[0] ?? null;
}

export async function insertProvisionedTeam(
  db: Db,
  team: Pick<TeamRow, 'id' | 'organizationId' | 'title' | 'externalId'>,
): Promise<TeamRow> {
  const [row] = await db
    .insert(teams)
    .values({ ...team, provisionedAt: sql`now()` })
    .returning();
  return row as TeamRow;
}

export async function updateProvisionedTeam(
  db: Db,
  teamId: string,
  changes: Pick<TeamRow, 'title' | 'externalId'>,
): Promise<void> {
  await db.update(teams).set(changes).where(eq(teams.id, teamId));
}

/** The members of teams whom an identity provider keeps up to date, by team. */
export async function listProvisionedMembers(
  db: Db,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, readonly { readonly userId: string; readonly userName: string }[]>> {
  const rows = await db
    .select({
      teamId: teamMembers.teamId,
      userId: teamMembers.userId,
      userName: provisioned.userName,
    })
    .from(teamMembers)
    .innerJoin(
      provisioned,
      and(
        eq(provisioned.organizationId, teamMembers.organizationId),
        eq(provisioned.userId, teamMembers.userId),
      ),
    )
    .where(sql`${teamMembers.teamId} in ${textRows(teamIds)}`)
    .orderBy(asc(teamMembers.teamId), asc(teamMembers.userId));
  return Map.groupBy(rows, ({ teamId }) => teamId);
}

/** Puts members into a team in one statement; those who are in it keep their role. Returns who was not in it before. */
export async function joinTeam(
  db: Db,
  { id: teamId, organizationId }: Pick<TeamRow, 'id' | 'organizationId'>,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await db
    .insert(teamMembers)
    .select(
      sql`select ${teamId}, ${organizationId}, user_id, 'member', now()
        from (select distinct json_array_elements_text(${JSON.stringify(userIds)}::json) as user_id) as joining`,
    )
    .onConflictDoNothing()
    .returning({ userId: teamMembers.userId });
  return rows.map(({ userId }) => userId);
}

/** Removes all but these from a team; returns who left. */
export async function keepInTeam(
  db: Db,
  teamId: string,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await db
    .delete(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), sql`${teamMembers.userId} not in ${textRows(userIds)}`))
    .returning({ userId: teamMembers.userId });
  return rows.map(({ userId }) => userId);
}

/** Which of these are in the team, with their roles there. */
export async function findInTeam(
  db: Db,
  teamId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ userId: teamMembers.userId, role: teamMembers.role })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), sql`${teamMembers.userId} in ${textRows(userIds)}`));
  return new Map(rows.map(({ userId, role }) => [userId, role]));
}
