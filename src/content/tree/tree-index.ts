import {
  MAX_PATH_LENGTH,
  MAX_SYMLINK_HOPS,
  type RepoPath,
  type TreeDiff,
  type TreeEntry,
} from '../model/index.ts';
import { LayeredMap } from './layered-map.ts';
import { PathGroups } from './path-groups.ts';
import { folderOf, resolvePath } from './relative-path.ts';

/** What is at a path of the tree after symbolic links are followed. */
export type LocatedPath =
  | { readonly kind: 'file'; readonly entry: TreeEntry }
  | { readonly kind: 'folder'; readonly path: RepoPath }
  /** Inside another repository. */
  | { readonly kind: 'submodule' }
  /** A symbolic link that leaves the tree, is part of a loop, or was not read. */
  | { readonly kind: 'symlink'; readonly reason: 'outside' | 'loop' | 'unread' }
  /** A symbolic link to nothing in the tree; `leadsTo` is the path that is not there, null where it names none. */
  | { readonly kind: 'symlink'; readonly reason: 'dangling'; readonly leadsTo: RepoPath | null }
  | { readonly kind: 'none' };

/** Returns the text of a symbolic link's blob; undefined when it was not read, null when it is not a path. */
export type ReadSymlink = (entry: TreeEntry) => string | null | undefined;

/** Called with the key of each lookup: the path itself, or a key of `nameKey` or `alikeKey`. */
export type OnLookup = (key: string) => void;

interface Tables {
  readonly entries: LayeredMap<RepoPath, TreeEntry>;
  /** Folder → the number of files and folders directly in it; the root counts itself, so that it is always present. */
  readonly folders: LayeredMap<RepoPath, number>;
  readonly hasDetours: boolean;
  /** False when a path occurs twice in the tree, so that the counts of folders are wrong. */
  readonly isPlain: boolean;
  /** Both are built on first use. `folded` contains only paths that case folding changes. */
  named: PathGroups | null;
  folded: PathGroups | null;
}

/** An index of a repository's tree for lookups by path. Building it is linear in the tree. */
export class TreeIndex {
  readonly #tables: Tables;
  readonly #onLookup: OnLookup | null;

  constructor(tables: Tables, onLookup: OnLookup | null = null) {
    this.#tables = tables;
    this.#onLookup = onLookup;
  }

  /** Whether the tree has symbolic links or submodules, so that paths may lead elsewhere. */
  get hasDetours(): boolean {
    return this.#tables.hasDetours;
  }

  /** Returns an index of the same tree that reports each lookup. */
  watched(onLookup: OnLookup): TreeIndex {
    return new TreeIndex(this.#tables, onLookup);
  }

  entry(path: RepoPath): TreeEntry | undefined {
    this.#onLookup?.(path);
    return this.#tables.entries.get(path);
  }

  isFolder(path: RepoPath): boolean {
    this.#onLookup?.(path);
    return this.#tables.folders.has(path);
  }

  has(path: RepoPath): boolean {
    this.#onLookup?.(path);
    return this.#has(path);
  }

  locate(path: RepoPath, readSymlink: ReadSymlink, hops = 0): LocatedPath {
    this.#onLookup?.(path);
    const { entries, folders, hasDetours } = this.#tables;
    if (path.length > MAX_PATH_LENGTH) return { kind: 'none' };
    const entry = entries.get(path);
    if (entry?.mode === 'symlink') return this.#follow(entry, '', readSymlink, hops);
    if (entry?.mode === 'submodule') return { kind: 'submodule' };
    if (entry !== undefined) return { kind: 'file', entry };
    if (folders.has(path)) return { kind: 'folder', path };
    if (!hasDetours) return { kind: 'none' };
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const parent = entries.get(path.slice(0, slash));
      if (parent?.mode === 'submodule') return { kind: 'submodule' };
      if (parent?.mode === 'symlink') return this.#follow(parent, path.slice(slash), readSymlink, hops);
    }
    return { kind: 'none' };
  }

  /** Paths of files, then of folders, that differ from `path` only by case or Unicode form. */
  alike(path: RepoPath): readonly RepoPath[] {
    const folded = fold(path);
    this.#onLookup?.(alikeKey(path));
    const unfolded = this.#folded().get(folded);
    const all = folded !== path && this.#has(folded) ? [folded, ...unfolded] : unfolded;
    const alike = all.filter((candidate) => candidate !== path);
    if (alike.length < 2) return alike;
    const isFile = (candidate: RepoPath) => this.#tables.entries.has(candidate);
    return [...alike.filter(isFile), ...alike.filter((candidate) => !isFile(candidate))];
  }

