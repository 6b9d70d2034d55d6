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
import { parseBody } from './parse-body.ts';
import { PullText } from './pull-text.ts';
import { created, type RepositoryCall, type RouteAnswer, requireAccount } from './route.ts';

const NewPull = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 256 }),
  head: Type.String({ minLength: 1 }),
  base: Type.String({ minLength: 1 }),
  head_repo: Type.Optional(Type.String()),
  body: Type.Optional(PullText),
  draft: Type.Optional(Type.Boolean()),
  maintainer_can_modify: Type.Optional(Type.Boolean()),
});

/** Whoever may read may open a pull request; the head is theirs. An App needs the permission. */
export function createPull(call: RepositoryCall): Promise<RouteAnswer> {
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
  const fits = (candidate: RepositoryRecord): boolean =>
    (candidate === repository || candidate.forkOf === repository.id || candidate.id === repository.forkOf) &&
    (owner ? candidate.ownerId === owner.id : candidate === repository) &&
    (headRepo === undefined || candidate.name === headRepo.split('/').at(-1)) &&
    canSee(context, caller, candidate);
  const found = owner === undefined ? undefined : context.data.repositories.find(fits);
  const sha = found?.refs[`refs/heads/${ref}`];
  if (!found || !sha) throw invalidError('PullRequest', 'head', `The branch ${head} does not exist.`);
  return { repository: found, ref, sha };
}

async function openChecked(call: RepositoryCall): Promise<RouteAnswer> {
  const { context, repository } = call;
  const author = requireAccount(call);
  const wanted = parseBody(NewPull, call.body);
  const baseSha = repository.refs[`refs/heads/${wanted.base}`];
  if (!baseSha) throw invalidError('PullRequest', 'base', `The branch ${wanted.base} does not exist.`);
  const named = findHead(call, wanted.head, wanted.head_repo);
  // In turn with the pushes to the head: a pull request opens at the branch's tip, and follows it from there.
  return context.enqueue(`refs ${named.repository.id}`, async () => {
    const head = findHead(call, wanted.head, wanted.head_repo);
    const custom = (message: string): ForgeApiError =>
      new ForgeApiError(422, 'Validation Failed', {
        errors: [{ resource: 'PullRequest', code: 'custom', message }],
      });
    const twin = context.data.pulls.find(
      (pull) =>
        pull.state === 'open' &&
        pull.repositoryId === repository.id &&
        pull.headRepositoryId === head.repository.id &&
        pull.headRef === head.ref &&
        pull.baseRef === wanted.base,
    );
    if (twin) throw custom(`A pull request already exists for ${wanted.head}.`);
    const gitDir = gitDirOf(context, repository.id);
    if (head.repository !== repository)
      await fetchObjects(gitDir, gitDirOf(context, head.repository.id), head.sha);
    if ((await countCommits(gitDir, { include: [head.sha], exclude: [baseSha] })) === 0) {
      throw custom(`No commits between ${wanted.base} and ${wanted.head}`);
    }
    if (!(await findMergeBase(gitDir, baseSha, head.sha))) {
      throw custom(`The ${wanted.head} branch has no history in common with ${wanted.base}`);
    }
    const pull = await openPull(context, {
      base: repository,
      baseRef: wanted.base,
      baseSha,
      head: head.repository,
      headRef: head.ref,
      headSha: head.sha,
      title: wanted.title,
      body: wanted.body ?? null,
      draft: wanted.draft ?? false,
      maintainerCanModify: head.repository !== repository && (wanted.maintainer_can_modify ?? false),
      author,
    });
    await context.save();
    return created(await presentFullPull(context, pull));
  });
}
