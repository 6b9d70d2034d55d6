import { recheckDomains } from '../platform/index.ts';
import type { Logger } from './log.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Looks every hour, and at once, for the records of the proved e-mail domains whose turn it is. The returned function stops
 * it, and waits until it has stopped.
 */
export function startDomainChecks(
  deps: Parameters<typeof recheckDomains>[0],
  log: Pick<Logger, 'warn'>,
): () => Promise<void> {
  const stopping = new AbortController();
  let running = check();
  const timer = setInterval(() => {
    running = running.then(check);
  }, HOUR_MS);
  timer.unref();

  async function check(): Promise<void> {
    try {
      await recheckDomains(deps, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn({ err: error }, 'E-mail domains could not be checked; it will be tried again in an hour.');
    }
  }

  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
