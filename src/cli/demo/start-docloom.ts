/** Starts `docloom` commands as processes of their own, as a user would. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '../../server/config/index.ts';
import { waitFor } from './narrator.ts';

const MAIN = fileURLToPath(
  new URL(`../main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

/** A server that has not shut down by then is killed. */
const PATIENCE_MS = 40_000;

export interface RunningDocloom {
  readonly pid: number;
  /** Shuts it down gracefully. */
  stop(): Promise<void>;
  /** Kills it as a crash would, with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts `docloom serve` and waits until it answers. Its log goes to `logFile`; when it dies, its last lines become the error. */
export async function startDocloom(options: {
  env: Environment;
  url: string;
  logFile: string;
  signal: AbortSignal;
  /** The entry point of another release, as old as those that only answer `/healthz`. */
  main?: string | undefined;
  /** The program with its first arguments, where it is not started by this Node, such as in a container. */
  command?: readonly [string, ...string[]] | undefined;
}): Promise<RunningDocloom> {
  const [program, ...args] = options.command ?? [process.execPath, options.main ?? MAIN];
  const child = spawn(program, [...args, 'serve'], {
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(options.logFile, { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  try {
    await waitFor(
      'docloom serve to answer',
      () => isUp(options.url, child, options.main === undefined ? '/startupz' : '/healthz'),
      { signal: options.signal },
    );
  } catch (error) {
    await terminate(child, 'SIGTERM');
    throw new Error(
      `docloom serve did not start. ${(error as Error).message}\n${await lastLines(options.logFile)}`,
    );
  }
  return {
    pid: child.pid as number,
    stop: () => terminate(child, 'SIGTERM'),
    kill: () => terminate(child, 'SIGKILL'),
  };
}

async function terminate(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await once(child, 'exit');
  clearTimeout(patience);
}

async function isUp(url: string, child: ChildProcess, probe: string): Promise<true | undefined> {
  if (child.exitCode !== null) throw new Error(`It exited with code ${child.exitCode}:`);
  try {
    return (await fetch(url + probe, { signal: AbortSignal.timeout(2000) })).ok ? true : undefined;
  } catch {
    return undefined;
  }
}

/** Runs one `docloom` command until it exits and returns its output. */
export async function runDocloom(args: readonly string[], env: Environment): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env, timeout: 60_000 });
  return stdout.trim();
}

const LOG_LINES = 12;

/** The last lines of a log file; empty when there is none. */
export async function lastLines(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-LOG_LINES).join('\n');
}
