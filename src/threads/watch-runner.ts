/**
 * Ends the process of a thread when its runner's process is gone, however it ended: a thread that works in native code, or
 * in a loop, never sees that its channel was closed. This runs beside it, in a worker.
 */
import { workerData } from 'node:worker_threads';

const CHECK_MS = 1_000;

const runner = workerData as number;

setInterval(() => {
  if (process.ppid !== runner || !isAlive(runner)) process.kill(process.pid, 'SIGKILL');
}, CHECK_MS);

/** Where a process that lost its parent gets no other one. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
