import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { MergePerson } from './merge-commits.ts';
import { gitText, runRepositoryGit } from './run-git.ts';

/** Writes a commit that puts a file into the tree of `parent`, and returns the oids of the commit and the file. */
export async function commitFile(
  gitDir: string,
  parent: string,
  file: { readonly path: string; readonly bytes: Buffer },
  message: string,
  author: MergePerson,
): Promise<{ readonly commit: string; readonly blob: string }> {
  const blob = await gitText(gitDir, ['hash-object', '-w', '--stdin'], { input: file.bytes });
  // A separate index, since several commits may be written at once.
  const index = `${gitDir}/index-${randomUUID()}`;
  const env = { GIT_INDEX_FILE: index };
  try {
    await runRepositoryGit(gitDir, ['read-tree', parent], { env });
    await runRepositoryGit(gitDir, ['update-index', '-z', '--index-info'], {
      env,
      input: `100644 ${blob}\t${file.path}\0`,
    });
    const tree = await gitText(gitDir, ['write-tree'], { env });
    const date = `@${Math.floor(author.at.getTime() / 1000)} +0000`;
    const person = {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
      GIT_COMMITTER_DATE: date,
    };
    const commit = await gitText(gitDir, ['commit-tree', tree, '-p', parent, '-F', '-'], {
      env: person,
      input: message,
    });
    return { commit, blob };
  } finally {
    await rm(index, { force: true });
  }
}
