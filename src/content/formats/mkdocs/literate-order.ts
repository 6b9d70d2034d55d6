import type { RepoPath } from '../../model/index.ts';
import type { FolderEntry, PageFile } from '../../pages/index.ts';
import { folderOf, resolvePath } from '../../tree/index.ts';

/** What the plugin `literate-nav` makes of the lists in the files that it reads. */
export interface LiterateOrder {
  /** Compares two entries of one folder: those that its list names are first, in the list's order. */
  readonly compare: (a: FolderEntry, b: FolderEntry) => number;
  /** The text of the first link to a page; null for none. */
  labelOf(file: RepoPath): string | null;
}

/** Reads the order of pages from the links of files named `name`; without one, files come before folders by their names. */
export function readLiterateOrder(
  files: ReadonlyMap<RepoPath, PageFile>,
  name: string | null,
): LiterateOrder {
  const ranks = new Map<RepoPath, number>();
  const labels = new Map<RepoPath, string>();
  for (const { path, facts } of files.values()) {
    if (name === null || path.slice(path.lastIndexOf('/') + 1) !== name) continue;
    facts?.references.forEach(({ kind, target, text }, rank) => {
      const found = resolvePath(path, target.replace(/[?#].*$/, ''));
      if (kind !== 'link' || !found.inside) return;
      if (files.has(found.path) && !labels.has(found.path) && text.trim() !== '')
        labels.set(found.path, text);
      // What is in a folder below ranks the folder.
      for (let at = found.path; at !== folderOf(path) && at !== ''; at = folderOf(at)) {
        if (!ranks.has(at)) ranks.set(at, rank);
      }
    });
  }
  const rankOf = ({ path }: FolderEntry) => ranks.get(path) ?? Number.MAX_SAFE_INTEGER;
  return {
    compare: (a, b) =>
      rankOf(a) - rankOf(b) || Number(a.isFolder) - Number(b.isFolder) || (a.name < b.name ? -1 : 1),
    labelOf: (file) => labels.get(file) ?? null,
  };
}
