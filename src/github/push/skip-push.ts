import { formats } from '../../content/formats/index.ts';
import { isPageFile } from '../../content/index.ts';
import { type Binding, carryOver, type Db, type KnownRepository } from '../../store/index.ts';
import { nullWhenMissing, type Octokit } from '../api/index.ts';

import { CONFIG_PATH } from '../repository/index.ts';
import type { PushEvent } from '../webhooks/index.ts';

/** GitHub lists no more files of a comparison. https://docs.github.com/rest/commits/commits#compare-two-commits */
const COMPARED_FILES = 300;

/** Names of files that show what builds a folder. */
const SIGNS: ReadonlySet<string> = new Set(
  formats.flatMap(({ markers }) => markers.map((marker) => marker.slice(marker.lastIndexOf('/') + 1))),
);

interface BoundBranch {
  readonly known: KnownRepository;
  readonly bound: readonly Binding[];
  readonly branch: string;
}

/**
 * Whether a push changed nothing of its branch's spaces; then what is live is the pushed commit too, and there is nothing
 * to import or to tell. What the event says only lets most others through at once: what counts is GitHub's own
 * comparison with what is live, the one request that this takes.
 */
export async function skipUnrelatedPush(
  db: Db,
  event: PushEvent,
  { known, bound, branch }: BoundBranch,
  octokit: Octokit,
): Promise<boolean> {
  const live = bound[0]?.liveOid;
  // Without declared spaces any file may make one.
  if (event.deleted || live == null || known.configText === null || known.configError !== null) return false;
  const place = { repositoryId: known.id, branch };
  const directories = bound.map(({ directory }) => directory);
  const ready =
    bound.every(
      ({ liveOid, pendingOids, disconnected, direction }) =>
        liveOid === live && pendingOids.length === 0 && disconnected === null && direction !== 'export',
    ) &&
    (known.defaultBranch !== branch || (known.settledBranch === branch && known.settledOid === live));
  if (!ready || !event.commits?.length) return false;
  const said = event.commits.flatMap(({ added = [], removed = [], modified = [] }) => [
    ...modified.map((path) => ({ path, status: 'modified' })),
    ...[...added, ...removed].map((path) => ({ path, status: 'other' })),
  ]);
  if (said.some((one) => touches(one, directories))) return false;
  const { owner, name: repo } = event.repository;
  const answer = await nullWhenMissing(
    octokit.rest.repos.compareCommitsWithBasehead({
      owner: owner.login,
      repo,
      basehead: `${live}...${event.after}`,
      per_page: 1,
    }),
  );
  const { status, files = [] } = answer?.data ?? {};
  if (status !== 'ahead' || files.length >= COMPARED_FILES) return false;
  if (files.some(({ filename: path, status }) => touches({ path, status }, directories))) return false;
  return await carryOver(db, place, live, event.after);
}

/**
 * Whether a change to a file may matter to one of the spaces: by being in it, by telling what the spaces are, or as the
 * end of a link, which a file outside can be by being there, and a page by its headings.
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
    SIGNS.has(name) ||
    directories.some((one) => one === '' || path === one || path.startsWith(`${one}/`))
  );
}
