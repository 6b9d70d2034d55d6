import { parseConfig } from '../../content/config/index.ts';
import { listSyncedRepositories } from '../../store/external-links.ts';
import { cronOf } from '../cron-of.ts';
import type { SyncDeps } from '../deps.ts';
import { gatherJob } from './link-job.ts';

/** Many repositories say `weekly`; they are spread over so long. */
const SPREAD_SECONDS = 6 * 60 * 60;

/** Keeps a schedule for each repository as its configuration says, and none for those that are gone. */
export async function planGathering({ db, queue }: SyncDeps): Promise<void> {
  const kept = new Map((await queue.schedules(gatherJob)).map((one) => [one.key, one]));
  for (const { id, configText } of await listSyncedRepositories(db)) {
    const parsed = parseConfig(configText ?? '');
    if ('problems' in parsed) continue; // what was planned before goes on
    const { 'external-links': links, timezone: timeZone } = parsed.config;
    if (links.schedule === 'off') continue;
    const key = String(id);
    const cron = cronOf(links.schedule);
    const before = kept.get(key);
    kept.delete(key);
    if (before?.cron === cron && before.timeZone === timeZone) continue;
    const schedule = { key, cron, timeZone, spreadSeconds: SPREAD_SECONDS };
    await queue.schedule(gatherJob, schedule, { repositoryId: id });
  }
  for (const key of kept.keys()) await queue.unschedule(gatherJob, key);
}
