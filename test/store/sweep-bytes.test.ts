import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeSpaces } from '../../src/store/clean-up.ts';
import { type BlobStore, listSpaceBlobs, openFolderBlobs, tables } from '../../src/store/index.ts';
import { sweepBytes } from '../../src/store/sweep-bytes.ts';
import { findTexts, upsertTexts } from '../../src/store/texts.ts';
import { insertHistory } from '../../src/store/versions.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const { signal } = new AbortController();
const oidOf = (digit: string) => digit.repeat(40);
let database: TestDatabase;
let folder: string;
let blobs: BlobStore;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'docloom-sweep-'));
  blobs = await openFolderBlobs(folder);
});
afterAll(async () => {
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A text and a blob with an oid of one repeated digit, last needed two days ago. */
async function keep(digit: string): Promise<void> {
  const oid = oidOf(digit);
  const { db } = database.store;
  await upsertTexts(db, 'stays', [{ oid, bytes: Buffer.from(digit) }]);
  await db.execute(sql`update texts set kept_at = now() - interval '2 days' where oid = ${oid}`);
  await db.execute(sql`update space_blobs set last_needed_at = now() - interval '2 days' where oid = ${oid}`);
  await blobs.write(oid, Buffer.from(digit));
  const past = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  await utimes(join(folder, oid.slice(0, 2), oid.slice(2)), past, past);
}

async function makeSpace(id: string, digits: readonly string[]): Promise<void> {
  const { db } = database.store;
  await db.insert(tables.spaces).values({ id, organizationId: 'org', title: id });
  await insertHistory(db, { id: `history of ${id}`, spaceId: id });
  for (const digit of digits) {
    const row = { historyId: `history of ${id}`, since: 1 };
    const oid = oidOf(digit);
    await db.insert(tables.entries).values({ ...row, path: digit, oid, mode: 'file' });
    await db.insert(tables.files).values({
      ...row,
      id: digit,
      name: digit,
      contentType: 'text/plain',
      size: 1,
      gitPath: digit,
      gitOid: oid,
    });
  }
}

test('bytes are deleted when nothing points to them and they were not needed recently', async () => {
  const { db } = database.store;
  await db.insert(tables.organizations).values({ id: 'org', title: 'Acme' });
  await makeSpace('stays', ['a']);
  for (const digit of ['a', 'b', 'c', 'd']) await keep(digit);
  await makeSpace('goes', ['a', 'b', 'c']);
  const section = { body: '', words: '', lastNeededAt: new Date(0) };
  await db.insert(tables.sections).values([
    { ...section, setId: 'old', ordinal: 0 },
    { ...section, setId: 'old', ordinal: 1 },
    { ...section, setId: 'young', ordinal: 0, lastNeededAt: new Date() },
    { ...section, setId: 'young', ordinal: 1 },
  ]);
  expect(await sweepBytes(db, blobs, signal)).toEqual({ texts: 1, sections: 1, blobs: 1 });
  // What a space received is forgotten once none of its trees has it.
  expect(await listSpaceBlobs(db, 'stays', ['a', 'b', 'c', 'd'].map(oidOf))).toEqual(new Set([oidOf('a')]));
  const left = await db.execute(sql`select distinct set_id from sections`);
  expect(left.rows).toEqual([{ set_id: 'young' }]);

  await db.execute(sql`update spaces set deleted_at = now() - interval '8 days' where id = 'goes'`);
  expect(await purgeSpaces(db, signal)).toBe(1);
  // b is needed from now on.
  await upsertTexts(db, 'stays', [{ oid: oidOf('b'), bytes: Buffer.from('b') }]);
  expect(await findTexts(db, 'stays', [oidOf('b')])).toEqual(new Set([oidOf('b')]));
  expect(await blobs.has(oidOf('b'))).toBe(true);
  expect(await sweepBytes(db, blobs, signal)).toEqual({ texts: 1, sections: 0, blobs: 1 });
  for (const [digit, isKept] of Object.entries({ a: true, b: true, c: false, d: false })) {
    const { rows } = await db.execute(sql`select from texts where oid = ${oidOf(digit)}`);
    const found = rows.length === 1;
    expect([digit, found, await blobs.has(oidOf(digit))]).toEqual([digit, isKept, isKept]);
  }
});
