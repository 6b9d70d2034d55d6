import type pg from 'pg';
import type { JobWithMetadata } from 'pg-boss';
import type { TSchema } from 'typebox';
import { checkPayload } from './check-payload.ts';
import { findPostponed } from './find-postponed.ts';
import { type Claim, endClaim, exhausted, handBack, putOff } from './job-table.ts';
import { type JobDefinition, type JobHandler, LaneBusy, PermanentFailure } from './queue.ts';

/** An error's text is kept with the job and shown; nobody reads more. */
const messageLength = 4_000;

/** The jobs that this process has claimed and runs now. */
export interface Claims {
  /** Runs one claimed job to its end. Throws when pg-boss shall count the try and plan the next. */
  run<P extends TSchema>(
    job: JobDefinition<P>,
    handler: JobHandler<P>,
    claimed: JobWithMetadata,
  ): Promise<void>;
  /**
   * Waits until no worker of these kinds runs, at most `graceMs`; then gives back what still runs, aborts it and waits
   * again. After that the kinds may be worked on anew.
   */
  finish(kinds: readonly string[], drained: Promise<unknown>, graceMs: number): Promise<void>;
}

export function openClaims(pool: pg.Pool): Claims {
  const running = new Map<string, Claim & { readonly kind: string }>();
  const stops = new Map<string, AbortController>();

  function stopOf(kind: string): AbortController {
    const stop = stops.get(kind) ?? new AbortController();
    stops.set(kind, stop);
    return stop;
  }

  async function run<P extends TSchema>(
    job: JobDefinition<P>,
    handler: JobHandler<P>,
    claimed: JobWithMetadata,
  ): Promise<void> {
    const { signal: stopped } = stopOf(job.name);
    if (stopped.aborted) {
      await handBack(pool, [claimed]); // claimed in the moment in which we stopped
      throw stopped.reason;
    }
    const lastAttempt = claimed.retryCount >= claimed.retryLimit;
    const context = {
      id: claimed.id,
      attempt: claimed.retryCount + 1,
      lastAttempt,
      exhausted: claimed.retryCount > claimed.retryLimit,
      signal: AbortSignal.any([claimed.signal, stopped]),
    };
    running.set(claimed.id, { id: claimed.id, retryCount: claimed.retryCount, kind: job.name });
    try {
      await untilStopped(runHandler(job, handler, claimed.data, context), stopped);
      if (context.exhausted) await endClaim(pool, claimed, exhausted);
    } catch (error) {
      if (stopped.aborted) throw error; // given back: the claim is no longer ours, nothing is written
      const message = describe(error);
      const postponed = findPostponed(error);
      if (postponed !== null && !context.exhausted) {
        return await putOff(pool, claimed, { until: postponed.until, message });
      }
      // One that took too long counts as silent also at its last try: then it gets its closing run.
      const tooLong = claimed.signal.aborted && !context.exhausted;
      if ((tooLong || !lastAttempt) && !(error instanceof PermanentFailure)) {
        throw error instanceof LaneBusy ? error : new Error(message);
      }
      await endClaim(pool, claimed, message);
    } finally {
      running.delete(claimed.id);
    }
  }

  async function finish(kinds: readonly string[], drained: Promise<unknown>, graceMs: number): Promise<void> {
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, graceMs);
    await Promise.race([drained, grace.promise]);
    clearTimeout(timer);
    const rest = [...running.values()].filter(({ kind }) => kinds.includes(kind));
    // Given back before they are aborted, so that what they throw then is no failure of theirs.
    if (rest.length > 0) await handBack(pool, rest);
    for (const kind of kinds) stopOf(kind).abort(new Error('The work on these jobs stops here.'));
    await drained;
    for (const kind of kinds) stops.delete(kind);
  }

  return { run, finish };
}

async function runHandler<P extends TSchema>(
  job: JobDefinition<P>,
  handler: JobHandler<P>,
  data: unknown,
  context: Parameters<JobHandler<P>>[1],
): Promise<void> {
  let payload: Parameters<JobHandler<P>>[0];
  try {
    payload = checkPayload(job, data);
  } catch (error) {
    throw new PermanentFailure((error as Error).message); // it will not get better
  }
  await handler(payload, context);
}

/** A handler that ignores its signal must not keep the process from stopping. */
async function untilStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.slice(0, messageLength);
}
