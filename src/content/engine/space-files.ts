import { markdownReading } from '../facts/index.ts';
import type { FilesRead, OpenSpace, Table, TableRow, TableRows } from '../format-port/index.ts';
import type { FileFacts, RepoPath, TreeEntry } from '../model/index.ts';
import type { Reading } from '../parse/index.ts';
import type { TreeIndex } from '../tree/index.ts';
import { linesKey, madeKey, tableKey } from './dependency-keys.ts';
import type { DependencyRecorder, MutableDependencies } from './dependency-recorder.ts';
import { SiteTable } from './site-table.ts';
import type { Steps } from './steps.ts';

/** One tree as a space sees it. */
export interface Snapshot {
  /** Reports its lookups to the `DependencyRecorder`. */
  readonly index: TreeIndex;
  readonly open: Pick<OpenSpace, 'readingOf'>;
  readonly factsOf: (entry: TreeEntry, reading: Reading) => FileFacts | undefined;
  /** The entries of the space. */
  readonly entries: readonly TreeEntry[];
  /** Values of `FilesRead.remember`. */
  readonly made: Map<string, Made>;
  /** The tables that were used. */
  readonly tables: Map<string, SiteTable>;
}

/** A value that a format reuses from tree to tree, and its dependencies. */
export interface Made {
  readonly value: unknown;
  readonly dependencies: MutableDependencies;
  /** Whether the next value may be computed from this one. */
  readonly isPatched?: boolean;
  /** Lookups in the tree whose results have changed since it was computed; none when absent. */
  readonly touched?: ReadonlySet<string>;
}

const nothing = (): MutableDependencies => ({ keys: new Set(), contents: new Set() });

/**
 * The files of a space for its format. Rules outlive the tree that they were created for, so each use of them must run
 * `within` the snapshot of the tree that it is for.
 */
export class SpaceFiles implements FilesRead {
  readonly #recorder: DependencyRecorder | null;
  #current: Snapshot | null = null;

  constructor(recorder: DependencyRecorder | null) {
    this.#recorder = recorder;
  }

  within<Result>(snapshot: Snapshot, work: () => Result): Result {
    const outer = this.#current;
    this.#current = snapshot;
    try {
      return work();
    } finally {
      this.#current = outer;
    }
  }

  /** The same for work in steps: between them, others may be within another snapshot. */
  *stepsWithin<Result>(snapshot: Snapshot, steps: Steps<Result>): Steps<Result> {
    for (;;) {
      const step = this.within(snapshot, () => steps.next());
      if (step.done === true) return step.value;
      yield step.value;
    }
  }

  facts(path: RepoPath): FileFacts | undefined {
    const entry = this.file(path);
    if (entry === null) return undefined;
    // A page may include some of the file's lines.
    this.#recorder?.addKey(linesKey(entry.path));
    return this.factsOf(entry);
  }

  file(path: RepoPath): TreeEntry | null {
    const located = this.#snapshot.index.locate(path, (entry) => this.symlinkTarget(entry));
    return located.kind === 'file' ? located.entry : null;
  }

  factsOf(entry: TreeEntry): FileFacts | undefined {
    const { open, factsOf } = this.#snapshot;
    this.#recorder?.addContents(entry.path);
    const reading = entry.mode === 'submodule' ? null : open.readingOf(entry.path);
    return reading === null ? undefined : factsOf(entry, reading);
  }

  symlinkTarget(entry: TreeEntry): string | null | undefined {
    return this.#snapshot.factsOf(entry, markdownReading)?.symlinkTarget;
  }

  remember<Value>(
    key: string,
    make: (isReused: boolean) => Value,
    patch?: (last: Value, touched: ReadonlySet<string>) => Value | null,
  ): Value {
    const { made } = this.#snapshot;
    const recorder = this.#recorder;
    recorder?.addKey(madeKey(key));
    const known = made.get(key);
    if (known !== undefined && known.touched === undefined) return known.value as Value;
    const { touched, dependencies: before } = known ?? {};
    if (touched !== undefined && before !== undefined && patch !== undefined && recorder !== null) {
      // The old dependencies stay: too many are never wrong, and copying them costs time.
      const { result, dependencies } = recorder.record(() => patch(known?.value as Value, touched), before);
      if (result !== null) {
        made.set(key, { value: result, dependencies, isPatched: true });
        return result;
      }
    }
    const { result, dependencies } = recorder?.record(() => make(true)) ?? {
      result: make(false),
      dependencies: nothing(),
    };
    made.set(key, { value: result, dependencies, isPatched: patch !== undefined });
    return result;
  }

  table<Row>(name: string, rowsOf: TableRows<Row>): Table<Row> {
    return {
      rows: (key) => {
        const { tables, entries } = this.#snapshot;
        this.#recorder?.addKey(tableKey(name, key));
        let table = tables.get(name);
        if (table === undefined) {
          table = SiteTable.of(entries, rowsOf, this.#recorder);
          tables.set(name, table);
        }
        return table.rows(key) as readonly TableRow<Row>[];
      },
    };
  }

  get #snapshot(): Snapshot {
    if (this.#current === null) throw new Error('The files of a space were used outside of a snapshot.');
    return this.#current;
  }
}
