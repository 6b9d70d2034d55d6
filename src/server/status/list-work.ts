import type { Queue } from '../../queue/index.ts';
import type { Database } from '../../store/index.ts';
import { loadNames } from '../../store/job-names.ts';
import { gatherJob } from '../../sync/index.ts';
import type { StatusWork } from '../../web/index.ts';

const LISTED = 100;

/** All that works in the background: kinds of jobs, lanes, schedules and what failed, each with what it is about. */
export async function listWork(db: Database, queue: Queue): Promise<StatusWork> {
  const [counts, lanes, schedules, failed] = await Promise.all([
    queue.counts(),
    queue.lanes(),
    queue.schedules(gatherJob),
    queue.failed({ limit: LISTED }),
  ]);
  const fields = failed.map(({ payload }) => readAbout(payload));
  const names = await loadNames(db, {
    repositories: [
      ...schedules.map(({ key }) => Number(key)),
      ...fields.flatMap(({ repositoryId }) => (repositoryId === null ? [] : [repositoryId])),
    ],
    bindings: fields.flatMap(({ bindingId }) => (bindingId === null ? [] : [bindingId])),
  });
  return {
    queues: counts.map(({ name, waiting, active, failed }) => ({ name, waiting, running: active, failed })),
    lanes: lanes.map(({ key, concurrency, rates, waiting, running, pausedUntil, lastStart }) => ({
      key,
      concurrency,
      rates,
      waiting,
      running,
      pausedUntil: pausedUntil?.toISOString() ?? null,
      lastStart: lastStart?.toISOString() ?? null,
    })),
    schedules: schedules
      .toSorted((a, b) => a.next.getTime() - b.next.getTime())
      .map(({ key, cron, timeZone = 'UTC', next }) => ({
        name: gatherJob.name,
        about: names.repositories.get(Number(key)) ?? key,
        cron,
        timeZone,
        next: next.toISOString(),
      })),
    failed: failed.map(({ id, name, attempts, error, failedAt }, index) => {
      const { repositoryId, bindingId, subject, url } = fields[index] ?? readAbout(null);
      const about = [
        repositoryId === null ? null : (names.repositories.get(repositoryId) ?? `repository ${repositoryId}`),
        bindingId === null ? null : (names.bindings.get(bindingId) ?? bindingId),
        subject,
        url,
      ];
      return {
        id,
        name,
        about: about.filter((one) => one !== null).join(' '),
        attempts,
        error,
        at: failedAt.toISOString(),
      };
    }),
  };
}

/** What people know a job by, of all that it may carry. */
function readAbout(payload: unknown) {
  const { repositoryId, bindingId, subject, url } = (payload ?? {}) as Readonly<Record<string, unknown>>;
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 300) : null);
  return {
    repositoryId: typeof repositoryId === 'number' ? repositoryId : null,
    bindingId: text(bindingId),
    subject: text(subject),
    url: text(url),
  };
}
