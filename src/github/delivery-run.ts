import { AsyncLocalStorage } from 'node:async_hooks';
import type { JobContext } from '../queue/index.ts';

/** The job that the handler of an event runs in. Probot passes only the event on, so the job travels beside it. */
const runs = new AsyncLocalStorage<JobContext & { readonly delivery?: string }>();

/** `delivery` is absent for work that no delivery asked for. */
export function runDelivery<T>(context: JobContext, work: () => Promise<T>, delivery?: string): Promise<T> {
  return runs.run(delivery === undefined ? context : { ...context, delivery }, work);
}

/** The id of the delivery whose work this is, so that every line of the log and every call can carry it. */
export function currentDelivery(): string | undefined {
  return runs.getStore()?.delivery;
}

/** So long a person waits in their browser for what GitHub says. */
export const PERSON_WAITS_MS = 15_000;

/** Runs work that is no job's, such as a pass of the reconciler, so that its calls end with the signal. */
export function runUntil<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const context = { id: '', attempt: 1, lastAttempt: false, exhausted: false, signal };
  return runs.run(context, work);
}

/** The running job; throws outside one, since handlers are only ever run by jobs. */
export function currentRun(): JobContext {
  const run = runs.getStore();
  if (run === undefined) throw new Error('A handler of GitHub events was called outside its job.');
  return run;
}

/** The running job's signal, where there is a job. */
export function currentSignal(): AbortSignal | undefined {
  return runs.getStore()?.signal;
}

/** The work of a delivery never came to an end: a sentence for people. */
export class ExhaustedError extends Error {
  override readonly name = 'ExhaustedError';
}

/** Throws where the work must not be begun again, so that what is left of the run tells people. */
export function refuseExhausted({ exhausted }: Pick<JobContext, 'exhausted'>): void {
  if (!exhausted) return;
  throw new ExhaustedError(
    'Docloom ended each time while it worked on this, or did not get done in time; its operator finds more in the log.',
  );
}
