/** Runs in a thread of its own: reads one specification after another, asking the thread that gave it for every file. */
import { parentPort } from 'node:worker_threads';
import type { ReadFile } from '../../openapi/index.ts';
import { processSpec, type SpecTask } from './process-spec.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

if (parentPort === null) throw new Error('This module runs in a thread of its own.');
const port = parentPort;
const waiting = new Map<string, (answer: Awaited<ReturnType<ReadFile>>) => void>();

port.on('message', (message: ToThread) => {
  if ('task' in message) return void run(message.task);
  waiting.get(message.file)?.(message.answer);
  waiting.delete(message.file);
});

async function run(task: SpecTask): Promise<void> {
  const say = (message: FromThread) => port.postMessage(message);
  try {
    const outcome = await processSpec(task, (file) => {
      const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<ReadFile>>>();
      waiting.set(file, resolve);
      say({ read: file });
      return promise;
    });
    say({ outcome });
  } catch (error) {
    say({ fault: error instanceof Error ? error : new Error(String(error)) });
  }
}
