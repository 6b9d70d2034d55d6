import { mayOverflow, mayTakeLong, type ReadFacts, readFactsHere } from '../../content/index.ts';
import type { ContentThreads } from '../../threads/index.ts';

/** Longer pages are read elsewhere, within limits of time and memory; the longest public page that was seen has 620 KB. */
const MAX_BYTES_HERE = 1_000_000;

/** One child process is enough for the few pages: a second would take longer to start than to read them. */
const MAX_READERS = 1;

let threads: Promise<ContentThreads> | null = null;

/**
 * Reads facts in this process, except those of pages that could end it or take it long: these are read in a child process,
 * which most checks do not start.
 */
export const readFactsSafely: ReadFacts = async (reading, bytes) => {
  const isSafe =
    bytes.length <= MAX_BYTES_HERE && !mayOverflow(reading, bytes) && !mayTakeLong(reading, bytes);
  if (isSafe) return await readFactsHere(reading, bytes);
  threads ??= import('../../threads/index.ts').then(({ createContentThreads }) =>
    createContentThreads(undefined, MAX_READERS, 'none'),
  );
  return await (await threads).readFacts(reading, bytes);
};
