import type { GitRemote } from '../../git/index.ts';
import { nullWhenMissing } from './errors.ts';
import type { Octokit } from './octokit.ts';

/** A repository as GitHub describes it now. Names change; the id stays. */
export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly fullName: string;
  readonly defaultBranch: string;
  readonly cloneUrl: string;
  /** Its web page, without a slash at the end. */
  readonly htmlUrl: string;
  /** Read-only: not even a commit status can be written. */
  readonly archived: boolean;
  /** Whether it is a fork of another repository. */
  readonly fork: boolean;
  /** The time of the newest push to any of its refs; null when there was none. */
  readonly pushedAt: Date | null;
}

/** The id of the repository's cache. Ids of repositories are unique on one host only. */
export function repositoryCacheId({ cloneUrl, id }: Pick<Repository, 'cloneUrl' | 'id'>): string {
  return JSON.stringify(['app', new URL(cloneUrl).origin, id]);
}

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** The parts of `owner/name`. */
export function splitName(fullName: string): RepositoryName {
  const slash = fullName.indexOf('/');
  return { owner: fullName.slice(0, slash), name: fullName.slice(slash + 1) };
}

/** Reads a repository; renamed ones are found by their old name. Null when it is gone or not accessible. */
export async function readRepository(octokit: Octokit, name: RepositoryName): Promise<Repository | null> {
  const response = await nullWhenMissing(octokit.rest.repos.get({ owner: name.owner, repo: name.name }));
  if (response === null) return null;
  const { data } = response;
  return {
    id: data.id,
    owner: data.owner.login,
    name: data.name,
    fullName: data.full_name,
    defaultBranch: data.default_branch,
    cloneUrl: data.clone_url,
    htmlUrl: data.html_url.replace(/\/$/, ''),
    archived: data.archived,
    fork: data.fork,
    pushedAt: data.pushed_at === null ? null : new Date(data.pushed_at),
  };
}

/** The commit that a branch points to now, or null when there is no such branch. */
export async function readBranchTip(
  octokit: Octokit,
  repository: RepositoryName,
  branch: string,
): Promise<string | null> {
  const response = await nullWhenMissing(
    octokit.rest.repos.getBranch({ owner: repository.owner, repo: repository.name, branch }),
  );
  return response?.data.commit.sha ?? null;
}

/**
 * Creates a git token that may only read, or write, this repository's contents; it is valid for one hour.
 * `app` is the Octokit of the App itself. https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app
 */
export async function mintRemote(
  app: Octokit,
  installationId: number,
  repository: Repository,
  access: 'read' | 'write' = 'read',
): Promise<GitRemote> {
  const { data } = await app.rest.apps.createInstallationAccessToken({
    installation_id: installationId,
    repository_ids: [repository.id],
    permissions: { contents: access },
  });
  return { url: repository.cloneUrl, credentials: { username: 'x-access-token', password: data.token } };
}
