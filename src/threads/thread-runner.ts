import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import type { Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import PQueue from 'p-queue';
import { measureProcess } from './measure-process.ts';

/** What one task may use. */
export interface ThreadLimits {
  /** Of its process's processors, in ms; from its start to its result where the system does not say what a process used. */
  readonly timeoutMs: number;
  /** From its start to its result, the waits for its files included, in ms; as `WAIT_FACTORS` says when absent. */
  readonly waitMs?: number;
  /** Of the JavaScript heap. On Linux the whole process may have `NATIVE_MB` more. */
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
  /** Who waits for them; `inBackground` when absent. */
  readonly niceness?: Niceness;
}

/**
 * How far the processes of a task stand behind this one. Where all processors are busy, Linux gives those of `forReaders`
 * about a third of the time that it gives this one, and those of `inBackground` a tenth; this one goes first whenever it has
 * work, and none waits for ever. `none` is for commands, which only wait for them.
 */
const NICENESS = { none: 0, forReaders: 5, inBackground: 10 } as const;

export type Niceness = keyof typeof NICENESS;

const IDLE_MS = 30_000;

/** What a process has besides its JavaScript heap: its code, and the memory of native parsers. */
const NATIVE_MB = 1_024;

/** How much longer than its processor time a task may take, since others use the machine, too, and come first. */
const WAIT_FACTORS: Readonly<Record<Niceness, number>> = { none: 6, forReaders: 6, inBackground: 20 };

/** How often the time and memory of a process that works are measured. */
const MEASURE_MS = 200;

/** How a process ends for lack of memory, by what Node.js, its engine and native code print. */
const OUT_OF_MEMORY = /out of memory|allocation (?:of|failed)|bad_alloc/i;
/** The same where the heap reached its limit; else the machine may be short of memory. */
const HEAP_IS_FULL = /heap limit|invalid (?:array|string|size)/i;

/** More tasks wait for a thread than may. */
export class ThreadsBusy extends Error {
  override readonly name = 'ThreadsBusy';
}

/** A task passed a limit of its thread, or ended it. */
export class ThreadLimitExceeded extends Error {
  override readonly name = 'ThreadLimitExceeded';
  readonly code: 'TIMEOUT' | 'TOO_LARGE' | 'CRASHED';
  /** False where the machine may be the reason: it is short of memory, or others use all its processors. */
  readonly isCertain: boolean;
  /** The limit, for a sentence: `180 s`, or `3072 MiB of memory`; null after a crash, which native parsers have. */
  readonly #limit: string | null;

  constructor(code: ThreadLimitExceeded['code'], limit: string | null, isCertain: boolean) {
    super(limit === null ? 'The task crashed its process.' : `The task takes more than ${limit}.`);
    this.code = code;
    this.isCertain = isCertain;
    this.#limit = limit;
  }

  /** What the input does, for a sentence: `takes more than 180 s to read`. */
  describe(purpose: 'read' | 'show'): string {
    return this.#limit === null ? 'crashes its parser' : `takes more than ${this.#limit} to ${purpose}`;
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

/**
 * Runs tasks on untrusted input in child processes, so that they use neither the time nor the memory of this one, and cannot
 * end it. Threads of this process would not do: native parsers overflow their stack, the engine gives up the whole process
 * when one allocation passes the limit of a thread, and native memory has none.
 */
export interface ThreadRunner<Task, FileRequest, File, Result> {
  /**
   * Runs a task with the files that `read` returns. Concurrent tasks run in separate processes; a task after a failure runs
   * in a new one. A task whose process ends for a reason that is not certainly its own is tried once more.
   *
   * @throws ThreadLimitExceeded, ThreadsBusy, the signal's reason when it aborts, what `read` throws, and internal errors
   */
  run(task: Task, read?: (file: FileRequest) => Promise<File>, signal?: AbortSignal): Promise<Result>;
  /** Stops the idle processes at once. They do not prevent this one from exiting, and exit with it. */
  close(): Promise<void>;
}

interface Thread {
  readonly child: ChildProcess;
  /** What it printed last. */
  lastWords: string;
  idleTimer?: NodeJS.Timeout;
}

/** @param module the source file of the thread, which calls `serveThread` */
export function createThreadRunner<Task, FileRequest, File, Result>(
  module: URL,
  limits: ThreadLimits,
  {
    maxThreads = Infinity,
    maxWaiting = Infinity,
    maxIdle = 1,
    idleMs = IDLE_MS,
    niceness = 'inBackground',
  }: ThreadCounts = {},
): ThreadRunner<Task, FileRequest, File, Result> {
  const queue = new PQueue({ concurrency: maxThreads });
  const idle: Thread[] = [];

  function acquire(): Thread {
    const thread = idle.pop();
    if (thread === undefined) return startThread(module, limits, niceness);
    clearTimeout(thread.idleTimer);
    removeListeners(thread);
    thread.child.ref();
    thread.child.channel?.ref();
    return thread;
  }

  async function release(thread: Thread): Promise<void> {
    if (idle.length >= maxIdle) return await stopThread(thread);
    const drop = () => {
      const at = idle.indexOf(thread);
      if (at !== -1) idle.splice(at, 1);
    };
    if (idleMs !== Infinity) {
      thread.idleTimer = setTimeout(() => {
        drop();
        void stopThread(thread);
      }, idleMs).unref();
    }
    thread.child.on('close', drop);
    thread.child.on('error', drop);
    // It does not prevent this process from exiting.
    thread.child.unref();
    thread.child.channel?.unref();
    idle.push(thread);
  }

  async function runNow(
    task: Task,
    read: ((file: FileRequest) => Promise<File>) | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const thread = acquire();
    const { child } = thread;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const exceeded = (code: ThreadLimitExceeded['code'], limit: string | null, isCertain: boolean) =>
      reject(new ThreadLimitExceeded(code, limit, isCertain));
    const tooLarge = (isCertain: boolean) =>
      exceeded('TOO_LARGE', `${limits.memoryMb} MiB of memory`, isCertain);
    const startedAt = performance.now();
    let cpuBefore: number | null = null;
    const waitMs =
      process.platform === 'linux'
        ? (limits.waitMs ?? limits.timeoutMs * WAIT_FACTORS[niceness])
        : limits.timeoutMs;
    const timer = setTimeout(() => exceeded('TIMEOUT', `${waitMs / 1000} s`, false), waitMs);
    const meter = setInterval(async () => {
      const now = await measureProcess(child.pid);
      if (now === null) return;
      // Most tasks end before this first measurement, so that it costs them nothing; until here it worked all the time.
      cpuBefore ??= Math.max(0, now.cpuMs - (performance.now() - startedAt));
      if (now.memoryMb > limits.memoryMb + NATIVE_MB) tooLarge(true);
      else if (now.cpuMs - cpuBefore > limits.timeoutMs)
        exceeded('TIMEOUT', `${limits.timeoutMs / 1000} s`, true);
    }, MEASURE_MS);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    // What cannot be sent because the process ended is reported by its end.
    const post = (message: ToThread<Task, File>) => child.send?.(message as object, () => {});
    child.on('message', (data) => {
      const message = data as FromThread<FileRequest, Result>;
      if ('result' in message) resolve(message.result);
      else if ('error' in message) reject(message.error);
      else {
        const { requestId } = message;
        const content = read?.(message.file) ?? Promise.reject(new Error('This task has no files.'));
        content.then((content) => post({ requestId, content })).catch(reject);
      }
    });
    child.on('error', reject);
    child.on('close', (_, endSignal) => {
      const { lastWords } = thread;
      if (OUT_OF_MEMORY.test(lastWords)) tooLarge(HEAP_IS_FULL.test(lastWords));
      // Nobody but the system and people send this signal.
      else if (endSignal !== null) exceeded('CRASHED', null, endSignal !== 'SIGKILL');
      else reject(new Error('A process exited without a result.'));
    });
    let isReusable = false;
    try {
      post({ task });
      const result = await promise;
      isReusable = true;
      return result;
    } finally {
      clearTimeout(timer);
      clearInterval(meter);
      signal?.removeEventListener('abort', abort);
      removeListeners(thread);
      await (isReusable ? release(thread) : stopThread(thread));
    }
  }

  return {
    async run(task, read, signal) {
      if (queue.size >= maxWaiting) throw new ThreadsBusy('Too many tasks wait for a thread.');
      return await queue.add(async () => {
        try {
          return await runNow(task, read, signal);
        } catch (error) {
          const isCertain = !(error instanceof ThreadLimitExceeded) || error.isCertain;
          if (isCertain || error.code === 'TIMEOUT') throw error;
          return await runNow(task, read, signal);
        }
      });
    },
    async close() {
      while (idle.length > 0) await stopThread(acquire());
    },
  };
}

function startThread(module: URL, { memoryMb }: ThreadLimits, niceness: Niceness): Thread {
  const isSource = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(module);
  const child = fork(isSource ? file : file.replace(/\.ts$/, '.js'), [String(process.pid)], {
    // It reads untrusted input, and needs no settings of the server.
    env: compileCacheOf(getCompileCacheDir()),
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  putBehind(child.pid, niceness);
  const thread: Thread = { child, lastWords: '' };
  const stderr = child.stderr as Socket | null | undefined;
  // None where no file can be opened any more: then `error` says so.
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    thread.lastWords = (thread.lastWords + text).slice(-20_000);
  });
  stderr?.unref();
  return thread;
}

/** The process starts just now: on Linux, where each thread of a process has a priority, all that it will start inherit it. */
function putBehind(pid: number | undefined, niceness: Niceness): void {
  if (pid === undefined || niceness === 'none') return;
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS[niceness]));
  } catch {
    // It has ended, or the system does not permit it: then it is as important as this process.
  }
}

/**
 * Where this process caches its compiled modules, if it does, the thread caches its own, which starts in a third of the time
 * then. Node.js names the folder of its version, which is in the one that it takes.
 */
function compileCacheOf(folder: string | undefined): NodeJS.ProcessEnv {
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** Removes our listeners only: those of Node.js itself have other events. */
function removeListeners({ child }: Thread): void {
  for (const event of ['message', 'error', 'close']) child.removeAllListeners(event);
}

/** A process in native code handles no other signal. */
async function stopThread({ child }: Thread): Promise<void> {
  child.on('error', () => {});
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGKILL');
  await promise;
}
