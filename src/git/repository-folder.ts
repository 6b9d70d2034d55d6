import { randomUUID } from 'node:crypto';
import { opendir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolderLock } from './folder-lock.ts';
import { GitError } from './repository.ts';

/** Suffix of folders that are being deleted; what a crashed process leaves behind is deleted with the next eviction. */
export const goneSuffix = '.gone';

/**
 * Runs a fetch into a repository's folder, with the folder locked. Where the fetch fails before anything came in (an
 * address that may not be reached, a name that is not found, credentials that the host refuses), the folder is removed
 * again, so that requests for such remotes leave nothing behind. It stays for a repository that only lacks the ref: what is
 * pushed there next may start from nothing.
 *
 * @param create makes the folder if it does not exist
 */
export async function withRepositoryFolder<T>(
  { folder, create }: { readonly folder: string; readonly create: () => Promise<void> },
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  return await withFolderLock(folder, signal, async () => {
    // A fetch that had the lock before may have removed it.
    await create();
    try {
      return await run();
    } catch (error) {
      const isThere = error instanceof GitError && error.code === 'ref-not-found';
      // What cannot be removed now is evicted later.
      if (!isThere && (await isEmptyRepository(folder))) await removeRepository(folder).catch(() => {});
      throw error;
    }
  });
}

/** Whether no object was ever stored in a repository; false where its folder cannot be read. */
export async function isEmptyRepository(folder: string): Promise<boolean> {
  try {
    for await (const entry of await opendir(join(folder, 'objects'), { recursive: true }))
      if (!entry.isDirectory()) return false;
    return true;
  } catch {
    return false;
  }
}

/** Removes a repository, at once for all who look for it. Call it only under its lock. Returns false when it is gone already. */
export async function removeRepository(folder: string): Promise<boolean> {
  const gone = `${folder}.${randomUUID()}${goneSuffix}`;
  try {
    await rename(folder, gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await rm(gone, { recursive: true, force: true, maxRetries: 3 });
  return true;
}
