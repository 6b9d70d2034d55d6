import { type GitOutput, type RunGitOptions, runRepositoryGit } from './run-git.ts';

/** Larger outputs are not cached. */
const MAX_OUTPUT_BYTES = 64 * 1024;
const MAX_OUTPUTS = 1_000;

/** Outputs by the command, the oldest first. */
const cache = new Map<string, GitOutput>();

/**
 * Like `runRepositoryGit`, but with a cache for queries about objects: the output for full oids never changes. A client
 * that polls repeats the same queries, and starting git takes longer than the query. Not cached: failures and exit codes
 * other than 0 (an object may still arrive), large outputs, and abbreviated oids.
 *
 * @param oids everything that the output depends on beside `args` and `options`
 */
export async function queryGit(
  gitDir: string,
  args: readonly string[],
  oids: readonly string[],
  options: RunGitOptions = {},
): Promise<GitOutput> {
  if (!oids.every((oid) => /^[0-9a-f]{40}$/.test(oid))) return await runRepositoryGit(gitDir, args, options);
  const key = JSON.stringify([gitDir, args, options.input?.toString(), options.env]);
  const known = cache.get(key);
  if (known) return known;
  const output = await runRepositoryGit(gitDir, args, options);
  if (output.exitCode === 0 && output.stdout.length <= MAX_OUTPUT_BYTES) {
    cache.set(key, output);
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_OUTPUTS) break;
      cache.delete(oldest);
    }
  }
  return output;
}
