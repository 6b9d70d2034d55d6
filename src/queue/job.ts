/** What a kind of job declares, and what its handler is called with and may throw. */
import type { Static, TSchema } from 'typebox';
import type { SharedLimits } from '../store/index.ts';

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
   * The rate-limit group of a job: it starts only when the group's limits, which all processes share, allow it. A kind
   * with a group cannot become one without, or the other way round.
   */
  readonly rateLimit?: (payload: Static<Payload>) => RateLimitGroup;
}

/** Jobs that share limits, and whose turn it is among them. */
export interface RateLimitGroup {
  /** The way out that is limited, such as `host:api.example.com` or `github:installation/7`. */
  readonly key: string;
  /** Who waits, usually an organization's id. Those who wait for one group take turns, however many jobs each has. */
  readonly share: string;
  /** What holds from the first job on where `Queue.setRateLimit` set nothing. */
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

/** A handler throws this to end its job at once as failed, where trying again would change nothing. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/**
 * The handler of a rate-limited job throws this when the remote side asked for a pause, as by `Retry-After`. It counts as
 * a failed try, the next one comes no earlier than the requested moment, and nothing else of its group starts before.
 */
export class PauseRequested extends Error {
  override readonly name = 'PauseRequested';
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

/** The {@link Postponed} that an error is, or was caused by: handlers wrap errors in messages of their own. */
export function findPostponed(error: unknown): Postponed | null {
  if (error instanceof Postponed) return error;
  if (error instanceof AggregateError) return findPostponed(error.errors[0]);
  return error instanceof Error && error.cause !== undefined ? findPostponed(error.cause) : null;
}

export function defineJob<const P extends TSchema>(job: JobDefinition<P>): JobDefinition<P> {
  return Object.freeze(job);
}
