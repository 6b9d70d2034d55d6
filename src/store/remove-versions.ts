import { type SQL, sql } from 'drizzle-orm';
import { daysAgo } from './days-ago.ts';
import type { Db } from './db.ts';
import {
  changeRequests,
  contentIds,
  entries,
  files,
  histories,
  links,
  movedPages,
  pages,
  revisions,
  settings,
} from './schema/content.ts';
import { spaces } from './schema/platform.ts';
import { lockSpaceForUpdate } from './spaces.ts';
import { textRows } from './text-rows.ts';

/** How long old revisions are retained; `docs/operation.md` states the same. */
export const RETAINED_REVISIONS = {
  /** How many of the newest revisions that were a space's content stay whatever their age. */
  newest: 50,
  /** Days for revisions that were a space's content. */
  days: 180,
  /** Days for standalone revisions, and for former proposals of change requests. */
  standaloneDays: 30,
} as const;

export type RetainedRevisions = { readonly [Field in keyof typeof RETAINED_REVISIONS]: number };

/**
 * Deletes revisions that are not needed any more, with the rows that belong to no other version and the links that no row
 * points to; `sweepBytes` then deletes unused bytes. What stays: a space's content, the revision of its last sync, all
 * revisions that change requests name, the newest and the young ones, and the last version of every history that is not
 * deleted completely. Returns how many revisions were deleted.
 */
export async function removeOldVersions(
  db: Db,
  signal: AbortSignal,
  retained: RetainedRevisions = RETAINED_REVISIONS,
): Promise<number> {
  let removed = 0;
  for (const spaceId of await listSpacesWithOldVersions(db, retained)) {
    signal.throwIfAborted();
    removed += await db.transaction((tx) => removeVersionsOfSpace(tx, spaceId, retained));
  }
  return removed;
}

async function listSpacesWithOldVersions(db: Db, retained: RetainedRevisions): Promise<readonly string[]> {
  const { rows } = await db.execute(sql`
    select distinct space_id from ${revisions} where id not in (${neededRevisions(sql`true`, retained)})`);
  return rows.map((row) => row['space_id'] as string);
}

/** Locks the space, as every writer of its content does, so that nothing is written between selecting and deleting. */
async function removeVersionsOfSpace(tx: Db, spaceId: string, retained: RetainedRevisions): Promise<number> {
  if ((await lockSpaceForUpdate(tx, spaceId)) === null) return 0;
  const { rows } = await tx.execute<{ history_id: string }>(sql`
    delete from ${revisions} where space_id = ${spaceId}
      and id not in (${neededRevisions(sql`space_id = ${spaceId}`, retained)})
    returning history_id`);
  if (rows.length === 0) return 0;
  const touched = textRows([...new Set(rows.map((row) => row.history_id))]);
  await tx.execute(sql`
    delete from ${histories} where id in ${touched}
      and not exists (select 1 from ${revisions} where history_id = ${histories}.id)`);
  for (const table of [entries, pages, files, settings]) {
    await tx.execute(sql`
      delete from ${table} where history_id in ${touched} and not exists (
        select 1 from ${revisions} where history_id = ${table}.history_id
          and version >= ${table}.since and version < ${table}.until)`);
  }
  await tx.execute(sql`
    delete from ${links} where space_id = ${spaceId} and not exists (
      select from ${entries} join ${histories} on ${histories}.id = ${entries}.history_id
      where ${histories}.space_id = ${spaceId} and ${entries}.links_id = ${links}.set_id)`);
  await removeUnusedIds(tx, spaceId);
  return rows.length;
}

/** Deletes the ids, and the former addresses, of pages and files that no version of the space has any more. */
async function removeUnusedIds(tx: Db, spaceId: string): Promise<void> {
  const released = await tx.execute(sql`
    delete from ${contentIds} where ${contentIds}.space_id = ${spaceId}
      and ${isUnused(pages, sql`${pages.id} = ${contentIds.id}`, spaceId)}
      and ${isUnused(files, sql`${files.id} = ${contentIds.id}`, spaceId)}
      and ${isUnused(settings, sql`${settings.contentId} = ${contentIds.id}`, spaceId)}`);
  if (released.rowCount === 0) return;
  await tx.execute(sql`update ${spaces} set ids_version = ids_version + 1 where id = ${spaceId}`);
  await tx.execute(sql`
    delete from ${movedPages} where ${movedPages}.space_id = ${spaceId}
      and ${isUnused(pages, sql`${pages.id} = ${movedPages.pageId}`, spaceId)}`);
}

/** No row of the space is this one. `not in` would compare each row with all others once they exceed `work_mem`. */
function isUnused(table: typeof pages | typeof files | typeof settings, isThis: SQL, spaceId: string): SQL {
  return sql`not exists (select from ${table} join ${histories} on ${histories.id} = ${table.historyId}
    where ${histories.spaceId} = ${spaceId} and ${isThis})`;
}

/** The histories whose versions readers see, or saw. Proposals and standalone revisions have histories of their own. */
const ownHistories = sql`
  select history_id from ${revisions} as live
  where live.id in (select revision_id from ${spaces})`;

/** Selects the ids of revisions that stay, among those that satisfy `where`. */
function neededRevisions(where: SQL, { newest, days, standaloneDays }: RetainedRevisions): SQL {
  const needed = sql`
    select id, history_id from (
      select id, history_id, shown, created_at,
        row_number() over (partition by space_id, shown order by created_at desc, id) as nth
      from (select *, history_id in (${ownHistories}) as shown from ${revisions}) as marked
      where ${where}) as numbered
    where (shown and (nth <= ${newest} or created_at > ${daysAgo(days)}))
      or created_at > ${daysAgo(standaloneDays)}
      or id in (select unnest(array[revision_id, synced_revision_id]) from ${spaces})
      or id in (select unnest(array[base_revision_id, revision_id, merged_revision_id]) from ${changeRequests})`;
  // The next version counts up from the last one, so the last version of a remaining history stays.
  return sql`
    with needed as (${needed})
    select id from needed
    union
    select id from ${revisions} as last where history_id in (select history_id from needed)
      and not exists (select 1 from ${revisions} as later
        where later.history_id = last.history_id and later.version > last.version)`;
}
