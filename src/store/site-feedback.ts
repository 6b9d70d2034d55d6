import { and, count, desc, eq, sql } from 'drizzle-orm';
import { type AgeKey, isOlder } from './age-keys.ts';
import type { Db } from './db.ts';
import { siteFeedback } from './schema/sites.ts';

export type SiteFeedbackRow = typeof siteFeedback.$inferSelect;

/** What a site stores in an hour, from all its readers together. */
const MAX_PER_HOUR = 500;

/** Stores what a reader said of a page; false when the site got too much within the last hour. */
export async function insertFeedback(db: Db, feedback: Omit<SiteFeedbackRow, 'createdAt'>): Promise<boolean> {
  const { id, siteId, spaceId, pageId, path, title, helpful, comment } = feedback;
  const { rowCount } = await db.execute(sql`
    insert into ${siteFeedback} (id, site_id, space_id, page_id, path, title, helpful, comment)
    select ${id}, ${siteId}, ${spaceId}, ${pageId}, ${path}, ${title}, ${helpful}, ${comment}
    where (select count(*) from ${siteFeedback}
      where site_id = ${siteId} and created_at > now() - interval '1 hour') < ${MAX_PER_HOUR}`);
  return rowCount === 1;
}

/** The number of what was said of a site's pages, or of one of them, and those before `after`, the newest first. */
export async function listFeedback(
  db: Db,
  siteId: string,
  options: {
    readonly helpful: boolean | undefined;
    readonly pageId: string | undefined;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly SiteFeedbackRow[] }> {
  const { helpful, pageId, after, limit } = options;
  const matching = and(
    eq(siteFeedback.siteId, siteId),
    helpful === undefined ? undefined : eq(siteFeedback.helpful, helpful),
    pageId === undefined ? undefined : eq(siteFeedback.pageId, pageId),
  );
  const [total] = await db.select({ count: count() }).from(siteFeedback).where(matching);
  const rows = await db
    .select()
    .from(siteFeedback)
    .where(and(matching, isOlder(siteFeedback, after)))
    .orderBy(desc(siteFeedback.createdAt), desc(siteFeedback.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}
