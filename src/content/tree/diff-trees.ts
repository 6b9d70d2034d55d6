import type { TreeDiff, TreeEntry } from '../model/index.ts';
import type { TreeIndex } from './tree-index.ts';

/**
 * Compares two trees in one pass. Null when they differ by more than a tenth of the files, so that nothing is gained by
 * the difference, or when the paths that they share are in another order.
 */
export function diffTrees(
  older: readonly TreeEntry[],
  olderIndex: TreeIndex,
  newer: readonly TreeEntry[],
): TreeDiff | null {
  const changed: { before: TreeEntry; after: TreeEntry }[] = [];
  const added: TreeEntry[] = [];
  const removed = new Map<string, TreeEntry>();
  const most = 100 + newer.length / 10;
  let at = 0;
  for (const after of newer) {
    let before = older[at];
    if (before?.path !== after.path && olderIndex.entry(after.path) === undefined) {
      added.push(after);
      if (added.length > most) return null;
      continue;
    }
    for (; before !== undefined && before.path !== after.path; before = older[at]) {
      removed.set(before.path, before);
      if (removed.size > most) return null;
      at += 1;
    }
    // A path that was skipped before and comes later: the order differs.
    if (before === undefined) return null;
    at += 1;
    if (isSame(before, after)) continue;
    changed.push({ before, after });
    if (changed.length > most) return null;
  }
  for (const before of older.slice(at)) removed.set(before.path, before);
  return removed.size > most ? null : { changed, added, removed: [...removed.values()] };
}

function isSame(before: TreeEntry, after: TreeEntry): boolean {
  return (
    before === after || (before.oid === after.oid && before.mode === after.mode && before.size === after.size)
  );
}

/**
 * Returns the entries of `some` whose paths are in `all`, which may be of an earlier tree. A few entries are searched
 * without building a set of all paths.
 */
export function entriesAmong(some: readonly TreeEntry[], all: readonly TreeEntry[]): readonly TreeEntry[] {
  if (some.length === 0) return some;
  if (some.length <= 8) return some.filter(({ path }) => all.some((entry) => entry.path === path));
  const paths = new Set(all.map((entry) => entry.path));
  return some.filter(({ path }) => paths.has(path));
}
