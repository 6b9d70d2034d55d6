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

/** More pages than these, larger ones or more bytes of them are not compared with each other. */
const MAX_FILES = 2_000;
const MAX_BYTES = 1024 * 1024;
const MAX_TOTAL = 32 * 1024 * 1024;

/**
 * The files of the version before that have another path now: with the same bytes, or pages that were edited as they
 * moved. `readStored` reads bytes of the version before, `readBlobs` those of the tree. After most pushes nothing has
 * moved, and nothing is read.
 */
export async function findRenames(
  entries: ReadonlyMap<string, EntryRow>,
  tree: readonly TreeEntry[],
  readers: { readonly readStored: BlobReader; readonly readBlobs: BlobReader },
): Promise<readonly Rename[]> {
  const added = tree.filter((entry) => !entries.has(entry.path));
  if (added.length === 0 || entries.size === tree.length - added.length) return [];
  const here = new Set(tree.map((entry) => entry.path));
  const gone = [...entries.values()].flatMap(({ path, oid, mode, size }): TreeEntry[] =>
    here.has(path)
      ? []
      : [{ path, oid, mode: mode as TreeEntry['mode'], ...(size === null ? {} : { size }) }],
  );
  const same = detectRenames(gone, added);
  const from = new Set(same.map((rename) => rename.from));
  const to = new Set(same.map((rename) => rename.to));
  const old = gone.filter(
    (entry) => isPage(entry) && entries.get(entry.path)?.pageId && !from.has(entry.path),
  );
  const now = added.filter((entry) => isPage(entry) && !to.has(entry.path));
  if (old.length === 0 || now.length === 0 || old.length > MAX_FILES || now.length > MAX_FILES) return same;
  const [before, after] = [await readAll(old, readers.readStored), await readAll(now, readers.readBlobs)];
  return [...same, ...findSimilar(before, after)];
}

function isPage({ path, mode, size = 0 }: TreeEntry): boolean {
  return isPageFile(path) && (mode === 'file' || mode === 'executable') && size <= MAX_BYTES;
}

/** The bytes of files, as many as may be compared. */
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
