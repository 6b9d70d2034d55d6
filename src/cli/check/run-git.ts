import { execFile } from 'node:child_process';

/**
 * A repository's own settings may name programs for git to run: to watch its files, or to fetch what a partial clone
 * left out. Reading its files must not run them.
 */
const SAFE_SETTINGS = ['-c', 'core.fsmonitor=false'];
const SAFE_ENVIRONMENT = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

/** The outcome of a run of git. */
export interface GitRun {
  /** The exit code; null when git could not be started or was stopped. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git in a folder until it exits. Throws only when `signal` is aborted. */
export async function runLocalGit(
  folder: string,
  args: readonly string[],
  signal: AbortSignal,
  input = '',
): Promise<GitRun> {
  const run = await new Promise<GitRun>((resolve) => {
    const child = execFile(
      'git',
      [...SAFE_SETTINGS, '-C', folder, ...args],
      {
        maxBuffer: 512 * 1024 * 1024,
        signal,
        env: {
          ...ownEnvironment(),
          ...SAFE_ENVIRONMENT,
          LC_ALL: 'C',
          GIT_OPTIONAL_LOCKS: '0',
          GIT_TERMINAL_PROMPT: '0',
        },
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr });
      },
    );
    // A git that cannot start, or exits early, closes its input; its exit code says why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
  signal.throwIfAborted();
  return run;
}

/**
 * A git hook runs with the path of its repository in the environment, relative to the folder of the hook; without these
 * variables git finds the repository of the folder in question. Whoever also sets a work tree means it.
 */
function ownEnvironment(): NodeJS.ProcessEnv {
  if (process.env['GIT_WORK_TREE'] !== undefined) return process.env;
  const { GIT_DIR: _dir, GIT_INDEX_FILE: _index, GIT_PREFIX: _prefix, ...rest } = process.env;
  return rest;
}
