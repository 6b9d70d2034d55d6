import { and, asc, count, eq } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { siteShareLinks } from './schema/sites.ts';

export type ShareLinkRow = typeof siteShareLinks.$inferSelect;

/** The number of share links of a site, and those after `after`, oldest first. */
export async function listShareLinks(
  db: Db,
  siteId: string,
  { after, limit }: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly ShareLinkRow[] }> {
  const matching = eq(siteShareLinks.siteId, siteId);
  const [total] = await db.select({ count: count() }).from(siteShareLinks).where(matching);
  const rows = await db
    .select()
    .from(siteShareLinks)
    .where(and(matching, isYounger(siteShareLinks, after)))
    .orderBy(asc(siteShareLinks.createdAt), asc(siteShareLinks.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

export async function insertShareLink(
  db: Db,
  link: Pick<ShareLinkRow, 'id' | 'siteId' | 'name' | 'hash' | 'prefix'>,
): Promise<ShareLinkRow> {
  const [row] = await db.insert(siteShareLinks).values(link).returning();
  return row as ShareLinkRow;
}

export async function updateShareLink(
  db: Db,
  siteId: string,
  id: string,
  changes: Partial<Pick<ShareLinkRow, 'name' | 'active'>>,
): Promise<ShareLinkRow | null> {
  const [row] = await db
    .update(siteShareLinks)
    .set(changes)
    .where(and(eq(siteShareLinks.id, id), eq(siteShareLinks.siteId, siteId)))
    .returning();
  return row ?? null;
}

export async function deleteShareLink(db: Db, siteId: string, id: string): Promise<ShareLinkRow | null> {
  const [row] = await db
    .delete(siteShareLinks)
    .where(and(eq(siteShareLinks.id, id), eq(siteShareLinks.siteId, siteId)))
    .returning();
  return row ?? null;
}
