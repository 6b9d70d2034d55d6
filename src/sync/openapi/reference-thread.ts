/** Runs in a thread of its own: reads one description, asking for every file that it refers to. */
import { parentPort, workerData } from 'node:worker_threads';
import { locateByPath, type ReadFile, readSpec } from '../../content/openapi/index.ts';

if (parentPort === null) throw new Error('This module runs in a thread of its own.');
const port = parentPort;
const waiting = new Map<string, (answer: Awaited<ReturnType<ReadFile>>) => void>();

port.on('message', ({ file, answer }: { file: string; answer: Awaited<ReturnType<ReadFile>> }) => {
  waiting.get(file)?.(answer);
  waiting.delete(file);
});

await readSpec({
  entry: workerData as string,
  locate: locateByPath,
  read: (file) => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<ReadFile>>>();
    waiting.set(file, resolve);
    port.postMessage(file);
    return promise;
  },
});
// What is wrong with it the platform says.
port.close();
