import { claimInterval, type Database } from '../store/index.ts';
import type { Logger } from './log.ts';

/** Processes that start together share the first pass; one that starts more than a second later gets its own. */
const START_REST_MS = 1_000;

/** Recurring work, for one process at a time. */
export interface ExclusiveWork {
  /** The name of the interval, the same in all processes. */
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** What a process does while another one has its turn, or had it just now. */
  readonly share?: (signal: AbortSignal) => Promise<void>;
  /** The sentence in the log when a run fails. */
  readonly failureMessage: string;
}

/**
 * Runs the work immediately and then every `everyMs`, with 10 % jitter. Of several processes on one database, one runs it
 * each time: it claims the interval in the database, and again and again while it works. The returned function stops it, and waits until it has stopped.
 */
export function startExclusiveInterval(
  { name, run, share, failureMessage }: ExclusiveWork,
  db: Database,
  log: Logger,
  everyMs: number,
): () => Promise<void> {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = pass(START_REST_MS);

  async function pass(restMs: number): Promise<void> {
    try {
      if (await claimInterval(db, name, restMs)) await hold(() => run(stopping.signal));
      else await share?.(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, failureMessage);
    }
    if (stopping.signal.aborted) return;
    timer = setTimeout(
      () => {
        running = pass(everyMs / 2);
      },
      everyMs * (0.9 + Math.random() / 5),
    );
    timer.unref();
  }

  /** Other processes begin when the claim is half an interval old, which a long run would reach. */
  async function hold(work: () => Promise<void>): Promise<void> {
    const renewal = setInterval(() => void claimInterval(db, name, 0).catch(() => {}), everyMs / 4);
    renewal.unref();
    try {
      await work();
    } finally {
      clearInterval(renewal);
    }
  }

  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}
