/** The port of the queue room: durable jobs in the same database as the rows that they are about. */
import type { Static, TSchema } from 'typebox';
import type { Db, FailedJob, JobCounts, RateLimitState, SharedLimits } from '../store/index.ts';
import type { JobDefinition, JobHandler } from './job.ts';

export * from './job.ts';

export interface EnqueueOptions {
  /** Seconds. */
  readonly startAfter?: number;
  /**
   * Higher goes first, of a rate-limit group or else of a kind, 0 where it is absent: what a person waits for goes before schedules.
   * Jobs of one key keep their order.
   */
  readonly priority?: number;
  /** Kinds with a key: adds nothing when a job of the same key waits already, which will see what this one would. */
  readonly unlessWaiting?: boolean;
}

/** Work that comes again and again. */
export interface Schedule {
  /** One of each key for a kind of job; 1 to 200 characters of `A-Z a-z 0-9 _ - . /`. */
  readonly key: string;
  /** Five fields (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/crontab.html). */
  readonly cron: string;
  /** An IANA name such as `Europe/Berlin`; UTC where it is absent. */
  readonly timeZone?: string;
  /** Each key waits its own part of these seconds, so that what all have for midnight does not come at once. */
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
   * Enqueues a job at each time of the schedule, within a minute. What came due while no process ran is made up for
   * once. The same kind and key again replaces it.
   *
   * @throws one sentence that says what is wrong with the expression or the time zone.
   */
  schedule<P extends TSchema>(job: JobDefinition<P>, schedule: Schedule, payload: Static<P>): Promise<void>;
  unschedule(job: JobDefinition, key: string): Promise<void>;
  /** The schedules of a kind, or the one of a key, in order of key, with the next time of each. */
  schedules(job: JobDefinition, key?: string): Promise<readonly (Schedule & { readonly next: Date })[]>;
  /** Sets the limits of a rate-limit group, for running processes too. */
  setRateLimit(key: string, limits: SharedLimits): Promise<void>;
  /** Starts nothing of a rate-limit group before this moment; at most a day ahead. An earlier moment than one set before is ignored. */
  pauseRateLimit(key: string, until: Date): Promise<void>;
  /** The rate-limit groups that have jobs waiting or running, or are paused, in order of key; at most 1,000. */
  rateLimits(): Promise<readonly RateLimitState[]>;
  /** Begins to work on a kind of job. */
  work<P extends TSchema>(job: JobDefinition<P>, handler: JobHandler<P>): Promise<void>;
  /**
   * Ends the work of this process on these kinds of jobs, as {@link Queue.stop} does for all; what waits goes on waiting.
   * Another {@link Queue.work} begins it again.
   */
  stopWork(
    jobs: readonly Pick<JobDefinition, 'name'>[],
    options?: { readonly graceMs?: number },
  ): Promise<void>;
  /** Takes the jobs of these kinds away that wait, in the caller's transaction; those that run end by themselves. */
  discard(db: Db, jobs: readonly Pick<JobDefinition, 'name'>[]): Promise<void>;
  /** Jobs that ended as failed, the latest first; at most `limit` (100, up to 1,000). They are kept for 90 days. */
  failed(options?: { name?: string; limit?: number }): Promise<readonly FailedJob[]>;
  /** Puts a failed job at the end of its line with all its tries. False when there is no such failed job. */
  retry(jobId: string): Promise<boolean>;
  /** Those of the keys (as the kind's `key` makes them; at most 10,000) that have a job which has not ended. */
  findUnfinished(job: JobDefinition, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** How many jobs of each kind there are, in order of name. */
  counts(): Promise<readonly JobCounts[]>;
  /**
   * Stops taking jobs, waits up to `graceMs` (10 s) for the running ones, aborts the rest and hands them back:
   * they run again in another process or after the next start, without having lost a try.
   */
  stop(options?: { graceMs?: number }): Promise<void>;
}
