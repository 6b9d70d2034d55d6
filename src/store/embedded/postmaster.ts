import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** What `postmaster.pid` says (see "lock file" in PostgreSQL's src/include/utils/pidfile.h). */
export interface Postmaster {
  readonly pid: number;
  readonly socket: string | undefined;
}

/** Reads the lock file of a data folder; undefined when there is none or it is not written yet. */
export function readPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0 ? { pid, socket: lines[4] || undefined } : undefined;
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process is a server of this data folder. After a crash of the machine the number in the lock file may
 * belong to any other program, and in a container it nearly always does.
 */
export function servesFolder(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (platform() === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(data);
  } catch {
    return false; // it ended meanwhile, or it is a stranger's: a server of ours lets us look
  }
}

/**
 * Asks the server of a data folder for a fast shutdown: transactions are rolled back, everything is flushed.
 *
 * @throws when it still runs after `timeoutMs`.
 */
export async function stopPostmaster(pid: number, data: string, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  signal(pid, 'SIGINT');
  while (servesFolder(pid, data)) {
    if (Date.now() > deadline) throw new Error(`The embedded PostgreSQL (process ${pid}) does not stop.`);
    await wait(10);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
