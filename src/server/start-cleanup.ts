import {
  type BlobStore,
  type Database,
  deleteUnusedExternalLinks,
  purgeSpaces,
  removeOldRows,
  removeOldVersions,
  sweepBytes,
} from '../store/index.ts';
import type { Logger } from './log.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what ended long ago, at once and every day. There is nothing to remember about it: a process that dies
 * meanwhile begins anew at its next start. The answer stops it, and waits until it has.
 */
export function startCleanup(db: Database, blobs: BlobStore, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  let running = clean();
  const timer = setInterval(() => {
    running = running.then(clean);
  }, DAY_MS);
  timer.unref();

  async function clean(): Promise<void> {
    try {
      const removed = {
        ...(await removeOldRows(db, stopping.signal)),
        revisions: await removeOldVersions(db, stopping.signal),
        spaces: await purgeSpaces(db, stopping.signal),
        outsideAddresses: await deleteUnusedExternalLinks(db, stopping.signal),
        ...(await sweepBytes(db, blobs, stopping.signal)),
      };
      if (Object.values(removed).some((count) => count > 0)) log.info(removed, 'Old rows were removed.');
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn({ err: error }, 'Old rows could not be removed; tried again tomorrow.');
    }
  }

  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
