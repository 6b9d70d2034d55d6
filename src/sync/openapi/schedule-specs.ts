import { loadOpenApiSource } from '../../store/index.ts';
import type { SyncDeps } from '../deps.ts';
import { type PlannedRepository, syncSchedules } from '../sync-schedules.ts';
import { specJob } from './spec-job.ts';

/** What was not looked at since the branch moved is looked at after this time; its own job has come by then. */
const REST_MS = 10 * 60_000;

/** Keeps a schedule for each address that a configuration names, and finds files whose job was lost. */
export async function scheduleSpecs(
  { db, queue, now }: Pick<SyncDeps, 'db' | 'queue' | 'now'>,
  repositories: readonly PlannedRepository[],
): Promise<void> {
  await syncSchedules(queue, specJob, repositories, {
    spreadSeconds: 30 * 60,
    async plan({ id: repositoryId, installationId, settledOid }, { openapi }) {
      let isLate = false;
      for (const { name } of openapi) {
        const row = await loadOpenApiSource(db, name);
        const rests = row !== null && now().getTime() - row.updatedAt.getTime() < REST_MS;
        const isOurs = row === null || row.repositoryId === repositoryId;
        if (isOurs && !rests && settledOid !== null && row?.commitOid !== settledOid) isLate = true;
      }
      if (isLate) await queue.enqueue(db, specJob, { repositoryId, installationId }, { unlessWaiting: true });
      return openapi
        .filter(({ url }) => url !== undefined)
        .map(({ name, schedule }) => ({ name, schedule, payload: { repositoryId, installationId, name } }));
    },
  });
}
