import { Worker } from 'node:worker_threads';
import type { FileContent } from './read-spec.ts';

/** What one task may use. */
export interface ThreadLimits {
  /** From its start to its result, the waits for its files included. In ms. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** The largest description that was seen in public, 14 MB, takes 2 s and 0.5 GB; 30 MB of YAML 15 s and 2 GB. */
const DEFAULT_LIMITS: ThreadLimits = { timeoutMs: 180_000, memoryMb: 3_072 };

/** How long an idle thread waits for the next task. */
const IDLE_MS = 30_000;

/** A task passed a limit of its thread. */
export class ThreadLimitExceeded extends Error {
  override readonly name = 'ThreadLimitExceeded';
  readonly code: 'TIMEOUT' | 'TOO_LARGE';
  /** The limit, for a sentence: `180 s`, or `3072 MiB of memory`. */
  readonly limit: string;

  constructor(code: ThreadLimitExceeded['code'], limit: string) {
    super(`The task takes more than ${limit}.`);
    this.code = code;
    this.limit = limit;
  }
}

/** A task, or the answer to the file request with the same id. */
export type ToThread<Task> =
  | { readonly task: Task }
  | { readonly requestId: number; readonly content: FileContent };

/** A request for a file, the result of the task, or an internal error. */
export type FromThread<FileRequest, Result> =
  | { readonly requestId: number; readonly file: FileRequest }
  | { readonly result: Result }
  | { readonly error: Error };

/** Runs tasks on untrusted descriptions in a thread, so that they use neither the time nor the memory of the process. */
export interface ThreadRunner<Task, FileRequest, Result> {
  /**
   * Runs a task with the files that `read` returns. Concurrent tasks run in separate threads; a task after a failure runs in
   * a new one.
   *
   * @throws ThreadLimitExceeded, the signal's reason when it aborts, what `read` throws, and internal errors
   */
  run(task: Task, read: (file: FileRequest) => Promise<FileContent>, signal: AbortSignal): Promise<Result>;
  /** Stops the idle thread at once; without it that happens after 30 s. The thread does not prevent the process from exiting. */
  close(): Promise<void>;
}

/** @param module the source file of the thread, which calls `serveThread` */
export function createThreadRunner<Task, FileRequest, Result>(
  module: URL,
  limits: ThreadLimits = DEFAULT_LIMITS,
): ThreadRunner<Task, FileRequest, Result> {
  let idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout } | null = null;

  function acquire(): Worker {
    if (idle === null) return startWorker(module, limits);
    const { worker, timer } = idle;
    idle = null;
    clearTimeout(timer);
    removeListeners(worker);
    worker.ref();
    return worker;
  }

  async function release(worker: Worker): Promise<void> {
    if (idle !== null) return await stopWorker(worker);
    const drop = () => {
      if (idle?.worker === worker) idle = null;
    };
    const timer = setTimeout(() => {
      drop();
      void stopWorker(worker);
    }, IDLE_MS);
    worker.on('exit', drop);
    worker.on('error', drop);
    // Neither prevents the process from exiting.
    timer.unref();
    worker.unref();
    idle = { worker, timer };
  }

  return {
    async run(task, read, signal) {
      signal.throwIfAborted();
      const worker = acquire();
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const exceed = (code: ThreadLimitExceeded['code'], limit: string) =>
        reject(new ThreadLimitExceeded(code, limit));
      const timer = setTimeout(() => exceed('TIMEOUT', `${limits.timeoutMs / 1000} s`), limits.timeoutMs);
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      const post = (message: ToThread<Task>) => worker.postMessage(message);
      worker.on('message', (message: FromThread<FileRequest, Result>) => {
        if ('result' in message) resolve(message.result);
        else if ('error' in message) reject(message.error);
        else {
          const { requestId } = message;
          read(message.file).then((content) => post({ requestId, content }), reject);
        }
      });
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
          exceed('TOO_LARGE', `${limits.memoryMb} MiB of memory`);
        else reject(error);
      });
      worker.on('exit', () =>
        reject(new Error('The thread that reads API descriptions exited without a result.')),
      );
      post({ task });
      let isReusable = false;
      try {
        const result = await promise;
        isReusable = true;
        return result;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        removeListeners(worker);
        await (isReusable ? release(worker) : stopWorker(worker));
      }
    },
    async close() {
      if (idle !== null) await stopWorker(acquire());
    },
  };
}

function startWorker(module: URL, { memoryMb }: ThreadLimits): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  return new Worker(isSource ? module : new URL(module.href.replace(/\.ts$/, '.js')), {
    // It reads untrusted input, and needs no settings of the server.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
}

/** Removes our listeners only: those of Node.js itself have other events. */
function removeListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

/** An error of a thread that is being stopped is of no interest, but without a listener it would stop the process. */
async function stopWorker(worker: Worker): Promise<void> {
  worker.on('error', () => {});
  await worker.terminate();
}
