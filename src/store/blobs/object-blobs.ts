import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Database } from '../db.ts';
import type { Log } from '../log.ts';
import type { BlobCache } from './blob-cache.ts';
import { BlobDamaged, BlobMissing, type BlobStore, requireOid } from './blob-store.ts';
import { deleteUnusedBlob, listBlobsUnusedSince, recordBlobUse } from './blob-uses.ts';
import { claimPrefix, PrefixTaken } from './claim-prefix.ts';
import { hashBytes } from './hash-blob.ts';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';

export interface ObjectBlobsParts {
  readonly objects: ObjectStore;
  /** Where the times of blobs are, for all processes. */
  readonly db: Database;
  readonly cache: BlobCache;
  /** A store from which blobs are read that the object store does not have yet, while they are copied. */
  readonly former?: BlobStore | null;
  readonly log?: Log;
}

/** How long an answer about the state of the object store is repeated. */
const TROUBLE_MS = 5_000;

/**
 * Blobs in an object store that several machines share. Whatever it answers is compared with the oid before anybody gets
 * it, and stays in a cache on this machine. When a blob was last needed is recorded in the database, under whose lock it
 * is deleted: so a blob that an import has just found is not deleted by another process.
 */
export function openObjectBlobs({
  objects,
  db,
  cache,
  former = null,
  log = () => {},
}: ObjectBlobsParts): BlobStore {
  const downloads = new Map<string, Promise<void>>();
  let isOwn = false;
  let trouble: { readonly at: number; readonly answer: Promise<string | null> } | undefined;

  async function open(oid: string): Promise<{ readonly file: FileHandle; readonly size: number }> {
    requireOid(oid);
    for (let attempt = 0; attempt < 3; attempt++) {
      const opened = await cache.open(oid);
      if (opened !== null) return opened;
      let download = downloads.get(oid);
      if (download === undefined) {
        download = fetchBlob(oid).finally(() => downloads.delete(oid));
        downloads.set(oid, download);
      }
      await download;
    }
    throw new ObjectStoreError(
      'The cache of files on this machine is too small for what is read: raise BLOBS_CACHE_MB.',
    );
  }

  /** A connection that broke, or other bytes than asked for, are tried once more. */
  async function fetchBlob(oid: string): Promise<void> {
    let wrong = 0;
    for (let attempt = 0; attempt < 2; attempt++) {
      const body = await objects.get(keyOf(oid));
      if (body === null) return await fetchFormer(oid);
      const isRight = await cache.add(oid, body).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOSPC' || error.code === 'EDQUOT') throw error;
        return null;
      });
      if (isRight === true) return;
      if (isRight === false) {
        wrong++;
        log('The object store answered other bytes than those of the blob.', { oid });
      }
    }
    // All that it has, and not what arrived of it.
    if (wrong === 2) throw new BlobDamaged(oid);
    throw new ObjectStoreError(`The object store broke off while it answered the bytes of blob ${oid}.`);
  }

  async function fetchFormer(oid: string): Promise<void> {
    if (former === null) throw new BlobMissing(oid);
    const bytes = await former.read(oid);
    await write(oid, bytes);
    await cache.add(oid, Readable.from([bytes]));
  }

  async function has(oid: string): Promise<boolean> {
    requireOid(oid);
    await recordBlobUse(db, oid);
    if ((await objects.head(keyOf(oid))) !== null) return true;
    if (!(await former?.has(oid))) return false;
    // Other machines do not have the folder.
    await fetchFormer(oid);
    return true;
  }

  async function write(
    oid: string,
    bytes: Uint8Array,
    { replaces = false }: { readonly replaces?: boolean } = {},
  ): Promise<void> {
    requireOid(oid);
    if (hashBytes(bytes, oid) !== oid) throw new TypeError(`These are not the bytes of blob ${oid}.`);
    await recordBlobUse(db, oid);
    const isStored = !replaces && (await objects.head(keyOf(oid))) === bytes.length;
    if (!isStored) await objects.put(keyOf(oid), bytes);
  }

  async function probe(): Promise<string | null> {
    try {
      await claimPrefix(objects, db);
      return null;
    } catch (error) {
      if (error instanceof ObjectStoreError || error instanceof PrefixTaken) return error.message;
      throw error;
    }
  }

  return {
    has,
    write,

    async read(oid) {
      const { file } = await open(oid);
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    },

    async stream(oid, range) {
      const { file } = await open(oid);
      const stream = createReadStream('', { fd: file, ...range });
      finished(stream).catch(() => {});
      return stream;
    },

    async size(oid) {
      const { file, size } = await open(oid);
      await file.close();
      return size;
    },

    listOlder: (before) => listBlobsUnusedSince(db, before),

    async remove(oid, before) {
      // What another database needs is not known here.
      if (!isOwn) await claimPrefix(objects, db);
      isOwn = true;
      const removed = await deleteUnusedBlob(db, oid, before, () => objects.delete(keyOf(oid)));
      if (removed) await cache.delete(oid);
      return removed;
    },

    findTrouble() {
      if (trouble === undefined || Date.now() - trouble.at > TROUBLE_MS)
        trouble = { at: Date.now(), answer: probe() };
      return trouble.answer;
    },
  };
}

/** As in git and in the folder of blobs: the first two digits are a folder. */
function keyOf(oid: string): string {
  return `${oid.slice(0, 2)}/${oid.slice(2)}`;
}
