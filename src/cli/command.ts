import type { Environment } from '../server/config/index.ts';

/** What a command gets from the process, so that tests can run it without one. */
export interface CommandIo {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Environment;
  readonly cwd: string;
  /** Aborted on SIGINT and SIGTERM: long-running commands shut down gracefully. */
  readonly signal: AbortSignal;
}

/** 0 success, 1 something is broken, 2 wrong usage or configuration. */
export type ExitCode = 0 | 1 | 2;

/** Makes a command exit with code 2 and one sentence that says what is wrong and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
