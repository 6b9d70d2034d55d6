import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { updateRef } from '../git/bare-repository.ts';
import { loadCommit } from '../git/read-commits.ts';
import { accountById, findPull } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { emitRepositoryEvent } from '../webhooks/emit-event.ts';

/**
 * Creates a merge group of one pull request, as GitHub's merge queue does: a branch with its merge commit. Requests the
 * checks of the group's head, and returns it. Throws when the pull request cannot be merged.
 */
export async function queueMerge(
  context: ForgeContext,
  repository: RepositoryRecord,
  number: number,
): Promise<string> {
  const pull = findPull(context.data, repository.id, number);
  if (!pull?.mergeSha || pull.state !== 'open')
    throw new Error(`The pull request #${number} cannot be merged.`);
  const gitDir = gitDirOf(context, repository.id);
  const headRef = `refs/heads/gh-readonly-queue/${pull.baseRef}/pr-${number}-${pull.baseSha}`;
  await updateRef(gitDir, headRef, pull.mergeSha);
  repository.refs = { ...repository.refs, [headRef]: pull.mergeSha };
  const { sha, tree, message, author, committer } = await loadCommit(gitDir, pull.mergeSha);
  emitRepositoryEvent(context, {
    event: 'merge_group',
    action: 'checks_requested',
    repository,
    sender: accountById(context.data, repository.ownerId),
    payload: {
      merge_group: {
        head_sha: sha,
        head_ref: headRef,
        base_sha: pull.baseSha,
        base_ref: `refs/heads/${pull.baseRef}`,
        head_commit: {
          id: sha,
          tree_id: tree,
          message,
          timestamp: committer.date,
          author: { name: author.name, email: author.email },
          committer: { name: committer.name, email: committer.email },
        },
      },
    },
  });
  return sha;
}
