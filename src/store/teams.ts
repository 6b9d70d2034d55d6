import { and, asc, count, eq, exists, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { type MemberKey, type MemberView, selectMembers } from './members.ts';
import { teamMembers, teams } from './schema/people.ts';
import { members } from './schema/platform.ts';
import { textRows } from './text-rows.ts';

export type TeamRow = typeof teams.$inferSelect;
export type StoredTeamRole = 'owner' | 'member';

/** A team as a user has it. */
export interface TeamView {
  readonly team: TeamRow;
  readonly members: number;
  /** The role of that user in it; null for none. */
  readonly role: StoredTeamRole | null;
}

/** A team of a list that is about one of its members. */
export interface TeamOfMember extends TeamView {
  /** The role of the member whom the list is about; null for a list about nobody. */
  readonly memberRole: StoredTeamRole | null;
}

/** A member of a team. */
export interface TeamMemberView extends MemberView {
  readonly role: StoredTeamRole;
}

/** The team of the organization, as `userId` has it. */
export async function loadTeam(
  db: Db,
  organizationId: string,
  teamId: string,
  userId: string,
): Promise<TeamView | null> {
  const [row] = await selectTeams(db, userId).where(
    and(eq(teams.id, teamId), eq(teams.organizationId, organizationId)),
  );
  return row ?? null;
}

/** These teams of the organization, as `userId` has them. */
export async function loadTeams(
  db: Db,
  organizationId: string,
  teamIds: readonly string[],
  userId: string,
): Promise<readonly TeamView[]> {
  return await selectTeams(db, userId).where(
    and(eq(teams.organizationId, organizationId), sql`${teams.id} in ${textRows(teamIds)}`),
  );
}

/** The teams of an organization that match, oldest first: their number, and those after `after`. */
export async function listTeams(
  db: Db,
  organizationId: string,
  options: {
    /** For whom `role` is. */
    readonly userId: string;
    /** Only the teams that this member owns, or is in. */
    readonly of: { readonly userId: string; readonly as: 'owner' | 'any' } | null;
    /** A part of the title, ignoring case. */
    readonly title: string | null;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly TeamOfMember[] }> {
  const { of, title } = options;
  const matching = and(
    eq(teams.organizationId, organizationId),
    title === null ? undefined : sql`${teams.title} ilike ${`%${title.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
    of === null
      ? undefined
      : exists(
          db
            .select({ one: sql`1` })
            .from(teamMembers)
            .where(
              and(
                eq(teamMembers.teamId, teams.id),
                eq(teamMembers.userId, of.userId),
                of.as === 'owner' ? eq(teamMembers.role, 'owner') : undefined,
              ),
            ),
        ),
  );
  const [total] = await db.select({ count: count() }).from(teams).where(matching);
  const rows = await selectTeams(db, options.userId, of?.userId ?? null)
    .where(and(matching, isYounger(teams, options.after)))
    .orderBy(asc(teams.createdAt), asc(teams.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** Which of these are teams of the organization, with their titles. */
export async function findTeams(
  db: Db,
  organizationId: string,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (teamIds.length === 0) return new Map();
  const rows = await db
    .select({ id: teams.id, title: teams.title })
    .from(teams)
    .where(and(eq(teams.organizationId, organizationId), sql`${teams.id} in ${textRows(teamIds)}`));
  return new Map(rows.map(({ id, title }) => [id, title]));
}

export async function insertTeam(
  db: Db,
  team: Pick<TeamRow, 'id' | 'organizationId' | 'title'>,
): Promise<TeamRow> {
  const [row] = await db.insert(teams).values(team).returning();
  return row as TeamRow;
}

export async function renameTeam(db: Db, teamId: string, title: string): Promise<void> {
  await db.update(teams).set({ title }).where(eq(teams.id, teamId));
}

/** Deletes a team with its memberships and grants. */
export async function deleteTeam(db: Db, teamId: string): Promise<void> {
  await db.delete(teams).where(eq(teams.id, teamId));
}

/** The members of a team, those who joined last first. */
export async function listTeamMembers(
  db: Db,
  team: Pick<TeamRow, 'id' | 'organizationId'>,
  { after, limit }: { readonly after: MemberKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly (TeamMemberView & { joinedTeamAt: Date })[] }> {
  const isIn = eq(teamMembers.teamId, team.id);
  const [total] = await db.select({ count: count() }).from(teamMembers).where(isIn);
  const rows = await selectMembers(db, { role: teamMembers.role, joinedTeamAt: teamMembers.joinedAt })
    .innerJoin(
      teamMembers,
      and(eq(teamMembers.organizationId, members.organizationId), eq(teamMembers.userId, members.userId)),
    )
    .where(
      and(
        isIn,
        after === null
          ? undefined
          : sql`(${teamMembers.joinedAt}, ${teamMembers.userId}) < (${after.at.toISOString()}::timestamptz, ${after.userId})`,
      ),
    )
    .orderBy(sql`${teamMembers.joinedAt} desc`, sql`${teamMembers.userId} desc`)
    .limit(limit);
  return {
    count: total?.count ?? 0,
    rows: rows.map((row) => ({ ...row, role: row.role as StoredTeamRole })),
  };
}

/** Puts members into a team; without a role as `member`, and those who are in it keep theirs. */
export async function putTeamMembers(
  db: Db,
  team: Pick<TeamRow, 'id' | 'organizationId'>,
  entries: readonly { readonly userId: string; readonly role: StoredTeamRole | null }[],
): Promise<void> {
  for (const { userId, role } of entries) {
    const row = { teamId: team.id, organizationId: team.organizationId, userId, role: role ?? 'member' };
    const insert = db.insert(teamMembers).values(row);
    if (role === null) await insert.onConflictDoNothing();
    else
      await insert.onConflictDoUpdate({
        target: [teamMembers.teamId, teamMembers.userId],
        set: { role },
      });
  }
}

/** Removes members from a team; returns who was in it. */
export async function removeTeamMembers(
  db: Db,
  teamId: string,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await db
    .delete(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), sql`${teamMembers.userId} in ${textRows(userIds)}`))
    .returning({ userId: teamMembers.userId });
  return rows.map(({ userId }) => userId);
}

/** In how many teams of the organization each of these members is; those in none are absent. */
export async function countTeamsOf(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ userId: teamMembers.userId, count: count() })
    .from(teamMembers)
    .where(
      and(eq(teamMembers.organizationId, organizationId), sql`${teamMembers.userId} in ${textRows(userIds)}`),
    )
    .groupBy(teamMembers.userId);
  return new Map(rows.map((row) => [row.userId, row.count]));
}

function selectTeams(db: Db, userId: string, memberId: string | null = null) {
  const inTeam = sql`from ${teamMembers} where ${teamMembers.teamId} = ${teams.id}`;
  const roleOf = (id: string | null) =>
    sql<StoredTeamRole | null>`(select ${teamMembers.role} ${inTeam} and ${teamMembers.userId} = ${id})`;
  return db
    .select({
      team: teams,
      members: sql<number>`(select count(*)::int ${inTeam})`,
      role: roleOf(userId),
      memberRole: roleOf(memberId),
    })
    .from(teams)
    .$dynamic();
}
