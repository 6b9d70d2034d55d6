import { sql } from 'drizzle-orm';
import { fromDrizzle, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { TSchema } from 'typebox';
import type { Store } from '../store/index.ts';
import { checkPayload } from './check-payload.ts';
import { newJobId } from './job-id.ts';
import {
  countJobs,
  findOpenKeys,
  heartbeatSeconds,
  jobSchema,
  listFailed,
  retryFailed,
  takeBackLost,
} from './job-table.ts';
import { markPresent } from './presence.ts';
import type { JobDefinition, JobHandler, Queue } from './queue.ts';
import { openClaims } from './run-claims.ts';

export interface QueueOptions {
  readonly log?: (line: string, fields?: Record<string, unknown>) => void;
}

const day = 24 * 60 * 60;

/** Jobs that wait are never dropped (pg-boss would after 14 days); jobs that are done are kept a while to be seen. */
const retention = { retentionSeconds: 3650 * day, deleteAfterSeconds: day } as const;

/** How often lost jobs are looked for. */
const sweepMs = 2_000;

/**
 * Opens the queue of the store's database, making pg-boss's tables in its schema when they are not there. Several
 * processes may work on one queue; each job is claimed by one of them.
 *
 * A job starts as soon as its transaction is committed: LISTEN and NOTIFY wake the workers, and they look every two
 * seconds for jobs whose time has come. Jobs of a process that was killed run again when it is started again, or
 * after their heartbeats have run out where other processes go on.
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
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
    maintenanceIntervalSeconds: 3600,
  });
  boss.on('error', (error) => log('The queue met an error.', { error: error.message }));
  boss.on('warning', (warning) => log(warning.message));
  await boss.start();
  const presence = await markPresent(store.url, log);
  const claims = openClaims(store.pool);
  const sweep = setInterval(() => void sweepLost(), sweepMs);
  sweep.unref();

  const queues = new Map<string, Promise<void>>();
  const workers = new Map<string, string[]>();

  async function sweepLost(): Promise<void> {
    try {
      const found = await takeBackLost(store.pool, { alone: false });
      if (found) log('Jobs whose process went silent were taken back.');
    } catch (error) {
      log('The queue could not look for lost jobs.', { error: (error as Error).message });
    }
  }

  /** pg-boss keeps a row per kind. The options of a job are given with each job, so the row needs no updates. */
  function makeQueue(job: JobDefinition): Promise<void> {
    let made = queues.get(job.name);
    if (!made) {
      const policy = job.key ? 'key_strict_fifo' : 'standard';
      made = boss.createQueue(job.name, { policy, notify: true, ...retention });
      queues.set(job.name, made);
      made.catch(() => queues.delete(job.name));
    }
    return made;
  }

  let stopped: Promise<void> | undefined;

  async function stop(graceMs: number): Promise<void> {
    const drained = Promise.all([...workers.keys()].map((name) => boss.offWork(name, { wait: true })));
    await claims.finish(drained, graceMs);
    clearInterval(sweep);
    await boss.stop({ graceful: false });
    await presence.close();
  }

  return {
    async enqueue(db, job, payload, options = {}) {
      const data = checkPayload(job, payload) as object;
      await makeQueue(job as unknown as JobDefinition);
      const id = await boss.send(job.name, data, {
        id: newJobId(),
        db: fromDrizzle(db, sql),
        retryLimit: job.retryLimit,
        retryDelay: job.retryDelay,
        retryDelayMax: job.retryDelayMax,
        retryBackoff: true,
        expireInSeconds: job.expireInSeconds,
        heartbeatSeconds,
        ...(job.key && { singletonKey: job.key(payload) }),
        ...(options.startAfter && { startAfter: options.startAfter }),
      });
      if (id === null) throw new Error(`A ${job.name} job could not be added to the queue.`);
    },

    async work<P extends TSchema>(job: JobDefinition<P>, handler: JobHandler<P>) {
      await makeQueue(job as unknown as JobDefinition);
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

    failed: ({ name, limit = 100 } = {}) => listFailed(store.pool, name, Math.min(Math.max(limit, 1), 1_000)),

    async retry(jobId) {
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(jobId)) return false;
      const name = await retryFailed(store.pool, jobId);
      for (const id of (name !== undefined && workers.get(name)) || []) boss.notifyWorker(id);
      return name !== undefined;
    },

    underWay: (job, keys) => findOpenKeys(store.pool, job.name, keys),

    counts: () => countJobs(store.pool),

    stop: ({ graceMs = 10_000 } = {}) => (stopped ??= stop(graceMs)),
  };
}
