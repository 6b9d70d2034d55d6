import { Type } from 'typebox';
import { announceRepository } from '../actions/install-app.ts';
import { forkRepository, repositoryNameProblem } from '../actions/repositories.ts';
import { gitDirOf } from '../forge-context.ts';
import { loadCommit } from '../git/read-commits.ts';
import { nodeId } from '../present/account.ts';
import { presentRepositoryCommit } from '../present/commit.ts';
import { presentFullRepository, repositoryUrls } from '../present/repository.ts';
import { ForgeApiError, invalidError, notFoundError } from './api-error.ts';
import { mayUse } from './caller.ts';
import { paginate } from './paging.ts';
import { parseBody } from './parse-body.ts';
import { ok, type RepositoryCall, type RepositoryRoute } from './route.ts';

const ForkRequest = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});

function presentBranch(call: RepositoryCall, name: string, sha: string) {
  const { api } = repositoryUrls(call.context, call.repository);
  return { name, commit: { sha, url: `${api}/commits/${sha}` }, protected: false };
}

async function getBranch(call: RepositoryCall) {
  const { context, repository } = call;
  const name = call.params['branch'] ?? '';
  const sha = repository.refs[`refs/heads/${name}`];
  if (!sha) throw new ForgeApiError(404, 'Branch not found');
  const commit = await loadCommit(gitDirOf(context, repository.id), sha);
  const { api, html } = repositoryUrls(context, repository);
  return ok({
    name,
    commit: presentRepositoryCommit(context, repository, commit),
    _links: { self: `${api}/branches/${encodeURIComponent(name)}`, html: `${html}/tree/${name}` },
    protected: false,
    protection: { enabled: false },
    protection_url: `${api}/branches/${encodeURIComponent(name)}/protection`,
  });
}

function getRef(call: RepositoryCall) {
  const { context, repository } = call;
  const ref = `refs/${call.params['ref']}`;
  const sha = repository.refs[ref];
  if (!sha) throw notFoundError();
  const { api } = repositoryUrls(context, repository);
  return ok({
    ref,
    node_id: nodeId('Ref', `${repository.id}:${ref}`),
    url: `${api}/git/${ref}`,
    object: { type: 'commit', sha, url: `${api}/git/commits/${sha}` },
  });
}

async function fork(call: RepositoryCall) {
  const { context, repository, caller } = call;
  if (caller.kind !== 'user') throw new ForgeApiError(403, 'Resource not accessible by integration');
  const name = parseBody(ForkRequest, call.body).name ?? repository.name;
  const known = context.data.repositories.find(
    (candidate) => candidate.forkOf === repository.id && candidate.ownerId === caller.account.id,
  );
  const problem = known ? null : repositoryNameProblem(context, caller.account, name);
  if (problem) throw invalidError('Repository', 'name', problem, 'custom');
  const forked = known ?? (await forkRepository(context, repository, caller.account, name));
  if (!known) announceRepository(context, forked);
  await context.save();
  return { status: 202, body: presentFullRepository(context, forked) };
}

export const repositoryRoutes: readonly RepositoryRoute[] = [
  {
    method: 'GET',
    path: '/repos/:owner/:repo',
    needs: ['metadata', 'read'],
    run: (call) => {
      const push = mayUse(call.context, call.caller, call.repository, 'contents', 'write');
      const admin = call.caller.kind === 'user' && call.caller.account.id === call.repository.ownerId;
      return ok({
        ...presentFullRepository(call.context, call.repository),
        permissions: { admin, maintain: admin, push, triage: push, pull: true },
      });
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/branches',
    needs: ['contents', 'read'],
    run: (call) =>
      paginate(
        call,
        Object.entries(call.repository.refs).filter(([ref]) => ref.startsWith('refs/heads/')),
        ([ref, sha]) => presentBranch(call, ref.slice('refs/heads/'.length), sha),
      ),
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/branches/*branch',
    needs: ['contents', 'read'],
    run: getBranch,
  },
  { method: 'GET', path: '/repos/:owner/:repo/git/ref/*ref', needs: ['contents', 'read'], run: getRef },
  { method: 'POST', path: '/repos/:owner/:repo/forks', needs: ['metadata', 'read'], run: fork },
];
