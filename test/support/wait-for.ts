import { setTimeout as pause } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

/** Between two looks, in ms. A look takes time from the work that is waited for, so the pauses grow. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Waits until `read` answers something, and answers that.
 *
 * @param told What is known when it never does, for the message.
 */
export async function waitFor<T>(
  read: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  told: () => string = () => read.toString(),
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
    const value = await read();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`This never came true: ${told()}`);
    await pause(ms);
  }
}
