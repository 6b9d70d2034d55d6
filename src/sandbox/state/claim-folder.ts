import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that a forge of this process uses. */
const claimed = new Set<string>();

/**
 * Claims a data folder for one forge, and returns a function that releases it. Two forges on one folder would overwrite each
 * other's state. A claim whose process is gone is ignored.
 *
 * @throws when another forge uses the folder.
 */
export function claimFolder(folder: string): () => void {
  const file = join(folder, 'sandbox.pid');
  const claim = readClaim(file);
  if (
    claimed.has(folder) ||
    (claim !== null && claim.pid !== process.pid && claim.start === startOf(claim.pid))
  ) {
    const who = claimed.has(folder) ? 'in this process' : `in process ${claim?.pid}`;
    throw new Error(`Another sandbox ${who} uses the folder ${folder}: stop it, or choose another folder.`);
  }
  claimed.add(folder);
  writeFileSync(file, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }));
  return () => {
    if (claimed.delete(folder)) rmSync(file, { force: true });
  };
}

function readClaim(file: string): { pid: number; start: string | null } | null {
  try {
    const { pid, start } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) ? { pid, start } : null;
  } catch {
    return null; // no file, or one that a crash cut off
  }
}

/** The start time of a process, by which it differs from a later process with the same id; null when there is none. */
function startOf(pid: number): string | null {
  try {
    // Field 22; the name in parentheses before it may contain spaces. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.split(' ')[20] ?? null;
  } catch {
    return isAlive(pid) ? 'alive' : null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
