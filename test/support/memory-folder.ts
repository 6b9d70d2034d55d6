import { readFileSync } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';

/** What a run needs at most at one moment, and as much again. */
const NEEDED_BYTES = 4 * 1024 ** 3;

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
    return await mkdtemp(`${place}/dl-`);
  } catch {
    return null;
  }
}