  /** Paths of files with this name in any folder. */
  named(name: string): readonly RepoPath[] {
    this.#onLookup?.(nameKey(name));
    return this.#named().get(name);
  }

  /** Whether a lookup has the same result in another tree; a path is compared by its kind: its mode, a folder, or nothing. */
  hasSameResult(index: TreeIndex, key: string): boolean {
    const isList = key.startsWith(NAME) || key.startsWith(ALIKE);
    if (!isList) return this.#kindAt(key) === index.#kindAt(key);
    if (
      key.startsWith(ALIKE) &&
      this.#kindAt(key.slice(ALIKE.length)) !== index.#kindAt(key.slice(ALIKE.length))
    )
      return false;
    const [mine, theirs] = [this.#listFor(key), index.#listFor(key)];
    return mine.length === theirs.length && mine.every((path, at) => path === theirs[at]);
  }

  #kindAt(path: RepoPath): string {
    const entry = this.#tables.entries.get(path);
    return entry?.mode ?? (this.#tables.folders.has(path) ? 'folder' : 'none');
  }

  #listFor(key: string): readonly RepoPath[] {
    return key.startsWith(NAME)
      ? this.#named().get(key.slice(NAME.length))
      : this.#folded().get(key.slice(ALIKE.length));
  }

  /** Builds what is otherwise built on first use, so that indexes derived from this one share it. */
  prepare(): void {
    this.#named();
    this.#folded();
  }

  /**
   * Returns the index of a tree that differs from this one's by `diff`, and the keys of all lookups whose results may
   * differ. Null when they are unknown: a path occurs twice, or symbolic links or submodules changed.
   */
  derive(diff: TreeDiff): { readonly index: TreeIndex; readonly touched: ReadonlySet<string> } | null {
    const { entries, folders, hasDetours, isPlain, named, folded } = this.#tables;
    const { changed, added, removed } = diff;
    const differing = [...added, ...removed, ...changed.flatMap(({ before, after }) => [before, after])];
    if (!isPlain || differing.some(({ mode }) => mode === 'symlink' || mode === 'submodule')) return null;
    const paths = { added: pathsOf(added), removed: pathsOf(removed) };
    const counts = countFolders(folders, paths);
    const all = { added: [...paths.added], removed: [...paths.removed] };
    for (const [folder, count] of counts) {
      if (count > 0 && !folders.has(folder)) all.added.push(folder);
      else if (count === 0 && folders.has(folder)) all.removed.push(folder);
    }
    const tables: Tables = {
      entries: entries.with(
        new Map([
          ...removed.map(({ path }) => [path, undefined] as const),
          ...added.map((entry) => [entry.path, entry] as const),
          ...changed.map(({ after }) => [after.path, after] as const),
        ]),
      ),
      folders: folders.with(new Map([...counts].map(([folder, count]) => [folder, count || undefined]))),
      hasDetours,
      isPlain,
      named: named?.with(paths.added, paths.removed) ?? null,
      folded: folded?.with(all.added, all.removed) ?? null,
    };
    return { index: new TreeIndex(tables), touched: touchedKeys(all.added, all.removed) };
  }

  #has(path: RepoPath): boolean {
    return this.#tables.entries.has(path) || this.#tables.folders.has(path);
  }

  #named(): PathGroups {
    this.#tables.named ??= PathGroups.of(this.#tables.entries.keys(), nameOf);
    return this.#tables.named;
  }

  #folded(): PathGroups {
    const { entries, folders } = this.#tables;
    const all = function* () {
      yield* entries.keys();
      // A path that is both a file and a folder is listed once.
      for (const folder of folders.keys()) if (!entries.has(folder)) yield folder;
    };
    this.#tables.folded ??= PathGroups.of(all(), foldedKey);
    return this.#tables.folded;
  }

  /** Follows a symbolic link, then `rest`, which is empty or begins with a slash. */
  #follow(link: TreeEntry, rest: string, readSymlink: ReadSymlink, hops: number): LocatedPath {
    if (hops >= MAX_SYMLINK_HOPS) return { kind: 'symlink', reason: 'loop' };
    const target = readSymlink(link);
    if (target === undefined) return { kind: 'symlink', reason: 'unread' };
    if (target === null || target === '') return { kind: 'symlink', reason: 'dangling', leadsTo: null };
    if (target.startsWith('/')) return { kind: 'symlink', reason: 'outside' };
    const resolution = resolvePath(link.path, target + rest);
    if (!resolution.inside) return { kind: 'symlink', reason: 'outside' };
    const located = this.locate(resolution.path, readSymlink, hops + 1);
    return located.kind === 'none'
      ? { kind: 'symlink', reason: 'dangling', leadsTo: resolution.path }
      : located;
  }
}

