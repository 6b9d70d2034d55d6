import type { Oid, Rename, RepoPath, TreeEntry } from '../model/index.ts';

/**
 * Finds files that were removed and added again with the same bytes under another path. When several removed or added
 * files share the bytes, only pairs with the same file name count.
 */
export function detectRenames(baseTree: readonly TreeEntry[], headTree: readonly TreeEntry[]): Rename[] {
  const basePaths = new Set(baseTree.map((entry) => entry.path));
  const headPaths = new Set(headTree.map((entry) => entry.path));
  const removed = groupByOid(baseTree.filter((entry) => !headPaths.has(entry.path)));
  const added = groupByOid(headTree.filter((entry) => !basePaths.has(entry.path)));
  const renames: Rename[] = [];
  for (const [oid, from] of removed) {
    const to = added.get(oid) ?? [];
    if (from.length === 1 && to.length === 1)
      renames.push({ from: from[0] as RepoPath, to: to[0] as RepoPath });
    else renames.push(...sameNames(from, to));
  }
  return renames.sort((a, b) => (a.from < b.from ? -1 : 1));
}

function sameNames(from: readonly RepoPath[], to: readonly RepoPath[]): Rename[] {
  const newByName = Map.groupBy(to, nameOf);
  return [...Map.groupBy(from, nameOf)].flatMap(([name, olds]) => {
    const news = newByName.get(name) ?? [];
    return olds.length === 1 && news.length === 1
      ? [{ from: olds[0] as RepoPath, to: news[0] as RepoPath }]
      : [];
  });
}

function groupByOid(entries: readonly TreeEntry[]): Map<Oid, RepoPath[]> {
  const groups = new Map<Oid, RepoPath[]>();
  for (const { oid, path, mode } of entries) {
    if (mode === 'submodule' || EMPTY_BLOBS.has(oid)) continue;
    const group = groups.get(oid);
    if (group === undefined) groups.set(oid, [path]);
    else group.push(path);
  }
  return groups;
}

/** All empty files are equal, which is no evidence of a rename. */
const EMPTY_BLOBS: ReadonlySet<Oid> = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

function nameOf(path: RepoPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
