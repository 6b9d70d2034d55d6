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

/** What a path of the tree leads to, symbolic links followed. */
export type LocatedPath =
  | { readonly kind: 'file'; readonly entry: TreeEntry }
  | { readonly kind: 'folder'; readonly path: RepoPath }
  /** Inside another repository that this tree only names. */
  | { readonly kind: 'submodule' }
  /** A symbolic link that leaves the tree, leads to nothing, turns in a circle, or was not read. */
  | { readonly kind: 'symlink'; readonly reason: 'outside' | 'dangling' | 'loop' | 'unread' }
  | { readonly kind: 'none' };

/** Answers the text of a symbolic link's blob; undefined when it was not read. */
export type ReadSymlink = (entry: TreeEntry) => string | null | undefined;

/** Hears each question by a key: the path itself, or a name of `nameKey` or `alikeKey`. */
export type OnLookup = (key: string) => void;

interface Tables {
  readonly entries: LayeredMap<RepoPath, TreeEntry>;
  /** Folder → how many files and folders stand directly in it; the root counts itself, so that it is always there. */
  readonly folders: LayeredMap<RepoPath, number>;
  readonly hasDetours: boolean;
  /** False when a path stands twice in the tree, so that what is there cannot be counted. */
  readonly isPlain: boolean;
  /** Made when first asked for. Of `folded`, only paths that folding changes. */
  named: PathGroups | null;
  folded: PathGroups | null;
}

/** A repository's tree made ready for questions about paths. Building it is linear in the tree. */
export class TreeIndex {
  readonly #tables: Tables;
  readonly #onAsk: OnLookup | null;

  constructor(tables: Tables, onAsk: OnLookup | null = null) {
    this.#tables = tables;
    this.#onAsk = onAsk;
  }

  /** Whether the tree holds symbolic links or submodules, so that paths may lead elsewhere. */
  get hasDetours(): boolean {
    return this.#tables.hasDetours;
  }

  /** The same tree, telling what it is asked. */
  watched(onAsk: OnLookup): TreeIndex {
    return new TreeIndex(this.#tables, onAsk);
  }

  entry(path: RepoPath): TreeEntry | undefined {
    this.#onAsk?.(path);
    return this.#tables.entries.get(path);
  }

  isFolder(path: RepoPath): boolean {
    this.#onAsk?.(path);
    return this.#tables.folders.has(path);
  }

  has(path: RepoPath): boolean {
    this.#onAsk?.(path);
    return this.#has(path);
  }

  locate(path: RepoPath, readSymlink: ReadSymlink, hops = 0): LocatedPath {
    this.#onAsk?.(path);
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
    this.#onAsk?.(alikeKey(path));
    const others = this.#folded().get(folded);
    const all = folded !== path && this.#has(folded) ? [folded, ...others] : others;
    const alike = all.filter((one) => one !== path);
    if (alike.length < 2) return alike;
    const isFile = (one: RepoPath) => this.#tables.entries.has(one);
    return [...alike.filter(isFile), ...alike.filter((one) => !isFile(one))];
  }

  /** Paths of files with this very name, whatever their folder. */
  named(name: string): readonly RepoPath[] {
    this.#onAsk?.(nameKey(name));
    return this.#named().get(name);
  }

  /** Whether a question has the same answer in another tree; for a path, whether a file, a folder or nothing is there. */
  answersAlike(other: TreeIndex, key: string): boolean {
    const lists = key.startsWith(NAME) || key.startsWith(ALIKE);
    if (!lists) return this.#kindAt(key) === other.#kindAt(key);
    if (
      key.startsWith(ALIKE) &&
      this.#kindAt(key.slice(ALIKE.length)) !== other.#kindAt(key.slice(ALIKE.length))
    )
      return false;
    const [mine, theirs] = [this.#listFor(key), other.#listFor(key)];
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

  /** Makes ready what is otherwise made when first asked for, so that indexes derived from this one have it too. */
  prepare(): void {
    this.#named();
    this.#folded();
  }

  /**
   * The index of a tree that differs from this one's by `diff`, and the keys of all questions that it may answer
   * otherwise. Null where that cannot be told: a path stands twice, or symbolic links or submodules changed.
   */
  derive(diff: TreeDiff): { readonly index: TreeIndex; readonly touched: ReadonlySet<string> } | null {
    const { entries, folders, hasDetours, isPlain, named, folded } = this.#tables;
    const { changed, added, removed } = diff;
    const all = [...added, ...removed, ...changed.flatMap(({ before, after }) => [before, after])];
    if (!isPlain || all.some(({ mode }) => mode === 'symlink' || mode === 'submodule')) return null;
    const paths = { added: pathsOf(added), removed: pathsOf(removed) };
    const counts = countFolders(folders, paths);
    const come = { added: [...paths.added], removed: [...paths.removed] };
    for (const [folder, count] of counts) {
      if (count > 0 && !folders.has(folder)) come.added.push(folder);
      else if (count === 0 && folders.has(folder)) come.removed.push(folder);
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
      folded: folded?.with(come.added, come.removed) ?? null,
    };
    return { index: new TreeIndex(tables), touched: touchedKeys(come.added, come.removed) };
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
      // A path that is a file and a folder at once stands there once.
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
    if (target === null || target === '') return { kind: 'symlink', reason: 'dangling' };
    if (target.startsWith('/')) return { kind: 'symlink', reason: 'outside' };
    const resolution = resolvePath(link.path, target + rest);
    if (!resolution.inside) return { kind: 'symlink', reason: 'outside' };
    const located = this.locate(resolution.path, readSymlink, hops + 1);
    return located.kind === 'none' ? { kind: 'symlink', reason: 'dangling' } : located;
  }
}

const indexes = new WeakMap<readonly TreeEntry[], TreeIndex>();

/** The index of a tree, built once per array. */
export function treeIndexOf(tree: readonly TreeEntry[]): TreeIndex {
  let index = indexes.get(tree);
  if (index === undefined) {
    index = buildIndex(tree);
    indexes.set(tree, index);
  }
  return index;
}

/** Lets a tree have an index that was derived from another's. */
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

/** What the folders hold after some files came and went; of those alone whose count differs. */
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

/** Whoever asked of a folder may have asked what is in it, so what comes or goes touches all folders above it. */
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

/** The folders that hold a path, up to the root. */
export function foldersAbove(path: RepoPath): readonly RepoPath[] {
  const folders: RepoPath[] = [];
  for (let one = path; one !== ''; ) {
    one = folderOf(one);
    folders.push(one);
  }
  return folders;
}

/** Asked by what depends on all paths of the tree. */
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
