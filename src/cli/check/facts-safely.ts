import { mayOverflow, mayTakeLong, type ReadFacts, readFactsHere } from '../../content/index.ts';

/** Longer pages are read elsewhere, within limits of time and memory; the longest public page that was seen has 620 KB. */
const MAX_BYTES_HERE = 1_000_000;

/**
 * Reads facts in this process, except those of pages that could end it or take it long: these are read in a child process,
 * which most checks do not start.
 */
export const readFactsSafely: ReadFacts = async (reading, bytes) => {
  const isSafe =
    bytes.length <= MAX_BYTES_HERE && !mayOverflow(reading, bytes) && !mayTakeLong(reading, bytes);
  if (isSafe) return await readFactsHere(reading, bytes);
  const { contentThreads } = await import('../../threads/index.ts');
  return await contentThreads.readFacts(reading, bytes);
};
