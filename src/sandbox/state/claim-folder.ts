import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that a forge of this process uses. */
const own = new Set<string>();

/**
 * Takes a data folder for one forge, and answers what gives it back. Two forges on one folder would each write its
 * own idea of the state over the other's. A claim whose process is gone counts for nothing.
 *
 * @throws when another forge uses the folder.
 */
export function claimFolder(folder: string): () => void {
  const file = join(folder, 'sandbox.pid');
  const holder = readHolder(file);
  if (
    own.has(folder) ||
    (holder !== null && holder.pid !== process.pid && holder.start === startOf(holder.pid))
  ) {
    const who = own.has(folder) ? 'in this process' : `in process ${holder?.pid}`;
    throw new Error(`Another sandbox ${who} uses the folder ${folder}: stop it, or choose another folder.`);
  }
  own.add(folder);
  writeFileSync(file, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }));
  return () => {
    if (own.delete(folder)) rmSync(file, { force: true });
  };
}

function readHolder(file: string): { pid: number; start: string | null } | null {
  try {
    const { pid, start } = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) ? { pid, start } : null;
  } catch {
    return null; // nobody, or a file cut off by a crash
  }
}

/** When a process began, so that a later one with its number is another: null when there is none. */
function startOf(pid: number): string | null {
  try {
    // Field 22; the name in brackets before it may hold blanks. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
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
