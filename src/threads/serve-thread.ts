import { parentPort } from 'node:worker_threads';
import type { FromThread, ToThread } from './thread-runner.ts';

/**
 * Runs the tasks that a `ThreadRunner` posts to this thread, one at a time; files are requested from its process.
 *
 * @throws outside of a worker thread
 */
export function serveThread<Task, FileRequest, File, Result>(
  handle: (task: Task, read: (file: FileRequest) => Promise<File>) => Promise<Result>,
): void {
  if (parentPort === null) throw new Error('This module runs in a worker thread only.');
  const port = parentPort;
  const post = (message: FromThread<FileRequest, Result>) => port.postMessage(message);
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
  }

  port.on('message', (message: ToThread<Task, File>) => {
    if ('task' in message) return void run(message.task);
    pending.get(message.requestId)?.(message.content);
    pending.delete(message.requestId);
  });
}
