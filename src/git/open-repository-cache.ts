import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CacheSettings } from './cache-settings.ts';
import { openIsomorphicRepository } from './isomorphic/isomorphic-repository.ts';
import { hasUsableGit } from './program/git-version.ts';
import { openProgramRepository } from './program/open-program-repository.ts';
import type { AddressGuard, GitRepository, RepositoryCache } from './repository.ts';

export interface RepositoryCacheOptions {
  /** A folder of the cache's own, made when absent. Several processes may share it. */
  readonly directory: string;
  readonly guard: AddressGuard;
  /** `auto` (the default) takes the git program where it is 2.37 or newer, and isomorphic-git otherwise. */
  readonly program?: 'auto' | 'git' | 'isomorphic-git';
  /** Default `git`, found by PATH. */
  readonly gitPath?: string;
  /** For one fetch, with its waiting for others of the same repository. In ms, default 120,000. */
  readonly timeoutMs?: number;
  /** For one fetch's pack. Default 512 MiB; isomorphic-git keeps it in memory. */
  readonly maxPackBytes?: number;
  /** Blobs above this are fetched only when asked for. Default 128 KiB: most pages are below, most pictures above. */
  readonly blobLimitBytes?: number;
  readonly log?: CacheSettings['log'];
}

/**
 * Opens the cache of repositories. What is in it can be fetched again: deleting its folder while nobody uses it
 * costs time only.
 *
 * @throws Error when `program` is `git` and there is none, or an older one than 2.37
 */
export async function openRepositoryCache(options: RepositoryCacheOptions): Promise<RepositoryCache> {
  const directory = resolve(options.directory);
  const gitPath = options.gitPath ?? 'git';
  const settings: CacheSettings = {
    guard: options.guard,
    timeoutMs: options.timeoutMs ?? 120_000,
    maxPackBytes: options.maxPackBytes ?? 512 * 1024 * 1024,
    blobLimitBytes: options.blobLimitBytes ?? 128 * 1024,
    ...(options.log && { log: options.log }),
  };
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const open = (await chooseProgram(options.program ?? 'auto', gitPath))
    ? await openProgramRepository(directory, gitPath, settings)
    : openIsomorphicRepository(directory, settings);

  const opened = new Map<string, Promise<GitRepository>>();
  return {
    repository(cacheId) {
      const name = createHash('sha256').update(cacheId).digest('hex');
      const known = opened.get(name);
      if (known) return known;
      const repository = open(name);
      // Handles are small, but not so small that a million repositories may keep theirs.
      if (opened.size >= 10_000) opened.clear();
      opened.set(name, repository);
      repository.catch(() => opened.delete(name));
      return repository;
    },
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
