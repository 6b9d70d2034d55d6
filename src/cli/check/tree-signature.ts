import type { IndexedFile } from './indexed-file.ts';

/** Collects what is known of each file of a work tree, in the order of their paths. */
export class TreeSignature {
  readonly #parts: string[];

  /** `commit` is that of HEAD: uncommitted renames are found with it. */
  constructor(commit: string | null) {
    this.#parts = [commit ?? ''];
  }

  /** `found` describes what is at the path. No path contains a NUL. */
  add(file: string, known: IndexedFile | null, found: string): void {
    this.#parts.push(file, found, known === null ? '' : known.oid || 'conflict');
  }

  get text(): string {
    return this.#parts.join('\0');
  }
}
