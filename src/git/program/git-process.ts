import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';

const stderrLimit = 64 * 1024;
/** Time for git to remove its lock files and half-written packs before it is killed. */
const graceMs = 2_000;

export interface GitProcessOptions {
  readonly gitPath: string;
  readonly args: readonly string[];
  /** The whole environment: nothing of our own environment is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The largest size of one file (a pack, here) in bytes; enforced by the system. */
  readonly maxFileBytes?: number;
}

export interface GitExit {
  /** The exit code, or null when it was terminated by a signal. */
  readonly code: number | null;
  /** The last 64 KiB of stderr. */
  readonly stderr: string;
}

/** A run of the git program in a separate process group, so that its helper processes are terminated with it. */
export class GitProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has exited and its pipes are closed. Rejects when it cannot be started, or with the signal's reason. */
  readonly exit: Promise<GitExit>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #hasExited = false;

  constructor(options: GitProcessOptions) {
    const [command, args] = limited(options);
    this.#child = spawn(command, args, {
      env: options.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: '/',
    });
    putBehind(this.#child.pid);
    this.stdin = this.#child.stdin;
    this.stdout = this.#child.stdout;
    // A git that exits early closes its input; its exit code says why.
    this.stdin.on('error', () => {});
    this.exit = this.#watch(options.signal);
    this.exit.catch(() => {});
  }

  /** Terminates it and its helper processes. */
  kill(): void {
    if (this.#hasExited) return;
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), graceMs).unref();
    this.#child.once('close', () => clearTimeout(timer));
  }

  /** Whether our own process waits for this one before it exits; the default is true. */
  blockParentExit(blocks: boolean): void {
    const handles = [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr];
    for (const handle of handles as unknown as readonly { ref(): void; unref(): void }[]) {
      if (blocks) handle.ref();
      else handle.unref();
    }
  }

  async #watch(signal: AbortSignal | undefined): Promise<GitExit> {
    const stderr: Buffer[] = [];
    let size = 0;
    this.#child.stderr.on('data', (chunk: Buffer) => {
      stderr.push(chunk);
      size += chunk.length;
      while (size > stderrLimit && stderr.length > 1) size -= stderr.shift()?.length ?? 0;
    });
    const onAbort = () => this.kill();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) this.kill();
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        this.#child.once('error', reject);
        this.#child.once('close', resolve);
      });
      signal?.throwIfAborted();
      return { code, stderr: Buffer.concat(stderr).toString('utf8') };
    } finally {
      this.#hasExited = true;
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#hasExited || this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, name);
    } catch {
      // It exited in the meantime.
    }
  }
}

/** Imports wait for git, and everybody for this process: git, with what it starts, has a tenth of its share of busy processors. */
function putBehind(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + 10));
  } catch {
    // It has ended, or the system does not permit it.
  }
}

/** Memory limit of git during a fetch: a host may list branches without end, and git stores the list. In KiB. */
const maxMemoryKib = 8 * 1024 * 1024;

/** The shell sets the limit that Node cannot set for a child; POSIX counts it in blocks of 512 bytes. */
function limited({ gitPath, args, maxFileBytes }: GitProcessOptions): [string, string[]] {
  if (maxFileBytes === undefined) return [gitPath, [...args]];
  // Not every system can limit memory.
  const script = `ulimit -c 0; ulimit -v ${maxMemoryKib} 2>/dev/null; ulimit -f "$1" && shift && exec "$@"`;
  return ['/bin/sh', ['-c', script, 'sh', String(Math.ceil(maxFileBytes / 512)), gitPath, ...args]];
}

/** Runs git until it exits and returns its output, which must be small. */
export async function runGitProgram(
  options: GitProcessOptions & { readonly input?: string },
): Promise<GitExit & { readonly stdout: string }> {
  const git = new GitProcess(options);
  git.stdin.end(options.input ?? '');
  const chunks: Buffer[] = [];
  let size = 0;
  git.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= 1024 * 1024) chunks.push(chunk);
  });
  const exit = await git.exit;
  return { ...exit, stdout: Buffer.concat(chunks).toString('utf8') };
}
