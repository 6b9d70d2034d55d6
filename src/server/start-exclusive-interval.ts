import { claimInterval, type Database } from '../store/index.ts';
import type { Logger } from './log.ts';

/** Processes that start together share one first pass; a process that starts again soon after gets its own. */
const START_REST_MS = 1_000;

/** Work that comes again and again, for one process at a time. */
export interface ExclusiveWork {
  /** The turn's name, the same in all processes. */
  readonly name: string;
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** What the log says when it failed, in a sentence. */
  readonly trouble: string;
}

/**
 * Does the work at once and every `everyMs` with a tenth of jitter. Several processes on one database take turns. The
 * answer stops it, and waits until it has.
 */
export function startExclusiveInterval(
  { name, run, trouble }: ExclusiveWork,
  db: Database,
  log: Logger,
  everyMs: number,
): () => Promise<void> {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = pass(START_REST_MS);

  async function pass(restMs: number): Promise<void> {
    try {
      if (await claimInterval(db, name, restMs)) await run(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, trouble);
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

  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}
