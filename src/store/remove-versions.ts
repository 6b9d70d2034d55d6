import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import {
  changeRequests,
  entries,
  files,
  histories,
  links,
  pages,
  revisions,
  settings,
} from './schema/content.ts';
import { spaces } from './schema/platform.ts';
import { lockSpaceForUpdate } from './spaces.ts';

/** How long old revisions are kept; `docs/operation.md` says the same. */
export const RETAINED_REVISIONS = {
  /** Of each space, so many of the newest that were its content stay whatever their age. */
  newest: 50,
  /** Days for those that were a space's content. */
  days: 180,
  /** Days for standalone ones, and for what a change request proposed before it proposed something else. */
  standaloneDays: 30,
} as const;

export type RetainedRevisions = { readonly [Field in keyof typeof RETAINED_REVISIONS]: number };

/**
 * Removes revisions that nobody needs any more, the rows that no other version has, and the links that none
 * points to; bytes that are left then go by `sweepBytes`. What stays: a space's content, what it was last synced at, all that change requests name, the
 * newest ones, the young ones, and the last version of every history that keeps any. Answers how many revisions went.
 */
export async function removeOldVersions(
  db: Db,
  signal: AbortSignal,
  kept: RetainedRevisions = RETAINED_REVISIONS,
): Promise<number> {
  let removed = 0;
  for (const spaceId of await listSpacesWithOldVersions(db, kept)) {
    signal.throwIfAborted();
    removed += await db.transaction((tx) => removeVersionsOfSpace(tx, spaceId, kept));
  }
  return removed;
}

async function listSpacesWithOldVersions(db: Db, kept: RetainedRevisions): Promise<readonly string[]> {
  const { rows } = await db.execute(sql`
    select distinct space_id from ${revisions} where id not in (${neededRevisions(sql`true`, kept)})`);
  return rows.map((row) => row['space_id'] as string);
}

/** Holds the space, as every writer of its content does: nothing is written between looking and removing. */
async function removeVersionsOfSpace(tx: Db, spaceId: string, kept: RetainedRevisions): Promise<number> {
  if ((await lockSpaceForUpdate(tx, spaceId)) === null) return 0;
  const { rows } = await tx.execute(sql`
    delete from ${revisions} where space_id = ${spaceId}
      and id not in (${neededRevisions(sql`space_id = ${spaceId}`, kept)})
    returning history_id`);
  if (rows.length === 0) return 0;
  const touched = sql`(select json_array_elements_text(${JSON.stringify([...new Set(rows.map((row) => row['history_id']))])}::json))`;
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
    delete from ${links} where space_id = ${spaceId} and set_id not in (
      select links_id from ${entries} join ${histories} on ${histories}.id = ${entries}.history_id
      where ${histories}.space_id = ${spaceId} and links_id is not null)`);
  return rows.length;
}

/** The histories whose versions readers see, or saw. What is proposed, or imported apart, stands in others. */
const ownHistories = sql`
  select history_id from ${revisions} as current
  where current.id in (select revision_id from ${spaces})`;

/** The ids of revisions that stay, among those of which `where` holds. */
function neededRevisions(where: SQL, { newest, days, standaloneDays }: RetainedRevisions): SQL {
  const wanted = sql`
    select id, history_id from (
      select id, history_id, shown, created_at,
        row_number() over (partition by space_id, shown order by created_at desc, id) as place
      from (select *, history_id in (${ownHistories}) as shown from ${revisions}) as told
      where ${where}) as placed
    where (shown and (place <= ${newest} or created_at > ${daysAgo(days)}))
      or created_at > ${daysAgo(standaloneDays)}
      or id in (select unnest(array[revision_id, synced_revision_id]) from ${spaces})
      or id in (select unnest(array[base_revision_id, revision_id, merged_revision_id]) from ${changeRequests})`;
  // The next version counts up from the last one, so a history that stays keeps its last.
  return sql`
    with wanted as (${wanted})
    select id from wanted
    union
    select id from ${revisions} as last where history_id in (select history_id from wanted)
      and not exists (select 1 from ${revisions} as later
        where later.history_id = last.history_id and later.version > last.version)`;
}

function daysAgo(days: number): SQL {
  return sql`(now() - make_interval(days => ${days}))`;
}
