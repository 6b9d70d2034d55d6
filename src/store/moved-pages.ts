import { and, eq, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { toStorableText } from './insert-rows.ts';
import { movedPages } from './schema/content.ts';

/** A page, and where it stood before. */
export interface MovedPage {
  /** As `path` of a page. */
  readonly path: string;
  readonly pageId: string;
}

/** Records where pages were; of several at one address, the last. */
export async function upsertMovedPages(db: Db, spaceId: string, moved: readonly MovedPage[]): Promise<void> {
  if (moved.length === 0) return;
  const rows = [...new Map(moved.map((one) => [toStorableText(one.path), one.pageId]))];
  await db.execute(sql`
    insert into ${movedPages} (space_id, path, page_id)
    select ${spaceId}, given->>0, given->>1 from json_array_elements(${JSON.stringify(rows)}::json) as given
    on conflict (space_id, path) do update set page_id = excluded.page_id, moved_at = now()`);
}

/** The page that stood at an address last, before it moved; null when none did. */
export async function findMovedPage(db: Db, spaceId: string, path: string): Promise<string | null> {
  const [row] = await db
    .select({ pageId: movedPages.pageId })
    .from(movedPages)
    .where(and(eq(movedPages.spaceId, spaceId), eq(movedPages.path, path)));
  return row?.pageId ?? null;
}
