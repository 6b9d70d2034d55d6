import { AsyncLocalStorage } from 'node:async_hooks';
import type { JobContext } from '../../queue/index.ts';

/** The job in which a handler of an event runs. */
export interface DeliveryRun extends JobContext {
  /** The delivery behind it; absent for work without a delivery. */
  readonly delivery?: string;
}

/**
 * Only for correlation: adds the id of the delivery to log lines and platform requests made anywhere below, also by rooms
 * that know nothing of deliveries. No decision depends on it; the job itself is passed explicitly.
 */
const deliveries = new AsyncLocalStorage<string>();

export function withDeliveryId<T>(delivery: string, work: () => Promise<T>): Promise<T> {
  return deliveries.run(delivery, work);
}

/** The id of the delivery whose work this is; undefined outside such work. */
export function currentDelivery(): string | undefined {
  return deliveries.getStore();
}

/** The work of a delivery never completed: a sentence for people. */
export class ExhaustedError extends Error {
  override readonly name = 'ExhaustedError';
}

/** Throws where the work must not be started again, so that the caller reports why. */
export function refuseExhausted({ exhausted }: Pick<JobContext, 'exhausted'>): void {
  if (!exhausted) return;
  throw new ExhaustedError(
    'Docloom stopped during each attempt, or did not finish in time; its operator finds more in the log.',
  );
}
