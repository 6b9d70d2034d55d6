import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolderLock } from './folder-lock.ts';

/** Its time of change says when a repository was used last, by any process. */
const usedFile = 'docloom-used';
/** Folders on their way out; a process that dies meanwhile leaves them to the next one. */
const goneSuffix = '.gone';

export interface CacheBudget {
  readonly directory: string;
  /** For all repositories together. */
  readonly maxBytes: number;
  /** A repository that was used within this time may be in use still, and stays. In ms. */
  readonly restMs: number;
}

interface CachedFolder {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** Notes that a repository is used now. Answers false when its folder is not there any more. */
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
 * Removes repositories, the longest unused first, while all of them are larger than the budget. Those used lately stay,
 * even above it. Several processes may do this at once. Answers the folders that went.
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
    if (bytes <= budget.maxBytes || folder.usedAt > Date.now() - budget.restMs) break;
    const end = await remove(folder, signal);
    if (end === 'used') continue;
    bytes -= folder.bytes;
    if (end === 'removed') removed.push(folder.path);
  }
  return removed;
}

/**
 * Under the repository's lock: nobody fetches into it, and who asks next makes it anew. `gone` when another process
 * removed it first, `used` when somebody used it meanwhile.
 */
async function remove(
  { path, usedAt }: CachedFolder,
  signal: AbortSignal,
): Promise<'removed' | 'gone' | 'used'> {
  return await withFolderLock(path, signal, async () => {
    const usedNow = await usedAtOf(path);
    if (usedNow !== usedAt) return usedNow === null ? 'gone' : 'used';
    const gone = `${path}.${randomUUID()}${goneSuffix}`;
    try {
      await rename(path, gone);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
      throw error;
    }
    await rm(gone, { recursive: true, force: true, maxRetries: 3 });
    return 'removed';
  });
}

async function listFolders(directory: string): Promise<readonly CachedFolder[]> {
  const names = (await readdir(directory)).filter((name) =>
    /^[0-9a-f]{64}(?:\.isomorphic)?\.git$/.test(name),
  );
  const folders: CachedFolder[] = [];
  for (const name of names) {
    const path = join(directory, name);
    const usedAt = await usedAtOf(path);
    if (usedAt !== null) folders.push({ path, usedAt, bytes: await sizeOf(path) });
  }
  return folders;
}

/** Null when the folder is gone. One that an older version made has no note yet. */
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
    if (name.endsWith(goneSuffix)) {
      await rm(join(directory, name), { recursive: true, force: true, maxRetries: 3 });
    }
  }
}
