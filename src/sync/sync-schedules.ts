import type { Static, TSchema } from 'typebox';
import { type Config, parseConfig } from '../config/index.ts';
import type { JobDefinition, Queue } from '../queue/index.ts';
import { type ConnectedRepository, type Database, listConnectedRepositories } from '../store/index.ts';

/** A connected repository; `config` is null while its configuration cannot be read. */
export type PlannedRepository = Omit<ConnectedRepository, 'configText'> & { readonly config: Config | null };

export async function readPlans(db: Database): Promise<readonly PlannedRepository[]> {
  const connected = await listConnectedRepositories(db);
  return connected.map(({ configText, ...repository }) => {
    const parsed = parseConfig(configText ?? '');
    return { ...repository, config: 'problems' in parsed ? null : parsed.config };
  });
}

/** When one of a repository's jobs is to run. */
export interface PlannedJob<Payload> {
  /** Tells it from the repository's other jobs of its kind; absent where there is one only. */
  readonly name?: string;
  /** As the configuration says it. */
  readonly schedule: string;
  readonly payload: Payload;
}

/**
 * Keeps the schedules of a kind of job as the configurations say, and none of repositories that are gone. What was
 * planned for a repository goes on while its configuration cannot be read.
 *
 * @param spreadSeconds many repositories say `daily`; they are spread over so long.
 */
export async function syncSchedules<P extends TSchema>(
  queue: Queue,
  job: JobDefinition<P>,
  repositories: readonly PlannedRepository[],
  {
    spreadSeconds,
    plan,
  }: {
    readonly spreadSeconds: number;
    readonly plan: (
      repository: PlannedRepository,
      config: Config,
    ) => readonly PlannedJob<Static<P>>[] | Promise<readonly PlannedJob<Static<P>>[]>;
  },
): Promise<void> {
  const others = new Map((await queue.schedules(job)).map((one) => [one.key, one]));
  for (const repository of repositories) {
    const { id, config } = repository;
    if (config === null) {
      for (const key of others.keys()) if (repositoryOf(key) === id) others.delete(key);
      continue;
    }
    for (const { name, schedule, payload } of await plan(repository, config)) {
      const key = name === undefined ? String(id) : `${id}/${name}`;
      const cron = cronOf(schedule);
      const { timezone: timeZone } = config;
      const before = others.get(key);
      others.delete(key);
      if (before?.cron === cron && before.timeZone === timeZone) continue;
      await queue.schedule(job, { key, cron, timeZone, spreadSeconds }, payload);
    }
  }
  for (const key of others.keys()) await queue.unschedule(job, key);
}

function repositoryOf(key: string): number {
  return Number(key.split('/', 1)[0]);
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
