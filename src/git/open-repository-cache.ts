import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CacheSettings } from './cache-settings.ts';
import { type CacheBudget, evictRepositories, recordUse } from './evict-repositories.ts';
import { openIsomorphicRepository } from './isomorphic/isomorphic-repository.ts';
import { hasUsableGit } from './program/git-version.ts';
import { openProgramRepository } from './program/open-program-repository.ts';
import type { CachedRepository, RemoteGuard, RepositoryCache } from './repository.ts';

export interface RepositoryCacheOptions {
  /** A folder that only the cache uses, created if absent. Several processes may share it. */
  readonly directory: string;
  readonly guard: RemoteGuard;
  /** `auto` (the default) uses the git program from version 2.37 on, and isomorphic-git otherwise. */
  readonly program?: 'auto' | 'git' | 'isomorphic-git';
  /** Default `git`, found by PATH. */
  readonly gitPath?: string;
  /** The limit of one fetch, including the wait for other fetches of the same repository. In ms, default 120,000. */
  readonly timeoutMs?: number;
  /** For one fetch's pack. Default 512 MiB; isomorphic-git loads it into memory. */
  readonly maxPackBytes?: number;
  /** Blobs above this are fetched only on request. Default 128 KiB: most pages are below, most pictures above. */
  readonly blobLimitBytes?: number;
  /** Blobs above this are never read. Default 100 MiB, the largest file that GitHub accepts. */
  readonly maxBlobBytes?: number;
  /** For all repositories together; those unused for an hour are evicted first. Default 20 GiB. */
  readonly maxCacheBytes?: number;
  readonly log?: CacheSettings['log'];
}

/** An import runs at most half as long, so a repository that was last used before this is no longer in use. */
const restMs = 60 * 60 * 1000;
/** The interval between two checks of the cache's size. */
const evictionIntervalMs = 10 * 60 * 1000;

/**
 * Opens the cache of repositories. Its content can be fetched again: deleting the folder while nobody uses it
 * costs only time.
 *
 * @throws Error when `program` is `git` and there is no git program, or one older than 2.37
 */
export async function openRepositoryCache(options: RepositoryCacheOptions): Promise<RepositoryCache> {
  const directory = resolve(options.directory);
  const gitPath = options.gitPath ?? 'git';
  const settings: CacheSettings = {
    guard: options.guard,
    timeoutMs: options.timeoutMs ?? 120_000,
    maxPackBytes: options.maxPackBytes ?? 512 * 1024 * 1024,
    blobLimitBytes: options.blobLimitBytes ?? 128 * 1024,
    maxBlobBytes: options.maxBlobBytes ?? 100 * 1024 * 1024,
    ...(options.log && { log: options.log }),
  };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const open = (await chooseProgram(options.program ?? 'auto', gitPath))
    ? await openProgramRepository(directory, gitPath, settings)
    : openIsomorphicRepository(directory, settings);

  const evict = createEvictor(
    { directory, restMs, maxBytes: options.maxCacheBytes ?? 20 * 1024 ** 3 },
    options.log,
  );
  const opened = new Map<string, Promise<CachedRepository>>();

  async function reopen(name: string): Promise<CachedRepository> {
    const known = await opened.get(name)?.catch(() => undefined);
    // A repository that was unused for long may have been removed, also by another process.
    if (known !== undefined && (await recordUse(known.directory))) return known;
    const repository = await open(name);
    await recordUse(repository.directory);
    return repository;
  }

  return {
    repository(cacheId) {
      const name = createHash('sha256').update(cacheId).digest('hex');
      const repository = reopen(name);
      // Handles are small, but a million of them would not be.
      if (opened.size >= 10_000) opened.clear();
      opened.set(name, repository);
      repository.catch(() => opened.delete(name));
      evict();
      return repository;
    },
  };
}

/** Enforces the cache's budget from time to time, in the background of the calls that use the cache. */
function createEvictor(budget: CacheBudget, log: CacheSettings['log']): () => void {
  let next = Date.now() + evictionIntervalMs / 10;
  return () => {
    if (Date.now() < next) return;
    next = Date.now() + evictionIntervalMs;
    evictRepositories(budget, AbortSignal.timeout(evictionIntervalMs)).then(
      (removed) => removed.length > 0 && log?.('repositories left the cache', { count: removed.length }),
      (error: Error) =>
        log?.('the cache of repositories could not be made smaller', { error: error.message }),
    );
  };
}

async function chooseProgram(program: 'auto' | 'git' | 'isomorphic-git', gitPath: string): Promise<boolean> {
  if (program === 'isomorphic-git') return false;
  const usable = await hasUsableGit(gitPath);
  if (program === 'git' && !usable) {
    throw new Error(
      `The git program (${gitPath}) was not found or is older than 2.37; install a newer one, or choose isomorphic-git.`,
    );
  }
  return usable;
}
