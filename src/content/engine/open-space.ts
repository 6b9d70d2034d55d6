import { markdownReading } from '../facts/index.ts';
import { type Format, type OpenSpace, repositoryFiles } from '../format-port/index.ts';
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
import type { TextOf } from './read-texts.ts';

export interface SpaceOptions {
  /** The whole repository's tree: links may lead anywhere in it. */
  readonly tree: readonly TreeEntry[];
  /** The space's folder, '' for the root. */
  readonly directory: string;
  /** The folders of the repository's other spaces; those inside this one are left to them. */
  readonly siblingDirectories?: readonly string[];
  readonly repository?: RepositoryAddress;
  /** Renames that led to this tree, so that a link to an old path is told the new one. */
  readonly renames?: readonly Rename[];
}

/** A space of one tree whose configuration is read. */
export interface OpenedSpace {
  readonly open: OpenSpace;
  readonly index: TreeIndex;
  readonly entries: readonly TreeEntry[];
  /** The configuration files that were looked for, whether or not they are there. */
  readonly texts: ReadonlySet<RepoPath>;
  /** Those of them that were not read. */
  readonly unread: ReadonlySet<RepoPath>;
  /** What the format asked of the tree to open the space, besides going through its entries. */
  readonly dependencies: ReadonlySet<string>;
}

/** The same space in another tree, and how the new one differs from it. */
export interface PreviousSpace {
  readonly entries: readonly TreeEntry[];
  readonly diff: TreeDiff;
}

/** Reads a space's configuration. `onAsk` hears what the index is asked, then and later. */
export function openSpace(
  options: SpaceOptions & { readonly format: Format; readonly textOf: TextOf },
  onAsk: OnLookup | null = null,
  previous: PreviousSpace | null = null,
): OpenedSpace {
  const { tree, directory, siblingDirectories = [], repository } = options;
  const whole = treeIndexOf(tree);
  const dependencies = new Set<string>();
  let isOpen = false;
  const hear: OnLookup = (key) => {
    if (isOpen) onAsk?.(key);
    else dependencies.add(key);
  };
  const index = onAsk === null ? whole : whole.watched(hear);
  const texts = new Set<RepoPath>();
  const unread = new Set<RepoPath>();
  const isOwn = isEntryOf(directory, siblingDirectories);
  const entries = previous === null ? tree.filter(isOwn) : nextEntries(tree, previous, isOwn);
  const open = options.format.open({
    tree,
    index,
    text(path) {
      texts.add(path);
      return repositoryFiles(tree, (entry) => {
        const text = options.textOf(entry);
        if (text === undefined) unread.add(path);
        return text;
      }).text(path);
    },
    directory,
    siblings: siblingDirectories.filter((one) => one !== directory),
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
 * Whether the format decided the same for two trees, but for which files there are: what it asked has the same answers, and
 * the configuration says the same.
 */
export function isOpenedAlike(one: OpenedSpace, other: OpenedSpace): boolean {
  if (one === other) return true;
  if (one.open.signature !== undefined) return one.open.signature === other.open.signature;
  if (one.texts.size !== other.texts.size) return false;
  for (const path of one.texts) {
    if (!other.texts.has(path) || one.index.entry(path)?.oid !== other.index.entry(path)?.oid) return false;
  }
  for (const key of one.dependencies) {
    if (!other.dependencies.has(key) || !one.index.answersAlike(other.index, key)) return false;
  }
  return one.dependencies.size === other.dependencies.size;
}

/** The files whose facts an analysis needs first; it asks for more when links lead outside the space. */
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
  const inner = siblings.filter((one) => one !== directory && isInside(one, directory));
  return ({ path, mode }) =>
    mode !== 'submodule' &&
    isInside(path, directory) &&
    !isLeftOut(pathInside(path, directory)) &&
    !inner.some((one) => isInside(path, one));
}

/** Asks about new paths only: the others stand in the same order as before. */
function nextEntries(
  tree: readonly TreeEntry[],
  { entries: older, diff: { added, removed } }: PreviousSpace,
  isOwn: (entry: TreeEntry) => boolean,
): readonly TreeEntry[] {
  const gone = new Set(removed.map((entry) => entry.path));
  const come = new Set(added);
  const entries: TreeEntry[] = [];
  let at = 0;
  for (const entry of tree) {
    let before = older[at];
    while (before !== undefined && before.path !== entry.path && gone.has(before.path)) {
      at += 1;
      before = older[at];
    }
    if (before?.path === entry.path) at += 1;
    else if (!come.has(entry) || !isOwn(entry)) continue;
    entries.push(entry);
  }
  return entries;
}
