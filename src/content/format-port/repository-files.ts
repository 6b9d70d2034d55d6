import type { RepoPath, TreeEntry } from '../model/index.ts';
import { type ReadSymlink, type TreeIndex, treeIndexOf } from '../tree/index.ts';
import type { FileValues, YamlLanguage } from '../yaml/index.ts';
import type { RepositoryFiles } from './format.ts';

/** How a file's values are written. */
export type ValuesLanguage = YamlLanguage | 'toml';

/** What was read of a repository's small files; both return null for what cannot be read, undefined for what was not read yet. */
export interface FilesOfTree {
  text(entry: TreeEntry): string | null | undefined;
  values(entry: TreeEntry, language: ValuesLanguage): FileValues | null | undefined;
}

/** The folder to which a path leads through symbolic links; the path itself where no folder is found. */
export function followToFolder(index: TreeIndex, path: RepoPath, readSymlink: ReadSymlink): RepoPath {
  const located = index.locate(path, readSymlink);
  return located.kind === 'folder' ? located.path : path;
}

/** Returns a format's view of a tree. */
export function repositoryFiles(tree: readonly TreeEntry[], files: FilesOfTree): RepositoryFiles {
  const index = treeIndexOf(tree);
  const fileAt = (path: RepoPath) => {
    const entry = index.entry(path);
    // A symbolic link's bytes are a path, and not configuration.
    return entry?.mode === 'symlink' || entry?.mode === 'submodule' ? undefined : entry;
  };
  const valuesAt = (path: RepoPath, language: ValuesLanguage) => {
    const entry = fileAt(path);
    return (entry && files.values(entry, language)) ?? null;
  };
  return {
    tree,
    index,
    text(path) {
      const entry = fileAt(path);
      return (entry && files.text(entry)) ?? null;
    },
    yaml: (path, language = 'plain') => valuesAt(path, language),
    toml: (path) => valuesAt(path, 'toml'),
    folderAt: (path) => followToFolder(index, path, files.text),
  };
}
