import type { FilesRead } from '../format-port/index.ts';
import type { FileFacts, RepoPath } from '../model/index.ts';

/** What may be read of other files while a value is computed from a page. */
export type FileLookup = Pick<FilesRead, 'facts' | 'file'>;

interface Known<Value> {
  readonly facts: FileFacts;
  readonly value: Value;
  readonly parts: ReadonlyMap<RepoPath, FileFacts | undefined>;
  readonly targets: ReadonlyMap<RepoPath, RepoPath | null>;
}

/**
 * Caches what is computed from a page and the files that it includes, as long as the facts of the page and of each of
 * those files stay the same. Every lookup is repeated on a hit, so that the dependencies of the caller are recorded.
 */
export class PageMemo<Value> {
  readonly #files: FileLookup;
  readonly #known = new Map<RepoPath, Known<Value>>();

  constructor(files: FileLookup) {
    this.#files = files;
  }

  /** `make` may read other files only through its argument. */
  get(page: RepoPath, facts: FileFacts, make: (files: FileLookup) => Value): Value {
    const known = this.#known.get(page);
    if (known?.facts === facts && this.#isCurrent(known)) return known.value;
    const parts = new Map<RepoPath, FileFacts | undefined>();
    const targets = new Map<RepoPath, RepoPath | null>();
    const value = make({
      facts: (path) => {
        const found = this.#files.facts(path);
        parts.set(path, found);
        return found;
      },
      file: (path) => {
        const found = this.#files.file(path);
        targets.set(path, found?.path ?? null);
        return found;
      },
    });
    this.#known.set(page, { facts, value, parts, targets });
    return value;
  }

  #isCurrent({ parts, targets }: Known<Value>): boolean {
    let isCurrent = true;
    // No early return: every lookup must be repeated.
    for (const [path, found] of parts) if (this.#files.facts(path) !== found) isCurrent = false;
    for (const [path, found] of targets)
      if ((this.#files.file(path)?.path ?? null) !== found) isCurrent = false;
    return isCurrent;
  }
}
