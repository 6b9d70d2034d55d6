import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { Grant } from './grants-of.ts';
import { grants, invites } from './schema/people.ts';
import { textRows } from './text-rows.ts';

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
