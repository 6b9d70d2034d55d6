import { gitDirOf } from '../forge-context.ts';
import { listChanges } from '../git/read-changes.ts';
import { findMergeBase, listCommits } from '../git/read-commits.ts';
import { presentChange, presentRepositoryCommit } from '../present/commit.ts';
import { presentFullPull, presentPull } from '../present/pull.ts';
import { createPull } from './create-pull.ts';
import { mergePull } from './merge-pull.ts';
import { linkHeader, paginate, readRequestedPage } from './paging.ts';
import { requirePull } from './require-pull.ts';
import { ok, type RepositoryCall, type RepositoryRoute, type RouteResult } from './route.ts';
import { updatePull } from './update-pull.ts';

/** https://docs.github.com/en/rest/pulls/pulls */
const MAX_FILES = 3000;
const MAX_COMMITS = 250;

function listPulls(call: RepositoryCall): RouteResult {
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
  return paginate(call, newestFirst ? pulls.reverse() : pulls, ({ shown }) => shown);
}

async function listFiles(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const pull = requirePull(call);
  const gitDir = gitDirOf(context, repository.id);
  const base = (await findMergeBase(gitDir, pull.baseSha, pull.headSha)) ?? pull.baseSha;
  const changes = (await listChanges(gitDir, base, pull.headSha)).slice(0, MAX_FILES);
  return paginate(call, changes, (change) => presentChange(context, repository, change, pull.headSha));
}

async function listPullCommits(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const pull = requirePull(call);
  const page = readRequestedPage(call);
  const range = { include: [pull.headSha], exclude: [pull.baseSha], limit: MAX_COMMITS };
  const commits = (await listCommits(gitDirOf(context, repository.id), range)).reverse();
  return {
    status: 200,
    body: commits
      .slice(page.skip, page.skip + page.perPage)
      .map((commit) => presentRepositoryCommit(context, repository, commit)),
    headers: linkHeader(call, page, commits.length),
  };
}

const pulls = '/repos/:owner/:repo/pulls';

export const pullRoutes: readonly RepositoryRoute[] = [
  { method: 'POST', path: pulls, needs: ['pull_requests', 'read'], run: createPull },
  { method: 'GET', path: pulls, needs: ['pull_requests', 'read'], run: listPulls },
  {
    method: 'GET',
    path: `${pulls}/:number`,
    needs: ['pull_requests', 'read'],
    run: async (call) => ok(await presentFullPull(call.context, requirePull(call))),
  },
  { method: 'PATCH', path: `${pulls}/:number`, needs: ['pull_requests', 'read'], run: updatePull },
  { method: 'PUT', path: `${pulls}/:number/merge`, needs: ['contents', 'write'], run: mergePull },
  { method: 'GET', path: `${pulls}/:number/files`, needs: ['pull_requests', 'read'], run: listFiles },
  { method: 'GET', path: `${pulls}/:number/commits`, needs: ['pull_requests', 'read'], run: listPullCommits },
];
