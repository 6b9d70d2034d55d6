import type { SyncDeps } from '../deps.ts';
import { keepSchedules, type PlannedRepository } from '../keep-schedules.ts';
import { translateJob } from './translate-job.ts';

/** Keeps a schedule for each translation that has one, and looks at the others, whose spaces may have changed. */
export async function planTranslations(
  { db, queue }: Pick<SyncDeps, 'db' | 'queue'>,
  repositories: readonly PlannedRepository[],
): Promise<void> {
  await keepSchedules(queue, translateJob, repositories, {
    spreadSeconds: 30 * 60,
    async plan({ id: repositoryId, hasSpaces }, { translations }) {
      const planned = [];
      for (const { space, schedule } of hasSpaces ? translations : []) {
        const payload = { repositoryId, space };
        if (schedule === undefined) {
          await queue.enqueue(db, translateJob, payload, { unlessWaiting: true });
          continue;
        }
        // A folder's name may hold what a key may not.
        const name = Buffer.from(space).toString('base64url').slice(0, 150);
        planned.push({ name, schedule, payload });
      }
      return planned;
    },
  });
}
