import { Worker } from 'node:worker_threads';
import type { ReadFile } from '../../openapi/index.ts';
import type { SpecOutcome, SpecTask } from './process-spec.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

export interface ThreadLimits {
  /** For reading, without the waits for files that others send. In ms. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** The largest description that was seen in public, 14 MB, takes 2 s and 0.5 GB; 30 MB of YAML 15 s and 2 GB. */
export const THREAD_LIMITS: ThreadLimits = { timeoutMs: 180_000, memoryMb: 3_072 };

/** The module of the thread, as written or as compiled. */
const thread = new URL(`./spec-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** A thread that has nothing to do is kept for the next specification, so long. */
const IDLE_MS = 30_000;

let idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | null = null;

/**
 * Reads a specification in a thread of its own, so that neither its time nor its memory is the server's. What passes the
 * limits is refused like every other fault of the description.
 *
 * @throws the signal's reason when it aborts, and faults of our own
 */
export async function runSpecThread(
  task: SpecTask,
  read: ReadFile,
  options: { readonly signal: AbortSignal; readonly limits?: ThreadLimits },
): Promise<SpecOutcome> {
  const { signal, limits = THREAD_LIMITS } = options;
  signal.throwIfAborted();
  const worker = limits === THREAD_LIMITS ? takeWorker() : createWorker(limits);
  const refuse = (code: 'TIMEOUT' | 'TOO_LARGE', message: string): SpecOutcome => ({
    kind: 'refused',
    problems: [{ code, message, file: task.entry }],
  });
  const { promise, resolve, reject } = Promise.withResolvers<SpecOutcome>();
  let isWhole = false;
  const timer = setTimeout(() => {
    const limit = `${limits.timeoutMs / 1000} s`;
    resolve(
      refuse(
        'TIMEOUT',
        `It takes more than ${limit} to read; make it smaller, or its aliases and references fewer.`,
      ),
    );
  }, limits.timeoutMs);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  worker.on('message', (message: FromThread) => {
    if ('read' in message) {
      const { read: file } = message;
      read(file).then((answer) => worker.postMessage({ file, answer } satisfies ToThread), reject);
    } else if ('fault' in message) reject(message.fault);
    else {
      isWhole = true;
      resolve(message.outcome);
    }
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return reject(error);
    resolve(
      refuse('TOO_LARGE', `It takes more than ${limits.memoryMb} MiB of memory to read; make it smaller.`),
    );
  });
  worker.on('exit', () => reject(new Error('The thread that reads specifications ended without a word.')));
  worker.postMessage({ task } satisfies ToThread);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    quiet(worker);
    if (isWhole && limits === THREAD_LIMITS && idle === null) keepWorker(worker);
    else await endWorker(worker);
  }
}

function createWorker({ memoryMb }: ThreadLimits): Worker {
  return new Worker(thread, {
    // It reads what strangers wrote, and needs nothing of what the server knows.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
}

function takeWorker(): Worker {
  if (idle === null) return createWorker(THREAD_LIMITS);
  const { worker, timer } = idle;
  clearTimeout(timer);
  idle = null;
  quiet(worker);
  worker.ref();
  return worker;
}

/** Takes our own listeners away; others tell the thread that somebody listens. */
function quiet(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

function keepWorker(worker: Worker): void {
  const forget = () => {
    if (idle?.worker === worker) idle = null;
  };
  const timer = setTimeout(() => {
    forget();
    void endWorker(worker);
  }, IDLE_MS);
  worker.on('exit', forget);
  worker.on('error', forget);
  // Neither holds up the end of the process.
  timer.unref();
  worker.unref();
  idle = { worker, timer };
}

/** What a thread says while it is ended is of no interest; without a listener it would end the process. */
async function endWorker(worker: Worker): Promise<void> {
  worker.on('error', () => {});
  await worker.terminate();
}
