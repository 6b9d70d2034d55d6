import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { MergePerson } from './merge-commits.ts';
import { gitText, runRepositoryGit } from './run-git.ts';

/** Writes the commit that puts a file into the tree of `parent`, and answers its oid and the file's. */
export async function commitFile(
  gitDir: string,
  parent: string,
  file: { readonly path: string; readonly bytes: Buffer },
  message: string,
  by: MergePerson,
): Promise<{ readonly commit: string; readonly blob: string }> {
  const blob = await gitText(gitDir, ['hash-object', '-w', '--stdin'], { input: file.bytes });
  // An index of its own: several commits may be written at once.
  const index = `${gitDir}/index-${randomUUID()}`;
  const env = { GIT_INDEX_FILE: index };
  try {
    await runRepositoryGit(gitDir, ['read-tree', parent], { env });
    await runRepositoryGit(gitDir, ['update-index', '-z', '--index-info'], {
      env,
      input: `100644 ${blob}\t${file.path}\0`,
    });
    const tree = await gitText(gitDir, ['write-tree'], { env });
    const date = `@${Math.floor(by.at.getTime() / 1000)} +0000`;
    const person = {
      GIT_AUTHOR_NAME: by.name,
      GIT_AUTHOR_EMAIL: by.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: by.name,
      GIT_COMMITTER_EMAIL: by.email,
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
