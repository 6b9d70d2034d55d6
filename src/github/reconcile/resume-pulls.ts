import { listStuckPulls, loadRepository } from '../../store/index.ts';
import { enqueueLook, findBusy, type Look } from '../webhooks/delivery-job.ts';
import type { ReconcileDeps } from './reconcile.ts';

/** Below this age a check that is in progress is most likely just that. */
const OLDER_THAN_MS = 10_000;
const PULLS_PER_PASS = 200;

/** Lets pull requests be checked again whose check runs are in progress without anyone at work on them. */
export async function resumePulls(deps: ReconcileDeps): Promise<void> {
  const stuck = await listStuckPulls(deps.db, { olderThanMs: OLDER_THAN_MS, limit: PULLS_PER_PASS });
  const looks: Look[] = [];
  for (const { repositoryId, pullNumber } of stuck) {
    const repository = await loadRepository(deps.db, repositoryId);
    if (repository === null || repository.disconnected !== null) continue;
    const { installationId, fullName } = repository;
    looks.push({ installationId, repositoryId, fullName, subject: `pull/${pullNumber}` });
  }
  const busy = await findBusy(deps.queue, looks);
  for (const look of looks) if (!busy.has(look)) await enqueueLook(deps, look);
}
