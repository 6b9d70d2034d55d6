import {
  disconnectMissingRepositories,
  listKnownInstallations,
  listRepositoriesToReconcile,
  loadAnswer,
  saveAnswer,
} from '../../store/index.ts';
import { hasStatusCode, PER_PAGE, readAllPages } from '../api/index.ts';

import { DISCONNECTED } from '../repository/index.ts';
import { compareRepository } from './compare-repository.ts';
import type { ReconcileDeps } from './deps.ts';
import { redeliverMissed } from './redeliver-missed.ts';
import { resumePullRequests } from './resume-pull-requests.ts';
import { type Installation, syncInstallation } from './sync-installation.ts';

/** At most this many repositories of an installation are compared in a pass, least recently compared first. */
const REPOSITORIES_PER_PASS = 500;
/** Few, so that the calls of pushes and pull requests get slots in the installation's queue. */
const CONCURRENCY = 2;
/** Each installation has a queue of calls and limits of its own, so a large one need not hold up the others. */
const INSTALLATIONS_AT_ONCE = 4;

/**
 * Compares everything once, and enqueues for each difference between GitHub and the database the job that the lost event
 * would have enqueued. An installation that cannot be read does not affect the others. Returns whether all were read.
 */
export async function reconcile(deps: ReconcileDeps, signal: AbortSignal): Promise<boolean> {
  await redeliver(deps, signal);
  let isComplete = true;
  const installations = await listInstallations(deps, signal);
  const listed = new Set(installations.map(({ id }) => id));
  for (const id of await listKnownInstallations(deps.db)) {
    if (!listed.has(id)) await disconnectMissingRepositories(deps.db, id, [], DISCONNECTED.uninstalled);
  }
  const waiting = installations.values();
  const reconcileNext = async () => {
    for (const installation of waiting) {
      signal.throwIfAborted();
      try {
        await syncInstallation(deps, installation, { signal });
        if (!installation.suspended) await compareAll(deps, installation.id, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        isComplete = false;
        deps.log.warn(
          { err: error, installation: installation.id },
          'An installation could not be reconciled',
        );
      }
    }
  };
  // Nothing of a pass that is stopped runs on behind it.
  const ends = await Promise.allSettled(Array.from({ length: INSTALLATIONS_AT_ONCE }, reconcileNext));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  await resumePullRequests(deps);
  return isComplete;
}

/** Failed deliveries are listed late: GitHub waits for a response first, and its clock differs from ours. */
const OVERLAP_MS = 10 * 60_000;
const LAST_PASS = 'deliveries';

async function redeliver(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  const { db, log } = deps;
  const startedAt = new Date();
  try {
    const last = await loadAnswer(db, LAST_PASS);
    const since = last === null ? null : new Date(Date.parse(String(last.value)) - OVERLAP_MS);
    const requested = await redeliverMissed(deps, since, signal);
    if (requested > 0) log.info({ requested }, 'Redelivery of missed deliveries was requested from GitHub');
    await saveAnswer(db, LAST_PASS, '', startedAt.toISOString());
  } catch (error) {
    if (signal.aborted) throw error;
    // The comparison finds most of what they were about.
    log.warn({ err: error }, 'Failed deliveries could not be listed');
  }
}

async function listInstallations(deps: ReconcileDeps, signal: AbortSignal): Promise<readonly Installation[]> {
  const app = await deps.access.app({ signal });
  return await readAllPages(
    deps.db,
    'installations',
    (page, headers) => app.rest.apps.listInstallations({ per_page: PER_PAGE, page, headers }),
    (data) => data.map(({ id, suspended_at }) => ({ id, suspended: suspended_at !== null })),
  );
}

async function compareAll(deps: ReconcileDeps, installationId: number, signal: AbortSignal): Promise<void> {
  const octokit = await deps.access.on(installationId, { signal });
  const waiting = (
    await listRepositoriesToReconcile(deps.db, installationId, REPOSITORIES_PER_PASS)
  ).values();
  let differing = 0;
  const compareNext = async () => {
    for (const repository of waiting) {
      signal.throwIfAborted();
      try {
        if (await compareRepository(deps, octokit, repository)) differing += 1;
      } catch (error) {
        // Otherwise a limit or an outage: the others would fail too, and the next pass starts with them.
        if (signal.aborted || !hasStatusCode(error, 404, 410, 422, 451)) throw error;
        deps.log.warn({ err: error, repository: repository.fullName }, 'A repository could not be compared');
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, compareNext));
  if (differing > 0)
    deps.log.info({ installation: installationId, differing }, 'Branches differed from what is live');
}
