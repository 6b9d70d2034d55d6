import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../new-id.ts';
import { BlobDamaged, BlobMissing, type BlobStore, requireOid } from './blob-store.ts';
import { ComparedFiles } from './compared-files.ts';

/** A draft this old belongs to a process that is gone. */
const draftMs = 60 * 60 * 1000;

/**
 * Opens the folder of blobs, creating it when it is absent. As in git, blobs are in subfolders named by their first two
 * digits. Several processes may use one folder.
 */
export async function openFolderBlobs(folder: string): Promise<BlobStore> {
  const drafts = join(folder, 'drafts');
  await mkdir(drafts, { recursive: true });
  await removeOldDrafts(drafts);

  const find = (oid: string) => join(folder, requireOid(oid).slice(0, 2), oid.slice(2));

  async function has(oid: string): Promise<boolean> {
    const now = new Date();
    const touched = await utimes(find(oid), now, now).then(() => true, ignoreAbsence);
    return touched ?? false;
  }

  const compared = new ComparedFiles({ timesMatter: true });

  /** The file of a blob whose bytes are right; the caller closes it. */
  async function openBlob(oid: string): Promise<{ readonly file: FileHandle; readonly size: number }> {
    const file = (await open(find(oid)).catch(ignoreAbsence)) ?? missing(oid);
    const size = await compared.compare(oid, file).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    if (size !== null) return { file, size };
    await file.close();
    throw new BlobDamaged(oid);
  }

  return {
    has,

    async write(oid, bytes, { replaces = false } = {}) {
      const path = find(oid);
      const existing = replaces ? undefined : await stat(path).catch(ignoreAbsence);
      if (existing?.size === bytes.length && (await has(oid))) return;
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
      const { file } = await openBlob(oid);
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    },

    async stream(oid, range = { start: 0, end: Number.POSITIVE_INFINITY }) {
      const { file } = await openBlob(oid);
      return createReadStream('', { fd: file, ...range });
    },

    async size(oid) {
      const { file, size } = await openBlob(oid);
      await file.close();
      return size;
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

    // A full disk is found by whoever looks at the whole of DATA_DIR.
    findTrouble: async () => null,
  };
}

function missing(oid: string): never {
  throw new BlobMissing(oid);
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
