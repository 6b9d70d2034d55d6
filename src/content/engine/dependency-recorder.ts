/** What was asked while something was worked out. */
export interface Dependencies {
  /** Keys of questions about the tree. */
  readonly keys: ReadonlySet<string>;
  /** Paths of files whose contents were asked for. */
  readonly contents: ReadonlySet<string>;
}

/** What may be asked more of. */
export interface MutableDependencies extends Dependencies {
  readonly keys: Set<string>;
  readonly contents: Set<string>;
}

/** Notes what is asked while something is worked out, so that it is worked out again when an answer differs. */
export class DependencyRecorder {
  #keys: Set<string> | null = null;
  #contents: Set<string> | null = null;

  readonly addKey = (key: string): void => {
    this.#keys?.add(key);
  };

  addContents(path: string): void {
    this.#contents?.add(path);
  }

  /** Runs `work` and adds all that it asks to `asked`. What asked for the work hears nothing of that. */
  record<Answer>(
    work: () => Answer,
    dependencies: MutableDependencies = { keys: new Set(), contents: new Set() },
  ): { readonly answer: Answer; readonly dependencies: MutableDependencies } {
    const [outerKeys, outerContents] = [this.#keys, this.#contents];
    this.#keys = dependencies.keys;
    this.#contents = dependencies.contents;
    try {
      return { answer: work(), dependencies };
    } finally {
      this.#keys = outerKeys;
      this.#contents = outerContents;
    }
  }
}

/** Questions that have another answer now. */
export interface Touched {
  readonly keys: ReadonlySet<string>;
  readonly contents: ReadonlySet<string>;
}

export function touches(touched: Touched, dependencies: Dependencies): boolean {
  return (
    !touched.keys.isDisjointFrom(dependencies.keys) || !touched.contents.isDisjointFrom(dependencies.contents)
  );
}
