import { execFile } from 'node:child_process';

/**
 * A repository's own settings may name programs for git to run: to watch its files, or to fetch what a partial clone
 * left out. Looking at its files must not run them.
 */
const SAFE_SETTINGS = ['-c', 'core.fsmonitor=false'];
const SAFE_ENVIRONMENT = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

/** How a run of git ended. */
export interface GitRun {
  /** The exit code; null when git could not be started or was stopped. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git in a folder to its end. Throws only when `signal` is aborted. */
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
    // A git that cannot start, or ends early, closes its input; its end says why.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
  signal.throwIfAborted();
  return run;
}

/**
 * A hook of git runs with the place of its repository in the environment, relative to the folder of the hook: the
 * folder that is asked for finds its own. Whoever names a work tree too means it.
 */
function ownEnvironment(): NodeJS.ProcessEnv {
  if (process.env['GIT_WORK_TREE'] !== undefined) return process.env;
  const { GIT_DIR: _dir, GIT_INDEX_FILE: _index, GIT_PREFIX: _prefix, ...rest } = process.env;
  return rest;
}
