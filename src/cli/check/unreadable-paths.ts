import type { FileProblem } from '../../content/index.ts';

/** More than anybody reads; the rest is counted. */
const MAX_REPORTED = 100;

/** Collects the files and folders that could not be read, so that none is skipped silently. */
export class UnreadablePaths {
  readonly #reported: FileProblem[] = [];
  #more = 0;

  /** `error` is what the system returned for the path. */
  add(file: string, error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    // What disappeared in the meantime is not there. A path that is not UTF-8 cannot be passed to the system, so it is not found either.
    if (code === 'ENOENT' && !file.includes('\u{fffd}')) return;
    if (this.#reported.length < MAX_REPORTED)
      this.#reported.push({ file, message: explain(code), line: null });
    else this.#more += 1;
  }

  get problems(): readonly FileProblem[] {
    if (this.#more === 0) return this.#reported;
    return [...this.#reported, { file: '.', message: `${this.#more} more were left out.`, line: null }];
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
