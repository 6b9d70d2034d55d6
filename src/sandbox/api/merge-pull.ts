import { Type } from 'typebox';
import { recordPush } from '../actions/record-push.ts';
import { gitDirOf } from '../forge-context.ts';
import { updateRef } from '../git/bare-repository.ts';
import { mergeCommits } from '../git/merge-commits.ts';
import { ForgeApiError } from './api-error.ts';
import { parseBody } from './parse-body.ts';
import { requirePull } from './require-pull.ts';
import { ok, type RepositoryCall, type RouteResult, requireAccount } from './route.ts';

/** Merges head into base with a merge commit, as a push of the caller. */
export async function mergePull(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const pull = requirePull(call);
  const input = parseBody(Type.Object({ sha: Type.Optional(Type.String()) }), call.body);
  if (input.sha !== undefined && input.sha !== pull.headSha) {
    throw new ForgeApiError(409, 'Head branch was modified. Review and try the merge again.');
  }
  const gitDir = gitDirOf(context, repository.id);
  const author = { name: sender.login, email: sender.email, at: context.now() };
  const message = `Merge pull request #${pull.number} from ${pull.headRef}\n\n${pull.title}`;
  const tip = repository.refs[`refs/heads/${pull.baseRef}`];
  const sha =
    tip && pull.state === 'open' ? await mergeCommits(gitDir, tip, pull.headSha, message, author) : null;
  if (!sha || !tip) throw new ForgeApiError(405, 'Pull Request is not mergeable');
  await updateRef(gitDir, `refs/heads/${pull.baseRef}`, sha, tip);
  await recordPush(context, repository, sender);
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}
