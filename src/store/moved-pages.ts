import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { toStorableText } from './insert-rows.ts';
import { movedPages } from './schema/content.ts';

/** A page and its former address. */
export interface MovedPage {
  /** As `path` of a page. */
  readonly path: string;
  readonly pageId: string;
}

/** Records former addresses of pages; of several pages at one address, the last. */
export async function upsertMovedPages(db: Db, spaceId: string, moved: readonly MovedPage[]): Promise<void> {
  if (moved.length === 0) return;
  const rows = [...new Map(moved.map(({ path, pageId }) => [toStorableText(path), pageId]))];
  await db.execute(sql`
    insert into ${movedPages} (space_id, path, page_id)
    select ${spaceId}, input->>0, input->>1 from json_array_elements(${JSON.stringify(rows)}::json) as input
    on conflict (space_id, path) do update set page_id = excluded.page_id, moved_at = now()`);
}

/** The page that last had an address, before it moved; null when none did. */
export async function findMovedPage(db: Db, spaceId: string, path: string): Promise<string | null> {
  const [row] = await db
    .select({ pageId: movedPages.pageId })
    .from(movedPages)
    .where(and(eq(movedPages.spaceId, spaceId), eq(movedPages.path, path)));
  return row?.pageId ?? null;
}
