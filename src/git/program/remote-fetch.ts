import { allowAddress } from '../allow-address.ts';
import type { CacheSettings } from '../cache-settings.ts';
import { findRepositoryUrl } from '../remote-http.ts';
import type { GitRemote } from '../repository.ts';
import { fetchEnvironment } from './environment.ts';
import { certainFailure, type FailedFetch, remainingFailure } from './fetch-failure.ts';
import { runGitProgram } from './git-process.ts';
import { releaseGitLock, sweepHalfPacks } from './left-behind.ts';

/** Responses of hosts are read completely up to this size. */
const maxAdvertisementBytes = 1024 * 1024;

/** The parameters of one fetch. */
export interface FetchJob {
  readonly remote: GitRemote;
  /** The requested ref or oid, or one of several; for messages. */
  readonly wanted: string;
  /** Options, the remote's name, and refspecs. */
  readonly args: readonly string[];
  /** For `--stdin`. */
  readonly input?: string;
  readonly config?: Readonly<Record<string, string>>;
}

export interface FetchContext extends CacheSettings {
  readonly gitPath: string;
  readonly gitDir: string;
  /** New addresses of repositories that redirect, by the address that the caller passed. */
  readonly moved: Map<string, string>;
}

/**
 * Fetches, and once more from the new address when the repository has moved. Call it only under the repository's lock.
 *
 * @throws GitError
 */
export async function fetchFromRemote(
  context: FetchContext,
  job: FetchJob,
  signal: AbortSignal,
): Promise<void> {
  const { moved, guard, log } = context;
  const { remote, wanted } = job;
  const base = moved.get(remote.url) ?? remote.url;
  const started = performance.now();
  const failure = await attempt(context, job, base, signal);
  if (!failure) {
    log?.('git fetch', { url: base, wanted, ms: Math.round(performance.now() - started) });
    return;
  }
  moved.delete(remote.url);
  const certain = certainFailure(failure);
  if (certain) throw certain;

  const now = await findRepositoryUrl({ guard, remote, signal, maxBytes: maxAdvertisementBytes });
  if (now === base) throw remainingFailure(failure);
  const again = await attempt(context, job, now, signal);
  if (again) throw certainFailure(again) ?? remainingFailure(again);
  log?.('repository moved', { url: remote.url, to: now });
  if (moved.size >= 1_000) moved.clear();
  moved.set(remote.url, now);
}

async function attempt(
  { gitPath, gitDir, guard, maxPackBytes }: FetchContext,
  { remote, wanted, args, input = '', config = {} }: FetchJob,
  base: string,
  signal: AbortSignal,
): Promise<FailedFetch | null> {
  const address = await allowAddress(guard, new URL(base));
  const run = () =>
    runGitProgram({
      gitPath,
      args: ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', ...args],
      env: fetchEnvironment({ gitDir, remote, base, address, config }),
      input,
      signal,
      maxFileBytes: maxPackBytes,
    });
  let { code, stderr } = await run();
  if (code !== 0 && (await releaseGitLock(gitDir, stderr, signal))) ({ code, stderr } = await run());
  if (code === 0) return null;
  const halfPackBytes = await sweepHalfPacks(gitDir);
  return { remote, wanted, stderr, halfPackBytes, maxPackBytes };
}
