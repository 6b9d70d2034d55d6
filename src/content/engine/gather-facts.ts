import { readingKey } from '../facts/index.ts';
import {
  type FileFacts,
  MAX_PAGE_BYTES,
  type Oid,
  type RepoPath,
  type TreeEntry,
  tooLargeFacts,
} from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import type { FactsCache } from './facts-cache.ts';
import type { FactsStore } from './facts-store.ts';
import type { ReadBlobs } from './read-texts.ts';

/** A file whose facts are requested. */
export interface Wanted {
  readonly entry: TreeEntry;
  readonly reading: Reading;
}

/** Where facts are stored: in memory, and by the caller for later runs. */
export interface KnownFacts {
  /** Facts in memory are used in the scope in which they were read, and in no other. */
  readonly scope: string;
  readonly cache: FactsCache;
  readonly store: FactsStore | null;
  readonly readFacts: ReadFacts;
}

/** Reads the facts of a file's bytes. Never throws: whatever is wrong with the file becomes one of its `problems`. */
export type ReadFacts = (reading: Reading, bytes: Uint8Array) => Promise<FileFacts>;

/** Reads facts in the calling thread. */
export async function readFactsHere(reading: Reading, bytes: Uint8Array): Promise<FileFacts> {
  const read = await reading.load();
  return read(bytes);
}

/** The key of a blob's facts in memory. */
export function scopedFactsKey(scope: string, oid: Oid, reading: Reading): string {
  return `${scope} ${readingKey(oid, reading)}`;
}

/** Adds the facts of some files to `facts`, from memory, the store, or by reading each blob once; returns their number. */
export async function gatherFacts(
  files: readonly Wanted[],
  { scope, cache, store, readFacts }: KnownFacts,
  facts: Map<RepoPath, FileFacts | undefined>,
  read: ReadBlobs,
): Promise<number> {
  let count = 0;
  const missing = new Map<Oid, Wanted[]>();
  const add = ({ entry }: Wanted, key: string, found: FileFacts) => {
    cache.set(key, found);
    // Only the object in the cache can be retained.
    facts.set(entry.path, cache.get(key) ?? found);
    count += 1;
  };
  for (const file of files) {
    const key = scopedFactsKey(scope, file.entry.oid, file.reading);
    const known = cache.get(key) ?? store?.get(file.entry, file.reading);
    const same = missing.get(file.entry.oid);
    if (known !== undefined) add(file, key, known);
    else if ((file.entry.size ?? 0) > MAX_PAGE_BYTES) add(file, key, tooLargeFacts());
    else if (same === undefined) missing.set(file.entry.oid, [file]);
    else same.push(file);
  }
  if (missing.size === 0) return count;
  const entries = [...missing.values()].flatMap((same) => same.slice(0, 1)).map(({ entry }) => entry);
  for await (const { oid, bytes } of read(entries)) {
    for (const file of missing.get(oid) ?? []) {
      const key = scopedFactsKey(scope, oid, file.reading);
      const known = cache.get(key);
      if (known !== undefined) {
        add(file, key, known);
        continue;
      }
      add(file, key, await readFacts(file.reading, bytes));
      store?.set(file.entry, file.reading, facts.get(file.entry.path) ?? tooLargeFacts(), bytes);
    }
    missing.delete(oid);
  }
  return count;
}
