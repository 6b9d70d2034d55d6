/** The port of the queue room: durable jobs, kept by pg-boss in the same database as the rows they speak of. */
import type { Static, TSchema } from 'typebox';
import type { Db } from '../store/index.ts';
import type { LaneState, SharedLimits } from './shared-lanes.ts';

/**
 * A kind of job, declared once. Handlers must stand being run again: delivery is at least once.
 *
 * A job that fails is tried again after a pause; a job with a key holds back its key's later jobs meanwhile. Its
 * last failure, or a {@link PermanentFailure}, ends it: it is kept for {@link Queue.failed}, and its key goes on.
 * A run that dies with its process, or takes too long, is a try too; when those are used up, there is one last run
 * whose {@link JobContext} says `exhausted`.
 */
export interface JobDefinition<Payload extends TSchema = TSchema> {
  /** A literal that is persisted; never rename it without a migration. */
  readonly name: string;
  /** Ids and JSON scalars only. */
  readonly payload: Payload;
  /** How often it is tried again after a failure. */
  readonly retryLimit: number;
  /** Seconds before the first retry; doubles with jitter up to `retryDelayMax`. */
  readonly retryDelay: number;
  readonly retryDelayMax: number;
  /** Seconds after which a run counts as dead. */
  readonly expireInSeconds: number;
  /**
   * Jobs with the same key run one at a time, in the order they were enqueued (of two transactions, the one that
   * began first). A job with `startAfter` takes its place in the line when its time has come.
   * A kind with keys cannot become one without, or the other way round: give it another name.
   */
  readonly key?: (payload: Static<Payload>) => string;
  /** How many run at once in one process. */
  readonly concurrency: number;
  /**
   * The lane that a job runs in: it starts only when its lane's limits, which all processes share, allow it. A kind
   * with a lane cannot become one without, or the other way round.
   */
  readonly lane?: (payload: Static<Payload>) => LaneTurn;
}

/** Where a job of a kind with lanes stands in line. */
export interface LaneTurn {
  /** The way out that is limited, such as `host:api.example.com` or `github:installation/7`. */
  readonly key: string;
  /** Who waits, usually an organization's id. Those who wait for one lane take turns, however many jobs each has. */
  readonly share: string;
  /** What holds from the first job on where {@link Queue.limitLane} said nothing. */
  readonly limits: SharedLimits;
}

export interface JobContext {
  readonly id: string;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /**
   * All tries are used up and the last ones ended without a word: the process died, or the time ran out. The work is
   * not to be done again, people are to be told; whatever the handler does, the job ends as failed.
   */
  readonly exhausted: boolean;
  /** Aborted when the process stops or the job expires. */
  readonly signal: AbortSignal;
}

export type JobHandler<Payload extends TSchema> = (
  payload: Static<Payload>,
  context: JobContext,
) => Promise<void>;

export interface FailedJob {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: Date;
}

export interface JobCounts {
  readonly name: string;
  /** Not begun, or between two tries. */
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
}

/** A handler throws this to end its job at once as failed, where trying again would change nothing. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/**
 * A handler with a lane throws this when the other side asked for a pause, as by `Retry-After`. It counts as a failed
 * try, the next one comes no earlier than the moment asked for, and nothing else starts in its lane before.
 */
export class LaneBusy extends Error {
  override readonly name = 'LaneBusy';
  readonly until: Date;

  constructor(until: Date, message: string) {
    super(message);
    this.until = until;
  }
}

/**
 * A handler throws this, or an error that it caused, where the work can go on only at a later moment (at most a day
 * ahead): what the other side gives in an hour is used up, for example. It is no failed try, and holds back the later jobs
 * of its key only.
 */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  readonly until: Date;

  constructor(until: Date, message: string) {
    super(message);
    this.until = until;
  }
}

export interface EnqueueOptions {
  /** Seconds. */
  readonly startAfter?: number;
  /**
   * Higher goes first, of a lane or else of a kind, 0 where it is absent: what a person waits for goes before schedules.
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
  /** Sets the limits of a lane, for running processes too. */
  limitLane(key: string, limits: SharedLimits): Promise<void>;
  /** Starts nothing in a lane before this moment; at most a day ahead. An earlier moment than one set before is ignored. */
  pauseLane(key: string, until: Date): Promise<void>;
  /** The lanes that have jobs waiting or running, or are paused, in order of key; at most 1,000. */
  lanes(): Promise<readonly LaneState[]>;
  /** Begins to work on a kind of job. */
  work<P extends TSchema>(job: JobDefinition<P>, handler: JobHandler<P>): Promise<void>;
  /**
   * Ends the work of this process on these kinds of jobs, as {@link Queue.stop} does for all; what waits goes on waiting.
   * Another {@link Queue.work} begins it again.
   */
  rest(jobs: readonly Pick<JobDefinition, 'name'>[], options?: { readonly graceMs?: number }): Promise<void>;
  /** Takes the jobs of these kinds away that wait, in the caller's transaction; those that run end by themselves. */
  discard(db: Db, jobs: readonly Pick<JobDefinition, 'name'>[]): Promise<void>;
  /** Jobs that ended as failed, the latest first; at most `limit` (100, up to 1,000). They are kept for 90 days. */
  failed(options?: { name?: string; limit?: number }): Promise<readonly FailedJob[]>;
  /** Puts a failed job at the end of its line with all its tries. False when there is no such failed job. */
  retry(jobId: string): Promise<boolean>;
  /** Those of the keys (as the kind's `key` makes them; at most 10,000) that have a job which has not ended. */
  underWay(job: JobDefinition, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** How many jobs of each kind there are, in order of name. */
  counts(): Promise<readonly JobCounts[]>;
  /**
   * Stops taking jobs, waits up to `graceMs` (10 s) for the running ones, aborts the rest and hands them back:
   * they run again in another process or after the next start, without having lost a try.
   */
  stop(options?: { graceMs?: number }): Promise<void>;
}

export function defineJob<const P extends TSchema>(job: JobDefinition<P>): JobDefinition<P> {
  return Object.freeze(job);
}
