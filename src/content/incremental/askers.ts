import type { RepoPath } from '../model.ts';
import type { JudgedFile } from './judge-file.ts';

/**
 * Which sources asked a question. It only grows: whether a source that asked once still depends on the answer is told by
 * the source's own list.
 */
export class Askers {
  readonly #sources = new Map<string, RepoPath | RepoPath[]>();
  /** Entries, of all keys together. */
  size = 0;

  add({ entry: { path }, asked }: JudgedFile): void {
    for (const key of asked) {
      const known = this.#sources.get(key);
      // Most questions of a small file are its own, and need no list.
      if (known === undefined) this.#sources.set(key, path);
      else if (typeof known === 'string') this.#sources.set(key, [known, path]);
      else known.push(path);
    }
    this.size += asked.length;
  }

  of(key: string): readonly RepoPath[] {
    const known = this.#sources.get(key) ?? [];
    return typeof known === 'string' ? [known] : known;
  }
}
