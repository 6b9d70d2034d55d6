import { and, count, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { teamMembers } from './schema/people.ts';
import { textRows } from './text-rows.ts';

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
