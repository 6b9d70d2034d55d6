import type { ContentsEntry, RepoPath } from '../../model/index.ts';
import type { LocatedEntry } from '../../pages/index.ts';
import { folderOf, LayeredMap } from '../../tree/index.ts';

/** The files that were added and removed, each with its published path. */
export interface PatchedContents {
  readonly entries: ListedContents;
  readonly added: ReadonlyMap<RepoPath, string>;
  readonly removed: ReadonlyMap<RepoPath, string>;
}

interface Maps {
  /** By the path to which an entry leads; null when several entries lead there. */
  readonly entries: LayeredMap<RepoPath, LocatedEntry | null>;
  /** How many entries show a file. */
  readonly files: LayeredMap<RepoPath, number>;
  /** How many entries wanted a published path. */
  readonly wanted: LayeredMap<string, number>;
  /** How many pages of a group are in a folder of the published space, by `groupKey`. */
  readonly inGroups: LayeredMap<string, number>;
}

/**
 * Where the entries of a table of contents lead. Adding or removing a file there is handled without going through all
 * entries if it is the page of a single entry without entries of its own, whose address no other entry requests.
 */
export class ListedContents {
  readonly #maps: Maps;
  readonly #groups: ReadonlyMap<ContentsEntry, number>;
  /** The folders that groups have as their addresses. */
  readonly #folders: ReadonlySet<string>;

  private constructor(maps: Maps, groups: ReadonlyMap<ContentsEntry, number>, folders: ReadonlySet<string>) {
    this.#maps = maps;
    this.#groups = groups;
    this.#folders = folders;
  }

  static of(
    located: readonly LocatedEntry[],
    wanted: ReadonlyMap<string, number>,
    folders: readonly string[],
  ): ListedContents {
    const entries = new Map<RepoPath, LocatedEntry | null>();
    const files = new Map<RepoPath, number>();
    const inGroups = new Map<string, number>();
    const groups = new Map<ContentsEntry, number>();
    for (const entry of located) {
      entries.set(entry.path, entries.has(entry.path) ? null : entry);
      if (entry.file !== null) addTo(files, entry.file);
      if (entry.group === null) continue;
      const group = groups.get(entry.group) ?? groups.size;
      groups.set(entry.group, group);
      if (entry.published !== null) addTo(inGroups, groupKey(group, entry.published));
    }
    const maps = {
      entries: new LayeredMap(entries),
      files: new LayeredMap(files),
      wanted: new LayeredMap(wanted),
      inGroups: new LayeredMap(inGroups),
    };
    return new ListedContents(maps, groups, new Set(folders));
  }

  /** `touched` are paths at which a file may have been added or removed. Null when further entries may change. */
  patch(
    touched: Iterable<RepoPath>,
    names: {
      readonly pageAt: (path: RepoPath) => RepoPath | null;
      readonly publishedPathOf: (file: RepoPath) => string;
    },
  ): PatchedContents | null {
    const entryPaths = new Set<RepoPath>();
    for (const path of touched) {
      const found = this.#entryPathsAt(path);
      if (found.length === 0) return null;
      for (const entryPath of found) entryPaths.add(entryPath);
    }
    const added = new Map<RepoPath, string>();
    const removed = new Map<RepoPath, string>();
    const entries = new Map<RepoPath, LocatedEntry>();
    for (const entryPath of entryPaths) {
      const entry = this.#maps.entries.get(entryPath);
      const file = names.pageAt(entryPath);
      if (entry?.file === file) continue;
      if (!entry || entry.hasAnchor || entry.hasEntries) return null;
      const published = file === null ? null : names.publishedPathOf(file);
      if (entry.file !== null) {
        if (entry.published === null || !this.#canRemove(entry, entry.file, entry.published)) return null;
        removed.set(entry.file, entry.published);
      }
      if (file !== null && published !== null) {
        if (added.has(file) || !this.#canAdd(entry, file, published)) return null;
        added.set(file, published);
      }
      entries.set(entryPath, { ...entry, file, published });
    }
    // When a removed page and an added page share an address, their order decides, which is not known here.
    if (new Set([...added.values(), ...removed.values()]).size < added.size + removed.size) return null;
    return { entries: this.#with(entries), added, removed };
  }

  /** The paths of entries whose page may be the file at `path`: the path itself, and its folder if it is a README. */
  #entryPathsAt(path: RepoPath): readonly RepoPath[] {
    const folder = path === 'README.md' ? '' : path.endsWith('/README.md') ? folderOf(path) : null;
    const paths = folder === null ? [path] : [path, folder];
    return paths.filter((candidate) => this.#maps.entries.has(candidate));
  }

  #canRemove({ group }: LocatedEntry, file: RepoPath, published: string): boolean {
    const { files, wanted } = this.#maps;
    if (files.get(file) !== 1 || wanted.get(published) !== 1 || !this.#isIndependent(published)) return false;
    return group === null || (this.#countIn(group, published) ?? 0) > 1;
  }

  #canAdd({ group }: LocatedEntry, file: RepoPath, published: string): boolean {
    const { files, wanted } = this.#maps;
    if (files.has(file) || wanted.has(published) || !this.#isIndependent(published)) return false;
    return group === null || this.#countIn(group, published) !== undefined;
  }

  /** Whether a published path is neither a group's folder nor `x-1` where several entries request `x`. */
  #isIndependent(published: string): boolean {
    const [, numbered] = /^(.*)-\d+$/.exec(published) ?? [];
    const isNumbered = numbered !== undefined && (this.#maps.wanted.get(numbered) ?? 0) > 1;
    return !isNumbered && !this.#folders.has(published);
  }

  #countIn(group: ContentsEntry, published: string): number | undefined {
    return this.#maps.inGroups.get(groupKey(this.#groups.get(group), published));
  }

  #with(changed: ReadonlyMap<RepoPath, LocatedEntry>): ListedContents {
    const { entries, ...maps } = this.#maps;
    const files = new Map<RepoPath, number | undefined>();
    const wanted = new Map<string, number | undefined>();
    const inGroups = new Map<string, number | undefined>();
    const count = ({ file, published, group }: LocatedEntry, by: 1 | -1) => {
      if (file === null || published === null) return;
      change(maps.files, files, file, by);
      change(maps.wanted, wanted, published, by);
      if (group !== null) change(maps.inGroups, inGroups, groupKey(this.#groups.get(group), published), by);
    };
    for (const [path, entry] of changed) {
      const before = entries.get(path);
      if (before) count(before, -1);
      count(entry, 1);
    }
    return new ListedContents(
      {
        entries: entries.with(changed),
        files: maps.files.with(files),
        wanted: maps.wanted.with(wanted),
        inGroups: maps.inGroups.with(inGroups),
      },
      this.#groups,
      this.#folders,
    );
  }
}

function groupKey(group: number | undefined, published: string): string {
  return `${group}\n${folderOf(published)}`;
}

function addTo(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Records in `changes` that a count in `before` changes by `by`; undefined stands for a count that drops to zero. */
function change(
  before: LayeredMap<string, number>,
  changes: Map<string, number | undefined>,
  key: string,
  by: 1 | -1,
): void {
  const count = changes.has(key) ? changes.get(key) : before.get(key);
  changes.set(key, (count ?? 0) + by || undefined);
}
