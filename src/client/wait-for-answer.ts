import { setTimeout as pause } from 'node:timers/promises';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/**
 * Repeats a request until there is an answer: at once, then less and less often, down to once a second.
 *
 * @param patienceMs below the limit of the job that waits, so that `overdue` is reported; its next attempt continues.
 * @throws `overdue()` when there is none in time, and the signal's reason.
 */
export async function waitForAnswer<T>(
  request: () => Promise<T | null | undefined>,
  {
    patienceMs,
    overdue,
    signal,
  }: { readonly patienceMs: number; readonly overdue: () => Error; readonly signal: AbortSignal },
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let wait = FIRST_WAIT_MS; Date.now() < deadline; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    const answer = await request();
    if (answer != null) return answer;
    await pause(wait, undefined, { signal });
  }
  throw overdue();
}
