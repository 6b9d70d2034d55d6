/** The port of the queue room: durable jobs, kept by pg-boss in the same database as the rows they speak of. */
import type { Static, TSchema } from 'typebox';
import type { Db } from '../store/db.ts';

/** A kind of job, declared once. Handlers must stand being run again: delivery is at least once. */
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
  /** Jobs with the same key run one at a time, in the order they were enqueued. */
  readonly key?: (payload: Static<Payload>) => string;
  /** How many run at once in one process. */
  readonly concurrency: number;
}

export interface JobContext {
  readonly id: string;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly lastAttempt: boolean;
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
  /** Throw this to end a job at once as failed, without retries. Jobs that used up their retries are listed too. */
  failed(options?: { name?: string; limit?: number }): Promise<readonly FailedJob[]>;
  retry(jobId: string): Promise<boolean>;
  /** Stops taking jobs, waits up to `graceMs` for the running ones, and hands the rest back. */
  stop(options?: { graceMs?: number }): Promise<void>;
}

export function defineJob<const P extends TSchema>(job: JobDefinition<P>): JobDefinition<P> {
  return Object.freeze(job);
}
