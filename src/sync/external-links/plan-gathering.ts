import type { SyncDeps } from '../deps.ts';
import { keepSchedules, type PlannedRepository } from '../keep-schedules.ts';
import { gatherJob } from './link-job.ts';

/** Keeps a schedule for each repository with spaces that wants its addresses looked at. */
export async function planGathering(
  { queue }: Pick<SyncDeps, 'queue'>,
  repositories: readonly PlannedRepository[],
): Promise<void> {
  await keepSchedules(queue, gatherJob, repositories, {
    spreadSeconds: 6 * 60 * 60,
    plan({ id, hasSpaces }, { 'external-links': { schedule } }) {
      return hasSpaces && schedule !== 'off' ? [{ schedule, payload: { repositoryId: id } }] : [];
    },
  });
}
