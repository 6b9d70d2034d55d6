import type { RepoPath } from '../model/index.ts';
import { LayeredMap } from './layered-map.ts';

/** Paths grouped by a key; each group is sorted by code units, whatever the order of the tree. */
export class PathGroups {
  readonly #keyOf: (path: RepoPath) => string | null;
  readonly #groups: LayeredMap<string, readonly RepoPath[]>;

  private constructor(
    keyOf: (path: RepoPath) => string | null,
    groups: LayeredMap<string, readonly RepoPath[]>,
  ) {
    this.#keyOf = keyOf;
    this.#groups = groups;
  }

  /** Leaves out paths whose key is null. */
  static of(paths: Iterable<RepoPath>, keyOf: (path: RepoPath) => string | null): PathGroups {
    const groups = new Map<string, RepoPath[]>();
    for (const path of paths) {
      const key = keyOf(path);
      if (key === null) continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [path]);
      else group.push(path);
    }
    for (const group of groups.values()) if (group.length > 1) group.sort(byCodeUnits);
    return new PathGroups(keyOf, new LayeredMap<string, readonly RepoPath[]>(groups));
  }

  get(key: string): readonly RepoPath[] {
    return this.#groups.get(key) ?? [];
  }

  with(added: readonly RepoPath[], removed: readonly RepoPath[]): PathGroups {
    const changes = new Map<string, readonly RepoPath[] | undefined>();
    const change = (path: RepoPath, edit: (group: readonly RepoPath[]) => readonly RepoPath[]) => {
      const key = this.#keyOf(path);
      if (key === null) return;
      const group = edit(changes.has(key) ? (changes.get(key) ?? []) : this.get(key));
      changes.set(key, group.length === 0 ? undefined : group);
    };
    for (const path of removed) change(path, (group) => group.filter((member) => member !== path));
    for (const path of added) change(path, (group) => [...group, path].sort(byCodeUnits));
    return new PathGroups(this.#keyOf, this.#groups.with(changes));
  }
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
