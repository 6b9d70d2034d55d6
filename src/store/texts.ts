import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { texts } from './schema/content.ts';
import { textRows } from './text-rows.ts';

export interface Text {
  readonly oid: string;
  readonly bytes: Uint8Array;
}

/** Stores texts under their git oids; the `lastNeededAt` of existing ones is renewed. One statement, so pass some megabytes at most. */
export async function upsertTexts(db: Db, batch: readonly Text[]): Promise<void> {
  if (batch.length === 0) return;
  const rows = batch.map(({ oid, bytes }) => ({ oid, bytes: Buffer.from(bytes).toString('base64') }));
  await db.execute(sql`
    insert into ${texts} (oid, bytes)
    select oid, decode(bytes, 'base64') from json_to_recordset(${JSON.stringify(rows)}::json) as input(oid text, bytes text)
    order by oid
    on conflict (oid) do update set kept_at = now()
  `);
}

/** Which of the texts are stored; their `lastNeededAt` is renewed, so that none is deleted before an entry points to it. */
export async function findTexts(db: Db, oids: readonly string[]): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set();
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

/** The stored texts of these oids. */
export async function loadTexts(db: Db, oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  if (oids.length === 0) return new Map();
  const rows = await db
    .select({ oid: texts.oid, bytes: texts.bytes })
    .from(texts)
    .where(inArray(texts.oid, [...oids]));
  return new Map(rows.map((row) => [row.oid, row.bytes]));
}

/** The same for as many of them, in their order, as fit into `maxBytes`. */
export async function loadTextsWithin(
  db: Db,
  oids: readonly string[],
  maxBytes: number,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (oids.length === 0) return new Map();
  const rows = await db
    .select({ oid: texts.oid, size: sql<number>`octet_length(${texts.bytes})` })
    .from(texts)
    .where(inArray(texts.oid, [...oids]));
  const sizes = new Map(rows.map((row) => [row.oid, row.size]));
  let total = 0;
  const fitting = [...new Set(oids)].filter((oid) => {
    const size = sizes.get(oid);
    if (size === undefined || total + size > maxBytes) return false;
    total += size;
    return true;
  });
  return await loadTexts(db, fitting);
}

/** The bytes of a text, or null when it is not stored. */
export async function loadText(db: Db, oid: string): Promise<Uint8Array | null> {
  const [row] = await db.select({ bytes: texts.bytes }).from(texts).where(eq(texts.oid, oid));
  return row?.bytes ?? null;
}
