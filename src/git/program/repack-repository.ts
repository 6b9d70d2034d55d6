import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localEnvironment } from './environment.ts';
import { runGitProgram } from './git-process.ts';
import { sweepHalfPacks } from './left-behind.ts';

export interface RepackOptions {
  readonly gitPath: string;
  readonly gitDir: string;
  /** Each fetch adds a pack, and finding an object searches pack after pack. Default 60. */
  readonly maxPacks?: number;
}

/**
 * Repacks a repository that many fetches went into, and deletes the boundaries of old shallow fetches, which git
 * would otherwise send to the host with every fetch. Call it only under the repository's lock.
 */
export async function repackRepository(
  { gitPath, gitDir, maxPacks = 60 }: RepackOptions,
  signal: AbortSignal,
): Promise<void> {
  const files = await readdir(join(gitDir, 'objects', 'pack'));
  if (files.filter((file) => file.endsWith('.pack')).length <= maxPacks) return;
  await sweepHalfPacks(gitDir);
  const env = localEnvironment(gitDir);
  await runGitProgram({ gitPath, args: ['repack', '-a', '-d', '-q'], env, signal });
  await trimShallow(gitPath, gitDir, env, signal);
}

/** Every stored tip is the boundary of its own shallow fetch, from which no older boundary can be reached. */
async function trimShallow(
  gitPath: string,
  gitDir: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const { code, stdout } = await runGitProgram({
    gitPath,
    args: ['for-each-ref', '--format=%(objectname) %(*objectname)'],
    env,
    signal,
  });
  if (code !== 0) return;
  const tips = new Set(stdout.split(/\s+/));
  const file = join(gitDir, 'shallow');
  const boundaries = (await readFile(file, 'utf8')).split('\n').filter((oid) => oid !== '' && tips.has(oid));
  if (boundaries.length > 0) await writeFile(file, `${boundaries.join('\n')}\n`);
}
