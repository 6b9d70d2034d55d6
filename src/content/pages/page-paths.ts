import type { RepoPath } from '../model/index.ts';
import { folderOf, indexRank } from '../tree/index.ts';

/** Gives every entry of a navigation a path of its own: the second one that wants a path gets `-1`, and so on. */
export class PagePaths {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();
  readonly #wanted = new Map<string, number>();

  /** How many wanted each path. */
  get wanted(): ReadonlyMap<string, number> {
    return this.#wanted;
  }

  take(wanted: string): string {
    this.#wanted.set(wanted, (this.#wanted.get(wanted) ?? 0) + 1);
    let path = wanted;
    for (let count = this.#next.get(wanted) ?? 1; this.#taken.has(path); count += 1) {
      path = `${wanted}-${count}`;
      this.#next.set(wanted, count + 1);
    }
    this.#taken.add(path);
    return path;
  }
}

/** Where a file stands in the published space: without its extension, and a folder's own page at the folder. */
export function publishedPath(pathInSpace: RepoPath, isFolderPage = indexRank(pathInSpace) !== null): string {
  return isFolderPage ? folderOf(pathInSpace) : pathInSpace.replace(/\.(?:mdx?|markdown)$/i, '');
}
