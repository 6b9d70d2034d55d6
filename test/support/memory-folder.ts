import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';

/** What a run needs at most at one moment, and as much again. */
const NEEDED_BYTES = 4 * 1024 ** 3;

const PREFIX = 'dl-';
/** A run that was killed leaves its folder behind; none lasts this long. */
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Makes a folder for all files of a test run that is kept in memory, where Linux has room for one: the databases and
 * repositories of a run are small, many, and gone when it ends, and writing them to a disk takes longer than most
 * tests. Null where there is no such place, or programs may not run in it.
 */
export async function makeMemoryFolder(): Promise<string | null> {
  const place = '/dev/shm';
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === place);
    const [, , kind, options = ''] = mount?.split(' ') ?? [];
    if (kind !== 'tmpfs' || options.split(',').includes('noexec')) return null;
    const { bavail, bsize } = await statfs(place);
    if (Math.min(bavail * bsize, process.availableMemory()) < NEEDED_BYTES) return null;
    await sweep(place).catch(() => {}); // somebody else's, or gone meanwhile
    return await mkdtemp(`${place}/${PREFIX}`);
  } catch {
    return null;
  }
}

async function sweep(place: string): Promise<void> {
  const names = (await readdir(place)).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => `${place}/${name}`)) {
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > DAY_MS) await rm(folder, { recursive: true, force: true });
  }
}
