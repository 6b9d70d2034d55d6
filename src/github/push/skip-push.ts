import { formats } from '../../content/formats/index.ts';
import { isPageFile } from '../../content/index.ts';
import { advanceLiveCommit, type Binding, type Db, type KnownRepository } from '../../store/index.ts';
import { nullWhenMissing, type Octokit } from '../api/index.ts';

import { CONFIG_PATH } from '../repository/index.ts';
import type { PushEvent } from '../webhooks/index.ts';

/** GitHub lists no more files of a comparison. https://docs.github.com/rest/commits/commits#compare-two-commits */
const COMPARED_FILES = 300;

/** Names of files by which the builder of a folder is detected. */
const MARKER_NAMES: ReadonlySet<string> = new Set(
  formats.flatMap(({ markers }) => markers.map((marker) => marker.slice(marker.lastIndexOf('/') + 1))),
);

interface BoundBranch {
  readonly known: KnownRepository;
  readonly bound: readonly Binding[];
  readonly branch: string;
}

/**
 * Whether a push changed nothing in its branch's spaces; then the live content is that of the pushed commit, too, and there
 * is nothing to import or report. The event's file list only rules out most pushes early: what decides is GitHub's
 * comparison with the live commit, the one request that this needs.
 */
export async function skipUnrelatedPush(
  db: Db,
  event: PushEvent,
  { known, bound, branch }: BoundBranch,
  octokit: Octokit,
): Promise<boolean> {
  const live = bound[0]?.liveOid;
  // Without declared spaces any file may create one.
  if (event.deleted || live == null || known.configText === null || known.configError !== null) return false;
  const pushedBranch = { repositoryId: known.id, branch };
  const directories = bound.map(({ directory }) => directory);
  const ready =
    bound.every(
      ({ liveOid, pendingOids, disconnected, direction }) =>
        liveOid === live && pendingOids.length === 0 && disconnected === null && direction !== 'export',
    ) &&
    (known.defaultBranch !== branch || (known.syncedBranch === branch && known.syncedOid === live));
  if (!ready || !event.commits?.length) return false;
  const listed = event.commits.flatMap(({ added = [], removed = [], modified = [] }) => [
    ...modified.map((path) => ({ path, status: 'modified' })),
    ...[...added, ...removed].map((path) => ({ path, status: 'other' })),
  ]);
  if (listed.some((file) => touches(file, directories))) return false;
  const { owner, name: repo } = event.repository;
  const response = await nullWhenMissing(
    octokit.rest.repos.compareCommitsWithBasehead({
      owner: owner.login,
      repo,
      basehead: `${live}...${event.after}`,
      per_page: 1,
    }),
  );
  const { status, files = [] } = response?.data ?? {};
  if (status !== 'ahead' || files.length >= COMPARED_FILES) return false;
  if (files.some(({ filename: path, status }) => touches({ path, status }, directories))) return false;
  return await advanceLiveCommit(db, pushedBranch, live, event.after);
}

/**
 * Whether a change to a file may affect one of the spaces: because it is inside, because it determines the spaces, or
 * because it is the target of a link, which a file outside can be by existing, and a page by its headings.
 */
function touches(
  { path, status }: { readonly path: string; readonly status: string },
  directories: readonly string[],
): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    status !== 'modified' ||
    path === CONFIG_PATH ||
    isPageFile(path) ||
    name.toLowerCase().endsWith('.mdx') ||
    MARKER_NAMES.has(name) ||
    directories.some(
      (directory) => directory === '' || path === directory || path.startsWith(`${directory}/`),
    )
  );
}
