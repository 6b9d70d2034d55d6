import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolderLock } from './folder-lock.ts';
import { goneSuffix, isEmptyRepository, removeRepository } from './repository-folder.ts';

/** The modification time of this file says when any process last used the repository. */
const usedFile = 'docloom-used';

/** A repository that nobody used for so long leaves the cache, however small it is. */
export const MAX_IDLE_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Repositories of the git program, of isomorphic-git, and of isomorphic-git in older versions. */
const folderName = /^[0-9a-f]{64}(?:\.packs|\.isomorphic)?\.git$/;
/** What repositories are made as, and their locks; those of a process that was killed are deleted after a day. */
const draftName = /^[0-9a-f]{64}(?:\.packs|\.isomorphic)?\.git\.(?!lock$)/;

export interface CacheBudget {
  readonly directory: string;
  /** For all repositories together. */
  readonly maxBytes: number;
  /** A repository used within this time may still be in use and is not evicted. In ms. */
  readonly restMs: number;
}

interface CachedFolder {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** Records that a repository is used now. Returns false when its folder no longer exists. */
export async function recordUse(folder: string): Promise<boolean> {
  const file = join(folder, usedFile);
  const now = new Date();
  try {
    await utimes(file, now, now).catch(() => writeFile(file, ''));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Removes repositories, the least recently used first, while their total size exceeds the budget, those that were not
 * used for 30 days, and those into which nothing was ever fetched. Recently used ones stay, even above the budget. Several
 * processes may do this at once. Returns the folders that were removed.
 */
export async function evictRepositories(
  budget: CacheBudget,
  signal: AbortSignal,
): Promise<readonly string[]> {
  await removeGone(budget.directory);
  const folders = await listFolders(budget.directory);
  let bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
  const removed: string[] = [];
  for (const folder of folders.toSorted((a, b) => a.usedAt - b.usedAt)) {
    signal.throwIfAborted();
    if (folder.usedAt > Date.now() - budget.restMs) break;
    const isIdle = folder.usedAt < Date.now() - MAX_IDLE_DAYS * DAY_MS;
    if (bytes <= budget.maxBytes && !isIdle && !(await isEmptyRepository(folder.path))) continue;
    const outcome = await remove(folder, signal);
    if (outcome === 'used') continue;
    bytes -= folder.bytes;
    if (outcome === 'removed') removed.push(folder.path);
  }
  return removed;
}

/**
 * Runs under the repository's lock: no other call fetches into it, and the next caller creates it again. `gone` when another
 * process removed it first, `used` when it was used in the meantime.
 */
async function remove(
  { path, usedAt }: CachedFolder,
  signal: AbortSignal,
): Promise<'removed' | 'gone' | 'used'> {
  return await withFolderLock(path, signal, async () => {
    const usedNow = await usedAtOf(path);
    if (usedNow !== usedAt) return usedNow === null ? 'gone' : 'used';
    return (await removeRepository(path)) ? 'removed' : 'gone';
  });
}

async function listFolders(directory: string): Promise<readonly CachedFolder[]> {
  const names = (await readdir(directory)).filter((name) => folderName.test(name));
  const folders: CachedFolder[] = [];
  for (const name of names) {
    const path = join(directory, name);
    const usedAt = await usedAtOf(path);
    if (usedAt !== null) folders.push({ path, usedAt, bytes: await sizeOf(path) });
  }
  return folders;
}

/** Null when the folder no longer exists. Folders of older versions have no file for their last use yet. */
async function usedAtOf(path: string): Promise<number | null> {
  const found = (await stat(join(path, usedFile)).catch(() => null)) ?? (await stat(path).catch(() => null));
  return found?.mtimeMs ?? null;
}

async function sizeOf(path: string): Promise<number> {
  const files = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const file of files) {
    if (!file.isFile()) continue;
    bytes += (await stat(join(file.parentPath, file.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
}

async function removeGone(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (name.endsWith(goneSuffix) || (draftName.test(name) && (await isOld(path))))
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < Date.now() - DAY_MS;
}
