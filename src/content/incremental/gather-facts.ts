import { readingKey } from '../facts/read-facts.ts';
import { type Reading, tooLargeFacts } from '../facts/reading.ts';
import type { FactsCache } from '../facts-cache.ts';
import { MAX_PAGE_BYTES } from '../limits.ts';
import type { FileFacts, Oid, RepoPath, TreeEntry } from '../model.ts';
import type { ReadBlobs } from '../read-texts.ts';

/** A file whose facts are asked for. */
export interface Wanted {
  readonly entry: TreeEntry;
  readonly reading: Reading;
}

/** Puts the facts of some files into `facts`, from memory or by reading each blob once; answers how many came in. */
export async function gatherFacts(
  files: readonly Wanted[],
  kept: FactsCache,
  facts: Map<RepoPath, FileFacts | undefined>,
  read: ReadBlobs,
): Promise<number> {
  let count = 0;
  const missing = new Map<Oid, Wanted[]>();
  const take = ({ entry }: Wanted, key: string, found: FileFacts) => {
    kept.set(key, found);
    // What is kept under the key is what can be held.
    facts.set(entry.path, kept.get(key) ?? found);
    count += 1;
  };
  for (const file of files) {
    const key = readingKey(file.entry.oid, file.reading);
    const known = kept.get(key);
    const same = missing.get(file.entry.oid);
    if (known !== undefined) take(file, key, known);
    else if ((file.entry.size ?? 0) > MAX_PAGE_BYTES) take(file, key, tooLargeFacts());
    else if (same === undefined) missing.set(file.entry.oid, [file]);
    else same.push(file);
  }
  if (missing.size === 0) return count;
  const entries = [...missing.values()].flatMap((same) => same.slice(0, 1)).map(({ entry }) => entry);
  for await (const { oid, bytes } of read(entries)) {
    for (const file of missing.get(oid) ?? []) {
      const key = readingKey(oid, file.reading);
      take(file, key, kept.get(key) ?? file.reading.read(bytes));
    }
    missing.delete(oid);
  }
  return count;
}
