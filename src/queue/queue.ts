/** The interface of the queue: durable jobs in the same database as the rows that they are about. */
import type { Static, TSchema } from 'typebox';
import type { Db, FailedJob, JobCounts, RateLimitState, SharedLimits } from '../store/index.ts';
import type { JobDefinition, JobHandler } from './job.ts';

export * from './job.ts';

export interface EnqueueOptions {
  /** Seconds. */
  readonly startAfter?: number;
  /**
   * Higher goes first within a rate-limit group or else a kind; 0 by default. What a person waits for goes before schedules.
   * Jobs of one key keep their order.
   */
  readonly priority?: number;
  /**
   * For kinds with a key: adds nothing when a job of the same key is already waiting, which will read the same state. If that
   * was to start later than this one, it starts when this one would have.
   */
  readonly unlessWaiting?: boolean;
  /** With `unlessWaiting`: also brings forward a job that waits for its next attempt. For what a person requests. */
  readonly retriesNow?: boolean;
}

/** When a recurring job runs. */
export interface Schedule {
  /** Unique within a kind of job; 1 to 200 characters of `A-Z a-z 0-9 _ - . /`. */
  readonly key: string;
  /** Five fields (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/crontab.html). */
  readonly cron: string;
  /** An IANA name such as `Europe/Berlin`; UTC by default. */
  readonly timeZone?: string;
  /** Each key is delayed by its own share of these seconds, so that schedules with the same time do not run at once. */
  readonly spreadSeconds?: number;
}

export interface Queue {
  /** Makes a job durable in the caller's transaction. */
  enqueue<P extends TSchema>(
    db: Db,
    job: JobDefinition<P>,
    payload: Static<P>,
    options?: EnqueueOptions,
  ): Promise<void>;
  /**
   * Enqueues a job at each time of the schedule, within a minute. Times that passed while no process ran are made up for
   * once. Another call with the same kind and key replaces it.
   *
   * @throws Error with one sentence about what is wrong with the expression or the time zone.
   */
  schedule<P extends TSchema>(job: JobDefinition<P>, schedule: Schedule, payload: Static<P>): Promise<void>;
  unschedule(job: JobDefinition, key: string): Promise<void>;
  /** The schedules of a kind, or only that of a key, in order of key, with the next time of each. */
  schedules(job: JobDefinition, key?: string): Promise<readonly (Schedule & { readonly next: Date })[]>;
  /** Sets the limits of a rate-limit group, for running processes too. */
  setRateLimit(key: string, limits: SharedLimits): Promise<void>;
  /** Starts nothing of a rate-limit group before this moment; at most a day ahead. It never shortens a pause. */
  pauseRateLimit(key: string, until: Date): Promise<void>;
  /** The rate-limit groups that have waiting or running jobs, or are paused, in order of key; at most 1,000. */
  rateLimits(): Promise<readonly RateLimitState[]>;
  /** Starts working on a kind of job. */
  work<P extends TSchema>(job: JobDefinition<P>, handler: JobHandler<P>): Promise<void>;
  /**
   * Stops the work of this process on these kinds of jobs, as {@link Queue.stop} does for all; waiting jobs remain. Another
   * {@link Queue.work} starts it again.
   */
  stopWork(
    jobs: readonly Pick<JobDefinition, 'name'>[],
    options?: { readonly graceMs?: number },
  ): Promise<void>;
  /** Deletes the waiting jobs of these kinds in the caller's transaction; running ones complete. */
  discard(db: Db, jobs: readonly Pick<JobDefinition, 'name'>[]): Promise<void>;
  /** Failed jobs, the latest first; at most `limit` (100, up to 1,000). They are stored for 90 days. */
  failed(options?: { name?: string; limit?: number }): Promise<readonly FailedJob[]>;
  /** Enqueues a failed job again with all its attempts. False when there is no such failed job. */
  retry(jobId: string): Promise<boolean>;
  /** Those of the keys (as the kind's `key` returns them; at most 10,000) that have a waiting or running job. */
  findUnfinished(job: JobDefinition, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** How many jobs of each kind there are, in order of name. */
  counts(): Promise<readonly JobCounts[]>;
  /**
   * Stops claiming jobs, waits up to `graceMs` (10 s) for the running ones, aborts the rest and hands them back:
   * they run again in another process or after the next start, without having lost an attempt.
   */
  stop(options?: { graceMs?: number }): Promise<void>;
}
