import { Worker } from 'node:worker_threads';
import { PermanentFailure } from '../../queue/index.ts';
import type { Side, SpecCheck, SpecFindings } from './check-spec.ts';
import type { FileAnswer, FromSpecThread, ToSpecThread } from './thread-messages.ts';

/** A thread of its own for descriptions of strangers, which may take much time and memory. */
export interface SpecThread {
  /**
   * Judges a description; one at a time. After a failure the next one gets a new thread.
   *
   * @throws PermanentFailure with a sentence for people where a limit was passed, and the signal's reason
   */
  check(
    task: SpecCheck,
    read: (side: Side, file: string) => Promise<FileAnswer>,
    signal: AbortSignal,
  ): Promise<SpecFindings>;
  close(): Promise<void>;
}

export interface SpecThreadLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** The platform, which reads it after the merge, has the same. */
const THREAD_LIMITS: SpecThreadLimits = { timeoutMs: 180_000, memoryMb: 3_072 };

const thread = new URL(`./spec-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export function openSpecThread({ timeoutMs, memoryMb }: SpecThreadLimits = THREAD_LIMITS): SpecThread {
  let idle: Worker | null = null;
  const begin = () =>
    new Worker(thread, {
      // It reads what strangers wrote, and needs nothing of what the server knows.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });

  return {
    async check(task, read, signal) {
      signal.throwIfAborted();
      const worker = idle ?? begin();
      idle = null;
      const { promise, resolve, reject } = Promise.withResolvers<SpecFindings>();
      const refuse = (limit: string) =>
        reject(new PermanentFailure(`${task.next}: it takes more than ${limit} to read; make it smaller.`));
      const timer = setTimeout(() => refuse(`${timeoutMs / 1000} s`), timeoutMs);
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      worker.on('message', (message: FromSpecThread) => {
        if ('findings' in message) resolve(message.findings);
        else if ('fault' in message) reject(message.fault);
        else {
          const answer = (found: FileAnswer) =>
            worker.postMessage({ ...message, answer: found } satisfies ToSpecThread);
          read(message.side, message.file).then(answer, reject);
        }
      });
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse(`${memoryMb} MiB of memory`);
        else reject(error);
      });
      worker.on('exit', () => reject(new Error('The thread that reads descriptions ended without a word.')));
      worker.postMessage({ task } satisfies ToSpecThread);
      try {
        const findings = await promise;
        idle = worker;
        return findings;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
        if (idle !== worker) await end(worker);
      }
    },
    async close() {
      if (idle !== null) await end(idle);
      idle = null;
    },
  };
}

/** What a thread says while it is ended is of no interest; without a listener it would end the process. */
async function end(worker: Worker): Promise<void> {
  worker.on('error', () => {});
  await worker.terminate();
}
