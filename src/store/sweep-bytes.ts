import { type SQL, sql } from 'drizzle-orm';
import type { BlobStore } from './blobs/index.ts';
import type { Db } from './db.ts';
import { entries, files, histories, pages, sections, spaceBlobs, texts } from './schema/content.ts';

/**
 * What was written or needed within this time stays although nothing points to it yet: a running import may be about to
 * insert a row that does. No import runs nearly as long.
 */
export const GRACE_HOURS = 24;

/** How many blobs one statement looks up. */
const BATCH = 5_000;

export interface Swept {
  readonly texts: number;
  /** Counted in sets. */
  readonly sections: number;
  readonly blobs: number;
}

/**
 * Deletes texts, sections and blobs that no version of any space points to, as after a space was purged, and the records
 * of what spaces received that no tree of theirs has any more. An import that
 * needs a stored one renews its time first (`findTexts`, `findSpaceBlobs`, `touchSections`, `BlobStore.has`), and the sweep checks that time
 * again when it deletes. So either the sweep sees that it is needed, or the import sees that it is gone and writes it again.
 */
export async function sweepBytes(db: Db, blobs: BlobStore, signal: AbortSignal): Promise<Swept> {
  signal.throwIfAborted();
  await db.execute(sql`
    delete from ${spaceBlobs} where ${isOld(sql`last_needed_at`)}
      and not exists (
        select from ${entries} join ${histories} on ${histories.id} = ${entries.historyId}
        where ${entries.oid} = ${spaceBlobs.oid} and ${histories.spaceId} = ${spaceBlobs.spaceId})`);
  signal.throwIfAborted();
  const sweptTexts = await db.execute(sql`
    delete from ${texts} where ${isOld(sql`kept_at`)}
      and not exists (select from ${entries} where ${entries.oid} = ${texts.oid})`);
  signal.throwIfAborted();
  // Only the first section of a set has its time renewed.
  const sweptSections = await db.execute(sql`
    with gone as (
      delete from ${sections} where ordinal = 0 and ${isOld(sql`kept_at`)}
        and not exists (select from ${pages} where ${pages.sectionsId} = ${sections.setId})
      returning set_id),
      rest as (delete from ${sections} where ordinal > 0 and set_id in (select set_id from gone))
    select count(*)::int as sets from gone`);
  return {
    texts: sweptTexts.rowCount ?? 0,
    sections: Number(sweptSections.rows[0]?.['sets'] ?? 0),
    blobs: await sweepBlobs(db, blobs, signal),
  };
}

async function sweepBlobs(db: Db, blobs: BlobStore, signal: AbortSignal): Promise<number> {
  const before = new Date(Date.now() - GRACE_HOURS * 60 * 60 * 1000);
  let removed = 0;
  let batch: string[] = [];
  const removeBatch = async () => {
    signal.throwIfAborted();
    for (const oid of await findUnused(db, batch)) if (await blobs.remove(oid, before)) removed++;
    batch = [];
  };
  for await (const oid of blobs.listOlder(before)) {
    batch.push(oid);
    if (batch.length === BATCH) await removeBatch();
  }
  if (batch.length > 0) await removeBatch();
  return removed;
}

async function findUnused(db: Db, oids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.execute(sql`
    select oid from json_array_elements_text(${JSON.stringify(oids)}::json) as input(oid)
    where not exists (select from ${files} where ${files.gitOid} = input.oid)`);
  return rows.map((row) => String(row['oid']));
}

function isOld(column: SQL): SQL {
  return sql`${column} < now() - make_interval(hours => ${GRACE_HOURS})`;
}
