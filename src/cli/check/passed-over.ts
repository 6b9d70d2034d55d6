import type { FileProblem } from '../../content/index.ts';

/** More than anybody reads; the rest is counted. */
const MAX_TOLD = 100;

/** Collects the files and folders that could not be looked at, so that none is left out without a word. */
export class PassedOver {
  readonly #told: FileProblem[] = [];
  #more = 0;

  /** `error` is what the system answered for the path. */
  add(file: string, error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    // What went away in the meantime is not there. A name whose bytes are no UTF-8 cannot be said, so nor found.
    if (code === 'ENOENT' && !file.includes('\u{fffd}')) return;
    if (this.#told.length < MAX_TOLD) this.#told.push({ file, message: explain(code), line: null });
    else this.#more += 1;
  }

  get problems(): readonly FileProblem[] {
    if (this.#more === 0) return this.#told;
    return [...this.#told, { file: '.', message: `${this.#more} more were left out.`, line: null }];
  }
}

function explain(code: string): string {
  return `This was left out: ${WORDS[code] ?? `the system does not show it (${code})`}.`;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'its name is not UTF-8',
  ENAMETOOLONG: 'its path is too long for the system',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
};
