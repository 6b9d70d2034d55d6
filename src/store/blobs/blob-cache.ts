import type { Stats } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '../new-id.ts';
import { ComparedFiles } from './compared-files.ts';
import { hashFile } from './hash-blob.ts';

/** Copies of blobs in a folder of this machine, the least recently used of which go first. */
export interface BlobCache {
  /** The file of a blob, open for reading, and its size in bytes; null when it is not here, or damaged. The caller closes it. */
  open(oid: string): Promise<{ readonly file: FileHandle; readonly size: number } | null>;
  /** Adds a blob. Returns false, and adds nothing, when the bytes are not those of the oid. */
  add(oid: string, bytes: Readable): Promise<boolean>;
  delete(oid: string): Promise<void>;
}

/** Between two evictions at least this share of the budget is added. */
const SLACK = 0.05;

/**
 * Opens the folder, creating it when it is absent. Several processes may use one: each file appears whole, and one that
 * another process evicts is only absent. The budget is in bytes, for all files together; it may be exceeded by a twentieth.
 */
export async function openBlobCache(folder: string, maxBytes: number): Promise<BlobCache> {
  const drafts = join(folder, 'drafts');
  await rm(drafts, { recursive: true, force: true });
  await mkdir(drafts, { recursive: true });
  let bytes = await evict(folder, maxBytes);
  let isEvicting = false;
  // Each use renews the time of a file.
  const compared = new ComparedFiles({ timesMatter: false });

  const find = (oid: string) => join(folder, oid.slice(0, 2), oid.slice(2));

  async function makeRoom(): Promise<void> {
    if (isEvicting || bytes <= maxBytes * (1 + SLACK)) return;
    isEvicting = true;
    try {
      bytes = await evict(folder, maxBytes);
    } finally {
      isEvicting = false;
    }
  }

  return {
    async open(oid) {
      const file = await open(find(oid)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (file === null) return null;
      const size = await compared.compare(oid, file).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      if (size === null) {
        await file.close();
        await rm(find(oid), { force: true });
        return null;
      }
      const now = new Date();
      await utimes(find(oid), now, now).catch(() => {});
      return { file, size };
    },

    async add(oid, input) {
      await mkdir(drafts, { recursive: true });
      const draft = join(drafts, newId());
      try {
        await pipeline(input, createWriteStream(draft, { mode: 0o640 }));
        if ((await hashFile(draft, oid)) !== oid) return false;
        const { size } = await stat(draft);
        await mkdir(join(find(oid), '..'), { recursive: true });
        await rename(draft, find(oid));
        bytes += size;
        await makeRoom();
        return true;
      } finally {
        await rm(draft, { force: true });
      }
    },

    delete: (oid) => rm(find(oid), { force: true }),
  };
}

/** Deletes the files that were used longest ago until the others are within the budget. Returns how many bytes are left. */
async function evict(folder: string, maxBytes: number): Promise<number> {
  const found: { readonly path: string; readonly stats: Stats }[] = [];
  for (const start of (await readdir(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    for (const rest of await readdir(join(folder, start))) {
      const path = join(folder, start, rest);
      const stats = await stat(path).catch(() => null);
      if (stats !== null) found.push({ path, stats });
    }
  }
  let bytes = found.reduce((sum, { stats }) => sum + stats.size, 0);
  for (const { path, stats } of found.sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)) {
    if (bytes <= maxBytes) break;
    await rm(path, { force: true });
    bytes -= stats.size;
  }
  return bytes;
}
