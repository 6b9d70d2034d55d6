import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHttp, type Http } from '../../src/net/index.ts';
import { hashBytes } from '../../src/store/blobs/hash-blob.ts';
import {
  BlobDamaged,
  BlobMissing,
  type BlobStore,
  copyBlobs,
  createObjectStore,
  openBlobs,
  openFolderBlobs,
} from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { casesAtLength, testAtLength } from '../support/describe-at-length.ts';
import { type ObjectFault, type ObjectServer, startObjectServer } from '../support/object-server.ts';

const sha1 = 'a'.repeat(40);
const sha256 = 'a'.repeat(64);
const hour = 60 * 60 * 1000;
let database: TestDatabase;
let folder: string;
let server: ObjectServer;
let http: Http;
let blobs: BlobStore;
let logged: string[];
let count = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'docloom-objects-'));
  server = await startObjectServer(folder);
  http = createHttp({ userAgent: 'test', backoffMs: 1 });
});
beforeEach(async () => {
  logged = [];
  blobs = await open();
});
afterEach(() => {
  server.fault = () => null;
});
afterAll(async () => {
  await http.close();
  await server.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** A process with an empty folder of its own. */
async function open({
  dataDir = join(folder, `process-${count++}`),
  cacheBytes = 1e9,
} = {}): Promise<BlobStore> {
  return await openBlobs({
    dataDir,
    settings: { objects: server.settings, cacheBytes },
    db: database.store.db,
    http,
    log: (line) => logged.push(line),
  });
}

/** Bytes that no other test has, and their oid. */
function makeBlob(text = 'bytes', like = sha1): { readonly oid: string; readonly bytes: Buffer } {
  const bytes = Buffer.from(`${text} ${count++}`);
  return { oid: hashBytes(bytes, like), bytes };
}

async function age(oid: string): Promise<void> {
  await database.store.db.execute(
    sql`update blob_uses set needed_at = now() - interval '2 days' where oid = ${oid}`,
  );
}

test.each([sha1, sha256])(
  'bytes that one process wrote are read by another, with oids like %s',
  async (like) => {
    const { oid, bytes } = makeBlob('shared', like);
    expect(await blobs.has(oid)).toBe(false);
    await blobs.write(oid, bytes);
    const other = await open();
    expect(await other.has(oid)).toBe(true);
    expect(await other.size(oid)).toBe(bytes.length);
    expect(await buffer(await other.stream(oid, { start: 1, end: 3 }))).toEqual(bytes.subarray(1, 4));
    expect(await other.read(oid)).toEqual(bytes);
  },
);

test('an empty file is a blob', async () => {
  const oid = hashBytes(Buffer.alloc(0), sha1);
  await blobs.write(oid, Buffer.alloc(0));
  expect(await blobs.read(oid)).toEqual(Buffer.alloc(0));
});

test('many readers of one blob fetch it once, and later ones not at all', async () => {
  const { oid, bytes } = makeBlob();
  await blobs.write(oid, bytes);
  server.requests.clear();
  const read = await Promise.all(Array.from({ length: 20 }, () => blobs.read(oid)));
  await blobs.read(oid);
  expect(new Set(read.map(String))).toEqual(new Set([String(bytes)]));
  expect(server.requests.get('GET')).toBe(1);
});

test('the files used longest ago leave the cache', async () => {
  const dataDir = join(folder, 'small');
  const small = await open({ dataDir, cacheBytes: 3_000 });
  const oids: string[] = [];
  for (let n = 0; n < 8; n++) {
    const { oid, bytes } = makeBlob('x'.repeat(1_000));
    await small.write(oid, bytes);
    await small.read(oid);
    oids.push(oid);
  }
  for (const oid of oids) expect(await small.size(oid)).toBeGreaterThan(1_000);
  // What is opened is bounded; what was evicted was fetched again.
  await open({ dataDir, cacheBytes: 3_000 });
  const left = (await readdir(join(dataDir, 'blob-cache'), { recursive: true })).filter((name) =>
    /^..\/.{38}$/.test(name),
  );
  expect(left.length).toBeLessThanOrEqual(2);
});

test('a blob that was never written is missing', async () => {
  const { oid } = makeBlob();
  await expect(blobs.read(oid)).rejects.toThrow(BlobMissing);
  await expect(blobs.size(oid)).rejects.toThrow(BlobMissing);
  await expect(blobs.stream(oid)).rejects.toThrow(BlobMissing);
});

test.each(['', '../../etc/passwd', sha1.toUpperCase(), `${sha1}0`])('%j is not an oid', async (wrong) => {
  await expect(blobs.read(wrong)).rejects.toThrow('is not an oid');
  await expect(blobs.has(wrong)).rejects.toThrow('is not an oid');
  await expect(blobs.write(wrong, Buffer.alloc(0))).rejects.toThrow('is not an oid');
});

test('other bytes than those of the oid are not stored', async () => {
  const { oid } = makeBlob();
  await expect(blobs.write(oid, Buffer.from('others'))).rejects.toThrow('not the bytes');
  expect(await blobs.has(oid)).toBe(false);
});

const faults = casesAtLength<readonly [string, ObjectFault, string]>(
  'an object store that does not answer, is busy or breaks off',
  [
    ['fails', { status: 500, code: 'InternalError' }, 'answered 500 InternalError'],
    ['refuses', { status: 403, code: 'AccessDenied' }, 'check BLOBS_ACCESS_KEY_ID'],
    ['answers other bytes', 'other-bytes', 'are other bytes'],
  ],
  [
    ['is busy', { status: 503, code: 'SlowDown' }, 'answered 503 SlowDown'],
    ['does not answer', 'no-answer', 'does not answer'],
    ['breaks off', 'half', 'broke off while it answered'],
  ],
);

test.each(faults)('a store that %s is named, and nothing wrong is read', async (_name, fault, message) => {
  const { oid, bytes } = makeBlob();
  await blobs.write(oid, bytes);
  server.fault = (method) => (method === 'GET' ? fault : null);
  await expect(blobs.read(oid)).rejects.toThrow(message);
  await expect(blobs.stream(oid)).rejects.toThrow(message);
  if (fault === 'other-bytes')
    expect(logged).toContain('The object store answered other bytes than those of the blob.');
  server.fault = () => null;
  expect(await blobs.read(oid)).toEqual(bytes);
});

test.each(faults)('after a store that once %s, bytes are read and written', async (_name, fault) => {
  if (typeof fault === 'object' && fault.status === 403) return;
  const { oid, bytes } = makeBlob();
  const failed = new Set<string>();
  server.fault = (method, path) => {
    const request = `${method} ${path}`;
    if (failed.has(request) || (typeof fault !== 'object' && fault !== 'no-answer' && method !== 'GET'))
      return null;
    failed.add(request);
    return fault;
  };
  await blobs.write(oid, bytes);
  expect(await blobs.read(oid)).toEqual(bytes);
  expect(failed.size).toBeGreaterThan(0);
});

test('a file of the cache that a crash left empty is fetched again', async () => {
  const { oid, bytes } = makeBlob();
  await blobs.write(oid, bytes);
  const dataDir = join(folder, 'crashed');
  expect(await (await open({ dataDir })).read(oid)).toEqual(bytes);
  await writeFile(join(dataDir, 'blob-cache', oid.slice(0, 2), oid.slice(2)), '');
  const restarted = await open({ dataDir });
  expect(await restarted.size(oid)).toBe(bytes.length);
  expect(await buffer(await restarted.stream(oid))).toEqual(bytes);
});

test('an object with other bytes is replaced where its size differs, or on request', async () => {
  const { oid, bytes } = makeBlob();
  const objects = createObjectStore(server.settings, http);
  const key = `${oid.slice(0, 2)}/${oid.slice(2)}`;
  await objects.put(key, Buffer.from('short'));
  await expect(blobs.read(oid)).rejects.toThrow(BlobDamaged);
  await blobs.write(oid, bytes);
  expect(await (await open()).read(oid)).toEqual(bytes);
  await objects.put(key, Buffer.alloc(bytes.length));
  const other = await open();
  await expect(other.read(oid)).rejects.toThrow(BlobDamaged);
  await other.write(oid, bytes, { replaces: true });
  expect(await other.read(oid)).toEqual(bytes);
});

test('a full store is named, and what is there can still be read', async () => {
  const before = makeBlob();
  await blobs.write(before.oid, before.bytes);
  server.fault = (method) => (method === 'PUT' ? { status: 507, code: 'XMinioStorageFull' } : null);
  const { oid, bytes } = makeBlob();
  await expect(blobs.write(oid, bytes)).rejects.toThrow('XMinioStorageFull: free space there.');
  expect(await blobs.read(before.oid)).toEqual(before.bytes);
});

test.each([
  [{ secretAccessKey: 'wrong' }, 'check BLOBS_ACCESS_KEY_ID'],
  [{ accessKeyId: 'nobody' }, 'check BLOBS_ACCESS_KEY_ID'],
  [{ bucket: 'nowhere' }, 'NoSuchBucket: make the bucket, or correct BLOBS_URL'],
])('settings with %j are explained', async (change, message) => {
  const wrong = await openBlobs({
    dataDir: join(folder, `wrong-${count++}`),
    settings: { objects: { ...server.settings, ...change }, cacheBytes: 1e9 },
    db: database.store.db,
    http,
  });
  const { oid, bytes } = makeBlob();
  await expect(wrong.write(oid, bytes)).rejects.toThrow(message);
});

testAtLength('a second database on the same prefix is refused, and deletes nothing there', async () => {
  const { oid, bytes } = makeBlob();
  await blobs.write(oid, bytes);
  const other = await openTestDatabase();
  try {
    const parts = { settings: { objects: server.settings, cacheBytes: 1e9 }, db: other.store.db, http };
    const dataDir = join(folder, `other-${count++}`);
    await expect(openBlobs({ ...parts, dataDir })).rejects.toThrow(
      /belongs to another database of Docloom \([\w-]+, and this one is [\w-]+\): set BLOBS_URL to a prefix of its own/,
    );
    // One that started while the store did not answer learns it later, and until then takes nothing away.
    server.fault = () => 'no-answer';
    const late = await openBlobs({ ...parts, dataDir });
    server.fault = () => null;
    await late.has(oid);
    await expect(late.remove(oid, new Date(Date.now() + hour))).rejects.toThrow(
      'belongs to another database',
    );
    expect(await late.findTrouble()).toContain('belongs to another database');
    expect(await (await open()).read(oid)).toEqual(bytes);
  } finally {
    await other.close();
  }
});

testAtLength('readiness hears that the store does not answer', async () => {
  expect(await blobs.findTrouble()).toBeNull();
  server.fault = () => 'no-answer';
  expect(await (await open()).findTrouble()).toContain('does not answer');
});

test('blobs that nobody needs are listed and removed, and those needed since are not', async () => {
  const [unused, renewed, fresh] = [makeBlob(), makeBlob(), makeBlob()];
  for (const { oid, bytes } of [unused, renewed, fresh]) await blobs.write(oid, bytes);
  await age(unused.oid);
  await age(renewed.oid);
  const before = new Date(Date.now() - hour);
  const listed = await Array.fromAsync(blobs.listOlder(before));
  expect(listed).toContain(unused.oid);
  expect(listed).not.toContain(fresh.oid);
  expect(await (await open()).has(renewed.oid)).toBe(true);
  expect(await blobs.remove(unused.oid, before)).toBe(true);
  expect(await blobs.remove(unused.oid, before)).toBe(false);
  expect(await blobs.remove(renewed.oid, before)).toBe(false);
  expect(await blobs.has(unused.oid)).toBe(false);
  expect(await blobs.read(renewed.oid)).toEqual(renewed.bytes);
});

test('a blob that is found while it is being removed is written again', async () => {
  const { oid, bytes } = makeBlob();
  await blobs.write(oid, bytes);
  await age(oid);
  const deleting = Promise.withResolvers<void>();
  server.fault = (method) => {
    if (method === 'DELETE') deleting.resolve();
    return null;
  };
  const removal = blobs.remove(oid, new Date(Date.now() - hour));
  await deleting.promise;
  const other = await open();
  await other.write(oid, bytes);
  expect(await removal).toBe(true);
  expect(await (await open()).read(oid)).toEqual(bytes);
});

testAtLength('a removal that fails removes nothing', async () => {
  const { oid, bytes } = makeBlob();
  await blobs.write(oid, bytes);
  await age(oid);
  server.fault = (method) => (method === 'DELETE' ? { status: 500, code: 'InternalError' } : null);
  await expect(blobs.remove(oid, new Date(Date.now() - hour))).rejects.toThrow('InternalError');
  expect(await blobs.read(oid)).toEqual(bytes);
  expect(await Array.fromAsync(blobs.listOlder(new Date(Date.now() - hour)))).toContain(oid);
});

test('what the folder has from before is read, and is in the object store from then on', async () => {
  const { oid, bytes } = makeBlob();
  const dataDir = join(folder, 'moving');
  await (await openFolderBlobs(join(dataDir, 'blobs'))).write(oid, bytes);
  const moving = await open({ dataDir });
  expect(await moving.has(oid)).toBe(true);
  expect(await moving.read(oid)).toEqual(bytes);
  expect(await (await open()).read(oid)).toEqual(bytes);
});

testAtLength('all blobs are copied to an object store and back, and a second run copies none', async () => {
  const source = await openFolderBlobs(join(folder, 'source'));
  const [good, damaged] = [makeBlob('copied'), makeBlob('damaged')];
  await source.write(good.oid, good.bytes);
  await source.write(damaged.oid, Buffer.from('not these'));
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  expect(await copyBlobs(source, blobs, options)).toEqual({ seen: 2, copied: 1, damaged: [damaged.oid] });
  expect(await copyBlobs(source, blobs, options)).toMatchObject({ seen: 2, copied: 0 });
  expect(await (await open()).read(good.oid)).toEqual(good.bytes);
  const back = await openFolderBlobs(join(folder, 'back'));
  const { seen, copied } = await copyBlobs(blobs, back, options);
  expect(copied).toBeGreaterThan(0);
  expect(copied).toBeLessThanOrEqual(seen);
  expect(await back.read(good.oid)).toEqual(good.bytes);
});
