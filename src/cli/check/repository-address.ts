import type { RepositoryAddress } from '../../content/index.ts';
import type { CommandIo } from '../command.ts';
import { type HostedRepository, readRemoteUrl } from './read-remote-url.ts';

/** What git knows about the origin of a work tree. */
export interface Origin {
  /** The address of the remote `origin`, which may contain a password; null when there is none. */
  readonly url: string | null;
  /** The branch of HEAD, by its name at `origin` if it has an upstream; null for a detached HEAD. */
  readonly branch: string | null;
}

/**
 * The repository on its host, so that links to its own pages count as links into the tree. Null where it, or its branch,
 * is unknown: then these links are unchecked. `baseBranch` is the branch that the change is compared with and meant for.
 * In GitHub Actions its variables fill the gaps if they describe the same repository.
 * https://docs.github.com/actions/reference/workflows-and-actions/variables
 */
export function repositoryAddress(
  origin: Origin,
  env: CommandIo['env'],
  baseBranch: string | null,
): RepositoryAddress | null {
  const remote = origin.url === null ? null : readRemoteUrl(origin.url);
  const actions = env['GITHUB_ACTIONS'] === 'true' ? repositoryOfActions(env) : null;
  const repository = origin.url === null ? actions : remote;
  if (repository === null) return null;
  const inActions = actions !== null && isSame(actions, repository);
  const branch = baseBranch ?? (inActions ? branchOfActions(env) : null) ?? origin.branch;
  return branch === null ? null : { ...repository, branch };
}

function repositoryOfActions(env: CommandIo['env']): HostedRepository | null {
  const server = env['GITHUB_SERVER_URL'] || 'https://github.com';
  return readRemoteUrl(`${server.replace(/\/+$/, '')}/${env['GITHUB_REPOSITORY'] ?? ''}`);
}

/** On a pull request HEAD is its merge into the base branch, and on no branch itself. */
function branchOfActions(env: CommandIo['env']): string | null {
  if (env['GITHUB_BASE_REF']) return env['GITHUB_BASE_REF'];
  return env['GITHUB_REF_TYPE'] === 'branch' ? env['GITHUB_REF_NAME'] || null : null;
}

function isSame(a: HostedRepository, b: HostedRepository): boolean {
  return a.htmlHost === b.htmlHost && a.fullName.toLowerCase() === b.fullName.toLowerCase();
}
