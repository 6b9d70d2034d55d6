import { Type } from 'typebox';
import { recordPush } from '../actions/record-push.ts';
import { gitDirOf } from '../forge-context.ts';
import { isBranchName, updateRef } from '../git/bare-repository.ts';
import { loadCommit } from '../git/read-commits.ts';
import { findTreeEntry, isTreePath } from '../git/read-tree.ts';
import { commitFile } from '../git/write-file.ts';
import { nodeId } from '../present/account.ts';
import { presentRepositoryCommit } from '../present/commit.ts';
import { repositoryUrls } from '../present/repository.ts';
import { ForgeApiError, notFoundError } from './api-error.ts';
import { presentEntry } from './content-routes.ts';
import { parseBody } from './parse-body.ts';
import { resolveRef } from './resolve-ref.ts';
import {
  created,
  type RepositoryCall,
  type RepositoryRoute,
  type RouteResult,
  requireAccount,
} from './route.ts';

const NewRef = Type.Object({
  ref: Type.String({ pattern: '^refs/heads/.' }),
  sha: Type.String({ pattern: '^[0-9a-f]{40}$' }),
});

/** https://docs.github.com/en/rest/git/refs#create-a-reference */
async function createRef(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const { ref, sha } = parseBody(NewRef, call.body);
  const gitDir = gitDirOf(context, repository.id);
  if (repository.refs[ref]) throw new ForgeApiError(422, 'Reference already exists');
  if (!(await isBranchName(gitDir, ref.slice('refs/heads/'.length))))
    throw new ForgeApiError(422, `${ref} is not a valid ref name.`);
  if ((await resolveRef(context, repository, sha)) !== sha)
    throw new ForgeApiError(422, 'Object does not exist');
  await updateRef(gitDir, ref, sha);
  await recordPush(context, repository, sender);
  const { api } = repositoryUrls(context, repository);
  return created({
    ref,
    node_id: nodeId('Ref', `${repository.id}:${ref}`),
    url: `${api}/git/${ref}`,
    object: { type: 'commit', sha, url: `${api}/git/commits/${sha}` },
  });
}

const NewContents = Type.Object({
  message: Type.String({ minLength: 1 }),
  content: Type.String(),
  branch: Type.Optional(Type.String({ minLength: 1 })),
  sha: Type.Optional(Type.String()),
});

/** https://docs.github.com/en/rest/repos/contents#create-or-update-file-contents */
async function putContents(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const sender = requireAccount(call);
  const input = parseBody(NewContents, call.body);
  const path = call.params['path'] ?? '';
  if (!isTreePath(path)) throw new ForgeApiError(422, 'path contains a malformed path component');
  const branch = input.branch ?? repository.defaultBranch;
  const ref = `refs/heads/${branch}`;
  const parent = repository.refs[ref];
  if (!parent) throw new ForgeApiError(404, `Branch ${branch} not found`);
  const gitDir = gitDirOf(context, repository.id);
  const before = await findTreeEntry(gitDir, parent, path);
  if (before !== null && before.type !== 'blob') throw new ForgeApiError(422, `${path} is not a file.`);
  if (before !== null && input.sha === undefined)
    throw new ForgeApiError(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
  if (before?.oid !== input.sha) throw new ForgeApiError(409, `${path} does not match ${input.sha}`);
  const bytes = Buffer.from(input.content, 'base64');
  const author = { name: sender.login, email: sender.email, at: context.now() };
  const { commit } = await commitFile(gitDir, parent, { path, bytes }, input.message, author);
  await updateRef(gitDir, ref, commit, parent);
  await recordPush(context, repository, sender);
  const entry = await findTreeEntry(gitDir, commit, path);
  if (entry === null) throw notFoundError();
  const {
    sha,
    html_url,
    url,
    commit: git,
    parents,
  } = presentRepositoryCommit(context, repository, await loadCommit(gitDir, commit));
  return {
    status: before === null ? 201 : 200,
    body: {
      content: presentEntry(context, repository, entry, branch),
      commit: { ...git, sha, html_url, url, parents },
    },
  };
}

/** Changes to a repository without git. */
export const writeRoutes: readonly RepositoryRoute[] = [
  { method: 'POST', path: '/repos/:owner/:repo/git/refs', needs: ['contents', 'write'], run: createRef },
  {
    method: 'PUT',
    path: '/repos/:owner/:repo/contents/*path',
    needs: ['contents', 'write'],
    run: putContents,
  },
];
