import type pg from 'pg';
import {
  type ClaimedJob,
  completeJob,
  exhausted,
  failJob,
  handBackJobs,
  pauseRateLimit,
  postponeJob,
  retryJob,
  sendHeartbeats,
} from '../store/index.ts';
import { checkPayload } from './check-payload.ts';
import {
  findPostponed,
  type JobContext,
  type JobDefinition,
  type JobHandler,
  PauseRequested,
  PermanentFailure,
} from './job.ts';

/** How many characters of an error are stored with the job and shown. */
const messageLength = 4_000;

/** Runs the jobs that this process has claimed. */
export interface JobRunner {
  /** How many jobs of a kind run. */
  count(name: string): number;
  /**
   * Runs a claimed job and records the result; an earlier run of it here, which this process lost, is aborted before. Rejects
   * when the result cannot be recorded.
   */
  run(job: JobDefinition, handler: JobHandler<never>, claimed: ClaimedJob): Promise<void>;
  /**
   * Waits until no job of these kinds is running, at most `graceMs`; then aborts the rest, hands it back and waits again.
   * After that, work on the kinds may start again.
   */
  finish(names: readonly string[], graceMs: number): Promise<void>;
  /**
   * Shows other processes that the jobs are still running, and aborts those that another process has taken over, since this
   * one was silent for too long.
   */
  sendHeartbeats(): Promise<void>;
}

interface Run {
  readonly claimed: ClaimedJob;
  readonly lost: AbortController;
  readonly completed: Promise<void>;
}

export function openRunner(pool: pg.Pool): JobRunner {
  const runs = new Set<Run>();
  const stops = new Map<string, AbortController>();

  function stopOf(name: string): AbortController {
    const stop = stops.get(name) ?? new AbortController();
    stops.set(name, stop);
    return stop;
  }

  const runsOf = (names: readonly string[]) =>
    [...runs].filter(({ claimed }) => names.includes(claimed.name));

  async function run(
    job: JobDefinition,
    handler: JobHandler<never>,
    claimed: ClaimedJob,
    lost: AbortSignal,
  ): Promise<void> {
    const stopped = AbortSignal.any([stopOf(job.name).signal, lost]);
    const expired = AbortSignal.timeout(claimed.expireSeconds * 1000);
    const context: JobContext = {
      id: claimed.id,
      attempt: claimed.attempt,
      lastAttempt: claimed.attempt >= claimed.attemptLimit,
      exhausted: claimed.attempt > claimed.attemptLimit,
      signal: AbortSignal.any([expired, stopped]),
    };
    try {
      await rejectOnAbort(callHandler(job, handler, claimed.payload, context), context.signal);
    } catch (error) {
      // Handed back, or taken over: what it throws after that is not its failure.
      if (stopped.aborted) return;
      const message =
        error === expired.reason ? `It took longer than ${claimed.expireSeconds} s.` : describe(error);
      await recordFailure(claimed, context, { error, message, tookTooLong: expired.aborted });
      return;
    }
    if (context.exhausted) await failJob(pool, claimed, exhausted);
    else await completeJob(pool, claimed);
  }

  async function recordFailure(
    claimed: ClaimedJob,
    { lastAttempt, exhausted }: JobContext,
    {
      error,
      message,
      tookTooLong,
    }: { readonly error: unknown; readonly message: string; readonly tookTooLong: boolean },
  ): Promise<void> {
    const postponed = findPostponed(error);
    if (postponed !== null && !exhausted) {
      return await postponeJob(pool, claimed, { error: message, until: postponed.until });
    }
    // A run that took too long did not report a result; after the last attempt there is a closing run that does.
    const isLast = lastAttempt && !(tookTooLong && !exhausted);
    if (isLast || error instanceof PermanentFailure) return await failJob(pool, claimed, message);
    const until = error instanceof PauseRequested ? error.until : null;
    if (until !== null && claimed.rateLimit !== null) await pauseRateLimit(pool, claimed.rateLimit, until);
    await retryJob(pool, claimed, { error: message, at: until });
  }

  return {
    count: (name) => runsOf([name]).length,
    async run(job, handler, claimed) {
      for (const earlier of runs)
        if (earlier.claimed.id === claimed.id)
          earlier.lost.abort(new Error('This process was silent for too long, and begins this job again.'));
      const lost = new AbortController();
      const completed = run(job, handler, claimed, lost.signal);
      const entry = { claimed, lost, completed };
      runs.add(entry);
      try {
        await completed;
      } finally {
        runs.delete(entry);
      }
    },
    async finish(names, graceMs) {
      const drained = Promise.allSettled(runsOf(names).map(({ completed }) => completed));
      const grace = Promise.withResolvers<void>();
      const timer = setTimeout(grace.resolve, graceMs);
      await Promise.race([drained, grace.promise]);
      clearTimeout(timer);
      const unfinished = runsOf(names).map(({ claimed }) => claimed);
      // First, so that nothing of it is left when another process begins with it.
      for (const name of names) stopOf(name).abort(new Error('The process no longer works on these jobs.'));
      if (unfinished.length > 0) await handBackJobs(pool, unfinished);
      await drained;
      for (const name of names) stops.delete(name);
    },
    async sendHeartbeats() {
      const asked = [...runs];
      if (asked.length === 0) return;
      const own = await sendHeartbeats(
        pool,
        asked.map(({ claimed }) => claimed),
      );
      for (const { claimed, lost } of asked)
        if (!own.has(claimed.id)) lost.abort(new Error('Another process has taken over this job.'));
    },
  };
}

async function callHandler(
  job: JobDefinition,
  handler: JobHandler<never>,
  stored: unknown,
  context: JobContext,
): Promise<void> {
  let payload: unknown;
  try {
    payload = checkPayload(job, stored);
  } catch (error) {
    throw new PermanentFailure((error as Error).message); // a retry would change nothing
  }
  await handler(payload as never, context);
}

/** A handler that ignores its signal must delay neither the stop of the process nor the next job of its key. */
async function rejectOnAbort(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.slice(0, messageLength);
}
