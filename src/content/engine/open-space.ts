import { markdownReading } from '../facts/index.ts';
import {
  type FilesOfTree,
  type Format,
  followToFolder,
  type OpenSpace,
  repositoryFiles,
} from '../format-port/index.ts';
import type { Rename, RepoPath, RepositoryAddress, TreeDiff, TreeEntry } from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import {
  isInside,
  isLeftOut,
  type OnLookup,
  pathInside,
  type TreeIndex,
  treeIndexOf,
} from '../tree/index.ts';

export interface SpaceOptions {
  /** The whole repository's tree: links may lead anywhere in it. */
  readonly tree: readonly TreeEntry[];
  /** The space's folder, '' for the root. */
  readonly directory: string;
  /** The folders of the repository's other spaces; those inside this one are left out. */
  readonly siblingDirectories?: readonly string[];
  readonly repository?: RepositoryAddress;
  /** Renames that led to this tree, so that the new path can be suggested for a link to an old one. */
  readonly renames?: readonly Rename[];
}

/** A space of one tree whose configuration is read. */
export interface OpenedSpace {
  readonly open: OpenSpace;
  readonly index: TreeIndex;
  readonly entries: readonly TreeEntry[];
  /** The configuration files that were requested, whether or not they exist. */
  readonly texts: ReadonlySet<RepoPath>;
  /** The requested configuration files that were not read. */
  readonly unread: ReadonlySet<RepoPath>;
  /** Keys of the format's lookups in the tree while it opened the space, besides iterating over its entries. */
  readonly dependencies: ReadonlySet<string>;
}

/** The same space in another tree, and how the new one differs from it. */
export interface PreviousSpace {
  readonly entries: readonly TreeEntry[];
  readonly diff: TreeDiff;
}

/** Reads a space's configuration. `onLookup` is called for each lookup in the index after the space is open. */
export function openSpace(
  options: SpaceOptions & { readonly format: Format; readonly files: FilesOfTree },
  onLookup: OnLookup | null = null,
  previous: PreviousSpace | null = null,
): OpenedSpace {
  const { tree, directory, siblingDirectories = [], repository } = options;
  const whole = treeIndexOf(tree);
  const dependencies = new Set<string>();
  let isOpen = false;
  const onIndexLookup: OnLookup = (key) => {
    if (isOpen) onLookup?.(key);
    else dependencies.add(key);
  };
  const index = onLookup === null ? whole : whole.watched(onIndexLookup);
  const texts = new Set<RepoPath>();
  const unread = new Set<RepoPath>();
  const isOwn = isEntryOf(directory, siblingDirectories);
  const entries = previous === null ? tree.filter(isOwn) : nextEntries(tree, previous, isOwn);
  const recorded = <Value>(entry: TreeEntry, found: Value | undefined): Value | undefined => {
    if (found === undefined) unread.add(entry.path);
    return found;
  };
  const files = repositoryFiles(tree, {
    text: (entry) => recorded(entry, options.files.text(entry)),
    values: (entry, language) => recorded(entry, options.files.values(entry, language)),
  });
  const open = options.format.open({
    tree,
    index,
    text(path) {
      texts.add(path);
      return files.text(path);
    },
    yaml(path, language) {
      texts.add(path);
      return files.yaml(path, language);
    },
    folderAt: (path) =>
      followToFolder(index, path, (entry) => {
        texts.add(entry.path);
        return recorded(entry, options.files.text(entry));
      }),
    toml(path) {
      texts.add(path);
      return files.toml(path);
    },
    directory,
    siblings: siblingDirectories.filter((sibling) => sibling !== directory),
    entries,
    has(path) {
      const entry = index.entry(path);
      return entry !== undefined && isOwn(entry);
    },
    repository,
  });
  isOpen = true;
  return { open, index, entries, texts, unread, dependencies };
}

/**
 * Whether a format opened two trees in the same way, apart from the list of files: its lookups have the same results, and
 * the configuration files are equal.
 */
export function isOpenedAlike(a: OpenedSpace, b: OpenedSpace): boolean {
  if (a === b) return true;
  if (a.open.signature !== undefined) return a.open.signature === b.open.signature;
  if (a.texts.size !== b.texts.size) return false;
  for (const path of a.texts) {
    if (!b.texts.has(path) || a.index.entry(path)?.oid !== b.index.entry(path)?.oid) return false;
  }
  for (const key of a.dependencies) {
    if (!b.dependencies.has(key) || !a.index.hasSameResult(b.index, key)) return false;
  }
  return a.dependencies.size === b.dependencies.size;
}

/** The files whose facts an analysis needs first; it requests more when links lead outside the space. */
export function filesToRead(
  open: OpenSpace,
  tree: readonly TreeEntry[],
): { readonly entry: TreeEntry; readonly reading: Reading }[] {
  const sources = open.sources.flatMap((entry) => {
    const reading = open.readingOf(entry.path);
    return reading === null ? [] : [{ entry, reading }];
  });
  const symlinks = tree.filter((entry) => entry.mode === 'symlink');
  return [...sources, ...symlinks.map((entry) => ({ entry, reading: markdownReading }))];
}

function isEntryOf(directory: string, siblings: readonly string[]): (entry: TreeEntry) => boolean {
  const inner = siblings.filter((sibling) => sibling !== directory && isInside(sibling, directory));
  return ({ path, mode }) =>
    mode !== 'submodule' &&
    isInside(path, directory) &&
    !isLeftOut(pathInside(path, directory)) &&
    !inner.some((sibling) => isInside(path, sibling));
}

/** Tests new paths only: the others are in the same order as before. */
function nextEntries(
  tree: readonly TreeEntry[],
  { entries: older, diff: { added, removed } }: PreviousSpace,
  isOwn: (entry: TreeEntry) => boolean,
): readonly TreeEntry[] {
  const removedPaths = new Set(removed.map((entry) => entry.path));
  const addedEntries = new Set(added);
  const entries: TreeEntry[] = [];
  let at = 0;
  for (const entry of tree) {
    let before = older[at];
    while (before !== undefined && before.path !== entry.path && removedPaths.has(before.path)) {
      at += 1;
      before = older[at];
    }
    if (before?.path === entry.path) at += 1;
    else if (!addedEntries.has(entry) || !isOwn(entry)) continue;
    entries.push(entry);
  }
  return entries;
}
