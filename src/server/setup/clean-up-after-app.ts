import type { JobDefinition, Queue } from '../../queue/index.ts';
import {
  type Database,
  deleteAnswers,
  deleteComparisons,
  disconnectAllRepositories,
  hasServerSecret,
  ignoreWaitingDeliveries,
  lockServerSecret,
} from '../../store/index.ts';

/** The status of repositories and waiting deliveries after the removal. */
const REASON =
  'The GitHub App of this server was removed. Set one up at /setup and install it on the repository to continue.';

/** Whether the database contains an App again, to which reports and jobs may belong. */
export function hasStoredApp(db: Database): Promise<boolean> {
  return hasServerSecret(db, 'github-app');
}

/**
 * Discards the waiting jobs of an App that was removed from the database, and marks its repositories and deliveries. Live
 * content stays live. Does nothing when there is an App again, because the jobs may be for it.
 */
export async function cleanUpAfterApp(
  db: Database,
  queue: Queue,
  /** The kinds of jobs that belong to the installations of one App. */
  kinds: readonly Pick<JobDefinition, 'name'>[],
): Promise<void> {
  await db.transaction(async (tx) => {
    if (await lockServerSecret(tx, 'github-app')) return;
    await queue.discard(tx, kinds);
    await ignoreWaitingDeliveries(tx, REASON);
    await disconnectAllRepositories(tx, REASON);
    await deleteAnswers(tx);
    await deleteComparisons(tx);
  });
}
