import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import { type AgeKey, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import { siteRedirects } from './schema/sites.ts';

export type SiteRedirectRow = typeof siteRedirects.$inferSelect;

/** The number of redirects of a site whose source contains a text, and those after `after`, oldest first. */
export async function listRedirects(
  db: Db,
  siteId: string,
  options: { readonly search: string; readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly SiteRedirectRow[] }> {
  const matching = and(
    eq(siteRedirects.siteId, siteId),
    sql`strpos(lower(${siteRedirects.source}), lower(${options.search})) > 0`,
  );
  const [total] = await db.select({ count: count() }).from(siteRedirects).where(matching);
  const rows = await db
    .select()
    .from(siteRedirects)
    .where(and(matching, isYounger(siteRedirects, options.after)))
    .orderBy(asc(siteRedirects.createdAt), asc(siteRedirects.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** The redirects of a site with one of these sources, in no order. */
export async function findRedirects(
  db: Db,
  siteId: string,
  sources: readonly string[],
): Promise<readonly SiteRedirectRow[]> {
  return await db
    .select()
    .from(siteRedirects)
    .where(and(eq(siteRedirects.siteId, siteId), inArray(siteRedirects.source, [...sources])));
}

export async function insertRedirect(
  db: Db,
  redirect: Pick<SiteRedirectRow, 'id' | 'siteId' | 'source' | 'destination'>,
): Promise<SiteRedirectRow> {
  const [row] = await db.insert(siteRedirects).values(redirect).returning();
  return row as SiteRedirectRow;
}

/** Changes a redirect; null when the site has none with this id. */
export async function updateRedirect(
  db: Db,
  siteId: string,
  id: string,
  changes: Partial<Pick<SiteRedirectRow, 'source' | 'destination'>>,
): Promise<SiteRedirectRow | null> {
  const [row] = await db
    .update(siteRedirects)
    .set({ ...changes, siteId })
    .where(and(eq(siteRedirects.id, id), eq(siteRedirects.siteId, siteId)))
    .returning();
  return row ?? null;
}

export async function deleteRedirect(db: Db, siteId: string, id: string): Promise<SiteRedirectRow | null> {
  const [row] = await db
    .delete(siteRedirects)
    .where(and(eq(siteRedirects.id, id), eq(siteRedirects.siteId, siteId)))
    .returning();
  return row ?? null;
}
