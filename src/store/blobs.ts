import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from './new-id.ts';

/** The bytes of files, by the git oid of the blob: 40 hexadecimal digits (SHA-1) or 64 (SHA-256), lower case. */
export interface BlobStore {
  /** Renews the time of the blob if it exists, so that a concurrent sweep does not delete it. */
  has(oid: string): Promise<boolean>;
  /** Stores the bytes. When it returns, all are on the disk. A blob that exists already is not written again. */
  write(oid: string, bytes: Uint8Array): Promise<void>;
  /** @throws {BlobMissing} */
  read(oid: string): Promise<Buffer>;
  /** All bytes, or those from `start` to `end`, both inclusive and counted from 0. @throws {BlobMissing} before the first byte. */
  stream(oid: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>;
  /** In bytes. @throws {BlobMissing} */
  size(oid: string): Promise<number>;
  /** The oids of blobs that were written, or last found by `has`, before a moment. */
  listOlder(before: Date): AsyncIterable<string>;
  /** Deletes a blob, unless its time was renewed since `before`. Returns whether it was deleted. */
  remove(oid: string, before: Date): Promise<boolean>;
}

/** There is no blob with this oid. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}

/** A draft this old belongs to a process that is gone. */
const draftMs = 60 * 60 * 1000;

/**
 * Opens the folder of blobs, creating it when it is absent. As in git, blobs are in subfolders named by their first two
 * digits. Several processes may use one folder.
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
      // Moved aside first: a later `has` does not find it, so the blob is written again, and an earlier one has renewed its time.
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

/** An oid becomes part of a path, so nothing but hexadecimal digits is accepted. */
function checkOid(oid: string): string {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(oid)) {
    throw new TypeError(
      `"${String(oid).slice(0, 80)}" is not an oid: it must be 40 or 64 hexadecimal digits in lower case.`,
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

/** The rename must have reached the disk, too, before a row refers to the blob. */
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
