import type { RepositoryAddress } from '../model/index.ts';

/** Views of a file or folder on the host; the branch and the path come after them. */
const TREE_VIEWS = new Set(['blob', 'tree', 'raw', 'blame', 'edit']);

/** Usual names of the branch that the host shows first. */
const BRANCHES = new Set(['HEAD', 'main', 'master', 'trunk', 'develop', 'dev']);

/** Pages of the host under `owner/name/` that are not files of the repository. */
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
  // `../main/x` in a file at the top: the host shows files below the name of their branch.
  if (levelsAbove === 1) return segments.length > 1 && BRANCHES.has(segments[0] ?? '');
  if (levelsAbove < 2 || levelsAbove > 4) return false;
  if (levelsAbove === 2 && rest === '') return true;
  return HOST_PAGES.has(segments[levelsAbove - 2] ?? '');
}

/** An address of the repository itself at the branch that is read, in two parts. */
export interface OwnAddress {
  /** As written, up to where the path begins; without a slash at the end. */
  readonly prefix: string;
  /** As written, with its leading slash, query and fragment. */
  readonly path: string;
}

/** Splits an absolute address into its prefix and a path of the repository itself; null for every other address. */
export function readOwnAddress(written: string, url: URL, repository: RepositoryAddress): OwnAddress | null {
  const before = segmentsBefore(url, repository);
  if (before === null) return null;
  // Scheme, empty segment, host, then the segments up to the branch: the path begins after that many slashes.
  const end = written.search(/[?#]|$/);
  let at = -1;
  for (let count = 0; count < before + 3; count += 1) {
    at = written.indexOf('/', at + 1);
    if (at === -1 || at > end) return { prefix: written.slice(0, end), path: `/${written.slice(end)}` };
  }
  return { prefix: written.slice(0, at), path: written.slice(at) };
}

/** The number of segments in the address before the path in the repository; null for an address of another repository. */
function segmentsBefore(url: URL, { fullName, branch, htmlHost }: RepositoryAddress): number | null {
  const segments = url.pathname.slice(1).split('/');
  const [owner, name, ...rest] = segments;
  if (`${owner}/${name}`.toLowerCase() !== fullName.toLowerCase()) return null;
  const host = url.host.toLowerCase();
  let before = 2;
  if (host === htmlHost.toLowerCase() || host === `www.${htmlHost.toLowerCase()}`) {
    const view = rest.shift();
    if (view === undefined || !TREE_VIEWS.has(view)) return null;
    before += 1;
  } else if (!(htmlHost === 'github.com' && host === 'raw.githubusercontent.com')) {
    return null;
  }
  for (const ref of [branch, `refs/heads/${branch}`]) {
    const wanted = ref.split('/');
    if (wanted.every((segment, at) => rest[at] === encodeSegment(segment) || rest[at] === segment)) {
      return before + wanted.length;
    }
  }
  return null;
}

/** Encodes a segment as the path of a parsed URL does. */
function encodeSegment(segment: string): string {
  return new URL(`https://host/${segment.replace(/[%?#]/g, encodeURIComponent)}`).pathname.slice(1);
}
