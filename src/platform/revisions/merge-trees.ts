import type { TreeEntry } from '../../content/index.ts';

type Tree = ReadonlyMap<string, TreeEntry>;

export interface MergedTree {
  readonly tree: Tree;
  /** Files that both sides changed differently, sorted; `tree` has the files of `ours` for them. */
  readonly conflicts: readonly string[];
}

/**
 * Applies what `theirs` changed since `base` to `ours`. A file's bytes and mode are one unit, and two changes of the same
 * file are a conflict, unless they are equal or one side is preferred.
 */
export function mergeTrees(
  base: Tree,
  ours: Tree,
  theirs: Tree,
  { prefer }: { readonly prefer: 'theirs' | null } = { prefer: null },
): MergedTree {
  const tree = new Map(ours);
  const conflicts: string[] = [];
  for (const path of new Set([...base.keys(), ...theirs.keys()])) {
    const [before, mine, their] = [base.get(path), ours.get(path), theirs.get(path)];
    if (isSameEntry(before, their) || isSameEntry(mine, their)) continue;
    if (!isSameEntry(before, mine) && prefer === null) conflicts.push(path);
    else if (their === undefined) tree.delete(path);
    else tree.set(path, their);
  }
  conflicts.push(...filesUnderFiles(tree));
  return { tree, conflicts: [...new Set(conflicts)].sort() };
}

export function isSameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.oid === b?.oid && a?.mode === b?.mode;
}

export function areSame(a: Tree, b: Tree): boolean {
  return a.size === b.size && [...a].every(([path, entry]) => isSameEntry(entry, b.get(path)));
}

/** Files for which the other side has a folder of the same name: no repository can contain both. */
function filesUnderFiles(tree: Tree): string[] {
  const found: string[] = [];
  for (const path of tree.keys()) {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      if (tree.has(path.slice(0, slash))) found.push(path.slice(0, slash), path);
    }
  }
  return found;
}
