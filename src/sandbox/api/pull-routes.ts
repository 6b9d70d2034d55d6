import { Type } from 'typebox';
import { closePull, emitPullEvent, openPull, refreshPull } from '../actions/pulls.ts';
import { recordPush } from '../actions/record-push.ts';
import { gitDirOf, timestamp } from '../forge-context.ts';
import { fetchObjects, updateRef } from '../git/bare-repository.ts';
import { mergeCommits } from '../git/merge-commits.ts';
import { listChanges } from '../git/read-changes.ts';
import { countCommits, listCommits, mergeBase } from '../git/read-commits.ts';
import { presentChange, presentCommit } from '../present/commit.ts';
import { presentFullPull, presentPull } from '../present/pull.ts';
import { findAccount } from '../state/find-records.ts';
import type { PullRecord, RepositoryRecord } from '../state/records.ts';
import { ApiError, invalid, notFound } from './api-error.ts';
import { canSee, mayUse } from './caller.ts';
import { answerPage, linkHeader, readPage } from './paging.ts';
import { parseBody } from './parse-body.ts';
import {
  type Answer,
  created,
  numberParam,
  ok,
  type RepositoryCall,
  type RepositoryRoute,
  requireAccount,
} from './route.ts';

/** https://docs.github.com/en/rest/pulls/pulls */
const MAX_FILES = 3000;
const MAX_COMMITS = 250;

const Text = Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()]);
const NewPull = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 256 }),
  head: Type.String({ minLength: 1 }),
  base: Type.String({ minLength: 1 }),
  head_repo: Type.Optional(Type.String()),
  body: Type.Optional(Text),
  draft: Type.Optional(Type.Boolean()),
});
const PullChange = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  body: Type.Optional(Text),
  state: Type.Optional(Type.Enum(['open', 'closed'])),
  base: Type.Optional(Type.String({ minLength: 1 })),
});

/** The repository and branch that a `head` names: `branch`, or `owner:branch` of a fork. */
function findHead(call: RepositoryCall, head: string, headRepo: string | undefined) {
  const { context, repository, caller } = call;
  const colon = head.indexOf(':');
  const ref = head.slice(colon + 1);
  const owner = colon < 0 ? null : findAccount(context.data, head.slice(0, colon));
  const fits = (one: RepositoryRecord): boolean =>
    (one === repository || one.forkOf === repository.id || one.id === repository.forkOf) &&
    (owner ? one.ownerId === owner.id : one === repository) &&
    (headRepo === undefined || one.name === headRepo.split('/').at(-1)) &&
    canSee(context, caller, one);
  const found = owner === undefined ? undefined : context.data.repositories.find(fits);
  const sha = found?.refs[`refs/heads/${ref}`];
  if (!found || !sha) throw invalid('PullRequest', 'head', `The branch ${head} does not exist.`);
  return { repository: found, ref, sha };
}

