import { randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { fromDrizzle, type JobWithMetadata, PgBoss, type SendOptions } from 'pg-boss';
import type { Static, TSchema } from 'typebox';
import type { Store } from '../store/index.ts';
import { checkPayload } from './check-payload.ts';
import { openDispatcher } from './dispatch-turns.ts';
import { newJobId } from './job-id.ts';
import {
  countJobs,
  discardStatement,
  findOpenKeys,
  heartbeatSeconds,
  holdWaitingStatement,
  jobSchema,
  listFailed,
  retryFailed,
  takeBackLost,
  waitingStatement,
} from './job-table.ts';
import { laneChannel, markPresent } from './presence.ts';
import type { JobDefinition, JobHandler, Queue } from './queue.ts';
import { openClaims } from './run-claims.ts';
import { readSchedules, writeSchedule } from './schedules.ts';
import {
  forgetLanes,
  holdLane,
  indexTurns,
  listLanes,
  pauseLane,
  tidyRuns,
  writeLane,
} from './shared-lanes.ts';

export interface QueueOptions {
  readonly log?: (line: string, fields?: Record<string, unknown>) => void;
}

const day = 24 * 60 * 60;

/** Jobs that wait are never dropped (pg-boss would after 14 days); jobs that are done are kept a while to be seen. */
const retention = { retentionSeconds: 3650 * day, deleteAfterSeconds: day } as const;

/** How often lost jobs are looked for. */
const sweepMs = 2_000;

/** How often lanes that nobody uses are forgotten. */
const forgetMs = 600_000;

/**
 * Opens the queue of the store's database, making pg-boss's tables in its schema when they are not there. Several
 * processes may work on one queue; each job is claimed by one of them.
 *
 * A job starts as soon as its transaction is committed: LISTEN and NOTIFY wake the workers, and they look every two
 * seconds for jobs whose time has come. Jobs of a process that was killed run again when it is started again, or
 * after their heartbeats have run out where other processes go on; jobs with lanes sooner, whose places others need.
 */
export async function openQueue(store: Store, { log = () => {} }: QueueOptions = {}): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: store.url,
    application_name: 'docloom queue',
    // Only what the queue notes for itself goes this way (a job was taken, a job is done): jobs are enqueued by their
    // callers' own transactions. When the database's machine dies, the last such notes may be lost and those jobs run
    // again, which every handler stands; in return, taking work does not wait in line for the disk with deliveries.
    options: '-c synchronous_commit=off',
    schema: jobSchema,
    max: 4,
    schedule: true,
    useListenNotify: true,
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
    maintenanceIntervalSeconds: 3600,
  });
  boss.on('error', (error) => log('The queue met an error.', { error: error.message }));
  boss.on('warning', (warning) => log(warning.message));
  await boss.start();
  await indexTurns(store.pool);
  const claims = openClaims(store.pool);
  const process = randomInt(1, 2 ** 31);
  const dispatcher = openDispatcher(store.pool, claims, process, log);
  const presence = await markPresent({ url: store.url, process, log }, dispatcher.wake);
  const sweep = setInterval(() => void sweepLost(), sweepMs);
  sweep.unref();

  const runStatement = (text: string, values: unknown[]) => store.pool.query(text, values);
  let forgetAt = 0;
  const queues = new Map<string, Promise<void>>();
  const workers = new Map<string, string[]>();

  async function sweepLost(): Promise<void> {
    if (!presence.isSettled()) return;
    try {
      const found = await takeBackLost(store.pool, { alone: false });
      if (found) log('Jobs whose process went silent were taken back.');
      await tidyRuns(store.pool);
      if (found) dispatcher.wake();
      if (Date.now() < forgetAt) return;
      forgetAt = Date.now() + forgetMs;
      await forgetLanes(store.pool);
    } catch (error) {
      log('The queue could not look for lost jobs.', { error: (error as Error).message });
    }
  }

  /** pg-boss keeps a row per kind. The options of a job are given with each job, so the row needs no updates. */
  function makeQueue(job: JobDefinition): Promise<void> {
    let made = queues.get(job.name);
    if (!made) {
      const policy = job.key && !job.lane ? 'key_strict_fifo' : 'standard';
      made = boss.createQueue(job.name, { policy, notify: true, ...retention });
      queues.set(job.name, made);
      made.catch(() => queues.delete(job.name));
    }
    return made;
  }

  let stopped: Promise<void> | undefined;

  /** What pg-boss keeps with each job. */
  function sendOptions<P extends TSchema>(job: JobDefinition<P>, payload: Static<P>): SendOptions {
    const turn = job.lane?.(payload);
    return {
      retryLimit: job.retryLimit,
      retryDelay: job.retryDelay,
      retryDelayMax: job.retryDelayMax,
      retryBackoff: true,
      expireInSeconds: job.expireInSeconds,
      heartbeatSeconds,
      ...(job.key && { singletonKey: job.key(payload) }),
      ...(turn && { group: { id: turn.key, tier: turn.share } }),
    };
  }

  async function rest(kinds: readonly string[], graceMs: number): Promise<void> {
    const drained = Promise.all([
      dispatcher.rest(kinds),
      ...kinds.filter((name) => workers.has(name)).map((name) => boss.offWork(name, { wait: true })),
    ]);
    await claims.finish(kinds, drained, graceMs);
    for (const name of kinds) workers.delete(name);
  }

  async function stop(graceMs: number): Promise<void> {
    const drained = Promise.all([
      dispatcher.stop(),
      ...[...workers.keys()].map((name) => boss.offWork(name, { wait: true })),
    ]);
    await claims.finish([...queues.keys()], drained, graceMs);
    clearInterval(sweep);
    await boss.stop({ graceful: false });
    await presence.close();
  }

  return {
    async enqueue(db, job, payload, options = {}) {
      const data = checkPayload(job, payload) as object;
      await makeQueue(job as unknown as JobDefinition);
      const caller = fromDrizzle(db, sql);
      const { priority = 0, startAfter, unlessWaiting } = options;
      if (unlessWaiting && job.key) {
        const statement = job.lane ? waitingStatement : holdWaitingStatement;
        const { rows } = await caller.executeSql(statement, [job.name, job.key(payload)]);
        if (rows.length > 0) return;
      }
      const turn = job.lane?.(payload);
      if (turn) await holdLane(caller.executeSql, turn.key, turn.limits);
      const id = await boss.send(job.name, data, {
        ...sendOptions(job, payload),
        id: newJobId(),
        db: caller,
        priority,
        ...(startAfter && { startAfter }),
      });
      if (id === null) throw new Error(`A ${job.name} job could not be added to the queue.`);
      // Told with the commit.
      if (turn) await caller.executeSql(`select pg_notify($1, '')`, [laneChannel]);
    },

    async schedule(job, schedule, payload) {
      const data = checkPayload(job, payload) as object;
      await makeQueue(job as unknown as JobDefinition);
      const turn = job.lane?.(payload);
      if (turn) await holdLane(runStatement, turn.key, turn.limits);
      await writeSchedule(boss, job as unknown as JobDefinition, schedule, data, sendOptions(job, payload));
    },

    unschedule: (job, key) => boss.unschedule(job.name, key),

    schedules: (job, key) => readSchedules(boss, job, key),

    async limitLane(key, limits) {
      await writeLane(runStatement, key, limits);
      await runStatement(`select pg_notify($1, '')`, [laneChannel]);
    },

    pauseLane: (key, until) => pauseLane(store.pool, key, until),

    lanes: () => listLanes(store.pool),

    async work<P extends TSchema>(job: JobDefinition<P>, handler: JobHandler<P>) {
      await makeQueue(job as unknown as JobDefinition);
      if (job.lane) {
        dispatcher.work(job as unknown as JobDefinition, handler as JobHandler<never>);
        return;
      }
      const ids: string[] = [];
      workers.set(job.name, ids);
      const options = {
        includeMetadata: true,
        pollingIntervalSeconds: 1,
        notifyPollingIntervalSeconds: 2,
        heartbeatRefreshSeconds: heartbeatSeconds / 4,
      } as const;
      for (let index = 0; index < job.concurrency; index++) {
        ids[index] = await boss.work(job.name, options, async (claimed: JobWithMetadata[]) => {
          try {
            for (const one of claimed) await claims.run(job, handler, one);
          } finally {
            // Without this the worker sleeps before it looks for the next job.
            const id = ids[index];
            if (id !== undefined) boss.notifyWorker(id);
          }
        });
      }
    },

    rest: (jobs, { graceMs = 10_000 } = {}) =>
      rest(
        jobs.map(({ name }) => name),
        graceMs,
      ),

    async discard(db, jobs) {
      await fromDrizzle(db, sql).executeSql(discardStatement, [jobs.map(({ name }) => name)]);
    },

    failed: ({ name, limit = 100 } = {}) => listFailed(store.pool, name, Math.min(Math.max(limit, 1), 1_000)),

    async retry(jobId) {
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(jobId)) return false;
      const name = await retryFailed(store.pool, jobId);
      for (const id of (name !== undefined && workers.get(name)) || []) boss.notifyWorker(id);
      dispatcher.wake();
      return name !== undefined;
    },

    underWay: (job, keys) => findOpenKeys(store.pool, job.name, keys),

    counts: () => countJobs(store.pool),

    stop: ({ graceMs = 10_000 } = {}) => (stopped ??= stop(graceMs)),
  };
}
