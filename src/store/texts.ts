import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { spaceBlobs, texts } from './schema/content.ts';
import { findSpaceBlobs, recordSpaceBlobs } from './space-blobs.ts';
import { textRows } from './text-rows.ts';

export interface Text {
  readonly oid: string;
  readonly bytes: Uint8Array;
}

/**
 * Stores texts that a space received under their git oids, and records that it received them; the `lastNeededAt` of
 * existing ones is renewed, and the bytes of those in `lost` are replaced. Pass some megabytes at most.
 */
export async function upsertTexts(
  db: Db,
  spaceId: string,
  batch: readonly Text[],
  lost: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (batch.length === 0) return;
  await recordSpaceBlobs(
    db,
    spaceId,
    batch.map(({ oid }) => oid),
  );
  // Most bytes of an import into a further space are stored already, and need not be sent again.
  const known = await renewTexts(
    db,
    batch.flatMap(({ oid }) => (lost.has(oid) ? [] : [oid])),
  );
  const rows = batch
    .filter(({ oid }) => !known.has(oid))
    .map(({ oid, bytes }) => ({ oid, bytes: Buffer.from(bytes).toString('base64') }));
  if (rows.length === 0) return;
  await db.execute(sql`
    insert into ${texts} (oid, bytes)
    select oid, decode(bytes, 'base64') from json_to_recordset(${JSON.stringify(rows)}::json) as input(oid text, bytes text)
    order by oid on conflict (oid) do update set kept_at = now(), bytes = excluded.bytes
  `);
}

/**
 * Which of the texts are stored and were received by the space; their `lastNeededAt` is renewed, so that none is deleted
 * before an entry points to it.
 */
export async function findTexts(
  db: Db,
  spaceId: string,
  oids: readonly string[],
): Promise<ReadonlySet<string>> {
  const received = await findSpaceBlobs(db, spaceId, oids);
  if (received.size === 0) return new Set();
  return await renewTexts(db, [...received]);
}

/** Renews the texts of these oids; returns those that are stored. */
async function renewTexts(db: Db, oids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .update(texts)
    .set({ lastNeededAt: sql`now()` })
    .where(
      // In a fixed order, so that two transactions with the same texts cannot deadlock.
      inArray(
        texts.oid,
        sql`(select oid from ${texts} where oid in ${textRows(oids)} order by oid for update)`,
      ),
    )
    .returning({ oid: texts.oid });
  return new Set(rows.map((row) => row.oid));
}

/** The stored texts of these oids that the space received. */
export async function loadTexts(
  db: Db,
  spaceId: string,
  oids: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (oids.length === 0) return new Map();
  const rows = await db
    .select({ oid: texts.oid, bytes: texts.bytes })
    .from(texts)
    .innerJoin(spaceBlobs, isReceivedBy(spaceId))
    .where(inArray(texts.oid, [...oids]));
  return new Map(rows.map((row) => [row.oid, row.bytes]));
}

/**
 * The same for as many of them, in their order, as fit into `maxBytes`. `absent` are those that the space received and that
 * are not among the texts.
 */
export async function loadTextsWithin(
  db: Db,
  spaceId: string,
  oids: readonly string[],
  maxBytes: number,
): Promise<{ readonly texts: ReadonlyMap<string, Uint8Array>; readonly absent: readonly string[] }> {
  if (oids.length === 0) return { texts: new Map(), absent: [] };
  const rows = await db
    .select({ oid: spaceBlobs.oid, size: sql<number | null>`octet_length(${texts.bytes})` })
    .from(spaceBlobs)
    .leftJoin(texts, eq(texts.oid, spaceBlobs.oid))
    .where(and(eq(spaceBlobs.spaceId, spaceId), inArray(spaceBlobs.oid, [...oids])));
  const sizes = new Map(rows.map((row) => [row.oid, row.size]));
  let total = 0;
  const fitting = [...new Set(oids)].filter((oid) => {
    const size = sizes.get(oid) ?? null;
    if (size === null || total + size > maxBytes) return false;
    total += size;
    return true;
  });
  const absent = [...sizes].flatMap(([oid, size]) => (size === null ? [oid] : []));
  return { texts: await loadTexts(db, spaceId, fitting), absent };
}

function isReceivedBy(spaceId: string): SQL | undefined {
  return and(eq(spaceBlobs.oid, texts.oid), eq(spaceBlobs.spaceId, spaceId));
}
