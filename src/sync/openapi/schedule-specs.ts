import { loadOpenApiSource } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { type PlannedRepository, syncSchedules } from '../sync-schedules.ts';
import { specJob } from './spec-job.ts';

/** A specification whose job since the last push is missing is checked after this time; the job would have run by then. */
const OVERDUE_MS = 10 * 60_000;

/** Schedules each specification with a URL in a configuration, and finds files whose job was lost. */
export async function scheduleSpecs(
  { db, queue, now }: Pick<SyncDeps, 'db' | 'queue' | 'now'>,
  repositories: readonly PlannedRepository[],
): Promise<void> {
  await syncSchedules(queue, specJob, repositories, {
    kind: 'specification',
    spreadSeconds: 30 * 60,
    async plan({ id: repositoryId, installationId, syncedOid }, { openapi }) {
      let isLate = false;
      for (const { name } of openapi) {
        const row = await loadOpenApiSource(db, name);
        const isRecent = row !== null && now().getTime() - row.updatedAt.getTime() < OVERDUE_MS;
        const isOurs = row === null || row.repositoryId === repositoryId;
        if (isOurs && !isRecent && syncedOid !== null && row?.commitOid !== syncedOid) isLate = true;
      }
      if (isLate) await queue.enqueue(db, specJob, { repositoryId, installationId }, { unlessWaiting: true });
      return openapi
        .filter(({ url }) => url !== undefined)
        .map(({ name, schedule }) => ({
          work: { kind: 'specification', repositoryId, name },
          schedule,
          payload: { repositoryId, installationId, name },
        }));
    },
  });
}
