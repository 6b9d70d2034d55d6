import { disconnectMissingRepositories, listNewRepositories, saveRepositories } from '../../store/index.ts';
import { type CallScope, PER_PAGE, readAllPages } from '../api/index.ts';

import { DISCONNECTED, describeSeen } from '../repository/index.ts';
import { findBusy } from '../webhooks/index.ts';
import type { ReconcileDeps } from './deps.ts';
import { enqueueSync } from './enqueue-sync.ts';

/** This many new repositories are synced at once; the rest one after another, so that pushes are not delayed. */
const AT_ONCE = 10;
const PAUSE_SECONDS = 3;

/** An installation as GitHub lists it. */
export interface Installation {
  readonly id: number;
  readonly suspended: boolean;
}

/**
 * Stores the current list of an installation's repositories, and enqueues the first sync, and the checks of open pull
 * requests, of those that are new or accessible again. Repositories that left it are recorded as disconnected.
 */
export async function syncInstallation(
  deps: ReconcileDeps,
  installation: Installation,
  scope: CallScope,
): Promise<void> {
  const { id } = installation;
  if (installation.suspended)
    return await disconnectMissingRepositories(deps.db, id, [], DISCONNECTED.suspended);
  const octokit = await deps.access.on(id, scope);
  const listed = await readAllPages(
    deps.db,
    `installations/${id}/repositories`,
    (page, headers) =>
      octokit.rest.apps.listReposAccessibleToInstallation({ per_page: PER_PAGE, page, headers }),
    ({ repositories }) =>
      repositories.map(({ id, full_name, default_branch, archived }) => ({
        id,
        fullName: full_name,
        defaultBranch: default_branch,
        archived,
      })),
  );
  // A list that changed while it was read may contain a repository twice.
  const seen = [
    ...new Map(listed.map((repository) => [repository.id, describeSeen(id, repository)])).values(),
  ];
  for (let start = 0; start < seen.length; start += PER_PAGE)
    await saveRepositories(deps.db, seen.slice(start, start + PER_PAGE));
  await disconnectMissingRepositories(
    deps.db,
    id,
    seen.map((repository) => repository.id),
    DISCONNECTED.removed,
  );
  await syncNew(deps, id);
}

async function syncNew(deps: ReconcileDeps, installationId: number): Promise<void> {
  const fresh = (await listNewRepositories(deps.db, installationId)).map((repository) => {
    const { id: repositoryId, fullName, defaultBranch: branch } = repository;
    const recheck = { kind: 'branch', installationId, repositoryId, fullName, branch } as const;
    return { repository, recheck };
  });
  const busy = await findBusy(
    deps.queue,
    fresh.map(({ recheck }) => recheck),
  );
  const idle = fresh.filter(({ recheck }) => !busy.has(recheck));
  for (const [index, { repository }] of idle.entries()) {
    const startAfter = Math.max(0, index - AT_ONCE + 1) * PAUSE_SECONDS;
    // Pull requests that were open before the App was installed, or were opened while it had no access.
    await enqueueSync(deps, repository, { tip: null, startAfter, withPullRequests: true });
  }
}
