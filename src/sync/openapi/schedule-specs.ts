import { loadOpenApiSource } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { type PlannedRepository, syncSchedules } from '../sync-schedules.ts';
import { specJob } from './spec-job.ts';

/** A specification whose job since the last push is missing is checked after this time; the job would have run by then. */
const OVERDUE_MS = 10 * 60_000;

/** How often a specification is checked without a push: somebody may have deleted it on the platform. */
const CHECK_MS = 24 * 60 * 60_000;

/** Schedules each specification with a URL in a configuration, and finds those whose job was lost or that were not checked for a day. */
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
        const age = row === null ? Number.POSITIVE_INFINITY : now().getTime() - row.updatedAt.getTime();
        const isOurs = row === null || row.repositoryId === repositoryId;
        const isDue = age >= CHECK_MS || (age >= OVERDUE_MS && row?.commitOid !== syncedOid);
        if (isOurs && isDue && syncedOid !== null) isLate = true;
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
