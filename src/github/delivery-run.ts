import { AsyncLocalStorage } from 'node:async_hooks';
import type { JobContext } from '../queue/queue.ts';

/** The job that the handler of an event runs in. Probot passes only the event on, so the job travels beside it. */
const runs = new AsyncLocalStorage<JobContext>();

export function runDelivery<T>(context: JobContext, work: () => Promise<T>): Promise<T> {
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
