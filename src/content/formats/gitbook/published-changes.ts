import type { RepoPath } from '../../model/index.ts';
import { foldersAbove, type LayeredMap } from '../../tree/index.ts';
import { joinFolder } from './gitbook-config.ts';
import type { PublishedSpace } from './gitbook-pages.ts';

/** The spaces of a publication. */
export interface Published {
  readonly own: PublishedSpace;
  readonly siblings: () => readonly PublishedSpace[];
  /** Which of these the checks of links have used, besides the space itself. */
  readonly used: { readonly siblings: boolean; readonly inferred: boolean };
}

/** The paths that two publications list or publish differently; null when the publications cannot be compared. */
export function changesBetween(older: Published, newer: Published): Iterable<RepoPath> | null {
  const olderSpaces = [older.own, ...(older.used.siblings ? older.siblings() : [])];
  const newerSpaces = [newer.own, ...(older.used.siblings ? newer.siblings() : [])];
  const changes = new Set<RepoPath>();
  for (const [at, olderSpace] of olderSpaces.entries()) {
    const newerSpace = newerSpaces[at];
    if (newerSpace === undefined || !addChanges(changes, olderSpace, newerSpace)) return null;
  }
  // The space of an app address is inferred from all such addresses and all pages.
  return older.used.inferred ? null : changes;
}

/** Adds what differs between two spaces; false when everything may differ. */
function addChanges(changes: Set<RepoPath>, older: PublishedSpace, newer: PublishedSpace): boolean {
  if (older === newer) return true;
  const changedKeys = (map: 'listed' | 'paths') =>
    (newer[map] as LayeredMap<string, unknown>).differingKeys(older[map] as LayeredMap<string, unknown>);
  // Where nothing is listed, everything is published.
  if ((older.listed.size === 0) !== (newer.listed.size === 0)) return false;
  const add = (path: RepoPath) => {
    changes.add(path);
    for (const folder of foldersAbove(path)) changes.add(folder);
  };
  for (const path of changedKeys('listed')) if (older.listed.has(path) !== newer.listed.has(path)) add(path);
  for (const published of changedKeys('paths')) {
    const [before, now] = [older.paths.get(published), newer.paths.get(published)];
    if (before === now) continue;
    add(joinFolder(newer.config.root, published));
    if (typeof before === 'string') add(before);
    if (typeof now === 'string') add(now);
  }
  return true;
}
