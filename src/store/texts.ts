import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { texts } from './schema/content.ts';

export interface Text {
  readonly oid: string;
  readonly bytes: Uint8Array;
}

/** Keeps texts under their git oids; what is there already stays. One statement, so give it some megabytes at most. */
export async function keepTexts(db: Db, batch: readonly Text[]): Promise<void> {
  if (batch.length === 0) return;
  const rows = batch.map(({ oid, bytes }) => ({ oid, bytes: Buffer.from(bytes).toString('base64') }));
  await db.execute(sql`
    insert into ${texts} (oid, bytes)
    select oid, decode(bytes, 'base64') from json_to_recordset(${JSON.stringify(rows)}::json) as given(oid text, bytes text)
    order by oid
    on conflict do nothing
  `);
}

/** Which of the texts are kept. */
export async function findTexts(db: Db, oids: readonly string[]): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set();
  const rows = await db
    .select({ oid: texts.oid })
    .from(texts)
    .where(inArray(texts.oid, sql`(select json_array_elements_text(${JSON.stringify(oids)}::json))`));
  return new Set(rows.map((row) => row.oid));
}

/** The texts of these oids that are kept. */
export async function loadTexts(db: Db, oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  if (oids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(texts)
    .where(inArray(texts.oid, [...oids]));
  return new Map(rows.map((row) => [row.oid, row.bytes]));
}

/** The bytes of a text, or null when it is not kept. */
export async function loadText(db: Db, oid: string): Promise<Uint8Array | null> {
  const [row] = await db.select({ bytes: texts.bytes }).from(texts).where(eq(texts.oid, oid));
  return row?.bytes ?? null;
}
