import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  BlobDamaged,
  BlobMissing,
  type BlobStore,
  hashBytes,
  openFolderBlobs,
} from '../../src/store/index.ts';

const oid = '8ab686eafeb1f44702738c8b0f24f2567c36da6d';
const bytes = Buffer.from('Hello, World!\n');
let folder: string;
let blobs: BlobStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-blobs-'));
  blobs = await openFolderBlobs(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a written blob can be read, from a subfolder named as in git', async () => {
  expect(await blobs.has(oid)).toBe(false);
  await blobs.write(oid, bytes);
  expect(await blobs.has(oid)).toBe(true);
  expect(await blobs.read(oid)).toEqual(bytes);
  expect(await blobs.size(oid)).toBe(bytes.length);
  expect(await buffer(await blobs.stream(oid))).toEqual(bytes);
  expect(await readdir(join(folder, '8a'))).toEqual([oid.slice(2)]);
});

test('concurrent writers of one blob leave one complete blob and no drafts', async () => {
  const big = Buffer.alloc(2_000_000, 'x');
  const stores = await Promise.all([
    openFolderBlobs(folder),
    openFolderBlobs(folder),
    openFolderBlobs(folder),
  ]);
  const ofBig = hashBytes(big, oid);
  await Promise.all([...stores, ...stores].map((store) => store.write(ofBig, big)));
  expect(await blobs.read(ofBig)).toEqual(big);
  expect(await readdir(join(folder, 'drafts'))).toEqual([]);
});

test('other bytes than those of the oid are not read, until they are replaced', async () => {
  await blobs.write(oid, bytes);
  expect(await blobs.read(oid)).toEqual(bytes);
  const damaged = Buffer.from(bytes).fill('x', 3, 5);
  await writeFile(join(folder, '8a', oid.slice(2)), damaged);
  await expect(blobs.read(oid)).rejects.toThrow(BlobDamaged);
  await expect(blobs.size(oid)).rejects.toThrow(BlobDamaged);
  await expect(blobs.stream(oid, { start: 0, end: 1 })).rejects.toThrow(BlobDamaged);
  await blobs.write(oid, bytes);
  await expect(blobs.read(oid)).rejects.toThrow(BlobDamaged);
  await blobs.write(oid, bytes, { replaces: true });
  expect(await blobs.read(oid)).toEqual(bytes);
});

test('a blob that a crash left empty is written again', async () => {
  await blobs.write(oid, bytes);
  await writeFile(join(folder, '8a', oid.slice(2)), '');
  await blobs.write(oid, bytes);
  expect(await blobs.read(oid)).toEqual(bytes);
});

test('a draft of a crashed process is not a blob, and is removed later', async () => {
  const old = join(folder, 'drafts', 'old');
  const fresh = join(folder, 'drafts', 'fresh');
  await writeFile(old, 'half');
  await writeFile(fresh, 'half');
  await utimes(old, 0, 0);
  await openFolderBlobs(folder);
  expect(await readdir(join(folder, 'drafts'))).toEqual(['fresh']);
});

test('a blob that was never written is missing', async () => {
  await expect(blobs.read(oid)).rejects.toThrow(BlobMissing);
  await expect(blobs.size(oid)).rejects.toThrow(BlobMissing);
  await expect(blobs.stream(oid)).rejects.toThrow(`The bytes of blob ${oid} are not in the store.`);
});

test.each([
  '',
  '../../etc/passwd',
  oid.toUpperCase(),
  oid.slice(1),
  `${oid}0`,
  `../${oid.slice(3)}`,
  `${oid}\n`,
])('%j is not an oid', async (wrong) => {
  await expect(blobs.read(wrong)).rejects.toThrow('is not an oid');
  await expect(blobs.write(wrong, bytes)).rejects.toThrow('is not an oid');
});
