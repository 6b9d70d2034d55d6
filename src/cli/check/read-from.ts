import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadBlobs } from '../../content/index.ts';
import type { WorkTree } from './work-tree.ts';

/** Files that are read before the event loop runs other work. */
const BATCH = 64;

/** Reads a work tree's files as the content engine requests them. `onRead` is called with the number of files read. */
export function readFrom(tree: WorkTree, onRead?: (done: number, all: number) => void): ReadBlobs {
  return async function* (entries) {
    for (const [at, entry] of entries.entries()) {
      if (at % BATCH === 0) {
        onRead?.(at, entries.length);
        await nextTurn();
      }
      const bytes = await tree.read(entry);
      if (bytes !== null) yield { oid: entry.oid, bytes };
    }
  };
}
