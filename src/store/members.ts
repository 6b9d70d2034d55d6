import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { SelectedFields } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import { isDueToBeSeen } from './open-memberships.ts';
import type { UserRow } from './organizations.ts';
import { teamMembers } from './schema/people.ts';
import { members, users } from './schema/platform.ts';
import { textRows } from './text-rows.ts';
import { revokeMemberTokens } from './tokens.ts';

/** A member of an organization with their user. */
export interface MemberView {
  readonly member: typeof members.$inferSelect;
  readonly user: UserRow;
}

/** Where the next page of a list of members starts. */
export interface MemberKey {
  readonly at: Date;
  readonly userId: string;
}

export async function loadMember(db: Db, organizationId: string, userId: string): Promise<MemberView | null> {
  const [row] = await selectMembers(db).where(
    and(eq(members.organizationId, organizationId), eq(members.userId, userId)),
  );
  return row ?? null;
}

/** The number of members that match, and those after `after`. Sorted by `lastSeenAt`, members who were never seen are left out. */
export async function listMembers(
  db: Db,
  organizationId: string,
  options: {
    readonly role: string | null;
    /** A part of the name or the address, ignoring case. */
    readonly search: string | null;
    readonly sort: 'joinedAt' | 'lastSeenAt';
    readonly order: 'asc' | 'desc';
    readonly after: MemberKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly MemberView[] }> {
  const { role, search, sort, order, after, limit } = options;
  const column = members[sort];
  const matching = and(
    eq(members.organizationId, organizationId),
    role === null ? undefined : eq(members.role, role),
    search === null ? undefined : or(contains(users.displayName, search), contains(users.email, search)),
    sort === 'lastSeenAt' ? isNotNull(members.lastSeenAt) : undefined,
  );
  const counted = db.select({ count: count() }).from(members);
  // Each member has a user, who is read only where the search is in their name.
  const [total] = await (search === null
    ? counted
    : counted.innerJoin(users, eq(users.id, members.userId))
  ).where(matching);
  const by = order === 'asc' ? asc : desc;
  const position = after && sql`(${after.at.toISOString()}::timestamptz, ${after.userId})`;
  const rows = await selectMembers(db)
    .where(
      and(
        matching,
        position === null
          ? undefined
          : order === 'asc'
            ? sql`(${column}, ${members.userId}) > ${position}`
            : sql`(${column}, ${members.userId}) < ${position}`,
      ),
    )
    .orderBy(by(column), by(members.userId))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** Which of these users are members of the organization. */
export async function findMembers(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), inArray(members.userId, [...userIds])));
  return new Set(rows.map((row) => row.userId));
}

/** The memberships of these users in an organization; those who are no members are left out. */
export async function loadMembersOf(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<readonly MemberView[]> {
  if (userIds.length === 0) return [];
  return await selectMembers(db).where(
    and(eq(members.organizationId, organizationId), sql`${members.userId} in ${textRows(userIds)}`),
  );
}

/** Changes the given fields of a membership. */
export async function updateMember(
  db: Db,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  changes: Partial<Pick<MemberView['member'], 'role' | 'disabledAt' | 'sso'>>,
): Promise<void> {
  await db
    .update(members)
    .set(changes)
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)));
}

/** Ends a membership, with the tokens and sessions that it gave. */
export async function removeMember(db: Db, organizationId: string, userId: string): Promise<void> {
  await db.delete(members).where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)));
  await revokeMemberTokens(db, organizationId, userId);
}

/** Whether the organization has an administrator besides this member who is not disabled. Call it with the organization locked. */
export async function hasOtherAdmin(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ userId: members.userId })
    .from(members)
    .where(
      and(
        eq(members.organizationId, organizationId),
        eq(members.role, 'admin'),
        isNull(members.disabledAt),
        sql`${members.userId} <> ${userId}`,
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether a member who is not disabled signs in by single sign-on alone. */
export async function hasSsoMembers(db: Db, organizationId: string): Promise<boolean> {
  const rows = await db
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.sso, true), isNull(members.disabledAt)))
    .limit(1);
  return rows.length > 0;
}

/** The addresses of an organization's administrators who are not disabled, at most 100 of them. */
export async function listAdministratorAddresses(db: Db, organizationId: string): Promise<readonly string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        eq(members.organizationId, organizationId),
        eq(members.role, 'admin'),
        isNull(members.disabledAt),
        isNotNull(users.emailVerifiedAt),
      ),
    )
    .orderBy(asc(users.email))
    .limit(100);
  return rows.map(({ email }) => email);
}

/** Records that a member was seen now. */
export async function recordMemberSeen(db: Db, organizationId: string, userId: string): Promise<void> {
  await db
    .update(members)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)));
}

/**
 * The same, unless that is recorded of the last hour. Of concurrent callers one writes, and none waits for what else is
 * being changed of the member.
 */
export async function recordMemberSeenHourly(db: Db, organizationId: string, userId: string): Promise<void> {
  const due = db
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId), isDueToBeSeen))
    .for('no key update', { skipLocked: true });
  await db
    .update(members)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(members.organizationId, organizationId), inArray(members.userId, due)));
}

/** A user who is a member of one of these organizations, or of a team there that `teamsOf` owns; null for any other. */
export async function loadUserAmong(
  db: Db,
  userId: string,
  among: {
    readonly organizationIds: readonly string[];
    readonly teamsOf: { readonly ownerId: string; readonly organizationIds: readonly string[] };
  },
): Promise<UserRow | null> {
  const { organizationIds, teamsOf } = among;
  const isMember = sql`exists (select from ${members} where ${members.userId} = ${users.id}
    and ${members.organizationId} in ${textRows(organizationIds)})`;
  const isInTeam = sql`exists (
    select from ${teamMembers} as theirs join ${teamMembers} as own on own.team_id = theirs.team_id
    where theirs.user_id = ${users.id} and own.user_id = ${teamsOf.ownerId} and own.role = 'owner'
      and own.organization_id in ${textRows(teamsOf.organizationIds)})`;
  const [row] = await db
    .select(getTableColumns(users))
    .from(users)
    .where(and(eq(users.id, userId), or(isMember, isInTeam)));
  return row ?? null;
}

/** Selects members with their users, and further columns of tables that the query joins. */
export function selectMembers<More extends SelectedFields = Record<never, never>>(db: Db, more?: More) {
  return db
    .select({ ...(more as More), member: members, user: users })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId));
}

/** `%`, `_` and `\` of a search match themselves. */
function contains(column: typeof users.displayName | typeof users.email, part: string): SQL {
  return sql`${column} ilike ${`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}

/** Those of these users who are members of the organization, without those whose membership is disabled. */
export async function loadMembersById(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<readonly MemberView[]> {
  if (userIds.length === 0) return [];
  return await selectMembers(db).where(
    and(
      eq(members.organizationId, organizationId),
      inArray(members.userId, [...userIds]),
      isNull(members.disabledAt),
    ),
  );
}

/** The members whose name without case and spaces, or whose address, is one of `keys`; at most 100. */
export async function findMembersByName(
  db: Db,
  organizationId: string,
  keys: readonly string[],
): Promise<readonly MemberView[]> {
  if (keys.length === 0) return [];
  const name = sql`regexp_replace(lower(${users.displayName}), '[[:space:]._-]+', '', 'g')`;
  return await selectMembers(db)
    .where(
      and(
        eq(members.organizationId, organizationId),
        isNull(members.disabledAt),
        or(inArray(users.email, [...keys]), inArray(name, [...keys])),
      ),
    )
    .limit(100);
}
