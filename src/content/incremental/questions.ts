/** Notes what is asked while something is worked out, so that it is worked out again when an answer differs. */
export class Questions {
  #asked: Set<string> | null = null;

  readonly ask = (key: string): void => {
    this.#asked?.add(key);
  };

  /** Runs `work` and tells the keys of all that it asked. What asked for the work hears nothing of them. */
  record<Answer>(work: () => Answer): { readonly answer: Answer; readonly asked: ReadonlySet<string> } {
    const outer = this.#asked;
    const asked = new Set<string>();
    this.#asked = asked;
    try {
      return { answer: work(), asked };
    } finally {
      this.#asked = outer;
    }
  }
}
