/** What was asked while something was worked out. */
export interface Asked {
  /** Keys of questions about the tree. */
  readonly keys: ReadonlySet<string>;
  /** Paths of files whose contents were asked for. */
  readonly contents: ReadonlySet<string>;
}

/** Notes what is asked while something is worked out, so that it is worked out again when an answer differs. */
export class Questions {
  #keys: Set<string> | null = null;
  #contents: Set<string> | null = null;

  readonly ask = (key: string): void => {
    this.#keys?.add(key);
  };

  askContents(path: string): void {
    this.#contents?.add(path);
  }

  /** Runs `work` and tells all that it asked. What asked for the work hears nothing of that. */
  record<Answer>(work: () => Answer): { readonly answer: Answer; readonly asked: Asked } {
    const [outerKeys, outerContents] = [this.#keys, this.#contents];
    const asked = { keys: new Set<string>(), contents: new Set<string>() };
    this.#keys = asked.keys;
    this.#contents = asked.contents;
    try {
      return { answer: work(), asked };
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

export function touches(touched: Touched, asked: Asked): boolean {
  return !touched.keys.isDisjointFrom(asked.keys) || !touched.contents.isDisjointFrom(asked.contents);
}
