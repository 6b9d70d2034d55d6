/** What a computed value depends on. */
export interface Dependencies {
  /** Keys of lookups in the tree. */
  readonly keys: ReadonlySet<string>;
  /** Paths of files whose facts were read. */
  readonly contents: ReadonlySet<string>;
}

/** Dependencies that are still being recorded. */
export interface MutableDependencies extends Dependencies {
  readonly keys: Set<string>;
  readonly contents: Set<string>;
}

/** Records the lookups of a computation, so that it can be repeated when a result changes. */
export class DependencyRecorder {
  #keys: Set<string> | null = null;
  #contents: Set<string> | null = null;

  readonly addKey = (key: string): void => {
    this.#keys?.add(key);
  };

  addContents(path: string): void {
    this.#contents?.add(path);
  }

  /** Runs `work` and adds its lookups to `dependencies`, and not to those of an outer `record`. */
  record<Result>(
    work: () => Result,
    dependencies: MutableDependencies = { keys: new Set(), contents: new Set() },
  ): { readonly result: Result; readonly dependencies: MutableDependencies } {
    const [outerKeys, outerContents] = [this.#keys, this.#contents];
    this.#keys = dependencies.keys;
    this.#contents = dependencies.contents;
    try {
      return { result: work(), dependencies };
    } finally {
      this.#keys = outerKeys;
      this.#contents = outerContents;
    }
  }
}

/** Lookups whose results have changed. */
export interface Touched {
  readonly keys: ReadonlySet<string>;
  readonly contents: ReadonlySet<string>;
}

export function touches(touched: Touched, dependencies: Dependencies): boolean {
  return (
    !touched.keys.isDisjointFrom(dependencies.keys) || !touched.contents.isDisjointFrom(dependencies.contents)
  );
}
