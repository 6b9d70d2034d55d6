import type { Page } from '../../content/index.ts';
import { MAX_DEPTH } from './derive-pages.ts';

/** An entry of the navigation with the same position as before, but with other content or as another object. */
export interface ChangedPage {
  readonly before: Page;
  readonly page: Page;
  /** Whether a page above it is hidden. */
  readonly isBelowHidden: boolean;
}

/** The entries that are not the same objects; null if an entry was added, removed, moved, hidden or shown. */
export function compareNavigation(
  before: readonly Page[],
  after: readonly Page[],
): readonly ChangedPage[] | null {
  const changed: ChangedPage[] = [];
  return compare(before, after, false, 1) ? changed : null;

  function compare(
    older: readonly Page[],
    newer: readonly Page[],
    isBelowHidden: boolean,
    depth: number,
  ): boolean {
    if (older === newer) return true;
    // Entries nested this deep are moved up, so their position is not that of the navigation.
    if (older.length !== newer.length || depth >= MAX_DEPTH) return false;
    return newer.every((page, index) => {
      const old = older[index];
      if (old === page) return true;
      if (old === undefined || !hasSamePosition(old, page)) return false;
      changed.push({ before: old, page, isBelowHidden });
      return compare(old.pages, page.pages, isBelowHidden || page.hidden, depth + 1);
    });
  }
}

/** Whether both have the same name and position, and are both shown or both hidden. */
function hasSamePosition(a: Page, b: Page): boolean {
  return (
    a.type === b.type && a.file === b.file && a.path === b.path && a.href === b.href && a.hidden === b.hidden
  );
}
