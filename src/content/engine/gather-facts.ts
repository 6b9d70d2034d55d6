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
import type { ReadBlobs, ReadValues } from './read-texts.ts';

/** Files that are read at the same time: while child processes read some, others are fetched and read here. */
const READS_AT_ONCE = 64;

/** What they may have together before the next one is fetched, in bytes. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** A file whose facts are requested. */
export interface Wanted {
  readonly entry: TreeEntry;
  readonly reading: Reading;
}

/** Where facts are stored: in memory, and by the caller for later runs. */
export interface KnownFacts {
  /** Facts in memory are used in the scopes that received the bytes, and in no other. */
  readonly scope: string;
  readonly cache: FactsCache;
  readonly store: FactsStore | null;
  readonly readFacts: ReadFacts;
  readonly readValues?: ReadValues | undefined;
}

/** Reads the facts of a file's bytes. Never throws: whatever is wrong with the file becomes one of its `problems`. */
export type ReadFacts = (reading: Reading, bytes: Uint8Array) => Promise<FileFacts>;

/** Reads facts in the calling thread. */
export async function readFactsHere(reading: Reading, bytes: Uint8Array): Promise<FileFacts> {
  const read = await reading.load();
  return read(bytes);
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
  const add = ({ entry }: Wanted, found: FileFacts) => {
    facts.set(entry.path, found);
    count += 1;
  };
  for (const file of files) {
    const { entry, reading } = file;
    const key = readingKey(entry.oid, reading);
    const known = cache.get(scope, key) ?? store?.get(entry, reading);
    const same = missing.get(entry.oid);
    if (known !== undefined) add(file, cache.set(scope, key, known));
    // The size is what the tree says, so it must not lead to what was read from these bytes elsewhere, nor replace it.
    else if ((entry.size ?? 0) > MAX_PAGE_BYTES) add(file, tooLargeFacts());
    else if (same === undefined) missing.set(entry.oid, [file]);
    else same.push(file);
  }
  if (missing.size === 0) return count;
  const entries = [...missing.values()].flatMap((same) => same.slice(0, 1)).map(({ entry }) => entry);
  const readBlob = async (files: readonly Wanted[], bytes: Uint8Array, previous: Promise<void>) => {
    const results: (readonly [Wanted, FileFacts, isNew: boolean])[] = [];
    for (const file of files) {
      const key = readingKey(file.entry.oid, file.reading);
      // Whoever has the bytes may have what was read from the same ones for another scope.
      const known = cache.get(scope, key) ?? cache.receive(scope, key);
      const found = known ?? cache.set(scope, key, await readFacts(file.reading, bytes));
      results.push([file, found, known === undefined]);
    }
    // So the same files have their facts in the same order, wherever each is read.
    await previous;
    for (const [file, found, isNew] of results) {
      if (isNew) store?.set(file.entry, file.reading, found, bytes);
      add(file, found);
    }
  };
  const reads: { readonly done: Promise<void>; readonly size: number }[] = [];
  let size = 0;
  let last = Promise.resolve();
  for await (const { oid, bytes } of read(entries)) {
    last = readBlob(missing.get(oid) ?? [], bytes, last);
    missing.delete(oid);
    // A failure is thrown when its turn comes.
    last.catch(() => {});
    reads.push({ done: last, size: bytes.length });
    size += bytes.length;
    while (reads.length === READS_AT_ONCE || size > BYTES_AT_ONCE) {
      const first = reads.shift();
      size -= first?.size ?? 0;
      await first?.done;
    }
  }
  await last;
  return count;
}
