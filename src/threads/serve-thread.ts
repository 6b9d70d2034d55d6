import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { FromThread, ToThread } from './thread-runner.ts';

/**
 * Runs the tasks that a `ThreadRunner` sends to this process, one at a time; files are requested from the runner's process.
 *
 * @throws outside of such a process
 */
export function serveThread<Task, FileRequest, File, Result>(
  handle: (task: Task, read: (file: FileRequest) => Promise<File>) => Promise<Result>,
): void {
  if (process.send === undefined) throw new Error('This module runs in a child process only.');
  const send = process.send.bind(process);
  const post = (message: FromThread<FileRequest, Result>) => send(message);
  const pending = new Map<number, (content: File) => void>();
  let lastRequestId = 0;

  const read = (file: FileRequest) => {
    const { promise, resolve } = Promise.withResolvers<File>();
    lastRequestId += 1;
    pending.set(lastRequestId, resolve);
    post({ requestId: lastRequestId, file });
    return promise;
  };

  async function run(task: Task): Promise<void> {
    try {
      post({ result: await handle(task, read) });
    } catch (error) {
      post({ error: error instanceof Error ? error : new Error(String(error)) });
    }
    // The runner kills threads, which then write nothing. Without new modules this takes less than 1 µs.
    flushCompileCache();
  }

  process.on('message', (data) => {
    const message = data as ToThread<Task, File>;
    if ('task' in message) return void run(message.task);
    pending.get(message.requestId)?.(message.content);
    pending.delete(message.requestId);
  });
  process.on('disconnect', () => process.exit());
  // A signal to the whole group stops the runner's process, which may still finish what it works on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  preferToBeKilled();
  watchRunner();
}

function watchRunner(): void {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./watch-runner.${extension}`, import.meta.url), {
    workerData: Number(process.argv[2]),
    // It has no heap of its own to speak of.
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  worker.unref();
}

/** When the machine is out of memory, Linux should end this process and not the server. */
function preferToBeKilled(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system, or not permitted.
  }
}
