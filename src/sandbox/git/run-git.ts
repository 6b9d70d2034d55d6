import { type ChildProcess, spawn } from 'node:child_process';

/** The largest output of a call of git; repositories for trying things out stay far below it. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_MILLISECONDS = 60_000;

/** The git program exited with a code that its caller did not expect. */
export class GitProgramError extends Error {
  override readonly name = 'GitProgramError';
  readonly exitCode: number | null;

  constructor(command: string, exitCode: number | null, stderr: string) {
    super(`git ${command} exited with ${exitCode ?? 'a signal'}: ${stderr.trim().slice(0, 500)}`);
    this.exitCode = exitCode;
  }
}

/** The git settings of the user must not change what the sandbox does, so git reads none of them. */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...extra,
  };
}

/** Starts git in a bare repository. The folder may belong to another user when the sandbox runs in a container. */
export function spawnGit(
  gitDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess & {
  stdin: NonNullable<ChildProcess['stdin']>;
  stdout: NonNullable<ChildProcess['stdout']>;
  stderr: NonNullable<ChildProcess['stderr']>;
} {
  return spawn('git', ['-c', 'safe.directory=*', ...args], {
    cwd: gitDir,
    env: gitEnvironment({ GIT_DIR: gitDir, ...env }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export interface RunGitOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are results, not failures. Default: only 0. */
  readonly expect?: readonly number[];
}

export interface GitOutput {
  readonly stdout: Buffer;
  readonly exitCode: number;
}

/** Runs a git command, with limits on time and output. Throws GitProgramError for an unexpected exit code. */
export function runRepositoryGit(
  gitDir: string,
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const child = spawnGit(gitDir, args, options.env);
    const timer = setTimeout(() => child.kill('SIGKILL'), MAX_MILLISECONDS);
    const out: Buffer[] = [];
    let size = 0;
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4096) stderr += chunk.toString();
    });
    // git may exit before it has read all its input; the exit code decides.
    child.stdin.on('error', () => undefined);
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(
        new Error(
          'The sandbox needs the git program, and it could not be started. Install git and try again.',
          { cause },
        ),
      );
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code !== null && (options.expect ?? [0]).includes(code)) {
        resolve({ stdout: Buffer.concat(out), exitCode: code });
      } else {
        reject(new GitProgramError(args[0] ?? '', code, stderr));
      }
    });
    child.stdin.end(options.input ?? '');
  });
}

/** The output as text, without the newline at its end. */
export async function gitText(
  gitDir: string,
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<string> {
  return (await runRepositoryGit(gitDir, args, options)).stdout.toString('utf8').replace(/\n$/, '');
}
