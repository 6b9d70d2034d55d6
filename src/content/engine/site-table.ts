import type { TableRow, TableRows } from '../format-port/index.ts';
import type { RepoPath, TreeEntry } from '../model/index.ts';
import { LayeredMap } from '../tree/index.ts';
import { linesKey } from './dependency-keys.ts';
import type { Dependencies, DependencyRecorder } from './dependency-recorder.ts';

type Rows = readonly (readonly [key: string, value: unknown])[];

/** The rows that one tree's files contribute to a table. Immutable; the next tree's table shares most of it. */
export class SiteTable {
  readonly rowsOf: TableRows<unknown>;
  readonly #groups: LayeredMap<string, readonly TableRow<unknown>[]>;
  readonly #ofFiles: LayeredMap<RepoPath, Rows>;
  /** Dependency key → files whose rows depend on it, besides each file's own content. It only grows. */
  readonly #dependents: Map<string, Set<RepoPath>>;

  private constructor(
    rowsOf: TableRows<unknown>,
    groups: LayeredMap<string, readonly TableRow<unknown>[]>,
    ofFiles: LayeredMap<RepoPath, Rows>,
    dependents: Map<string, Set<RepoPath>>,
  ) {
    this.rowsOf = rowsOf;
    this.#groups = groups;
    this.#ofFiles = ofFiles;
    this.#dependents = dependents;
  }

  static of(
    entries: readonly TreeEntry[],
    rowsOf: TableRows<unknown>,
    recorder: DependencyRecorder | null,
  ): SiteTable {
    const groups = new Map<string, TableRow<unknown>[]>();
    const ofFiles = new Map<RepoPath, Rows>();
    const dependents = new Map<string, Set<RepoPath>>();
    for (const entry of entries) {
      const rows = makeRows(entry, rowsOf, recorder, dependents);
      if (rows.length === 0) continue;
      ofFiles.set(entry.path, rows);
      for (const [key, value] of rows) {
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [{ file: entry.path, value }]);
        else group.push({ file: entry.path, value });
      }
    }
    for (const group of groups.values()) if (group.length > 1) group.sort(byFile);
    return new SiteTable(
      rowsOf,
      new LayeredMap<string, readonly TableRow<unknown>[]>(groups),
      new LayeredMap(ofFiles),
      dependents,
    );
  }

  rows(key: string): readonly TableRow<unknown>[] {
    return this.#groups.get(key) ?? [];
  }

  /**
   * Returns the table of the next tree, and the keys whose rows differ there. `entries` are the added, removed (null) and
   * changed files, by path; `entryAt` finds other files whose rows must be computed again because a dependency is in `touched`.
   */
  next(
    entries: ReadonlyMap<RepoPath, TreeEntry | null>,
    touched: Dependencies,
    entryAt: (path: RepoPath) => TreeEntry | undefined,
    recorder: DependencyRecorder,
  ): { readonly table: SiteTable; readonly changed: ReadonlySet<string> } {
    const again = new Map(entries);
    for (const key of this.#dependents.size === 0
      ? []
      : [...touched.keys, ...[...touched.contents].map(contentsKey)])
      for (const path of this.#dependents.get(key) ?? []) {
        if (!again.has(path) && this.#ofFiles.has(path)) again.set(path, entryAt(path) ?? null);
      }
    const ofFiles = new Map<RepoPath, Rows | undefined>();
    const groups = new Map<string, readonly TableRow<unknown>[] | undefined>();
    const edit = (
      key: string,
      change: (group: readonly TableRow<unknown>[]) => readonly TableRow<unknown>[],
    ) => {
      const group = change(groups.has(key) ? (groups.get(key) ?? []) : this.rows(key));
      groups.set(key, group.length === 0 ? undefined : group);
    };
    for (const [file, entry] of again) {
      const older = this.#ofFiles.get(file) ?? [];
      const newer = entry === null ? [] : makeRows(entry, this.rowsOf, recorder, this.#dependents);
      const keys = keysThatDiffer(older, newer);
      if (keys.size === 0) continue;
      ofFiles.set(file, newer.length === 0 ? undefined : newer);
      for (const key of keys) edit(key, (group) => group.filter((row) => row.file !== file));
      for (const [key, value] of newer)
        if (keys.has(key)) edit(key, (group) => [...group, { file, value }].sort(byFile));
    }
    if (ofFiles.size === 0) return { table: this, changed: new Set() };
    const table = new SiteTable(
      this.rowsOf,
      this.#groups.with(groups),
      this.#ofFiles.with(ofFiles),
      this.#dependents,
    );
    return { table, changed: new Set(groups.keys()) };
  }
}

function makeRows(
  entry: TreeEntry,
  rowsOf: TableRows<unknown>,
  recorder: DependencyRecorder | null,
  dependents: Map<string, Set<RepoPath>>,
): Rows {
  if (recorder === null) return [...rowsOf(entry)];
  const { result, dependencies } = recorder.record(() => [...rowsOf(entry)]);
  const { path } = entry;
  const addDependent = (key: string) => {
    const known = dependents.get(key);
    if (known === undefined) dependents.set(key, new Set([path]));
    else known.add(path);
  };
  for (const key of dependencies.keys) if (key !== path && key !== linesKey(path)) addDependent(key);
  for (const read of dependencies.contents) if (read !== path) addDependent(contentsKey(read));
  return result;
}

/** The keys under which a file's rows differ. */
function keysThatDiffer(older: Rows, newer: Rows): ReadonlySet<string> {
  const [before, now] = [textsByKey(older), textsByKey(newer)];
  const keys = new Set<string>();
  for (const [key, text] of before) if (now.get(key) !== text) keys.add(key);
  for (const key of now.keys()) if (!before.has(key)) keys.add(key);
  return keys;
}

function textsByKey(rows: Rows): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of rows) texts.set(key, `${texts.get(key) ?? ''}${JSON.stringify(value)}\n`);
  return texts;
}

function contentsKey(path: RepoPath): string {
  return `\0contents ${path}`;
}

/** By code units, whatever the order of the tree; rows of one file stay in their order. */
function byFile(a: TableRow<unknown>, b: TableRow<unknown>): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
}
