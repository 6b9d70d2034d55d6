import { Postponed } from './queue.ts';

/** The wish to go on later that an error is, or was caused by: handlers wrap what they meet in what they say of it. */
export function findPostponed(error: unknown): Postponed | null {
  if (error instanceof Postponed) return error;
  if (error instanceof AggregateError) return findPostponed(error.errors[0]);
  return error instanceof Error && error.cause !== undefined ? findPostponed(error.cause) : null;
}
