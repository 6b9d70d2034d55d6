import type { RepoPath } from '../model/index.ts';
import { folderOf, indexRank } from '../tree/index.ts';

/** Assigns a unique path to every entry of a navigation: the second entry that requests a path gets `-1`, and so on. */
export class PagePaths {
  readonly #assigned = new Set<string>();
  readonly #next = new Map<string, number>();
  readonly #wanted = new Map<string, number>();

  /** How many entries requested each path. */
  get wanted(): ReadonlyMap<string, number> {
    return this.#wanted;
  }

  assign(wanted: string): string {
    this.#wanted.set(wanted, (this.#wanted.get(wanted) ?? 0) + 1);
    let path = wanted;
    for (let count = this.#next.get(wanted) ?? 1; this.#assigned.has(path); count += 1) {
      path = `${wanted}-${count}`;
      this.#next.set(wanted, count + 1);
    }
    this.#assigned.add(path);
    return path;
  }
}

/** The path of a file in the published space: without its extension; a folder's own page has the folder's path. */
export function publishedPath(pathInSpace: RepoPath, isFolderPage = indexRank(pathInSpace) !== null): string {
  return isFolderPage ? folderOf(pathInSpace) : pathInSpace.replace(/\.(?:mdx?|markdown)$/i, '');
}
