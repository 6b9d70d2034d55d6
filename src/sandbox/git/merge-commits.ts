import { readLinearHistory } from './loose-commit.ts';
import { writeLooseObject } from './loose-object.ts';
import { runRepositoryGit } from './run-git.ts';

export interface MergePerson {
  readonly name: string;
  readonly email: string;
  readonly at: Date;
}

/** Writes the merge of `head` into `base` as a commit and returns its oid, or null when they conflict or share no history. */
export async function mergeCommits(
  gitDir: string,
  base: string,
  head: string,
  message: string,
  author: MergePerson,
): Promise<string | null> {
  const tree = await mergeTrees(gitDir, base, head);
  if (tree === null) return null;
  const [name, email] = [author.name, author.email].map((text) => text.replace(/[<>\n\0]/g, ''));
  const person = `${name} <${email}> ${Math.floor(author.at.getTime() / 1000)} +0000`;
  const lines = [`tree ${tree}`, `parent ${base}`, `parent ${head}`];
  lines.push(`author ${person}`, `committer ${person}`, '', message.replace(/\n?$/, '\n'));
  return writeLooseObject(gitDir, 'commit', Buffer.from(lines.join('\n')));
}

/** The tree of the merge, or null when they conflict or share no history. */
async function mergeTrees(gitDir: string, base: string, head: string): Promise<string | null> {
  // Most branches contain all commits of the base; then the merge has the head's files, and git need not be started.
  const [tip] = (await readLinearHistory(gitDir, head, base)) ?? [];
  if (tip !== undefined) return tip.tree;
  const args = ['merge-tree', '--write-tree', '--no-messages', base, head];
  const { stdout, exitCode } = await runRepositoryGit(gitDir, args, { expect: [0, 1, 128] });
  return exitCode === 0 ? stdout.toString().trim() : null;
}
