import type { SyncDeps } from '../deps.ts';
import { type PlannedRepository, syncSchedules } from '../sync-schedules.ts';
import { gatherJob } from './link-job.ts';

/** Schedules the check of external links for each repository that has spaces and wants it. */
export async function scheduleGathering(
  { queue }: Pick<SyncDeps, 'queue'>,
  repositories: readonly PlannedRepository[],
): Promise<void> {
  await syncSchedules(queue, gatherJob, repositories, {
    kind: 'external-links',
    spreadSeconds: 6 * 60 * 60,
    plan({ id: repositoryId, hasSpaces }, { 'external-links': { schedule } }) {
      if (!hasSpaces || schedule === 'off') return [];
      return [{ work: { kind: 'external-links', repositoryId }, schedule, payload: { repositoryId } }];
    },
  });
}
