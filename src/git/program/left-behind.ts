import { access, readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a git whose parent died may still run. */
const orphanMs = 2_000;

/**
 * Removes half-written packs, which a killed git leaves behind, and returns the size of the largest in bytes. Call it
 * only under the repository's lock.
 */
export async function sweepHalfPacks(gitDir: string): Promise<number> {
  const folder = join(gitDir, 'objects', 'pack');
  const files = (await readdir(folder))
    .filter((file) => file.startsWith('tmp_'))
    .map((file) => join(folder, file));
  const sizes = await Promise.all(files.map((file) => stat(file).then(({ size }) => size)));
  await Promise.all(files.map((file) => rm(file, { force: true })));
  return Math.max(0, ...sizes);
}

/**
 * Removes the git lock file that a failed fetch complained about, and returns whether there was one. We hold the
 * repository's lock, so the file's owner was killed, or lost its parent and will soon exit. Call it only under that lock.
 */
export async function releaseGitLock(gitDir: string, stderr: string, signal: AbortSignal): Promise<boolean> {
  const [, file] = /[Uu]nable to create '([^'\n]+\.lock)': File exists/.exec(stderr) ?? [];
  if (file === undefined || relative(gitDir, file).startsWith(`..${sep}`)) return false;
  for (const until = Date.now() + orphanMs; Date.now() < until && (await exists(file)); ) {
    await sleep(100, undefined, { signal });
  }
  await rm(file, { force: true });
  return true;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
