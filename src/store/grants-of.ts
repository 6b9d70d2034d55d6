import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { grants, teamMembers } from './schema/people.ts';
import { textRows } from './text-rows.ts';

/** A role that somebody was granted: in the whole organization, or only where one of the ids says. */
export interface Grant {
  readonly role: string;
  /** The team through which they have it; null for a grant to the member. */
  readonly teamId: string | null;
  readonly spaceId: string | null;
  readonly collectionId: string | null;
  readonly siteId: string | null;
}

/** A subquery with the grants to a member and to their teams. Both parts use an index, however many grants there are. */
export function grantsOf(organizationId: SQL, userId: SQL): SQL {
  const columns = sql`own.role, own.team_id, own.space_id, own.collection_id, own.site_id,
    num_nonnulls(own.space_id, own.collection_id, own.site_id) > 0 as in_one_place`;
  return sql`(
    select ${columns} from ${grants} own
    where own.organization_id = ${organizationId} and own.user_id = ${userId}
    union all
    select ${columns} from ${teamMembers} theirs join ${grants} own on own.team_id = theirs.team_id
    where theirs.organization_id = ${organizationId} and theirs.user_id = ${userId}
      and own.organization_id = ${organizationId})`;
}

/** A `Grant` from a row of `grantsOf` with the alias `granted`. */
export const grantJson: SQL = sql`json_build_object('role', granted.role, 'teamId', granted.team_id,
  'spaceId', granted.space_id, 'collectionId', granted.collection_id, 'siteId', granted.site_id)`;

/** What each of these members was granted in single spaces, collections and sites, also through their teams. */
export async function loadGrantsOf(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Grant[]>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await db.execute(sql`
    select member.id, (
      select coalesce(json_agg(${grantJson}), '[]')
      from ${grantsOf(sql`${organizationId}`, sql`member.id`)} granted) as grants
    from ${textRows(userIds)} member(id)`);
  return new Map((rows as { id: string; grants: Grant[] }[]).map(({ id, grants: found }) => [id, found]));
}
