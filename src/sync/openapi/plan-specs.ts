import { parseConfig } from '../../content/config/index.ts';
import type { Queue } from '../../queue/index.ts';
import type { Database } from '../../store/index.ts';
import { listRepositoriesWithSpecs, loadOpenApiSource } from '../../store/openapi-sources.ts';
import { cronOf } from '../cron-of.ts';
import { specJob } from './spec-job.ts';

/** Many repositories say `daily`; they are spread over so long. */
const SPREAD_SECONDS = 30 * 60;

/** What was not looked at since the branch moved is looked at after this time; its own job has come by then. */
const REST_MS = 10 * 60_000;

/** Keeps a schedule for each address that a configuration names, and finds files whose job was lost. */
export async function planSpecs({
  db,
  queue,
  now,
}: {
  readonly db: Database;
  readonly queue: Queue;
  readonly now: () => Date;
}): Promise<void> {
  const kept = new Map((await queue.schedules(specJob)).map((one) => [one.key, one]));
  for (const { id: repositoryId, installationId, configText, settledOid } of await listRepositoriesWithSpecs(
    db,
  )) {
    const parsed = parseConfig(configText ?? '');
    if ('problems' in parsed) {
      // What was planned before goes on.
      for (const key of kept.keys()) if (key.startsWith(`${repositoryId}/`)) kept.delete(key);
      continue;
    }
    const { openapi, timezone: timeZone } = parsed.config;
    let isLate = false;
    for (const { name, url, schedule } of openapi) {
      const row = await loadOpenApiSource(db, name);
      const rests = row !== null && now().getTime() - row.updatedAt.getTime() < REST_MS;
      const isOurs = row === null || row.repositoryId === repositoryId;
      if (isOurs && !rests && settledOid !== null && row?.commitOid !== settledOid) isLate = true;
      if (url === undefined) continue;
      const key = `${repositoryId}/${name}`;
      const cron = cronOf(schedule);
      const before = kept.get(key);
      kept.delete(key);
      if (before?.cron === cron && before.timeZone === timeZone) continue;
      await queue.schedule(
        specJob,
        { key, cron, timeZone, spreadSeconds: SPREAD_SECONDS },
        { repositoryId, installationId, name },
      );
    }
    if (isLate) await queue.enqueue(db, specJob, { repositoryId, installationId }, { unlessWaiting: true });
  }
  for (const key of kept.keys()) await queue.unschedule(specJob, key);
}
