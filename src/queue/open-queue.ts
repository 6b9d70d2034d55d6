import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { TSchema } from 'typebox';
import {
  bringForwardJobs,
  countJobs,
  createPool,
  deleteOldFailedJobs,
  deleteOldRuns,
  deleteSchedule,
  deleteUnusedRateLimits,
  deleteWaitingJobs,
  findUnfinishedKeys,
  insertJob,
  keepServerAlert,
  type Log,
  listFailedJobs,
  listRateLimits,
  lockRateLimit,
  lockWaitingJob,
  notifyJobs,
  pauseRateLimit,
  reclaimLostJobs,
  retryFailedJob,
  type Store,
  setRateLimit,
  watchSilence,
} from '../store/index.ts';
import { checkPayload } from './check-payload.ts';
import { openDispatcher } from './dispatch.ts';
import type { JobDefinition, JobHandler } from './job.ts';
import { markPresent } from './presence.ts';
import type { EnqueueOptions, Queue } from './queue.ts';
import { openRunner } from './run-jobs.ts';
import { enqueueDue, readSchedules, writeSchedule } from './schedules.ts';

export interface QueueOptions {
  /** Which kinds of jobs this process runs; all by default. It enqueues, schedules and counts the others, too. */
  readonly worksOn?: (kind: string) => boolean;
  readonly log?: Log;
  /** How long the database may leave a question unanswered before its connections are taken for dead (20 s). */
  readonly silenceMs?: number;
}

/** How often lost jobs and due schedules are searched for. */
const sweepMs = 2_000;

/** The message of a connection pooler that shares connections among its clients. */
const OF_POOLERS = /unsupported startup parameter/;

/** How often rows that nobody needs any more are deleted. */
const cleanUpMs = 600_000;

/**
 * Opens the queue of the store's database. Several processes may work on one queue; each job is claimed by one of them.
 *
 * A job starts as soon as its transaction is committed: LISTEN and NOTIFY wake the processes, which also poll every two
 * seconds for jobs that are due. Jobs of a process that was killed run again when it is started again, or after four to
 * six seconds while other processes run; those of a process that sends no heartbeat run again after ten.
 */
export async function openQueue(
  store: Store,
  { worksOn = () => true, log = () => {}, silenceMs = 20_000 }: QueueOptions = {},
): Promise<Queue> {
  // Claiming and completing jobs does not wait for the disk. When the database's machine crashes, the last changes may be
  // lost and those jobs run again, which every handler tolerates.
  const pool = createPool(
    {
      connectionString: store.directUrl,
      application_name: 'docloom queue',
      options: '-c synchronous_commit=off',
      max: 4,
      onConnect: keepServerAlert,
    },
    log,
  );
  await requireOwnConnections(pool);
  const process = randomInt(1, 2 ** 31);
  const dispatcher = openDispatcher(pool, openRunner(pool), process, log);
  const presence = await markPresent(
    {
      url: store.directUrl,
      process,
      log,
      silenceMs,
      watchSilence: () => watchSilence([pool, store.pool]),
    },
    dispatcher.wake,
  );
  /** The kinds that this process has enqueued or worked on. */
  const known = new Set<string>();
  let cleanUpAt = 0;
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => (sweeping ??= sweep().finally(() => (sweeping = undefined))), sweepMs);
  timer.unref();

  async function sweep(): Promise<void> {
    if (!presence.isSettled()) return;
    try {
      await enqueueDue(store.db, dispatcher.kinds(), enqueue, log);
      if (await reclaimLostJobs(pool, { alone: false })) {
        log('Jobs whose process stopped or sent no heartbeat will run again.');
        dispatcher.wake();
      }
      await deleteOldRuns(pool);
      if (Date.now() < cleanUpAt) return;
      cleanUpAt = Date.now() + cleanUpMs;
      await deleteUnusedRateLimits(store.db);
      await deleteOldFailedJobs(pool);
    } catch (error) {
      log('The queue could not search for lost and due jobs.', { error: (error as Error).message });
    }
  }

  const enqueue: Queue['enqueue'] = async (db, job, payload, options: EnqueueOptions = {}) => {
    checkPayload(job, payload);
    known.add(job.name);
    const key = job.key?.(payload) ?? null;
    const { startAfter = 0, priority = 0, unlessWaiting = false, retriesNow = false } = options;
    if (unlessWaiting && key !== null) {
      await bringForwardJobs(db, { name: job.name, key, startAfter, withRetries: retriesNow });
      if (await lockWaitingJob(db, job.name, key)) return await notifyJobs(db); // it could not start while it was locked
    }
    const group = job.rateLimit?.(payload);
    if (group) await lockRateLimit(db, group.key, group.limits);
    await insertJob(db, {
      name: job.name,
      payload,
      key,
      priority,
      rateLimit: group?.key ?? null,
      share: group?.share ?? null,
      startAfter,
      attemptLimit: job.retryLimit + 1,
      retryDelay: job.retryDelay,
      retryDelayMax: job.retryDelayMax,
      expireSeconds: job.expireInSeconds,
    });
  };

  async function stop(graceMs: number): Promise<void> {
    clearInterval(timer);
    await sweeping;
    await dispatcher.stop(graceMs);
    await presence.close();
    await pool.end();
  }

  let stopped: Promise<void> | undefined;
  return {
    enqueue,

    async schedule(job, schedule, payload) {
      checkPayload(job, payload);
      await writeSchedule(store.db, job as unknown as JobDefinition, schedule, payload);
    },

    unschedule: (job, key) => deleteSchedule(store.db, job.name, key),

    schedules: (job, key) => readSchedules(store.db, job.name, key),

    async setRateLimit(key, limits) {
      await setRateLimit(store.db, key, limits);
      await notifyJobs(store.db);
    },

    pauseRateLimit: (key, until) => pauseRateLimit(store.pool, key, until),

    rateLimits: () => listRateLimits(store.pool),

    async work<P extends TSchema>(job: JobDefinition<P>, handler: JobHandler<P>) {
      known.add(job.name);
      if (worksOn(job.name)) dispatcher.work(job as unknown as JobDefinition, handler as JobHandler<never>);
    },

    stopWork: (jobs, { graceMs = 10_000 } = {}) =>
      dispatcher.stopWork(
        jobs.map(({ name }) => name),
        graceMs,
      ),

    discard: (db, jobs) =>
      deleteWaitingJobs(
        db,
        jobs.map(({ name }) => name),
      ),

    failed: ({ name, limit = 100 } = {}) =>
      listFailedJobs(store.pool, name, Math.min(Math.max(limit, 1), 1_000)),

    async retry(jobId) {
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(jobId)) return false;
      return await retryFailedJob(store.db, jobId);
    },

    findUnfinished: (job, keys) => findUnfinishedKeys(store.pool, job.name, keys),

    counts: () => countJobs(store.pool, [...known]),

    stop: ({ graceMs = 10_000 } = {}) => (stopped ??= stop(graceMs)),
  };
}

/** @throws Error with what to set, where a connection pooler is between */
async function requireOwnConnections(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    if (!OF_POOLERS.test((error as Error).message)) return; // an outage, which may end
    await pool.end();
    throw new Error(
      'DATABASE_URL leads to a connection pooler, which the queue cannot use: set DATABASE_DIRECT_URL to the address of the PostgreSQL itself.',
    );
  }
}
