import type { Rename } from '../../content/index.ts';
import { runLocalGit } from './run-git.ts';

/**
 * Renames that git finds between a commit and its index. Not between the commit and the files: the filters that git would
 * apply for that comparison could run a program. Empty when there is no such commit yet.
 */
export async function renamesSince(
  root: string,
  commit: string,
  signal: AbortSignal,
): Promise<readonly Rename[]> {
  const args = ['diff-index', '--cached', '--find-renames', '--diff-filter=R', '--raw', '-z', commit];
  const { code, stdout } = await runLocalGit(root, args, signal);
  return code === 0 ? readRenames(stdout) : [];
}

/** A record is `:modes oids Rnn`, the old path and the new one, each terminated by NUL. git-diff-index(1), raw output. */
function readRenames(output: string): Rename[] {
  const parts = output.split('\0');
  const renames: Rename[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    renames.push({ from: parts[at + 1] ?? '', to: parts[at + 2] ?? '' });
  }
  return renames;
}
