import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import type { ContentChanges } from './revisions.ts';
import { entries, files, links, pages, sections } from './schema/content.ts';

/** Rows from which a change alters what the planner should know. */
const MANY_ROWS = 2_000;

/**
 * Lets the database look at what it holds after many rows came at once. It does so by itself within some minutes;
 * until then it would read lists of a new, large space by plans made for small ones.
 */
export async function refreshStatistics(
  db: Db,
  { pages: newPages, files: newFiles, entries: newEntries, links: newSets }: ContentChanges,
): Promise<void> {
  const count = newPages.added.length + newFiles.added.length + newEntries.added.length + newSets.size;
  if (count < MANY_ROWS) return;
  await db.execute(sql`analyze ${entries}, ${pages}, ${files}, ${links}, ${sections}`);
}
