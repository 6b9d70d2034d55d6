import type { CatFileOptions } from './cat-file.ts';
import { GitProcess } from './git-process.ts';

/** The sizes in bytes of those objects that are here; the others are left out. */
export async function statObjects(
  { gitPath, env }: CatFileOptions,
  oids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  if (oids.length === 0) return sizes;
  const format = '--batch-check=%(objectname) %(objectsize)';
  const git = new GitProcess({ gitPath, env, args: ['cat-file', format, '--buffer'] });
  git.stdin.end(`${oids.join('\n')}\n`);
  let rest = '';
  for await (const chunk of git.stdout) {
    const lines = (rest + (chunk as Buffer).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const space = line.indexOf(' ');
      const size = Number(line.slice(space + 1));
      if (!Number.isNaN(size)) sizes.set(line.slice(0, space), size);
    }
  }
  await git.exit;
  return sizes;
}