async function createPull(call: RepositoryCall): Promise<Answer> {
  const { context, repository } = call;
  const author = requireAccount(call);
  const wanted = parseBody(NewPull, call.body);
  const baseSha = repository.refs[`refs/heads/${wanted.base}`];
  if (!baseSha) throw invalid('PullRequest', 'base', `The branch ${wanted.base} does not exist.`);
  const named = findHead(call, wanted.head, wanted.head_repo);
  // In turn with the pushes to the head: a pull request opens at the branch's tip, and follows it from there.
  return context.inTurn(`refs ${named.repository.id}`, async () => {
    const head = findHead(call, wanted.head, wanted.head_repo);
    const custom = (message: string): ApiError =>
      new ApiError(422, 'Validation Failed', {
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
    if (!(await mergeBase(gitDir, baseSha, head.sha))) {
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
      author,
    });
    await context.save();
    return created(await presentFullPull(context, pull));
  });
}

function pullOf(call: RepositoryCall): PullRecord {
  const number = numberParam(call, 'number');
  const found = call.context.data.pulls.find(
    (pull) => pull.repositoryId === call.repository.id && pull.number === number,
  );
  if (!found) throw notFound();
  return found;
}

function listPulls(call: RepositoryCall): Answer {
  const state = call.query.get('state') ?? 'open';
  const [head, base] = [call.query.get('head'), call.query.get('base')];
  const { context, repository } = call;
  const pulls = context.data.pulls
    .filter((pull) => pull.repositoryId === repository.id)
    .filter((pull) => state === 'all' || pull.state === state)
    .filter((pull) => !base || pull.baseRef === base)
    .map((pull) => ({ pull, shown: presentPull(context, pull) }))
    .filter(
      ({ shown }) => !head || shown.head.label === head || (!head.includes(':') && shown.head.ref === head),
    );
  if (call.query.get('sort') === 'updated') {
    pulls.sort((a, b) => a.pull.updatedAt.localeCompare(b.pull.updatedAt) || a.pull.number - b.pull.number);
  }
  const newestFirst = (call.query.get('direction') ?? (call.query.has('sort') ? 'asc' : 'desc')) === 'desc';
  return answerPage(call, newestFirst ? pulls.reverse() : pulls, ({ shown }) => shown);
}

async function updatePull(call: RepositoryCall): Promise<Answer> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const pull = pullOf(call);
  const wanted = parseBody(PullChange, call.body);
  const baseSha = wanted.base === undefined ? pull.baseSha : repository.refs[`refs/heads/${wanted.base}`];
  if (!baseSha) throw invalid('PullRequest', 'base', `The branch ${wanted.base} does not exist.`);
  const reopen = wanted.state === 'open' && pull.state === 'closed';
  if (reopen && pull.mergedAt)
    throw invalid('PullRequest', 'state', 'state cannot be changed. The pull request was merged.');
  const changes: Record<string, object> = {};
  if (wanted.title !== undefined && wanted.title !== pull.title) changes['title'] = { from: pull.title };
  if (wanted.body !== undefined && wanted.body !== pull.body) changes['body'] = { from: pull.body ?? '' };
  if (wanted.base !== undefined && wanted.base !== pull.baseRef) {
    changes['base'] = { ref: { from: pull.baseRef }, sha: { from: pull.baseSha } };
  }
  pull.title = wanted.title ?? pull.title;
  pull.body = wanted.body === undefined ? pull.body : wanted.body;
  pull.baseRef = wanted.base ?? pull.baseRef;
  pull.baseSha = baseSha;
  pull.updatedAt = timestamp(context.now());
  if (changes['base'] && pull.state === 'open') await refreshPull(context, pull);
  if (Object.keys(changes).length > 0) await emitPullEvent(context, pull, 'edited', sender, { changes });
  if (wanted.state === 'closed' && pull.state === 'open') await closePull(context, pull, sender);
  if (reopen) await reopenPull(call, pull);
  await context.save();
  return ok(await presentFullPull(context, pull));
}

/** The branches may have moved while nobody followed them. */
async function reopenPull(call: RepositoryCall, pull: PullRecord): Promise<void> {
  const { context, repository } = call;
  const head = context.data.repositories.find((one) => one.id === pull.headRepositoryId);
  const headSha = head?.refs[`refs/heads/${pull.headRef}`];
  if (!headSha)
    throw invalid(
      'PullRequest',
      'state',
      `state cannot be changed. The ${pull.headRef} branch has been deleted.`,
    );
  pull.state = 'open';
  pull.closedAt = null;
  pull.headSha = headSha;
  pull.baseSha = repository.refs[`refs/heads/${pull.baseRef}`] ?? pull.baseSha;
  await refreshPull(context, pull);
  await emitPullEvent(context, pull, 'reopened', requireAccount(call));
}

