import {
  detectRenames,
  findSimilar,
  isPageFile,
  type Rename,
  type TextFile,
  type TreeEntry,
} from '../../content/index.ts';
import type { EntryRow } from '../../store/index.ts';
import type { BlobReader } from './blob-reader.ts';
import { toTreeEntry } from './derive-entry.ts';

/** Above these limits (pages, bytes of a page, bytes of all pages) pages are not compared with each other. */
const MAX_FILES = 2_000;
const MAX_BYTES = 1024 * 1024;
const MAX_TOTAL = 32 * 1024 * 1024;

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
  const beforeTexts = await readAll(before, readers.readStored);
  const afterTexts = await readAll(after, readers.readBlobs);
  return [...same, ...findSimilar(beforeTexts, afterTexts)];
}

function isPage({ path, mode, size = 0 }: TreeEntry): boolean {
  return isPageFile(path) && (mode === 'file' || mode === 'executable') && size <= MAX_BYTES;
}

/** The bytes of files that can be compared; none if they exceed the limit together. */
async function readAll(entries: readonly TreeEntry[], read: BlobReader): Promise<readonly TextFile[]> {
  const byOid = Map.groupBy(entries, (entry) => entry.oid);
  const files: TextFile[] = [];
  let total = 0;
  for await (const { oid, bytes } of read([...byOid.keys()])) {
    total += bytes.length;
    if (total > MAX_TOTAL) return [];
    if (bytes.length > MAX_BYTES) continue;
    for (const { path } of byOid.get(oid) ?? []) files.push({ path, bytes });
  }
  return files;
}
