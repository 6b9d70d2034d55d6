import type pg from 'pg';
import {
  type ClaimedJob,
  claimLimitedJobs,
  claimPlainJobs,
  handBackJobs,
  heartbeatSeconds,
  type Log,
} from '../store/index.ts';
import type { JobDefinition, JobHandler } from './job.ts';
import type { JobRunner } from './run-jobs.ts';

/** The longest pause between two claims; notifications of new jobs end it early. */
const idleMs = 2_000;

/** After a claim we pause for as long as it took, at most this long, so that jobs completed meanwhile are replaced together. */
const restMs = 20;

/** Claims jobs of the kinds that this process works on, and runs them. */
export interface Dispatcher {
  work(job: JobDefinition, handler: JobHandler<never>): void;
  /** The kinds that this process works on, by name. */
  kinds(): ReadonlyMap<string, JobDefinition>;
  /** Claims at once, since something has changed. */
  wake(): void;
  /** Stops claiming these kinds, and finishes their jobs as {@link JobRunner.finish} does. */
  stopWork(names: readonly string[], graceMs: number): Promise<void>;
  /** Stops claiming, and finishes all jobs of this process in the same way. */
  stop(graceMs: number): Promise<void>;
}

interface Kind {
  readonly job: JobDefinition;
  readonly handler: JobHandler<never>;
}

interface Claimed {
  /** The time until something is known to be due. */
  readonly nextMs: number;
  /** Where the round through the rate-limit groups continues; null at its end. */
  readonly cursor: string | null;
}

/** @param process the number that identifies this process. */
export function openDispatcher(pool: pg.Pool, runner: JobRunner, process: number, log: Log): Dispatcher {
  const kinds = new Map<string, Kind>();
  let stopping = false;
  let claiming: Promise<void> | undefined;
  let isWoken = false;
  let restUntil = 0;
  /** Null before and after a round through the rate-limit groups. */
  let cursor: string | null = null;
  /** When something is due that the claims of this round found. */
  let nextAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const heartbeat = setInterval(() => void sendHeartbeats(), (heartbeatSeconds / 4) * 1000);
  heartbeat.unref();

  /** Only one claim runs at a time; a call during a claim causes another round after it. */
  function wake(): void {
    if (stopping || kinds.size === 0) return;
    if (claiming || cursor !== null) isWoken = true;
    if (!claiming) claimIn(restUntil - performance.now());
  }

  function claimIn(ms: number): void {
    clearTimeout(timer);
    if (ms > 0) timer = setTimeout(claimNow, ms).unref();
    else claimNow();
  }

  function claimNow(): void {
    const startedAt = performance.now();
    claiming = claim().then((claimed) => {
      claiming = undefined;
      const completedAt = performance.now();
      restUntil = completedAt + Math.min(completedAt - startedAt, restMs);
      if (stopping) return;
      cursor = claimed.cursor;
      nextAt = Math.min(nextAt, completedAt + claimed.nextMs);
      if (cursor !== null) return claimIn(restUntil - completedAt);
      const pauseMs = Math.min(nextAt - completedAt, idleMs);
      nextAt = Number.POSITIVE_INFINITY;
      if (isWoken) {
        isWoken = false;
        wake();
      } else claimIn(Math.max(pauseMs, restUntil - completedAt, 1));
    });
  }

  async function claim(): Promise<Claimed> {
    const plain = findRoom((job) => job.rateLimit === undefined);
    const limited = findRoom((job) => job.rateLimit !== undefined);
    let nextMs = idleMs;
    let nextCursor: string | null = null;
    try {
      // Where there is no room, a completed run wakes us.
      if (plain.size > 0) {
        const found = await claimPlainJobs(pool, { room: plain, process });
        for (const job of found.claims) start(job);
        nextMs = Math.min(nextMs, found.nextMs ?? idleMs);
      }
      if (limited.size > 0) {
        const found = await claimLimitedJobs(pool, { room: limited, process, cursor });
        for (const job of found.claims) start(job);
        nextMs = Math.min(nextMs, found.nextMs ?? idleMs);
        nextCursor = found.cursor;
      }
    } catch (error) {
      log('Jobs could not be claimed; retrying soon.', { error: (error as Error).message });
    }
    return { nextMs, cursor: nextCursor };
  }

  function findRoom(isWanted: (job: JobDefinition) => boolean): Map<string, number> {
    const room = new Map<string, number>();
    for (const [name, { job }] of kinds) {
      const free = job.concurrency - runner.count(name);
      if (isWanted(job) && free > 0) room.set(name, free);
    }
    return room;
  }

  function start(claimed: ClaimedJob): void {
    const kind = kinds.get(claimed.name);
    // Work on its kind was stopped in the meantime.
    const run = kind ? runner.run(kind.job, kind.handler, claimed) : handBackJobs(pool, [claimed]);
    void run
      .catch((error: unknown) => {
        // The job stays claimed, and waits again when its heartbeat has expired.
        log('The result of a job could not be recorded.', {
          job: claimed.name,
          error: (error as Error).message,
        });
      })
      .finally(wake);
  }

  async function sendHeartbeats(): Promise<void> {
    try {
      await runner.sendHeartbeats();
    } catch (error) {
      log('The heartbeat of running jobs failed.', { error: (error as Error).message });
    }
  }

  async function stopWork(names: readonly string[], graceMs: number): Promise<void> {
    for (const name of names) kinds.delete(name);
    await claiming;
    await runner.finish(names, graceMs);
  }

  return {
    work(job, handler) {
      kinds.set(job.name, { job, handler });
      wake();
    },
    kinds: () => new Map([...kinds].map(([name, { job }]) => [name, job])),
    wake,
    stopWork,
    async stop(graceMs) {
      stopping = true;
      clearTimeout(timer);
      await stopWork([...kinds.keys()], graceMs);
      clearInterval(heartbeat);
    },
  };
}
