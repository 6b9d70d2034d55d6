import { and, asc, eq, sql } from 'drizzle-orm';
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

/** A page and all below it, in the order of the navigation; empty when there is no such page. */
export async function loadPageTree(db: Db, revisionId: string, id: string): Promise<readonly PageRow[]> {
  const below = sql`(
    with recursive tree(id) as (
      select ${id}::text
      union
      select child.id from ${pages} child join tree on child.parent_id = tree.id
      where child.revision_id = ${revisionId}
    ) select id from tree)`;
  return await db
    .select()
    .from(pages)
    .where(and(eq(pages.revisionId, revisionId), sql`${pages.id} in ${below}`))
    .orderBy(asc(pages.position));
}
