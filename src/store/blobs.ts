import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from './new-id.ts';

/** Bytes of files, under the git oid of the blob: 40 hexadecimal digits (SHA-1) or 64 (SHA-256), lower case. */
export interface BlobStore {
  /** Where it has the blob, its time begins anew, so that a sweep which runs meanwhile leaves it. */
  has(oid: string): Promise<boolean>;
  /** Keeps the bytes. When it returns they are on the disk, whole; writing what is there already changes nothing. */
  write(oid: string, bytes: Uint8Array): Promise<void>;
  /** @throws {BlobMissing} */
  read(oid: string): Promise<Buffer>;
  /** All bytes, or those from `start` to `end`, both counted from 0 and sent. @throws {BlobMissing} before the first byte. */
  stream(oid: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /** Bytes. @throws {BlobMissing} */
  size(oid: string): Promise<number>;
  /** The oids of blobs that were written, or last asked for with `has`, before a moment. */
  listOlder(before: Date): AsyncIterable<string>;
  /** Removes a blob, unless its time began anew since. Answers whether it went. */
  remove(oid: string, before: Date): Promise<boolean>;
}

/** Nobody has written a blob of this oid. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}

/** A draft this old belongs to a process that is gone. */
const draftMs = 60 * 60 * 1000;

/**
 * Opens the folder of blobs, making it when it is absent. They are spread over folders named by the first two digits,
 * as git does. Several processes may use one folder.
 */
export async function openBlobs(folder: string): Promise<BlobStore> {
  const drafts = join(folder, 'drafts');
  await mkdir(drafts, { recursive: true });
  await removeOldDrafts(drafts);

  const find = (oid: string) => join(folder, checkOid(oid).slice(0, 2), oid.slice(2));

  async function has(oid: string): Promise<boolean> {
    const now = new Date();
    const touched = await utimes(find(oid), now, now).then(() => true, ignoreAbsence);
    return touched ?? false;
  }

  return {
    has,

    async write(oid, bytes) {
      const path = find(oid);
      if (await has(oid)) return;
      const draft = join(drafts, newId());
      try {
        await writeDurably(draft, bytes);
        await mkdir(join(path, '..'), { recursive: true });
        await rename(draft, path);
        await syncFolder(join(path, '..'));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    async read(oid) {
      return (await readFile(find(oid)).catch(ignoreAbsence)) ?? missing(oid);
    },

    async stream(oid, range = { start: 0, end: Number.POSITIVE_INFINITY }) {
      const file = (await open(find(oid)).catch(ignoreAbsence)) ?? missing(oid);
      return createReadStream('', { fd: file, ...range });
    },

    async size(oid) {
      return ((await stat(find(oid)).catch(ignoreAbsence)) ?? missing(oid)).size;
    },

    async *listOlder(before) {
      const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
      for (const start of names) {
        for (const rest of await readdir(join(folder, start))) {
          const found = await stat(join(folder, start, rest)).catch(ignoreAbsence);
          if (found && found.mtime < before) yield `${start}${rest}`;
        }
      }
    },

    async remove(oid, before) {
      const path = find(oid);
      // Out of sight first: who looks from now on writes it anew, and who looked before has touched it.
      const aside = join(drafts, newId());
      const moved = await rename(path, aside).then(() => true, ignoreAbsence);
      if (!moved) return false;
      const { mtime } = await stat(aside);
      if (mtime < before) await rm(aside, { force: true });
      else await rename(aside, path);
      return mtime < before;
    },
  };
}

/** An oid becomes part of a path, so nothing else than digits may pass. */
function checkOid(oid: string): string {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(oid)) {
    throw new TypeError(
      `"${String(oid).slice(0, 80)}" is no oid: it must be 40 or 64 hexadecimal digits in lower case.`,
    );
  }
  return oid;
}

function missing(oid: string): never {
  throw new BlobMissing(`The bytes of blob ${oid} are not in the store.`);
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o640);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The rename too must have reached the disk before a row speaks of the blob. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function removeOldDrafts(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name);
    const found = await stat(path).catch(ignoreAbsence);
    if (found && Date.now() - found.mtimeMs > draftMs) await rm(path, { force: true });
  }
}
