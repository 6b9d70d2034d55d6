/** Declarations of kinds of jobs, and what their handlers receive and may throw. */
import type { Static, TSchema } from 'typebox';
import type { SharedLimits } from '../store/index.ts';

/**
 * A kind of job, declared once. Handlers must tolerate being run again: delivery is at least once.
 *
 * A failed job is retried after a delay; until then, a job with a key delays the later jobs of its key. Its last failure, or a
 * {@link PermanentFailure}, is final: the job is stored for {@link Queue.failed}, and the next job of its key runs.
 * A run that dies with its process, or takes too long, is an attempt, too; when all are used up, there is one last run
 * whose {@link JobContext} has `exhausted` set.
 */
export interface JobDefinition<Payload extends TSchema = TSchema> {
  /** A literal that is stored in the database; never rename it without a migration. */
  readonly name: string;
  /** Ids and JSON scalars only. */
  readonly payload: Payload;
  /** How often it is retried after a failure. */
  readonly retryLimit: number;
  /** Seconds before the first retry; doubles with jitter up to `retryDelayMax`. */
  readonly retryDelay: number;
  readonly retryDelayMax: number;
  /** Seconds after which a run counts as dead. */
  readonly expireInSeconds: number;
  /**
   * Jobs with the same key run one at a time, in the order they were enqueued (of two transactions, the one that
   * began first). A job with `startAfter` joins the order when its time has come.
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

/** The group of jobs with which a job shares limits, and its share of them. */
export interface RateLimitGroup {
  /** What is limited, such as `host:api.example.com` or `github:installation/7`. */
  readonly key: string;
  /** On whose behalf the job waits, usually an organization's id. The shares of a group take turns, however many jobs each has. */
  readonly share: string;
  /** The limits that apply unless `Queue.setRateLimit` set others. */
  readonly limits: SharedLimits;
}

export interface JobContext {
  readonly id: string;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /**
   * Whether all attempts are used up and the last ones did not report a result: the process died, or the time ran out. The
   * handler must not do the work again, but report the failure to people; the job fails in any case.
   */
  readonly exhausted: boolean;
  /** Aborted when the process stops or the job expires. */
  readonly signal: AbortSignal;
}

export type JobHandler<Payload extends TSchema> = (
  payload: Static<Payload>,
  context: JobContext,
) => Promise<void>;

/** A handler throws this to fail its job at once, when a retry would change nothing. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/**
 * The handler of a rate-limited job throws this when the remote side requested a pause, as by `Retry-After`. It counts as
 * a failed attempt, the next one comes no earlier than the requested moment, and nothing else of its group starts before.
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
 * A handler throws this, or an error that it caused, when the work can continue only at a later moment (at most a day
 * ahead), for example because an hourly limit is used up. It does not count as a failed attempt, and delays only the later
 * jobs of its key.
 */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  readonly until: Date;

  constructor(until: Date, message: string) {
    super(message);
    this.until = until;
  }
}

/** The {@link Postponed} that an error is, or was caused by: handlers wrap errors in their own messages. */
export function findPostponed(error: unknown): Postponed | null {
  if (error instanceof Postponed) return error;
  if (error instanceof AggregateError) return findPostponed(error.errors[0]);
  return error instanceof Error && error.cause !== undefined ? findPostponed(error.cause) : null;
}

export function defineJob<const P extends TSchema>(job: JobDefinition<P>): JobDefinition<P> {
  return Object.freeze(job);
}
