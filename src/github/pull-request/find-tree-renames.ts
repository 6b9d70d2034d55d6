import {
  detectRenames,
  findSimilar,
  isComparable,
  type ReadBlobs,
  type Rename,
  readComparable,
  type TreeEntry,
} from '../../content/index.ts';

/** The number of files up to which git searches for similar ones. */
const MAX_FILES = 1_000;

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
    (file) => isComparable(file) && !after.has(file.path) && !known.has(`from ${file.path}`),
  );
  const added = head.filter(
    (file) => isComparable(file) && !before.has(file.path) && !known.has(`to ${file.path}`),
  );
  if (gone.length === 0 || added.length === 0 || gone.length > MAX_FILES || added.length > MAX_FILES)
    return same;
  const similar = findSimilar(await readComparable(gone, read), await readComparable(added, read));
  return [...same, ...similar].sort((a, b) => (a.from < b.from ? -1 : 1));
}

function pathsOf(tree: readonly TreeEntry[]): ReadonlySet<string> {
  return new Set(tree.map(({ path }) => path));
}
