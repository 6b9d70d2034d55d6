import type { Static, TSchema } from 'typebox';
import { type Config, parseConfig } from '../config/index.ts';
import type { JobDefinition, Queue } from '../queue/index.ts';
import { type ConnectedRepository, type Database, listConnectedRepositories } from '../store/index.ts';
import { readScheduleKey, type ScheduledWork, writeScheduleKey } from './schedule-keys.ts';

/** A connected repository; `config` is null while its configuration cannot be read. */
export type PlannedRepository = Omit<ConnectedRepository, 'configText'> & { readonly config: Config | null };

export async function readPlans(db: Database): Promise<readonly PlannedRepository[]> {
  const connected = await listConnectedRepositories(db);
  return connected.map(({ configText, ...repository }) => {
    const parsed = parseConfig(configText ?? '');
    return { ...repository, config: 'problems' in parsed ? null : parsed.config };
  });
}

/** A job of a repository and when it is to run. */
export interface PlannedJob<Payload> {
  readonly work: ScheduledWork;
  /** As in the configuration. */
  readonly schedule: string;
  readonly payload: Payload;
}

/**
 * Syncs the schedules of a kind of job with the configurations, and deletes those of removed repositories. The schedules of
 * a repository stay while its configuration cannot be read.
 *
 * @param spreadSeconds jobs with the same schedule, such as `daily`, are spread over this many seconds.
 */
export async function syncSchedules<P extends TSchema>(
  queue: Queue,
  job: JobDefinition<P>,
  repositories: readonly PlannedRepository[],
  {
    kind,
    spreadSeconds,
    plan,
  }: {
    readonly kind: ScheduledWork['kind'];
    readonly spreadSeconds: number;
    readonly plan: (
      repository: PlannedRepository,
      config: Config,
    ) => readonly PlannedJob<Static<P>>[] | Promise<readonly PlannedJob<Static<P>>[]>;
  },
): Promise<void> {
  const stale = new Map((await queue.schedules(job)).map((schedule) => [schedule.key, schedule]));
  for (const repository of repositories) {
    const { id, config } = repository;
    if (config === null) {
      for (const key of stale.keys()) if (readScheduleKey(kind, key).repositoryId === id) stale.delete(key);
      continue;
    }
    for (const { work, schedule, payload } of await plan(repository, config)) {
      const key = writeScheduleKey(work);
      const cron = cronOf(schedule);
      const { timezone: timeZone } = config;
      const before = stale.get(key);
      stale.delete(key);
      if (before?.cron === cron && before.timeZone === timeZone) continue;
      await queue.schedule(job, { key, cron, timeZone, spreadSeconds }, payload);
    }
  }
  for (const key of stale.keys()) await queue.unschedule(job, key);
}

const CRON: Readonly<Record<string, string>> = {
  hourly: '0 * * * *',
  daily: '0 3 * * *',
  weekly: '0 3 * * 1',
  monthly: '0 3 1 * *',
};

/** The expression behind a schedule of the configuration: `hourly`, `daily` (at three), `weekly` (Mondays), `monthly`, or itself. */
function cronOf(schedule: string): string {
  return CRON[schedule] ?? schedule;
}