const indexes = new WeakMap<readonly TreeEntry[], TreeIndex>();

/** Returns the index of a tree, built once per array. */
export function treeIndexOf(tree: readonly TreeEntry[]): TreeIndex {
  let index = indexes.get(tree);
  if (index === undefined) {
    index = buildIndex(tree);
    indexes.set(tree, index);
  }
  return index;
}

/** Sets the index of a tree that was derived from another tree's. */
export function setTreeIndex(tree: readonly TreeEntry[], index: TreeIndex): void {
  indexes.set(tree, index);
}

function buildIndex(tree: readonly TreeEntry[]): TreeIndex {
  const entries = new Map<RepoPath, TreeEntry>();
  const folders = new Map<RepoPath, number>([['', 1]]);
  let hasDetours = false;
  for (const entry of tree) {
    entries.set(entry.path, entry);
    if (entry.mode === 'symlink' || entry.mode === 'submodule') hasDetours = true;
    for (let folder = folderOf(entry.path); ; folder = folderOf(folder)) {
      const count = folders.get(folder) ?? 0;
      folders.set(folder, count + 1);
      if (count > 0) break;
    }
  }
  return new TreeIndex({
    entries: new LayeredMap(entries),
    folders: new LayeredMap(folders),
    hasDetours,
    isPlain: entries.size === tree.length,
    named: null,
    folded: null,
  });
}

interface Paths {
  readonly added: readonly RepoPath[];
  readonly removed: readonly RepoPath[];
}

/** The counts of the folders after files were added and removed; only of folders whose count changes. */
function countFolders(
  folders: LayeredMap<RepoPath, number>,
  { added, removed }: Paths,
): Map<RepoPath, number> {
  const counts = new Map<RepoPath, number>();
  const countOf = (folder: RepoPath) => counts.get(folder) ?? folders.get(folder) ?? 0;
  for (const path of added) {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const count = countOf(folder);
      counts.set(folder, count + 1);
      if (count > 0) break;
    }
  }
  for (const path of removed) {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const count = countOf(folder) - 1;
      counts.set(folder, count);
      if (count > 0) break;
    }
  }
  return counts;
}

/** A lookup of a folder may depend on its content, so that an added or removed path touches all folders above it. */
function touchedKeys(added: readonly RepoPath[], removed: readonly RepoPath[]): Set<string> {
  const touched = new Set<string>();
  for (const path of [...added, ...removed]) {
    touched
      .add(TREE_KEY)
      .add(nameKey(nameOf(path)))
      .add(alikeKey(path))
      .add(path);
    for (const folder of foldersAbove(path)) touched.add(folder);
  }
  return touched;
}

/** Returns the folders that contain a path, up to the root. */
export function foldersAbove(path: RepoPath): readonly RepoPath[] {
  const folders: RepoPath[] = [];
  for (let current = path; current !== ''; ) {
    current = folderOf(current);
    folders.push(current);
  }
  return folders;
}

/** The key of a dependency on all paths of the tree. */
export const TREE_KEY = '\0tree';

const NAME = '\0name ';
const ALIKE = '\0alike ';

export function nameKey(name: string): string {
  return NAME + name;
}

export function alikeKey(path: RepoPath): string {
  return ALIKE + fold(path);
}

function pathsOf(entries: readonly TreeEntry[]): readonly RepoPath[] {
  return entries.map((entry) => entry.path);
}

function nameOf(path: RepoPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function foldedKey(path: RepoPath): string | null {
  const folded = fold(path);
  return folded === path ? null : folded;
}

function fold(path: string): string {
  return /^[ -@[-~]*$/.test(path) ? path : path.normalize('NFC').toLowerCase();
}
