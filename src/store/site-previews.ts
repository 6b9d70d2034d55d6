import { and, count, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { sitePreviews } from './schema/sites.ts';

export type SitePreviewRow = typeof sitePreviews.$inferSelect;

export async function loadSitePreview(db: Db, siteId: string, id: string): Promise<SitePreviewRow | null> {
  const [row] = await db
    .select()
    .from(sitePreviews)
    .where(and(eq(sitePreviews.id, id), eq(sitePreviews.siteId, siteId)));
  return row ?? null;
}

export async function countSitePreviews(db: Db, siteId: string): Promise<number> {
  const [row] = await db.select({ count: count() }).from(sitePreviews).where(eq(sitePreviews.siteId, siteId));
  return row?.count ?? 0;
}

/** Saves the preview of a source; one that is there keeps its id and its key. */
export async function saveSitePreview(
  db: Db,
  preview: Omit<SitePreviewRow, 'createdAt' | 'updatedAt'>,
): Promise<SitePreviewRow> {
  const { title, url, revisions } = preview;
  const [row] = await db
    .insert(sitePreviews)
    .values(preview)
    .onConflictDoUpdate({
      target: [sitePreviews.siteId, sitePreviews.source],
      set: { title, url, revisions, updatedAt: sql`now()` },
    })
    .returning();
  return row as SitePreviewRow;
}

/** Deletes the preview of a source, and returns it; null if there was none. */
export async function deleteSitePreview(
  db: Db,
  siteId: string,
  source: string,
): Promise<SitePreviewRow | null> {
  const [row] = await db
    .delete(sitePreviews)
    .where(and(eq(sitePreviews.siteId, siteId), eq(sitePreviews.source, source)))
    .returning();
  return row ?? null;
}
