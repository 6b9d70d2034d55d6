import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { ContentChanges } from './revisions.ts';
import { entries, files, links, pages, sections } from './schema/content.ts';

/** How many new rows make the planner's statistics outdated. */
const MANY_ROWS = 2_000;

/**
 * Updates the planner's statistics after many rows were added at once. The database would do so by itself after some
 * minutes; until then it would read lists of a new, large space by plans for a small one.
 */
export async function refreshStatistics(
  db: Db,
  { pages: newPages, files: newFiles, entries: newEntries, links: newSets }: ContentChanges,
): Promise<void> {
  const count = newPages.added.length + newFiles.added.length + newEntries.added.length + newSets.size;
  if (count < MANY_ROWS) return;
  await db.execute(sql`analyze ${entries}, ${pages}, ${files}, ${links}, ${sections}`);
}
