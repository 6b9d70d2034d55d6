import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The content of `postmaster.pid` (see PostgreSQL's src/include/utils/pidfile.h). */
export interface Postmaster {
  readonly pid: number;
  readonly socket: string | undefined;
}

/** Reads the lock file of a data folder; undefined when there is none or it is not complete yet. */
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
 * Whether the process is a server of this data folder. After a crash of the machine the process id in the lock file may
 * belong to another program, and in a container it nearly always does.
 */
export function servesFolder(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (platform() === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(data);
  } catch {
    return false; // it has exited, or belongs to another user; our own server could be inspected
  }
}

/**
 * Requests a fast shutdown of the server of a data folder, which rolls back transactions and flushes everything to disk.
 *
 * @throws Error when it is still running after `timeoutMs`.
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