async function mergePull(call: RepositoryCall): Promise<Answer> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const pull = pullOf(call);
  const wanted = parseBody(Type.Object({ sha: Type.Optional(Type.String()) }), call.body);
  if (wanted.sha !== undefined && wanted.sha !== pull.headSha) {
    throw new ApiError(409, 'Head branch was modified. Review and try the merge again.');
  }
  const gitDir = gitDirOf(context, repository.id);
  const by = { name: sender.login, email: sender.email, at: context.now() };
  const message = `Merge pull request #${pull.number} from ${pull.headRef}\n\n${pull.title}`;
  const tip = repository.refs[`refs/heads/${pull.baseRef}`];
  const sha =
    tip && pull.state === 'open' ? await mergeCommits(gitDir, tip, pull.headSha, message, by) : null;
  if (!sha || !tip) throw new ApiError(405, 'Pull Request is not mergeable');
  await updateRef(gitDir, `refs/heads/${pull.baseRef}`, sha, tip);
  await recordPush(context, repository, sender);
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

async function listFiles(call: RepositoryCall): Promise<Answer> {
  const { context, repository } = call;
  const pull = pullOf(call);
  const gitDir = gitDirOf(context, repository.id);
  const base = (await mergeBase(gitDir, pull.baseSha, pull.headSha)) ?? pull.baseSha;
  const changes = (await listChanges(gitDir, base, pull.headSha)).slice(0, MAX_FILES);
  return answerPage(call, changes, (change) => presentChange(context, repository, change, pull.headSha));
}

async function listPullCommits(call: RepositoryCall): Promise<Answer> {
  const { context, repository } = call;
  const pull = pullOf(call);
  const page = readPage(call);
  const range = { include: [pull.headSha], exclude: [pull.baseSha], limit: MAX_COMMITS };
  const commits = (await listCommits(gitDirOf(context, repository.id), range)).reverse();
  return {
    status: 200,
    body: commits
      .slice(page.skip, page.skip + page.perPage)
      .map((one) => presentCommit(context, repository, one)),
    headers: linkHeader(call, page, commits.length),
  };
}

const pulls = '/repos/:owner/:repo/pulls';

export const pullRoutes: readonly RepositoryRoute[] = [
  // Whoever may read may open one; the head is theirs.
  { method: 'POST', path: pulls, needs: ['pull_requests', 'read'], run: openAsCaller },
  { method: 'GET', path: pulls, needs: ['pull_requests', 'read'], run: listPulls },
  {
    method: 'GET',
    path: `${pulls}/:number`,
    needs: ['pull_requests', 'read'],
    run: async (call) => ok(await presentFullPull(call.context, pullOf(call))),
  },
  { method: 'PATCH', path: `${pulls}/:number`, needs: ['pull_requests', 'read'], run: updateAsCaller },
  { method: 'PUT', path: `${pulls}/:number/merge`, needs: ['contents', 'write'], run: mergePull },
  { method: 'GET', path: `${pulls}/:number/files`, needs: ['pull_requests', 'read'], run: listFiles },
  { method: 'GET', path: `${pulls}/:number/commits`, needs: ['pull_requests', 'read'], run: listPullCommits },
];

function openAsCaller(call: RepositoryCall): Promise<Answer> {
  const { context, caller, repository } = call;
  if (caller.kind === 'installation' && !mayUse(context, caller, repository, 'pull_requests', 'write')) {
    throw new ApiError(403, 'Resource not accessible by integration');
  }
  return createPull(call);
}

/** The author may change a pull request, and so may everyone who may write to the repository. */
function updateAsCaller(call: RepositoryCall): Promise<Answer> {
  const { context, caller, repository } = call;
  const author = caller.kind === 'user' && pullOf(call).authorId === caller.account.id;
  if (!author && !mayUse(context, caller, repository, 'pull_requests', 'write')) {
    throw new ApiError(
      403,
      caller.kind === 'installation' ? 'Resource not accessible by integration' : 'Must have push access',
    );
  }
  return updatePull(call);
}
