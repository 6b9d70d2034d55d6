import { type ForgeContext, gitDirOf } from '../forge-context.ts';
import { findTreeEntry, isTreePath, type ListedEntry, listFolder, readBlob } from '../git/read-tree.ts';
import { repositoryUrls } from '../present/repository.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { ForgeApiError, notFoundError } from './api-error.ts';
import { resolveRef } from './resolve-ref.ts';
import { ok, type RepositoryCall, type RepositoryRoute, type RouteResult } from './route.ts';

/** Larger files are sent without content, unless requested as raw; https://docs.github.com/en/rest/repos/contents */
const MAX_INLINE_BYTES = 1024 * 1024;

const types = { blob: 'file', tree: 'dir', commit: 'submodule' } as const;

export function presentEntry(
  context: ForgeContext,
  repository: RepositoryRecord,
  entry: ListedEntry,
  ref: string,
) {
  const { html, api } = repositoryUrls(context, repository);
  const path = entry.path.split('/').map(encodeURIComponent).join('/');
  const self = `${api}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const folder = entry.type === 'tree';
  const git = `${api}/git/${folder ? 'trees' : 'blobs'}/${entry.oid}`;
  const page = `${html}/${folder ? 'tree' : 'blob'}/${ref}/${path}`;
  return {
    type: entry.mode === '120000' ? 'symlink' : types[entry.type],
    size: entry.size,
    name: entry.name,
    path: entry.path,
    sha: entry.oid,
    url: self,
    git_url: git,
    html_url: page,
    download_url: folder ? null : `${html}/raw/${ref}/${path}`,
    _links: { git, self, html: page },
  };
}

async function getContents(call: RepositoryCall): Promise<RouteResult> {
  const { context, repository } = call;
  const path = (call.params['path'] ?? '').replace(/^\/+|\/+$/g, '');
  if (path !== '' && !isTreePath(path)) throw notFoundError();
  const ref = call.query.get('ref') || repository.defaultBranch;
  const commit = await resolveRef(context, repository, ref);
  if (!commit)
    throw new ForgeApiError(404, call.query.has('ref') ? `No commit found for the ref ${ref}` : 'Not Found');
  const gitDir = gitDirOf(context, repository.id);
  const entry = await findTreeEntry(gitDir, commit, path);
  if (!entry) throw notFoundError();
  if (entry.type === 'tree') {
    const entries = await listFolder(gitDir, commit, path);
    return ok(entries.map((listed) => presentEntry(context, repository, listed, ref)));
  }
  if (entry.type === 'commit') throw notFoundError();
  const bytes = await readBlob(gitDir, entry.oid);
  if (wantsRaw(call)) {
    return {
      status: 200,
      body: bytes,
      headers: { 'content-type': 'application/vnd.github.raw; charset=utf-8' },
    };
  }
  const shown = presentEntry(context, repository, entry, ref);
  if (entry.mode === '120000') return ok({ ...shown, target: bytes.toString('utf8') });
  const inline = bytes.length <= MAX_INLINE_BYTES;
  return ok({
    ...shown,
    encoding: inline ? 'base64' : 'none',
    // GitHub breaks base64 into lines of 60 characters.
    content: inline ? bytes.toString('base64').replace(/.{1,60}/g, '$&\n') : '',
  });
}

function wantsRaw(call: RepositoryCall): boolean {
  return /application\/vnd\.github\.(v3\.)?raw\b/.test(String(call.headers['accept'] ?? ''));
}

export const contentRoutes: readonly RepositoryRoute[] = [
  {
    method: 'GET',
    path: '/repos/:owner/:repo/contents/*path',
    needs: ['contents', 'read'],
    run: getContents,
  },
];
