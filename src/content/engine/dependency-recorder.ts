/** What was asked while something was worked out. */
export interface Asked {
  /** Keys of questions about the tree. */
  readonly keys: ReadonlySet<string>;
  /** Paths of files whose contents were asked for. */
  readonly contents: ReadonlySet<string>;
}

/** What may be asked more of. */
export interface Asking extends Asked {
  readonly keys: Set<string>;
  readonly contents: Set<string>;
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

  /** Runs `work` and adds all that it asks to `asked`. What asked for the work hears nothing of that. */
  record<Answer>(
    work: () => Answer,
    asked: Asking = { keys: new Set(), contents: new Set() },
  ): { readonly answer: Answer; readonly asked: Asking } {
    const [outerKeys, outerContents] = [this.#keys, this.#contents];
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
