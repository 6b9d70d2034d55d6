import {
  type BlobStore,
  type Database,
  deleteUnusedExternalLinks,
  purgeSpaces,
  refreshKnownWords,
  removeLargePayloads,
  removeOldRows,
  removeOldVersions,
  sweepBytes,
} from '../store/index.ts';
import type { Logger } from './log.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes old rows and unused files, immediately and then every day. It has no state: a process that dies in between starts
 * over at its next start. The returned function stops it, and waits until it has stopped.
 */
export function startCleanup(
  db: Database,
  blobs: BlobStore,
  log: Logger,
  retention: { readonly auditDays: number },
): () => Promise<void> {
  const stopping = new AbortController();
  let running = clean();
  const timer = setInterval(() => {
    running = running.then(clean);
  }, DAY_MS);
  timer.unref();

  async function clean(): Promise<void> {
    try {
      const removed = {
        ...(await removeOldRows(db, stopping.signal, retention)),
        payloads: await removeLargePayloads(db, stopping.signal),
        revisions: await removeOldVersions(db, stopping.signal),
        spaces: await purgeSpaces(db, stopping.signal),
        outsideAddresses: await deleteUnusedExternalLinks(db, stopping.signal),
        ...(await sweepBytes(db, blobs, stopping.signal)),
        knownWords: await refreshKnownWords(db, stopping.signal),
      };
      if (Object.values(removed).some((count) => count > 0)) log.info(removed, 'Old rows were removed.');
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn({ err: error }, 'Old rows could not be removed; it will be tried again tomorrow.');
    }
  }

  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
