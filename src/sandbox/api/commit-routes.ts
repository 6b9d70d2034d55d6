import { gitDirOf } from '../forge-context.ts';
import { fetchObjects } from '../git/bare-repository.ts';
import { EMPTY_TREE, listChanges } from '../git/read-changes.ts';
import { countCommits, findMergeBase, listCommits, loadCommit } from '../git/read-commits.ts';
import { isTreePath } from '../git/read-tree.ts';
import { changeStats, presentChange, presentRepositoryCommit } from '../present/commit.ts';
import { repositoryUrls } from '../present/repository.ts';
import { findRepository } from '../state/find-records.ts';
import { ForgeApiError, notFoundError } from './api-error.ts';
import { canSee } from './caller.ts';
import { linkHeader, readRequestedPage } from './paging.ts';
import { requireCommit, resolveRef } from './resolve-ref.ts';
import { ok, type RepositoryCall, type RepositoryRoute, type RouteResult } from './route.ts';

/** https://docs.github.com/en/rest/commits/commits#compare-two-commits: 300 files at most, on the first page only. */
const MAX_COMPARED_FILES = 300;

async function getCommits(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const sha = await resolveRef(context, repository, call.query.get('sha') || repository.defaultBranch);
  if (!sha) {
    throw Object.keys(repository.refs).length === 0
      ? new ForgeApiError(409, 'Git Repository is empty.')
      : notFoundError();
  }
  const page = readRequestedPage(call);
  const path = call.query.get('path')?.replace(/^\/+|\/+$/g, '');
  if (path && !isTreePath(path)) throw notFoundError();
  const gitDir = gitDirOf(context, repository.id);
  const range = { include: [sha], ...(path && { path }) };
  const [commits, total] = await Promise.all([
    listCommits(gitDir, { ...range, skip: page.skip, limit: page.perPage }),
    countCommits(gitDir, range),
  ]);
  return {
    status: 200,
    body: commits.map((commit) => presentRepositoryCommit(context, repository, commit)),
    headers: linkHeader(call, page, total),
  };
}

async function getCommit(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const gitDir = gitDirOf(context, repository.id);
  const sha = await requireCommit(context, repository, call.params['ref'] ?? '');
  const commit = await loadCommit(gitDir, sha);
  const changes = await listChanges(gitDir, commit.parents[0] ?? EMPTY_TREE, sha);
  return ok({
    ...presentRepositoryCommit(context, repository, commit),
    stats: changeStats(changes),
    files: changes
      .slice(0, MAX_COMPARED_FILES)
      .map((change) => presentChange(context, repository, change, sha)),
  });
}

/** One side of a comparison: a ref, or `owner:ref` of another repository of the same network. */
async function resolveSide(call: RepositoryCall, text: string): Promise<string> {
  const { context, repository } = call;
  const colon = text.indexOf(':');
  if (colon < 0) {
    const own = await resolveRef(context, repository, text);
    if (!own) throw notFoundError();
    return own;
  }
  const [owner, ref] = [text.slice(0, colon), text.slice(colon + 1)];
  const named = context.data.repositories.find(
    (candidate) =>
      findRepository(context.data, owner, candidate.name) === candidate &&
      (candidate === repository || candidate.forkOf === repository.id || candidate.id === repository.forkOf),
  );
  const sha = named && canSee(context, call.caller, named) ? await resolveRef(context, named, ref) : null;
  if (!named || !sha) throw notFoundError();
  if (named !== repository)
    await fetchObjects(gitDirOf(context, repository.id), gitDirOf(context, named.id), sha);
  return sha;
}

async function compare(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const [from, to, ...more] = (call.params['basehead'] ?? '').split('...');
  if (!from || !to || more.length > 0) throw notFoundError();
  const [base, head] = [await resolveSide(call, from), await resolveSide(call, to)];
  const gitDir = gitDirOf(context, repository.id);
  const common = await findMergeBase(gitDir, base, head);
  if (!common) throw new ForgeApiError(404, `No common ancestor between ${from} and ${to}.`);
  const page = readRequestedPage(call);
  const ahead = { include: [head], exclude: [base] };
  const [aheadBy, behindBy, newest, baseCommit, commonCommit, changes] = await Promise.all([
    countCommits(gitDir, ahead),
    countCommits(gitDir, { include: [base], exclude: [head] }),
    listCommits(gitDir, { ...ahead, limit: 10_000 }),
    loadCommit(gitDir, base),
    loadCommit(gitDir, common),
    page.number === 1 ? listChanges(gitDir, common, head) : [],
  ]);
  const commits = newest.reverse().slice(page.skip, page.skip + page.perPage);
  const { api, html } = repositoryUrls(context, repository);
  const status =
    aheadBy === 0 ? (behindBy === 0 ? 'identical' : 'behind') : behindBy === 0 ? 'ahead' : 'diverged';
  return {
    status: 200,
    headers: linkHeader(call, page, aheadBy),
    body: {
      url: `${api}/compare/${from}...${to}`,
      html_url: `${html}/compare/${from}...${to}`,
      permalink_url: `${html}/compare/${base}...${head}`,
      diff_url: `${html}/compare/${from}...${to}.diff`,
      patch_url: `${html}/compare/${from}...${to}.patch`,
      base_commit: presentRepositoryCommit(context, repository, baseCommit),
      merge_base_commit: presentRepositoryCommit(context, repository, commonCommit),
      status,
      ahead_by: aheadBy,
      behind_by: behindBy,
      total_commits: aheadBy,
      commits: commits.map((commit) => presentRepositoryCommit(context, repository, commit)),
      files: changes
        .slice(0, MAX_COMPARED_FILES)
        .map((change) => presentChange(context, repository, change, head)),
    },
  };
}

export const commitRoutes: readonly RepositoryRoute[] = [
  { method: 'GET', path: '/repos/:owner/:repo/commits', needs: ['contents', 'read'], run: getCommits },
  { method: 'GET', path: '/repos/:owner/:repo/compare/*basehead', needs: ['contents', 'read'], run: compare },
  { method: 'GET', path: '/repos/:owner/:repo/commits/*ref', needs: ['contents', 'read'], run: getCommit },
];
