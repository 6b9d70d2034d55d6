import { Type } from 'typebox';
import { recordPush } from '../actions/record-push.ts';
import { gitDirOf } from '../forge-context.ts';
import { updateRef } from '../git/bare-repository.ts';
import { mergeCommits } from '../git/merge-commits.ts';
import { findMergeBase, loadCommit } from '../git/read-commits.ts';
import { presentRepositoryCommit } from '../present/commit.ts';
import { ForgeApiError } from './api-error.ts';
import { parseBody } from './parse-body.ts';
import { type RepositoryCall, type RepositoryRoute, type RouteResult, requireAccount } from './route.ts';

const MergeRequest = Type.Object({
  base: Type.String({ minLength: 1 }),
  head: Type.String({ minLength: 1 }),
  commit_message: Type.Optional(Type.String()),
});

/** https://docs.github.com/en/rest/branches/branches#merge-a-branch: 204 when there is nothing to merge. */
async function mergeBranch(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const { base, head, commit_message } = parseBody(MergeRequest, call.body);
  const ref = `refs/heads/${base}`;
  const tip = repository.refs[ref];
  if (!tip) throw new ForgeApiError(404, 'Base does not exist');
  const from = repository.refs[`refs/heads/${head}`] ?? (/^[0-9a-f]{40}$/.test(head) ? head : undefined);
  if (!from) throw new ForgeApiError(404, 'Head does not exist');
  const gitDir = gitDirOf(context, repository.id);
  if ((await findMergeBase(gitDir, tip, from)) === from) return { status: 204 };
  const author = { name: sender.login, email: sender.email, at: context.now() };
  const sha = await mergeCommits(gitDir, tip, from, commit_message ?? `Merge ${head} into ${base}`, author);
  if (!sha) throw new ForgeApiError(409, 'Merge conflict');
  await updateRef(gitDir, ref, sha, tip);
  await recordPush(context, repository, sender);
  return { status: 201, body: presentRepositoryCommit(context, repository, await loadCommit(gitDir, sha)) };
}

/** https://docs.github.com/en/rest/git/refs#delete-a-reference */
async function deleteRef(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const ref = `refs/${call.params['ref']}`;
  if (!repository.refs[ref] || !/^refs\/(heads|tags)\//.test(ref)) {
    throw new ForgeApiError(422, 'Reference does not exist');
  }
  if (ref === `refs/heads/${repository.defaultBranch}`) {
    throw new ForgeApiError(422, 'Cannot delete the default branch');
  }
  await updateRef(gitDirOf(context, repository.id), ref, null);
  await recordPush(context, repository, sender);
  return { status: 204 };
}

export const branchRoutes: readonly RepositoryRoute[] = [
  { method: 'POST', path: '/repos/:owner/:repo/merges', needs: ['contents', 'write'], run: mergeBranch },
  {
    method: 'DELETE',
    path: '/repos/:owner/:repo/git/refs/*ref',
    needs: ['contents', 'write'],
    run: deleteRef,
  },
];
