import {
  detectRenames,
  findSimilar,
  type ReadBlobs,
  type Rename,
  type TextFile,
  type TreeEntry,
} from '../../content/index.ts';

/** The number of files up to which git searches for similar ones. Larger files, or more bytes, are not worth the cost. */
const MAX_FILES = 1_000;
const MAX_BYTES = 1024 * 1024;
const MAX_TOTAL = 32 * 1024 * 1024;

/**
 * The files that have another path in the head: with the same bytes, or similar by git's measure, as GitHub shows them in
 * the pull request. Most pull requests move nothing; then no blob is read.
 */
export async function findTreeRenames(
  base: readonly TreeEntry[],
  head: readonly TreeEntry[],
  read: ReadBlobs,
): Promise<readonly Rename[]> {
  const same = detectRenames(base, head);
  const known = new Set(same.flatMap(({ from, to }) => [`from ${from}`, `to ${to}`]));
  const [before, after] = [pathsOf(base), pathsOf(head)];
  const gone = base.filter(
    (file) => isFile(file) && !after.has(file.path) && !known.has(`from ${file.path}`),
  );
  const added = head.filter(
    (file) => isFile(file) && !before.has(file.path) && !known.has(`to ${file.path}`),
  );
  if (gone.length === 0 || added.length === 0 || gone.length > MAX_FILES || added.length > MAX_FILES)
    return same;
  const similar = findSimilar(await readAll(gone, read), await readAll(added, read));
  return [...same, ...similar].sort((a, b) => (a.from < b.from ? -1 : 1));
}

function pathsOf(tree: readonly TreeEntry[]): ReadonlySet<string> {
  return new Set(tree.map(({ path }) => path));
}

function isFile({ mode, size = 0 }: TreeEntry): boolean {
  return (mode === 'file' || mode === 'executable') && size <= MAX_BYTES;
}

/** Empty when there is too much to compare. */
async function readAll(entries: readonly TreeEntry[], read: ReadBlobs): Promise<readonly TextFile[]> {
  const byOid = Map.groupBy(entries, ({ oid }) => oid);
  const files: TextFile[] = [];
  let total = 0;
  for await (const { oid, bytes } of read(entries)) {
    total += bytes.length;
    if (total > MAX_TOTAL) return [];
    if (bytes.length > MAX_BYTES || bytes.length === 0) continue;
    for (const { path } of byOid.get(oid) ?? []) files.push({ path, bytes });
    byOid.delete(oid);
  }
  return files;
}
