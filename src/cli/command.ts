import type { Environment } from '../server/config/index.ts';

/** What a command gets from the process, so that it can be run in a test without one. */
export interface CommandIo {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Environment;
  readonly cwd: string;
  /** Aborted on SIGINT and SIGTERM: long-running commands end in good order. */
  readonly signal: AbortSignal;
}

/** 0 all well, 1 something broken was found, 2 wrong usage or configuration. */
export type ExitCode = 0 | 1 | 2;

/** Ends a command with exit code 2 and one sentence that says what is wrong and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
