import type { TreeEntry } from '../model/index.ts';
import { treeIndexOf } from '../tree/index.ts';
import type { RepositoryFiles } from './format.ts';

/** Returns a format's view of a tree. `textOf` returns undefined for a text that was not read. */
export function repositoryFiles(
  tree: readonly TreeEntry[],
  textOf: (entry: TreeEntry) => string | null | undefined,
): RepositoryFiles {
  const index = treeIndexOf(tree);
  return {
    tree,
    index,
    text(path) {
      const entry = index.entry(path);
      // A symbolic link's bytes are a path, and not configuration.
      if (entry === undefined || entry.mode === 'symlink' || entry.mode === 'submodule') return null;
      return textOf(entry) ?? null;
    },
  };
}
