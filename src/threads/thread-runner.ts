import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';

/** What one task may use. */
export interface ThreadLimits {
  /** From its start to its result, the waits for its files included. In ms. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** How many threads there are, and how long. */
export interface ThreadCounts {
  /** Tasks that run at the same time; further ones wait, which does not count towards their time. No limit when absent. */
  readonly maxThreads?: number;
  /** Tasks that may wait. No limit when absent. */
  readonly maxWaiting?: number;
  /** Threads that stay when they are idle; 1 when absent. */
  readonly maxIdle?: number;
  /** How long they stay, in ms; 30 s when absent, `Infinity` for as long as the process. */
  readonly idleMs?: number;
}

const IDLE_MS = 30_000;

/** More tasks wait for a thread than may. */
export class ThreadsBusy extends Error {
  override readonly name = 'ThreadsBusy';
}

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
export type ToThread<Task, File> =
  | { readonly task: Task }
  | { readonly requestId: number; readonly content: File };

/** A request for a file, the result of the task, or an internal error. */
export type FromThread<FileRequest, Result> =
  | { readonly requestId: number; readonly file: FileRequest }
  | { readonly result: Result }
  | { readonly error: Error };

/** Runs tasks on untrusted input in threads, so that they use neither the time nor the memory of the process. */
export interface ThreadRunner<Task, FileRequest, File, Result> {
  /**
   * Runs a task with the files that `read` returns. Concurrent tasks run in separate threads; a task after a failure runs in
   * a new one.
   *
   * @throws ThreadLimitExceeded, ThreadsBusy, the signal's reason when it aborts, what `read` throws, and internal errors
   */
  run(task: Task, read?: (file: FileRequest) => Promise<File>, signal?: AbortSignal): Promise<Result>;
  /** Stops the idle threads at once. Threads do not prevent the process from exiting. */
  close(): Promise<void>;
}

interface IdleThread {
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout | undefined;
}

/** @param module the source file of the thread, which calls `serveThread` */
export function createThreadRunner<Task, FileRequest, File, Result>(
  module: URL,
  limits: ThreadLimits,
  { maxThreads = Infinity, maxWaiting = Infinity, maxIdle = 1, idleMs = IDLE_MS }: ThreadCounts = {},
): ThreadRunner<Task, FileRequest, File, Result> {
  const queue = new PQueue({ concurrency: maxThreads });
  const idle: IdleThread[] = [];

  function acquire(): Worker {
    const thread = idle.pop();
    if (thread === undefined) return startWorker(module, limits);
    clearTimeout(thread.timer);
    removeListeners(thread.worker);
    thread.worker.ref();
    return thread.worker;
  }

  async function release(worker: Worker): Promise<void> {
    if (idle.length >= maxIdle) return await stopWorker(worker);
    const drop = () => {
      const at = idle.findIndex((thread) => thread.worker === worker);
      if (at !== -1) idle.splice(at, 1);
    };
    const stop = () => {
      drop();
      void stopWorker(worker);
    };
    const timer = idleMs === Infinity ? undefined : setTimeout(stop, idleMs);
    worker.on('exit', drop);
    worker.on('error', drop);
    // Neither prevents the process from exiting.
    timer?.unref();
    worker.unref();
    idle.push({ worker, timer });
  }

  async function runNow(
    task: Task,
    read: ((file: FileRequest) => Promise<File>) | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const worker = acquire();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const exceed = (code: ThreadLimitExceeded['code'], limit: string) =>
      reject(new ThreadLimitExceeded(code, limit));
    const timer = setTimeout(() => exceed('TIMEOUT', `${limits.timeoutMs / 1000} s`), limits.timeoutMs);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const post = (message: ToThread<Task, File>) => worker.postMessage(message);
    worker.on('message', (message: FromThread<FileRequest, Result>) => {
      if ('result' in message) resolve(message.result);
      else if ('error' in message) reject(message.error);
      else {
        const { requestId } = message;
        const content = read?.(message.file) ?? Promise.reject(new Error('This task has no files.'));
        content.then((content) => post({ requestId, content }), reject);
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') exceed('TOO_LARGE', `${limits.memoryMb} MiB of memory`);
      else reject(error);
    });
    worker.on('exit', () => reject(new Error('A thread exited without a result.')));
    post({ task });
    let isReusable = false;
    try {
      const result = await promise;
      isReusable = true;
      return result;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      removeListeners(worker);
      await (isReusable ? release(worker) : stopWorker(worker));
    }
  }

  return {
    async run(task, read, signal) {
      if (queue.size >= maxWaiting) throw new ThreadsBusy('Too many tasks wait for a thread.');
      return await queue.add(() => runNow(task, read, signal));
    },
    async close() {
      while (idle.length > 0) await stopWorker(acquire());
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
