import { listStuckPulls, loadRepository } from '../../store/index.ts';
import { enqueueRecheck, findBusy, type Recheck } from '../webhooks/index.ts';
import type { ReconcileDeps } from './deps.ts';

/** A younger check in progress is most likely being worked on. */
const OLDER_THAN_MS = 10_000;
const PULLS_PER_PASS = 200;

/** Enqueues rechecks of pull requests whose check runs are in progress while no job works on them. */
export async function resumePullRequests(deps: ReconcileDeps): Promise<void> {
  const stuck = await listStuckPulls(deps.db, { olderThanMs: OLDER_THAN_MS, limit: PULLS_PER_PASS });
  const rechecks: Recheck[] = [];
  for (const { repositoryId, pullNumber } of stuck) {
    const repository = await loadRepository(deps.db, repositoryId);
    if (repository === null || repository.disconnected !== null) continue;
    const { installationId, fullName } = repository;
    rechecks.push({ kind: 'pull-request', installationId, repositoryId, fullName, number: pullNumber });
  }
  const busy = await findBusy(deps.queue, rechecks);
  for (const recheck of rechecks) if (!busy.has(recheck)) await enqueueRecheck(deps, recheck);
}
