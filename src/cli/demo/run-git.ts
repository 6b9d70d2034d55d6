import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Docloom demo',
  GIT_AUTHOR_EMAIL: 'demo@docloom.invalid',
  GIT_COMMITTER_NAME: 'Docloom demo',
  GIT_COMMITTER_EMAIL: 'demo@docloom.invalid',
};

/** Runs the real git program in one work tree, without the user's own settings. Throws with git's own message. */
export function gitIn(directory: string): (...args: string[]) => Promise<string> {
  return async (...args) => {
    try {
      const env = { ...process.env, ...IDENTITY, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null' };
      return (await execute('git', args, { cwd: directory, env, timeout: 60_000 })).stdout.trim();
    } catch (error) {
      const { code, stderr } = error as { code?: string; stderr?: string };
      if (code === 'ENOENT')
        throw new Error(
          'The demo pushes with the git program, which is not installed: install git and try again.',
        );
      throw new Error(`git ${args[0]} failed: ${withoutCredentials(stderr ?? String(error)).trim()}`);
    }
  };
}

function withoutCredentials(text: string): string {
  return text.replaceAll(/\/\/[^@/\s]+@/g, '//');
}
