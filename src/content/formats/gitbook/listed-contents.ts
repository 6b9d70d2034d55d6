import type { ContentsEntry, RepoPath } from '../../model/index.ts';
import type { LocatedEntry } from '../../pages/index.ts';
import { folderOf, LayeredMap } from '../../tree/index.ts';

/** What came and went, by file with its published path. */
export interface PatchedContents {
  readonly places: ListedContents;
  readonly came: ReadonlyMap<RepoPath, string>;
  readonly went: ReadonlyMap<RepoPath, string>;
}

interface Maps {
  /** By the path that an entry leads to; null where several lead there. */
  readonly entries: LayeredMap<RepoPath, LocatedEntry | null>;
  /** How many entries show a file. */
  readonly files: LayeredMap<RepoPath, number>;
  /** How many entries wanted a published path. */
  readonly wanted: LayeredMap<string, number>;
  /** How many pages of a group stand in a folder of the published space, by `inGroup`. */
  readonly inGroups: LayeredMap<string, number>;
}

/**
 * Where the entries of a table of contents lead. A file that comes or goes there is told without going through all
 * entries, where it is the page of one entry alone, which holds no others and whose address nobody else wants.
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
    placed: readonly LocatedEntry[],
    wanted: ReadonlyMap<string, number>,
    folders: readonly string[],
  ): ListedContents {
    const entries = new Map<RepoPath, LocatedEntry | null>();
    const files = new Map<RepoPath, number>();
    const inGroups = new Map<string, number>();
    const groups = new Map<ContentsEntry, number>();
    for (const entry of placed) {
      entries.set(entry.path, entries.has(entry.path) ? null : entry);
      if (entry.file !== null) addTo(files, entry.file);
      if (entry.group === null) continue;
      const group = groups.get(entry.group) ?? groups.size;
      groups.set(entry.group, group);
      if (entry.published !== null) addTo(inGroups, inGroup(group, entry.published));
    }
    const maps = {
      entries: new LayeredMap(entries),
      files: new LayeredMap(files),
      wanted: new LayeredMap(wanted),
      inGroups: new LayeredMap(inGroups),
    };
    return new ListedContents(maps, groups, new Set(folders));
  }

  /** `touched` are paths at which a file may be or not be now. Null when more entries may change than those there. */
  patch(
    touched: Iterable<RepoPath>,
    names: {
      readonly pageAt: (path: RepoPath) => RepoPath | null;
      readonly publishedPathOf: (file: RepoPath) => string;
    },
  ): PatchedContents | null {
    const places = new Set<RepoPath>();
    for (const path of touched) {
      const those = this.#placesAt(path);
      if (those.length === 0) return null;
      for (const place of those) places.add(place);
    }
    const came = new Map<RepoPath, string>();
    const went = new Map<RepoPath, string>();
    const entries = new Map<RepoPath, LocatedEntry>();
    for (const place of places) {
      const entry = this.#maps.entries.get(place);
      const file = names.pageAt(place);
      if (entry?.file === file) continue;
      if (!entry || entry.hasAnchor || entry.hasEntries) return null;
      const published = file === null ? null : names.publishedPathOf(file);
      if (entry.file !== null) {
        if (entry.published === null || !this.#mayGo(entry, entry.file, entry.published)) return null;
        went.set(entry.file, entry.published);
      }
      if (file !== null && published !== null) {
        if (came.has(file) || !this.#mayCome(entry, file, published)) return null;
        came.set(file, published);
      }
      entries.set(place, { ...entry, file, published });
    }
    // One address that is left and taken in one step may be anybody's.
    if (new Set([...came.values(), ...went.values()]).size < came.size + went.size) return null;
    return { places: this.#with(entries), came, went };
  }

  /** The entries' paths for which a file at `path` counts: its own, and the folder that it is the page of. */
  #placesAt(path: RepoPath): readonly RepoPath[] {
    const folder = path === 'README.md' ? '' : path.endsWith('/README.md') ? folderOf(path) : null;
    const both = folder === null ? [path] : [path, folder];
    return both.filter((candidate) => this.#maps.entries.has(candidate));
  }

  #mayGo({ group }: LocatedEntry, file: RepoPath, published: string): boolean {
    const { files, wanted } = this.#maps;
    if (files.get(file) !== 1 || wanted.get(published) !== 1 || !this.#isApart(published)) return false;
    return group === null || (this.#countIn(group, published) ?? 0) > 1;
  }

  #mayCome({ group }: LocatedEntry, file: RepoPath, published: string): boolean {
    const { files, wanted } = this.#maps;
    if (files.has(file) || wanted.has(published) || !this.#isApart(published)) return false;
    return group === null || this.#countIn(group, published) !== undefined;
  }

  /** Whether a published path is no group's folder, nor `x-1` where several want `x`. */
  #isApart(published: string): boolean {
    const [, numbered] = /^(.*)-\d+$/.exec(published) ?? [];
    const isNumbered = numbered !== undefined && (this.#maps.wanted.get(numbered) ?? 0) > 1;
    return !isNumbered && !this.#folders.has(published);
  }

  #countIn(group: ContentsEntry, published: string): number | undefined {
    return this.#maps.inGroups.get(inGroup(this.#groups.get(group), published));
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
      if (group !== null) change(maps.inGroups, inGroups, inGroup(this.#groups.get(group), published), by);
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

function inGroup(group: number | undefined, published: string): string {
  return `${group}\n${folderOf(published)}`;
}

function addTo(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Notes in `changes` that a count of `before` differs by `by`; one of zero is taken out. */
function change(
  before: LayeredMap<string, number>,
  changes: Map<string, number | undefined>,
  key: string,
  by: 1 | -1,
): void {
  const count = changes.has(key) ? changes.get(key) : before.get(key);
  changes.set(key, (count ?? 0) + by || undefined);
}
