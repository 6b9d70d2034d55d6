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
import { startExclusiveInterval } from './start-exclusive-interval.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes old rows and unused files, immediately and then every day, in one process at a time. It has no state: a process
 * that dies in between starts over at its next start. The returned function stops it, and waits until it has stopped.
 */
export function startCleanup(
  db: Database,
  blobs: BlobStore,
  log: Logger,
  retention: { readonly auditDays: number; readonly conversationDays: number },
): () => Promise<void> {
  const cleaning = {
    name: 'clean-up',
    async run(signal: AbortSignal): Promise<void> {
      const removed = {
        ...(await removeOldRows(db, signal, retention)),
        payloads: await removeLargePayloads(db, signal),
        revisions: await removeOldVersions(db, signal),
        spaces: await purgeSpaces(db, signal),
        outsideAddresses: await deleteUnusedExternalLinks(db, signal),
        ...(await sweepBytes(db, blobs, signal)),
        knownWords: await refreshKnownWords(db, signal),
      };
      if (Object.values(removed).some((count) => count > 0)) log.info(removed, 'Old rows were removed.');
    },
    failureMessage: 'Old rows could not be removed; it will be tried again tomorrow.',
  };
  return startExclusiveInterval(cleaning, db, log, DAY_MS);
}
