import type { Queue, Schedule } from '../../queue/index.ts';
import { type Database, loadNames } from '../../store/index.ts';
import { gatherJob, readScheduleKey, type ScheduledWork, specJob, translateJob } from '../../sync/index.ts';
import type { StatusWork } from '../../web/index.ts';
import { nameJobs } from './name-jobs.ts';

const LISTED = 100;

/** Lists all background work: kinds of jobs, rate limits, schedules and failed jobs, each with what it is about. */
export async function listWork(db: Database, queue: Queue): Promise<StatusWork> {
  const [counts, rateLimits, schedules, failed] = await Promise.all([
    queue.counts(),
    queue.rateLimits(),
    listSchedules(queue),
    queue.failed({ limit: LISTED }),
  ]);
  const [names, about] = await Promise.all([
    loadNames(db, {
      repositories: schedules.map(({ work }) => work.repositoryId),
      bindings: [],
      spaces: [],
    }),
    nameJobs(
      db,
      failed.map(({ payload }) => payload),
    ),
  ]);
  return {
    queues: counts.map(({ name, waiting, active, failed }) => ({ name, waiting, running: active, failed })),
    rateLimits: rateLimits.map(({ key, concurrency, rates, waiting, running, pausedUntil, lastStart }) => ({
      key,
      concurrency,
      rates,
      waiting,
      running,
      pausedUntil: pausedUntil?.toISOString() ?? null,
      lastStart: lastStart?.toISOString() ?? null,
    })),
    schedules: schedules.map(({ name, work, cron, timeZone = 'UTC', next }) => ({
      name,
      about: describeScheduled(work, names.repositories),
      cron,
      timeZone,
      next: next.toISOString(),
    })),
    failed: failed.map(({ id, name, attempts, error, failedAt }, index) => ({
      id,
      name,
      about: about[index] ?? '',
      attempts,
      error,
      at: failedAt.toISOString(),
    })),
  };
}

interface ListedSchedule extends Schedule {
  /** The kind of job. */
  readonly name: string;
  readonly work: ScheduledWork;
  readonly next: Date;
}

/** The schedules of all repositories, the next first. */
async function listSchedules(queue: Queue): Promise<readonly ListedSchedule[]> {
  const jobs = [
    [gatherJob, 'external-links'],
    [specJob, 'specification'],
    [translateJob, 'translation'],
  ] as const;
  const schedules = await Promise.all(
    jobs.map(async ([job, kind]) =>
      (await queue.schedules(job)).map((schedule) => ({
        ...schedule,
        name: job.name,
        work: readScheduleKey(kind, schedule.key),
      })),
    ),
  );
  return schedules.flat().toSorted((a, b) => a.next.getTime() - b.next.getTime());
}

/** What a schedule is about, such as `octo/docs petstore` or `octo/docs guide/ in de`. */
function describeScheduled(work: ScheduledWork, names: ReadonlyMap<number, string>): string {
  const repository = names.get(work.repositoryId) ?? `repository ${work.repositoryId}`;
  if (work.kind === 'external-links') return repository;
  if (work.kind === 'specification') return `${repository} ${work.name}`;
  return `${repository} ${work.directory === '' ? '' : `${work.directory}/ `}in ${work.language}`;
}
