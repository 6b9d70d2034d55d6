import type { TreeEntry } from '../../content/index.ts';

/** The files of a tree that are inside a folder, by their path in it. */
export function filesInside(tree: Iterable<TreeEntry>, directory: string): ReadonlyMap<string, TreeEntry> {
  const prefix = directory === '' ? '' : `${directory}/`;
  const inside = new Map<string, TreeEntry>();
  for (const entry of tree) {
    if (entry.path.startsWith(prefix)) inside.set(entry.path.slice(prefix.length), entry);
  }
  return inside;
}

/** Replaces the files of a folder in a tree. */
export function withFilesInside(
  tree: readonly TreeEntry[],
  directory: string,
  files: ReadonlyMap<string, TreeEntry>,
): readonly TreeEntry[] {
  const prefix = directory === '' ? '' : `${directory}/`;
  const outside = tree.filter((entry) => !entry.path.startsWith(prefix));
  return [...outside, ...[...files].map(([path, entry]) => ({ ...entry, path: `${prefix}${path}` }))];
}
