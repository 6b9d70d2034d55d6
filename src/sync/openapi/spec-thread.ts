/** Runs in a thread of its own: judges one description after another, asking for every file that they refer to. */
import { parentPort } from 'node:worker_threads';
import { checkSpec, type SpecCheck } from './check-spec.ts';
import type { FileAnswer, FromSpecThread, ToSpecThread } from './thread-messages.ts';

if (parentPort === null) throw new Error('This module runs in a thread of its own.');
const port = parentPort;
const waiting = new Map<string, (answer: FileAnswer) => void>();

port.on('message', (message: ToSpecThread) => {
  if ('task' in message) return void run(message.task);
  const key = `${message.side} ${message.file}`;
  waiting.get(key)?.(message.answer);
  waiting.delete(key);
});

async function run(task: SpecCheck): Promise<void> {
  const say = (message: FromSpecThread) => port.postMessage(message);
  try {
    const findings = await checkSpec(task, (side, file) => {
      const { promise, resolve } = Promise.withResolvers<FileAnswer>();
      waiting.set(`${side} ${file}`, resolve);
      say({ side, file });
      return promise;
    });
    say({ findings });
  } catch (error) {
    say({ fault: error instanceof Error ? error : new Error(String(error)) });
  }
}
