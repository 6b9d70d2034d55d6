import type { Rename, RepoPath, TreeDiff, TreeEntry } from '../model/index.ts';
import { diffTrees, entriesAmong, foldersAbove, setTreeIndex, type TreeIndex } from '../tree/index.ts';
import type { OpenedSpace, SpaceOptions } from './open-space.ts';
import type { SpaceState } from './space-state.ts';

/** What is known of the next tree before any of its blobs is read. */
export interface NextTree {
  readonly diff: TreeDiff;
  readonly index: TreeIndex;
  /** Keys of the lookups by path whose results have changed. */
  readonly touched: ReadonlySet<string>;
  /** Files were added or removed, or a configuration file changed. */
  readonly isReshaped: boolean;
  /** The trees are equal. */
  readonly isSame: boolean;
}

/** Compares the next tree of a space with the last one; null when everything must be checked. */
export function compareWithState(
  { options, space, snapshot }: SpaceState,
  next: SpaceOptions,
): NextTree | null {
  const { tree } = next;
  const isSameTree = tree === options.tree;
  const diff = isSameTree ? NO_CHANGE : diffTrees(options.tree, snapshot.index, tree);
  if (diff === null) return null;
  const derived = snapshot.index.derive(diff);
  if (derived === null) return null;
  const { added, removed, changed } = diff;
  const touched = new Set(derived.touched);
  for (const key of touchedByRenames(options.renames ?? [], next.renames ?? [])) touched.add(key);
  const isOfConfig = ({ path }: { readonly path: RepoPath }) => space.texts.has(path);
  const pathChanges = added.length + removed.length;
  if (!isSameTree) setTreeIndex(tree, derived.index);
  return {
    diff,
    index: derived.index,
    touched,
    isReshaped: pathChanges > 0 || changed.some(({ after }) => isOfConfig(after)),
    isSame: pathChanges + changed.length + touched.size === 0,
  };
}

/** The added files that are sources of the space. */
export function addedSources({ diff: { added } }: NextTree, { open }: OpenedSpace): readonly TreeEntry[] {
  return entriesAmong(added, open.sources);
}

const NO_CHANGE: TreeDiff = { changed: [], added: [], removed: [] };

/** Lookups of a renamed path, and of the folders whose page it may have been, may have another result. */
function touchedByRenames(older: readonly Rename[], newer: readonly Rename[]): Set<string> {
  const touched = new Set<string>();
  if (older === newer) return touched;
  const targets = new Map(older.map(({ from, to }) => [from, to]));
  for (const { from, to } of newer) {
    if (targets.get(from) !== to) touch(from);
    targets.delete(from);
  }
  for (const from of targets.keys()) touch(from);
  return touched;

  function touch(from: RepoPath): void {
    touched.add(from);
    for (const folder of foldersAbove(from)) touched.add(folder);
  }
}
