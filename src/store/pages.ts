import { and, asc, eq } from 'drizzle-orm';
import type { Db } from './db.ts';
import { pages } from './schema/platform.ts';

export type PageRow = typeof pages.$inferSelect;

/** The pages of a revision in the order of the navigation, depth first. */
export async function listPages(db: Db, revisionId: string): Promise<readonly PageRow[]> {
  return await db.select().from(pages).where(eq(pages.revisionId, revisionId)).orderBy(asc(pages.position));
}

export async function loadPage(db: Db, revisionId: string, id: string): Promise<PageRow | null> {
  const [row] = await db
    .select()
    .from(pages)
    .where(and(eq(pages.revisionId, revisionId), eq(pages.id, id)));
  return row ?? null;
}
