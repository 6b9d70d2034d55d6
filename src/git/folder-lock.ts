import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeatMs = 5_000;
/** A lock that its owner has not refreshed for this long is stale, whatever machine the owner ran on. */
const staleMs = 30_000;
const pollMs = 50;

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes a process from an earlier one with the same id: in a container that is always 1. */
  readonly process: string;
}

const self: Holder = { host: hostname(), pid: process.pid, process: randomUUID() };
const queues = new Map<string, Promise<unknown>>();

/**
 * Runs one call at a time per folder: in order within this process, and with a file `<folder>.lock` across processes
 * and machines that share the folder. A dead owner is detected at once on the same machine and after 30 s elsewhere.
 *
 * @throws the signal's reason when it aborts while waiting
 */
export async function withFolderLock<T>(
  folder: string,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  const before = queues.get(folder) ?? Promise.resolve();
  const turn = Promise.withResolvers<void>();
  const tail = before.then(() => turn.promise);
  queues.set(folder, tail);
  try {
    await abortable(before, signal);
    return await withLockFile(`${folder}.lock`, signal, run);
  } finally {
    turn.resolve();
    if (queues.get(folder) === tail) queues.delete(folder);
  }
}

async function abortable(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function withLockFile<T>(file: string, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  while (!(await tryAcquire(file))) {
    const stale = await readStale(file);
    if (stale !== null) await removeStale(file, stale);
    else await sleep(pollMs, undefined, { signal });
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, heartbeatMs).unref();
  try {
    return await run();
  } finally {
    clearInterval(heartbeat);
    await rm(file, { force: true });
  }
}

async function tryAcquire(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(JSON.stringify(self));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The content of a stale lock, or null while the lock may still be owned. */
async function readStale(file: string): Promise<string | null> {
  try {
    const { mtimeMs } = await stat(file);
    const text = await readFile(file, 'utf8');
    if (Date.now() - mtimeMs > staleMs) return text;
    const holder = JSON.parse(text) as Holder;
    if (holder.host !== self.host) return null;
    const isGone = holder.pid === self.pid ? holder.process !== self.process : !isAlive(holder.pid);
    return isGone ? text : null;
  } catch {
    // Gone in the meantime, or just being written: the next try decides.
    return null;
  }
}

/** Removes a stale lock. Another process may do the same at this moment, so a lock that turns out to be fresh is put back. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== stale) await link(aside, file);
  } catch {
    // Another process was faster; the next try decides.
  } finally {
    await rm(aside, { force: true });
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
