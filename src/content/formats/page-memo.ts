import type { FilesRead } from '../format-port/index.ts';
import type { FileFacts, RepoPath } from '../model/index.ts';

/** What may be asked about other files while something is worked out of a page. */
export type FileLookup = Pick<FilesRead, 'facts' | 'file'>;

interface Known<Value> {
  readonly facts: FileFacts;
  readonly value: Value;
  readonly parts: ReadonlyMap<RepoPath, FileFacts | undefined>;
  readonly places: ReadonlyMap<RepoPath, RepoPath | null>;
}

/**
 * Keeps what is worked out of a page and of the files that it takes in, while the page and each of those files say what
 * they said. Every answer is asked for again, so that whoever uses the value is known to depend on them.
 */
export class PageMemo<Value> {
  readonly #files: FileLookup;
  readonly #known = new Map<RepoPath, Known<Value>>();

  constructor(files: FileLookup) {
    this.#files = files;
  }

  /** `make` asks about other files only what it is given. */
  get(page: RepoPath, facts: FileFacts, make: (files: FileLookup) => Value): Value {
    const known = this.#known.get(page);
    if (known?.facts === facts && this.#isCurrent(known)) return known.value;
    const parts = new Map<RepoPath, FileFacts | undefined>();
    const places = new Map<RepoPath, RepoPath | null>();
    const value = make({
      facts: (path) => {
        const found = this.#files.facts(path);
        parts.set(path, found);
        return found;
      },
      file: (path) => {
        const found = this.#files.file(path);
        places.set(path, found?.path ?? null);
        return found;
      },
    });
    this.#known.set(page, { facts, value, parts, places });
    return value;
  }

  #isCurrent({ parts, places }: Known<Value>): boolean {
    let isCurrent = true;
    // To the end, so that all is asked.
    for (const [path, found] of parts) if (this.#files.facts(path) !== found) isCurrent = false;
    for (const [path, found] of places)
      if ((this.#files.file(path)?.path ?? null) !== found) isCurrent = false;
    return isCurrent;
  }
}
