import type { RepoPath } from '../../model/index.ts';
import { foldersAbove, type LayeredMap } from '../../tree/index.ts';
import { joinFolder } from './gitbook-config.ts';
import type { PublishedSpace } from './gitbook-pages.ts';

/** What one publication tells of its spaces. */
export interface Published {
  readonly own: PublishedSpace;
  readonly siblings: () => readonly PublishedSpace[];
  /** What links were judged by, besides the space itself. */
  readonly asked: { readonly siblings: boolean; readonly inferred: boolean };
}

/** The paths that one publication lists or publishes otherwise than the other; null when they cannot be compared. */
export function changesBetween(older: Published, newer: Published): Iterable<RepoPath> | null {
  const olders = [older.own, ...(older.asked.siblings ? older.siblings() : [])];
  const newers = [newer.own, ...(older.asked.siblings ? newer.siblings() : [])];
  const changes = new Set<RepoPath>();
  for (const [at, one] of olders.entries()) {
    const other = newers[at];
    if (other === undefined || !addChanges(changes, one, other)) return null;
  }
  // Which space an address of the app leads into is guessed from all such addresses and all pages.
  return older.asked.inferred ? null : changes;
}

/** False when everything may differ. */
function addChanges(changes: Set<RepoPath>, older: PublishedSpace, newer: PublishedSpace): boolean {
  if (older === newer) return true;
  const apart = (map: 'listed' | 'paths') =>
    (newer[map] as LayeredMap<string, unknown>).keysApart(older[map] as LayeredMap<string, unknown>);
  // Where nothing is listed, everything is published.
  if ((older.listed.size === 0) !== (newer.listed.size === 0)) return false;
  const add = (path: RepoPath) => {
    changes.add(path);
    for (const folder of foldersAbove(path)) changes.add(folder);
  };
  for (const path of apart('listed')) if (older.listed.has(path) !== newer.listed.has(path)) add(path);
  for (const published of apart('paths')) {
    const [before, now] = [older.paths.get(published), newer.paths.get(published)];
    if (before === now) continue;
    add(joinFolder(newer.config.root, published));
    if (typeof before === 'string') add(before);
    if (typeof now === 'string') add(now);
  }
  return true;
}
