/** The port of the queue room: durable jobs, kept by pg-boss in the same database as the rows they speak of. */
import type { Static, TSchema } from 'typebox';
import type { Db } from '../store/db.ts';

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

export interface Queue {
  /** Makes a job durable in the caller's transaction. `startAfter` in seconds. */
  enqueue<P extends TSchema>(
    db: Db,
    job: JobDefinition<P>,
    payload: Static<P>,
    options?: { startAfter?: number },
  ): Promise<void>;
  /** Begins to work on a kind of job. */
  work<P extends TSchema>(job: JobDefinition<P>, handler: JobHandler<P>): Promise<void>;
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
