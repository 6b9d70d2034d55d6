import { MAX_PATH_LENGTH, MAX_SYMLINK_HOPS } from '../limits.ts';
import type { RepoPath, TreeEntry } from '../model.ts';
import { folderOf, resolvePath } from './relative-path.ts';

/** What a path of the tree leads to, symbolic links followed. */
export type Located =
  | { readonly kind: 'file'; readonly entry: TreeEntry }
  | { readonly kind: 'folder'; readonly path: RepoPath }
  /** Inside another repository that this tree only names. */
  | { readonly kind: 'submodule' }
  /** A symbolic link that leaves the tree, leads to nothing, turns in a circle, or was not read. */
  | { readonly kind: 'symlink'; readonly reason: 'outside' | 'dangling' | 'loop' | 'unread' }
  | { readonly kind: 'none' };

/** Answers the text of a symbolic link's blob; undefined when it was not read. */
export type ReadSymlink = (entry: TreeEntry) => string | null | undefined;

/** A repository's tree made ready for questions about paths. Building it is linear in the tree. */
export class TreeIndex {
  readonly #entries = new Map<RepoPath, TreeEntry>();
  readonly #folders = new Set<RepoPath>(['']);
  readonly #hasDetours: boolean;
  #folded: Map<string, RepoPath[]> | null = null;
  #byName: Map<string, RepoPath[]> | null = null;

  constructor(tree: readonly TreeEntry[]) {
    let hasDetours = false;
    for (const entry of tree) {
      this.#entries.set(entry.path, entry);
      if (entry.mode === 'symlink' || entry.mode === 'submodule') hasDetours = true;
      for (let folder = folderOf(entry.path); !this.#folders.has(folder); folder = folderOf(folder)) {
        this.#folders.add(folder);
      }
    }
    this.#hasDetours = hasDetours;
  }

  entry(path: RepoPath): TreeEntry | undefined {
    return this.#entries.get(path);
  }

  isFolder(path: RepoPath): boolean {
    return this.#folders.has(path);
  }

  has(path: RepoPath): boolean {
    return this.#entries.has(path) || this.#folders.has(path);
  }

  locate(path: RepoPath, readSymlink: ReadSymlink, hops = 0): Located {
    if (path.length > MAX_PATH_LENGTH) return { kind: 'none' };
    const entry = this.#entries.get(path);
    if (entry?.mode === 'symlink') return this.#follow(entry, '', readSymlink, hops);
    if (entry?.mode === 'submodule') return { kind: 'submodule' };
    if (entry !== undefined) return { kind: 'file', entry };
    if (this.#folders.has(path)) return { kind: 'folder', path };
    if (!this.#hasDetours) return { kind: 'none' };
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const parent = this.#entries.get(path.slice(0, slash));
      if (parent?.mode === 'submodule') return { kind: 'submodule' };
      if (parent?.mode === 'symlink') return this.#follow(parent, path.slice(slash), readSymlink, hops);
    }
    return { kind: 'none' };
  }

  /** Paths of files and folders that differ from `path` only by case or Unicode form. */
  alike(path: RepoPath): readonly RepoPath[] {
    this.#folded ??= groupBy([...this.#entries.keys(), ...this.#folders], fold);
    return (this.#folded.get(fold(path)) ?? []).filter((one) => one !== path);
  }

  /** Paths of files with this very name, whatever their folder. */
  named(name: string): readonly RepoPath[] {
    this.#byName ??= groupBy(this.#entries.keys(), (path) => path.slice(path.lastIndexOf('/') + 1));
    return this.#byName.get(name) ?? [];
  }

  /** Follows a symbolic link, then `rest`, which is empty or begins with a slash. */
  #follow(link: TreeEntry, rest: string, readSymlink: ReadSymlink, hops: number): Located {
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
    index = new TreeIndex(tree);
    indexes.set(tree, index);
  }
  return index;
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function groupBy(paths: Iterable<RepoPath>, keyOf: (path: RepoPath) => string): Map<string, RepoPath[]> {
  const groups = new Map<string, RepoPath[]>();
  for (const path of paths) {
    const key = keyOf(path);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [path]);
    else group.push(path);
  }
  return groups;
}
