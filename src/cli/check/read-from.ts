import type { ReadBlobs } from '../../content/index.ts';
import type { WorkTree } from './work-tree.ts';

/** Files that are open at once. */
const BATCH = 64;

/** Reads a work tree's files as the content engine asks for them. `onRead` is told how many of them were read. */
export function readFrom(tree: WorkTree, onRead?: (done: number, all: number) => void): ReadBlobs {
  return async function* (entries) {
    for (let at = 0; at < entries.length; at += BATCH) {
      onRead?.(at, entries.length);
      const some = entries.slice(at, at + BATCH);
      const read = await Promise.all(some.map((entry) => tree.read(entry)));
      for (const [index, bytes] of read.entries()) {
        const entry = some[index];
        if (bytes !== null && entry !== undefined) yield { oid: entry.oid, bytes };
      }
    }
  };
}
