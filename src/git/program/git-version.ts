import { runGitProgram } from './git-process.ts';

/** The first version that can pin an address (http.curloptResolve); older ones would look the name up again. */
const oldest = [2, 37] as const;

/** Whether a git program is installed that is new enough to fetch with. */
export async function hasUsableGit(gitPath: string): Promise<boolean> {
  try {
    const { code, stdout } = await runGitProgram({
      gitPath,
      args: ['version'],
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const [, major = '0', minor = '0'] = /^git version (\d+)\.(\d+)/.exec(stdout) ?? [];
    return (
      code === 0 && (Number(major) > oldest[0] || (Number(major) === oldest[0] && Number(minor) >= oldest[1]))
    );
  } catch {
    return false;
  }
}
