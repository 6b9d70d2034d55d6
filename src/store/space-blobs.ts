import { and, eq, inArray, SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { RevisionRow } from './revisions.ts';
import { entries, files, revisions, spaceBlobs, texts } from './schema/content.ts';
import { textRows } from './text-rows.ts';
import { isInVersion } from './versions.ts';

/**
 * Records that a space received the bytes of blobs, from its repository or from its editors; known ones are renewed, and
 * lost ones are not lost any more.
 */
export async function recordSpaceBlobs(db: Db, spaceId: string, oids: readonly string[]): Promise<void> {
  if (oids.length === 0) return;
  await db.execute(sql`${recordRows(spaceId, textRows(oids))}, lost_at = null, sought_at = null`);
}

/** Which of the blobs the space received; they are renewed, so that none is forgotten before an entry points to it. */
export async function findSpaceBlobs(
  db: Db,
  spaceId: string,
  oids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set();
  const rows = await db
    .update(spaceBlobs)
    .set({ lastNeededAt: sql`now()` })
    .where(
      // In a fixed order, so that two transactions with the same blobs cannot deadlock.
      and(
        eq(spaceBlobs.spaceId, spaceId),
        inArray(
          spaceBlobs.oid,
          sql`(select oid from ${spaceBlobs} where space_id = ${spaceId} and oid in ${textRows(oids)} order by oid for update)`,
        ),
      ),
    )
    .returning({ oid: spaceBlobs.oid });
  return new Set(rows.map((row) => row.oid));
}

/** Which of the blobs the space received, without renewing them. */
export async function listSpaceBlobs(
  db: Db,
  spaceId: string,
  oids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set();
  const rows = await db
    .select({ oid: spaceBlobs.oid })
    .from(spaceBlobs)
    .where(and(eq(spaceBlobs.spaceId, spaceId), inArray(spaceBlobs.oid, textRows(oids))));
  return new Set(rows.map((row) => row.oid));
}

/** Whether the bytes of a blob that the space received are known to be lost; null when it did not receive them. */
export async function loadSpaceBlob(
  db: Db,
  spaceId: string,
  oid: string,
): Promise<{ readonly isLost: boolean } | null> {
  const [row] = await db
    .select({ lostAt: spaceBlobs.lostAt })
    .from(spaceBlobs)
    .where(and(eq(spaceBlobs.spaceId, spaceId), eq(spaceBlobs.oid, oid)));
  return row === undefined ? null : { isLost: row.lostAt !== null };
}

/** Gives a space the blobs of another one among `oids`, because it gets a copy of its files. */
export async function copySpaceBlobs(
  db: Db,
  from: { readonly spaceId: string; readonly oids: SQL | readonly string[] },
  spaceId: string,
): Promise<void> {
  const oids = from.oids instanceof SQL ? from.oids : textRows(from.oids);
  const copied = sql`(select oid from ${spaceBlobs} where space_id = ${from.spaceId} and oid in ${oids})`;
  await db.execute(recordRows(spaceId, copied));
}

/**
 * Records the blobs of a revision that a release before 0.2.0 wrote, which recorded none: those of its tree that are
 * stored. Does nothing for any other revision.
 */
export async function recordEarlierBlobs(
  db: Db,
  revision: Pick<RevisionRow, 'id' | 'spaceId' | 'historyId' | 'version' | 'blobsRecorded'>,
): Promise<void> {
  if (revision.blobsRecorded) return;
  const isStored = sql`(
    exists (select from ${texts} where ${texts.oid} = ${entries.oid})
    or ${entries.oid} in (select ${files.gitOid} from ${files} where ${isInVersion(files, revision)}))`;
  const stored = sql`(select ${entries.oid} as oid from ${entries} where ${isInVersion(entries, revision)} and ${isStored})`;
  await db.execute(sql`
    with marked as (update ${revisions} set blobs_recorded = true where id = ${revision.id})
    ${recordRows(revision.spaceId, stored)}`);
}

function recordRows(spaceId: string, oids: SQL): SQL {
  return sql`
    insert into ${spaceBlobs} (space_id, oid)
    select distinct ${spaceId}, oid from ${oids} as blobs(oid) order by oid
    on conflict (space_id, oid) do update set last_needed_at = now()`;
}
