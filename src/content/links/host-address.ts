import type { RepositoryAddress } from '../model.ts';

/** Views of a file or folder on the host; each is followed by the branch and the path. */
const TREE_VIEWS = new Set(['blob', 'tree', 'raw', 'blame', 'edit']);

/** What follows `owner/name/` on the host without being a file of the repository. */
const HOST_PAGES = new Set([
  'actions',
  'activity',
  'assets',
  'attestations',
  'blob',
  'blame',
  'branches',
  'codespaces',
  'commit',
  'commits',
  'community',
  'compare',
  'contribute',
  'contributors',
  'custom-properties',
  'dependabot',
  'deployments',
  'discussions',
  'edit',
  'files',
  'find',
  'fork',
  'forks',
  'graphs',
  'issues',
  'labels',
  'milestone',
  'milestones',
  'network',
  'new',
  'packages',
  'pkgs',
  'projects',
  'pull',
  'pulls',
  'pulse',
  'raw',
  'releases',
  'security',
  'settings',
  'stargazers',
  'subscription',
  'suites',
  'tags',
  'tree',
  'watchers',
  'wiki',
  'zipball',
  'tarball',
  'archive',
]);

/**
 * Whether a path above the repository's root is a page of the host. The host shows a file at
 * `owner/name/blob/branch/path`, so `../../issues` in the root's README leads to the repository's issues, and a
 * third and fourth level up lead to other repositories.
 */
export function isHostPage(levelsAbove: number, rest: string): boolean {
  const segments = rest.split('/');
  if (levelsAbove < 2 || levelsAbove > 4) return false;
  if (levelsAbove === 2 && rest === '') return true;
  return HOST_PAGES.has(segments[levelsAbove - 2] ?? '');
}

/**
 * The path (with its leading slash, still percent-encoded, with query and fragment) that an absolute address means in
 * the repository itself at the branch that is read; null for every other address.
 */
export function pathOnHost(url: URL, repository: RepositoryAddress): string | null {
  const after = afterBranch(url, repository);
  return after === null ? null : `/${after}${url.search}${url.hash}`;
}

function afterBranch(url: URL, { fullName, branch, htmlHost }: RepositoryAddress): string | null {
  const segments = url.pathname.slice(1).split('/');
  const [owner, name, ...rest] = segments;
  if (`${owner}/${name}`.toLowerCase() !== fullName.toLowerCase()) return null;
  const host = url.host.toLowerCase();
  if (host === htmlHost.toLowerCase() || host === `www.${htmlHost.toLowerCase()}`) {
    const view = rest.shift();
    if (view === undefined || !TREE_VIEWS.has(view)) return null;
  } else if (!(htmlHost === 'github.com' && host === 'raw.githubusercontent.com')) {
    return null;
  }
  const path = rest.join('/');
  for (const name of [branch, `refs/heads/${branch}`]) {
    const prefix = encodeURI(name);
    if (path === prefix) return '';
    if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length + 1);
  }
  return null;
}
