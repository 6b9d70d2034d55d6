import { writeLooseObject } from './loose-object.ts';
import { runRepositoryGit } from './run-git.ts';

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
  const { stdout, exitCode } = await runRepositoryGit(
    gitDir,
    ['merge-tree', '--write-tree', '--no-messages', base, head],
    {
      expect: [0, 1, 128],
    },
  );
  if (exitCode !== 0) return null;
  const tree = stdout.toString().trim();
  const [name, email] = [by.name, by.email].map((text) => text.replace(/[<>\n\0]/g, ''));
  const person = `${name} <${email}> ${Math.floor(by.at.getTime() / 1000)} +0000`;
  const lines = [`tree ${tree}`, `parent ${base}`, `parent ${head}`];
  lines.push(`author ${person}`, `committer ${person}`, '', message.replace(/\n?$/, '\n'));
  return writeLooseObject(gitDir, 'commit', Buffer.from(lines.join('\n')));
}
