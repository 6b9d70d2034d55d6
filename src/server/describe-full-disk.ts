import { statfs } from 'node:fs/promises';

/** Below this, PostgreSQL may stop in the middle of a write: one file of its write-ahead log has 16 MB. */
const LEAST_BYTES = 32 * 1024 * 1024;

/** Says that the disk of a folder is full; null while there is room, or where the system does not tell. */
export async function describeFullDisk(folder: string, least = LEAST_BYTES): Promise<string | null> {
  const disk = await statfs(folder).catch(() => null);
  // Some network file systems report no blocks at all.
  if (disk === null || disk.blocks === 0) return null;
  const free = disk.bavail * disk.bsize;
  if (free >= least) return null;
  const megabytes = Math.floor(free / 1024 / 1024);
  return `The disk of DATA_DIR is full (${megabytes} MB are free): free space there; nothing can be stored until then.`;
}
