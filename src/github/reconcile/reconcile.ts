import {
  areComparisonsComplete,
  disconnectMissingRepositories,
  listKnownInstallations,
  loadAnswer,
  recordMissed,
  requestComparisons,
  saveAnswer,
} from '../../store/index.ts';
import { PER_PAGE, readAllPages } from '../api/index.ts';

import { DISCONNECTED } from '../repository/index.ts';
import { compareInstallations } from './compare-installations.ts';
import type { ReconcileDeps } from './deps.ts';
import { redeliverMissed } from './redeliver-missed.ts';
import { resumePullRequests } from './resume-pull-requests.ts';
import { type Installation, syncInstallation } from './sync-installation.ts';

/**
 * Requests a comparison of everything, takes part in it, and enqueues for each difference between GitHub and the database
 * the job that the lost event would have enqueued. Returns whether all was read, by this process or by others.
 */
export async function reconcile(deps: ReconcileDeps, signal: AbortSignal): Promise<boolean> {
  await redeliver(deps, signal);
  const installations = await listInstallations(deps, signal);
  const listed = new Set(installations.map(({ id }) => id));
  for (const id of await listKnownInstallations(deps.db)) {
    if (!listed.has(id)) await disconnectMissingRepositories(deps.db, id, [], DISCONNECTED.uninstalled);
  }
  for (const installation of installations)
    if (installation.suspended) await syncInstallation(deps, installation, { signal });
  await requestComparisons(
    deps.db,
    installations.flatMap(({ id, suspended }) => (suspended ? [] : [id])),
  );
  await compareInstallations(deps, signal);
  await resumePullRequests(deps);
  return await areComparisonsComplete(deps.db);
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
    const { requested, installationIds } = await redeliverMissed(deps, since, signal);
    await recordMissed(db, installationIds);
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
