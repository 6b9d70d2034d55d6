import type { FileFacts, Oid, Page, RepoPath, TreeDiff } from '../model/index.ts';
import { isSameJson, leadToSameVerdicts } from './same-facts.ts';

/** Files whose bytes differ, by path, with their oids before and after. */
export type ChangedBytes = ReadonlyMap<RepoPath, { readonly before: Oid; readonly after: Oid }>;

interface Facts {
  get(path: RepoPath): FileFacts | undefined;
}

/**
 * Returns the files of a diff in which only bytes differ, so that the navigation is the previous one with different oids. Null
 * when anything else in it may differ: files were added or removed, or facts that the navigation shows have changed.
 */
export function changedBytes(diff: TreeDiff, older: Facts, newer: Facts): ChangedBytes | null {
  if (diff.added.length + diff.removed.length > 0) return null;
  const changes = new Map<RepoPath, { before: Oid; after: Oid }>();
  for (const { before, after } of diff.changed) {
    if (before.mode !== after.mode || after.mode === 'symlink') return null;
    const [old, now] = [older.get(after.path), newer.get(after.path)];
    if ((old === undefined) !== (now === undefined)) return null;
    if (old !== undefined && now !== undefined && !haveSamePages(old, now)) return null;
    changes.set(after.path, { before: before.oid, after: after.oid });
  }
  return changes;
}

function haveSamePages(older: FileFacts, newer: FileFacts): boolean {
  return (
    older.title === newer.title &&
    leadToSameVerdicts(older, newer) &&
    isSameJson(older.problems, newer.problems) &&
    isSameJson(older.variables, newer.variables)
  );
}

/**
 * Returns the navigation with the oids of changed files; all other objects are shared. Null when a page shows a
 * changed file under another path, as a symbolic link does.
 */
export function patchPages(pages: readonly Page[], changes: ChangedBytes): readonly Page[] | null {
  if (changes.size === 0) return pages;
  const outdated = new Set([...changes.values()].map(({ before }) => before));
  let isCertain = true;
  const patched = patch(pages);
  return isCertain ? patched : null;

  function patch(siblings: readonly Page[]): readonly Page[] {
    let copy: Page[] | null = null;
    siblings.forEach((page, at) => {
      const below = page.pages.length === 0 ? page.pages : patch(page.pages);
      const change = page.file === null ? undefined : changes.get(page.file);
      if (change === undefined ? page.oid !== null && outdated.has(page.oid) : page.oid !== change.before) {
        isCertain = false;
      }
      if (change === undefined && below === page.pages) return;
      copy ??= [...siblings];
      copy[at] = { ...page, oid: change?.after ?? page.oid, pages: below };
    });
    return copy ?? siblings;
  }
}
