import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastChanges } from '../repository.ts';
import { localEnvironment } from './environment.ts';
import { runGitProgram } from './git-process.ts';

/** Marks the line of a commit; no path begins with it, because git quotes paths with control characters. */
const MARK = '\u0001';

export interface HistoryOptions {
  readonly gitPath: string;
  readonly gitDir: string;
  readonly commitOid: string;
  /** '' for the root. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Reads the history that is in a repository, which may be shallow; null when it has no more than one commit. */
export async function readLocalChanges({
  gitPath,
  gitDir,
  commitOid,
  directory,
  signal,
}: HistoryOptions): Promise<LastChanges | null> {
  const shallow = await readFile(join(gitDir, 'shallow'), 'latin1').catch(() => '');
  // Git takes these for the first commits, which have added all files.
  const ends = new Set(shallow.split('\n'));
  const { code, stdout } = await runGitProgram({
    gitPath,
    args: [
      ...['--literal-pathspecs', '-c', 'core.quotePath=false', 'log', '--no-renames', '--name-only'],
      `--format=${MARK}%H %ct`,
      commitOid,
      ...(directory === '' ? [] : ['--', directory]),
    ],
    env: localEnvironment(gitDir),
    signal,
  });
  if (code !== 0) return null;
  const byPath = new Map<string, Date>();
  let oldest: Date | null = null;
  let isEnd = false;
  // The last line may be cut off.
  for (const line of stdout.split('\n').slice(0, -1)) {
    if (line.startsWith(MARK)) {
      const [oid = '', seconds] = line.slice(MARK.length).split(' ');
      oldest = new Date(Number(seconds) * 1000);
      isEnd = ends.has(oid);
    } else if (!isEnd && oldest !== null && line !== '' && !line.startsWith('"') && !byPath.has(line)) {
      byPath.set(line, oldest);
    }
  }
  return oldest === null ? null : { byPath, oldest };
}
