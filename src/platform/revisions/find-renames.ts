import {
  detectRenames,
  findSimilar,
  isComparable,
  isPageFile,
  type Rename,
  readComparable,
  type TreeEntry,
} from '../../content/index.ts';
import type { EntryRow } from '../../store/index.ts';
import type { BlobReader } from './blob-reader.ts';
import { toTreeEntry } from './derive-entry.ts';

/** Beyond so many pages they are not compared with each other. */
const MAX_FILES = 2_000;

/**
 * The files of the previous version that have another path now: with the same bytes, or pages that were edited as they
 * moved. `readStored` reads bytes of the previous version, `readBlobs` those of the tree. After most pushes nothing has
 * moved, and nothing is read.
 */
export async function findRenames(
  entries: ReadonlyMap<string, EntryRow>,
  tree: readonly TreeEntry[],
  readers: { readonly readStored: BlobReader; readonly readBlobs: BlobReader },
): Promise<readonly Rename[]> {
  const added = tree.filter((entry) => !entries.has(entry.path));
  if (added.length === 0 || entries.size === tree.length - added.length) return [];
  const paths = new Set(tree.map((entry) => entry.path));
  const removed = [...entries.values()].filter(({ path }) => !paths.has(path)).map(toTreeEntry);
  const same = detectRenames(removed, added);
  const from = new Set(same.map((rename) => rename.from));
  const to = new Set(same.map((rename) => rename.to));
  const before = removed.filter(
    (entry) => isPage(entry) && entries.get(entry.path)?.pageId && !from.has(entry.path),
  );
  const after = added.filter((entry) => isPage(entry) && !to.has(entry.path));
  if (before.length === 0 || after.length === 0) return same;
  if (before.length > MAX_FILES || after.length > MAX_FILES) return same;
  const textsOf = (files: readonly TreeEntry[], read: BlobReader) =>
    readComparable(files, (some) => read(some.map(({ oid }) => oid)));
  const beforeTexts = await textsOf(before, readers.readStored);
  const afterTexts = await textsOf(after, readers.readBlobs);
  return [...same, ...findSimilar(beforeTexts, afterTexts)];
}

function isPage(entry: TreeEntry): boolean {
  return isPageFile(entry.path) && isComparable(entry);
}
