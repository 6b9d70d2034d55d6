import type { GitExportBody, GitImportBody } from '../../contract/index.ts';
import { type GitCredentials, GitError, type GitRemote, splitCredentials } from '../../git/index.ts';
import type { Sealer } from '../../store/index.ts';
import { invalid } from '../api/api-error.ts';
import { parseMoment } from '../api/parse-moment.ts';

/** An import as it is stored: checked, without credentials, with the defaults filled in. */
export interface StoredImport {
  readonly url: string;
  readonly directory: string;
  readonly force: boolean;
  readonly repoCacheID?: string | undefined;
  readonly repoTreeURL?: string | undefined;
  readonly repoCommitURL?: string | undefined;
  readonly gitInfo?: { readonly provider: string; readonly url: string } | undefined;
}

/** The author or committer of a commit. */
export interface CommitPerson {
  readonly name: string;
  readonly email: string;
}

/** An export as it is stored: an import's fields, and those of its commit. */
export interface StoredExport extends StoredImport {
  readonly commitMessage: string;
  /** Docloom itself if absent. */
  readonly author?: CommitPerson | undefined;
  /** The author if absent. */
  readonly committer?: CommitPerson | undefined;
}

/**
 * The id of a repository's cache. Organizations never share a cache, since their access to the repository may differ, and
 * neither do addresses: a host that only knows the oid of another repository's commit must not get its objects. The
 * caller's id splits a cache further, and never joins two.
 */
export function cacheIdOf(
  space: { readonly organizationId: string },
  { url, repoCacheID }: Pick<StoredImport, 'repoCacheID' | 'url'>,
): string {
  return JSON.stringify(['platform', space.organizationId, url, repoCacheID ?? null]);
}

/** Checks what the schema of an export cannot express, and extracts its credentials. Throws a 400 that names the field. */
export function readExport(body: GitExportBody): {
  request: StoredExport;
  credentials: GitCredentials | undefined;
} {
  if (!body.ref.startsWith('refs/heads/')) throw invalid('/body/ref', 'must be refs/heads/<branch>');
  const { request, credentials } = readImport(body);
  const { commitMessage, author, committer } = body;
  return { request: { ...request, commitMessage, author, committer }, credentials };
}

/** Checks what the schema of an import cannot express, and extracts its credentials. Throws a 400 that names the field. */
export function readImport(body: GitImportBody): {
  request: StoredImport;
  credentials: GitCredentials | undefined;
} {
  if (body.standalone !== true && !body.ref.startsWith('refs/heads/')) {
    throw invalid(
      '/body/ref',
      'must be refs/heads/<branch>: another ref can only be imported with standalone',
    );
  }
  const remote = readRemote(body.url);
  return {
    request: {
      url: remote.url,
      directory: readDirectory(body.repoProjectDirectory ?? ''),
      force: body.force ?? false,
      repoCacheID: body.repoCacheID,
      repoTreeURL: body.repoTreeURL,
      repoCommitURL: body.repoCommitURL,
      gitInfo: body.gitInfo && { provider: body.gitInfo.provider, url: withoutCredentials(body.gitInfo.url) },
    },
    credentials: remote.credentials,
  };
}

/** The time of the event. A time in the future would block later events, so it counts as now. */
export function readTimestamp(text: string | undefined, now: Date): Date {
  if (text === undefined) return now;
  const moment = parseMoment(text);
  if (moment === null) throw invalid('/body/timestamp', 'is not a date that exists');
  return moment > now ? now : moment;
}

/** The remote of a stored import, with its credentials. */
export function toRemote(request: StoredImport, sealed: string | null, sealer: Sealer): GitRemote {
  if (sealed === null) return { url: request.url };
  return { url: request.url, credentials: JSON.parse(sealer.unseal(sealed)) as GitCredentials };
}

function readRemote(url: string): GitRemote {
  try {
    return splitCredentials(url);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw invalid('/body/url', `is not the URL of a repository: ${error.message.replace(/\.$/, '')}`);
  }
}

function readDirectory(text: string): string {
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..') || segments.includes('.git')) {
    throw invalid('/body/repoProjectDirectory', 'must be a folder in the repository, without .. and .git');
  }
  return segments.join('/');
}

function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (!url) return address.replaceAll(/\/\/[^@/\s]*@/g, '//');
  url.username = '';
  url.password = '';
  return url.href;
}
