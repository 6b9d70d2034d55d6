import { Type } from 'typebox';
import { openPull } from '../actions/pulls.ts';
import { gitDirOf } from '../forge-context.ts';
import { fetchObjects } from '../git/bare-repository.ts';
import { countCommits, findMergeBase } from '../git/read-commits.ts';
import { presentFullPull } from '../present/pull.ts';
import { findAccount } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { ForgeApiError, invalidError, notAccessible } from './api-error.ts';
import { canSee, mayUse } from './caller.ts';
import { BodyText, parseBody } from './parse-body.ts';
import { created, type RepositoryCall, type RouteResult, requireAccount } from './route.ts';

const NewPull = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 256 }),
  head: Type.String({ minLength: 1 }),
  base: Type.String({ minLength: 1 }),
  head_repo: Type.Optional(Type.String()),
  body: Type.Optional(BodyText),
  draft: Type.Optional(Type.Boolean()),
  maintainer_can_modify: Type.Optional(Type.Boolean()),
});

/** Everyone who may read may open a pull request. An App needs the permission. */
export function createPull(call: RepositoryCall): Promise<RouteResult> {
  const { context, caller, repository } = call;
  if (caller.kind === 'installation' && !mayUse(context, caller, repository, 'pull_requests', 'write')) {
    throw notAccessible();
  }
  return openChecked(call);
}

/** The repository and branch that a `head` names: `branch`, or `owner:branch` of a fork. */
function findHead(call: RepositoryCall, head: string, headRepo: string | undefined) {
  const { context, repository, caller } = call;
  const colon = head.indexOf(':');
  const ref = head.slice(colon + 1);
  const owner = colon < 0 ? null : findAccount(context.data, head.slice(0, colon));
  const matches = (candidate: RepositoryRecord): boolean =>
    (candidate === repository || candidate.forkOf === repository.id || candidate.id === repository.forkOf) &&
    (owner ? candidate.ownerId === owner.id : candidate === repository) &&
    (headRepo === undefined || candidate.name === headRepo.split('/').at(-1)) &&
    canSee(context, caller, candidate);
  const found = owner === undefined ? undefined : context.data.repositories.find(matches);
  const sha = found?.refs[`refs/heads/${ref}`];
  if (!found || !sha) throw invalidError('PullRequest', 'head', `The branch ${head} does not exist.`);
  return { repository: found, ref, sha };
}

async function openChecked(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const author = requireAccount(call);
  const input = parseBody(NewPull, call.body);
  const baseSha = repository.refs[`refs/heads/${input.base}`];
  if (!baseSha) throw invalidError('PullRequest', 'base', `The branch ${input.base} does not exist.`);
  const named = findHead(call, input.head, input.head_repo);
  // Queued with the pushes to the head, so that no push is missed: a pull request opens at the branch's tip.
  return context.enqueue(`refs ${named.repository.id}`, async () => {
    const head = findHead(call, input.head, input.head_repo);
    const custom = (message: string): ForgeApiError =>
      new ForgeApiError(422, 'Validation Failed', {
        errors: [{ resource: 'PullRequest', code: 'custom', message }],
      });
    const duplicate = context.data.pulls.find(
      (pull) =>
        pull.state === 'open' &&
        pull.repositoryId === repository.id &&
        pull.headRepositoryId === head.repository.id &&
        pull.headRef === head.ref &&
        pull.baseRef === input.base,
    );
    if (duplicate) throw custom(`A pull request already exists for ${input.head}.`);
    const gitDir = gitDirOf(context, repository.id);
    if (head.repository !== repository)
      await fetchObjects(gitDir, gitDirOf(context, head.repository.id), head.sha);
    if ((await countCommits(gitDir, { include: [head.sha], exclude: [baseSha] })) === 0) {
      throw custom(`No commits between ${input.base} and ${input.head}`);
    }
    if (!(await findMergeBase(gitDir, baseSha, head.sha))) {
      throw custom(`The ${input.head} branch has no history in common with ${input.base}`);
    }
    const pull = await openPull(context, {
      base: repository,
      baseRef: input.base,
      baseSha,
      head: head.repository,
      headRef: head.ref,
      headSha: head.sha,
      title: input.title,
      body: input.body ?? null,
      draft: input.draft ?? false,
      maintainerCanModify: head.repository !== repository && (input.maintainer_can_modify ?? false),
      author,
    });
    await context.save();
    return created(await presentFullPull(context, pull));
  });
}
