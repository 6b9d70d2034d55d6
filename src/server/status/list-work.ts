import type { Queue } from '../../queue/index.ts';
import { type Database, loadNames } from '../../store/index.ts';
import type { StatusWork } from '../../web/index.ts';
import { listRepositorySchedules } from './list-schedules.ts';
import { nameJobs } from './name-jobs.ts';

const LISTED = 100;

/** All background work: kinds of jobs, rate limits, schedules and failures, each with what it is about. */
export async function listWork(db: Database, queue: Queue): Promise<StatusWork> {
  const [counts, rateLimits, schedules, failed] = await Promise.all([
    queue.counts(),
    queue.rateLimits(),
    listRepositorySchedules(queue),
    queue.failed({ limit: LISTED }),
  ]);
  const [names, about] = await Promise.all([
    loadNames(db, {
      repositories: schedules.map(({ repositoryId }) => repositoryId),
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
    schedules: schedules.map(({ name, repositoryId, part, cron, timeZone = 'UTC', next }) => ({
      name,
      about: `${names.repositories.get(repositoryId) ?? `repository ${repositoryId}`} ${part}`.trim(),
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
