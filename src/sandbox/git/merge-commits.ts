import { gitText, runGit } from './run-git.ts';

export interface MergePerson {
  readonly name: string;
  readonly email: string;
  readonly at: Date;
}

/** Writes the merge of `head` into `base` as a commit and answers its oid, or null when they conflict or share no history. */
export async function mergeCommits(
  gitDir: string,
  base: string,
  head: string,
  message: string,
  by: MergePerson,
): Promise<string | null> {
  const { stdout, exitCode } = await runGit(
    gitDir,
    ['merge-tree', '--write-tree', '--no-messages', base, head],
    {
      expect: [0, 1, 128],
    },
  );
  if (exitCode !== 0) return null;
  const tree = stdout.toString().trim();
  const date = `@${Math.floor(by.at.getTime() / 1000)} +0000`;
  const env = {
    GIT_AUTHOR_NAME: by.name,
    GIT_AUTHOR_EMAIL: by.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: by.name,
    GIT_COMMITTER_EMAIL: by.email,
    GIT_COMMITTER_DATE: date,
  };
  return gitText(gitDir, ['commit-tree', tree, '-p', base, '-p', head, '-F', '-'], { env, input: message });
}
