import type { JobDefinition, Queue } from '../../queue/index.ts';
import {
  type Database,
  deleteAnswers,
  disconnectAllRepositories,
  hasServerSecret,
  ignoreWaitingDeliveries,
  lockServerSecret,
} from '../../store/index.ts';

/** What repositories and deliveries say from then on. */
const REASON =
  'The GitHub App of this server was removed. Set one up at /setup and install it on the repository to go on.';

/** Whether the database holds an App again, which reports and jobs may be for. */
export function hasStoredApp(db: Database): Promise<boolean> {
  return hasServerSecret(db, 'github-app');
}

/**
 * Ends what was left to do for an App that the database no longer holds, and says so where people look. What is live
 * stays live. Does nothing when there is an App again: what waits may be for it.
 */
export async function leaveApp(
  db: Database,
  queue: Queue,
  /** The kinds of jobs that are for an App's own installations. */
  kinds: readonly Pick<JobDefinition, 'name'>[],
): Promise<void> {
  await db.transaction(async (tx) => {
    if (await lockServerSecret(tx, 'github-app')) return;
    await queue.discard(tx, kinds);
    await ignoreWaitingDeliveries(tx, REASON);
    await disconnectAllRepositories(tx, REASON);
    await deleteAnswers(tx);
  });
}
