import { parseConfig } from '../../content/config/index.ts';
import { listSyncedRepositories } from '../../store/external-links.ts';
import { cronOf } from '../cron-of.ts';
import type { SyncDeps } from '../deps.ts';
import { translateJob } from './translate-job.ts';

/** Many repositories say `daily`; they are spread over so long. */
const SPREAD_SECONDS = 30 * 60;

/** Keeps a schedule for each translation that has one, and looks at the others, whose spaces may have changed. */
export async function planTranslations({ db, queue }: Pick<SyncDeps, 'db' | 'queue'>): Promise<void> {
  const kept = new Map((await queue.schedules(translateJob)).map((one) => [one.key, one]));
  for (const { id: repositoryId, configText } of await listSyncedRepositories(db)) {
    const parsed = parseConfig(configText ?? '');
    if ('problems' in parsed) {
      // What was planned before goes on.
      for (const key of kept.keys()) if (key.startsWith(`${repositoryId}/`)) kept.delete(key);
      continue;
    }
    const { translations, timezone: timeZone } = parsed.config;
    for (const { space, schedule } of translations) {
      const payload = { repositoryId, space };
      if (schedule === undefined) {
        await queue.enqueue(db, translateJob, payload, { unlessWaiting: true });
        continue;
      }
      // A folder's name may hold what a key may not.
      const key = `${repositoryId}/${Buffer.from(space).toString('base64url').slice(0, 150)}`;
      const cron = cronOf(schedule);
      const before = kept.get(key);
      kept.delete(key);
      if (before?.cron === cron && before.timeZone === timeZone) continue;
      await queue.schedule(translateJob, { key, cron, timeZone, spreadSeconds: SPREAD_SECONDS }, payload);
    }
  }
  for (const key of kept.keys()) await queue.unschedule(translateJob, key);
}
