import { timeoutError } from './remote-errors.ts';
import type { GitRemote } from './repository.ts';

/**
 * Runs a call with a signal that fires when the caller's signal does or when the time is up.
 *
 * @throws GitError `timeout` when the time is up, the caller's own reason when it aborts
 */
export async function withDeadline<T>(
  remote: GitRemote,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const both = signal ? AbortSignal.any([signal, deadline]) : deadline;
  try {
    both.throwIfAborted();
    return await run(both);
  } catch (error) {
    signal?.throwIfAborted();
    throw deadline.aborted ? timeoutError(remote, timeoutMs) : error;
  }
}
