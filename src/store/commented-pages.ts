import { and, asc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { commentedPages, comments, type StoredBlock } from './schema/comments.ts';
import { changeRequests } from './schema/content.ts';
import { textRows } from './text-rows.ts';

export type { StoredBlock } from './schema/comments.ts';
export type CommentedPageRow = typeof commentedPages.$inferSelect;

/** A page that comments are about: of a space, or as a change request (`scope`) proposes it. */
export interface CommentedPageKey {
  readonly spaceId: string;
  /** The id of the change request; empty for the space itself. */
  readonly scope: string;
  readonly pageId: string;
}

function isPage({ spaceId, scope, pageId }: CommentedPageKey) {
  return and(
    eq(commentedPages.spaceId, spaceId),
    eq(commentedPages.scope, scope),
    eq(commentedPages.pageId, pageId),
  );
}

export async function loadCommentedPage(db: Db, key: CommentedPageKey): Promise<CommentedPageRow | null> {
  const [row] = await db.select().from(commentedPages).where(isPage(key));
  return row ?? null;
}

/** Locks a page that comments are about until the transaction is complete. */
export async function lockCommentedPage(db: Db, key: CommentedPageKey): Promise<CommentedPageRow | null> {
  const [row] = await db.select().from(commentedPages).where(isPage(key)).for('update');
  return row ?? null;
}

/** Inserts a page where it is missing, and locks it until the transaction is complete. */
export async function ensureCommentedPage(
  db: Db,
  page: typeof commentedPages.$inferInsert,
): Promise<CommentedPageRow> {
  await db.insert(commentedPages).values(page).onConflictDoNothing();
  return (await lockCommentedPage(db, page)) as CommentedPageRow;
}

export async function updateCommentedPage(
  db: Db,
  key: CommentedPageKey,
  changes: Partial<Pick<CommentedPageRow, 'title' | 'version' | 'revisionId' | 'blocks' | 'goneAt'>>,
): Promise<void> {
  await db
    .update(commentedPages)
    .set({ ...changes, checkedAt: sql`now()` })
    .where(isPage(key));
}

/** Records that these pages were found as they are in a later revision. */
export async function moveCommentedPages(
  db: Db,
  { spaceId, scope }: Pick<CommentedPageKey, 'spaceId' | 'scope'>,
  { pageIds, revisionId }: { readonly pageIds: readonly string[]; readonly revisionId: string },
): Promise<void> {
  if (pageIds.length === 0) return;
  await db
    .update(commentedPages)
    .set({ revisionId, checkedAt: sql`now()` })
    .where(
      and(
        eq(commentedPages.spaceId, spaceId),
        eq(commentedPages.scope, scope),
        sql`${commentedPages.pageId} in ${textRows(pageIds)}`,
      ),
    );
}

export async function hasCommentedPages(db: Db, spaceId: string): Promise<boolean> {
  const rows = await db
    .select({ pageId: commentedPages.pageId })
    .from(commentedPages)
    .where(eq(commentedPages.spaceId, spaceId))
    .limit(1);
  return rows.length > 0;
}

/** The commented pages of a scope after `after`, in the order of their ids, without their blocks. */
export async function listCommentedPages(
  db: Db,
  { spaceId, scope }: Pick<CommentedPageKey, 'spaceId' | 'scope'>,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly Omit<CommentedPageRow, 'blocks'>[]> {
  const { blocks: _, ...fields } = commentedPageFields;
  return await db
    .select(fields)
    .from(commentedPages)
    .where(
      and(
        eq(commentedPages.spaceId, spaceId),
        eq(commentedPages.scope, scope),
        after === null ? undefined : gt(commentedPages.pageId, after),
      ),
    )
    .orderBy(asc(commentedPages.pageId))
    .limit(limit);
}

const commentedPageFields = {
  spaceId: commentedPages.spaceId,
  scope: commentedPages.scope,
  changeRequestId: commentedPages.changeRequestId,
  pageId: commentedPages.pageId,
  title: commentedPages.title,
  version: commentedPages.version,
  revisionId: commentedPages.revisionId,
  blocks: commentedPages.blocks,
  goneAt: commentedPages.goneAt,
  checkedAt: commentedPages.checkedAt,
};

/** A change request whose comments have places that may have changed. */
export interface CommentedChangeRequest {
  readonly id: string;
  /** What it proposes. */
  readonly revisionId: string;
  readonly isMerged: boolean;
}

/** The change requests of a space with comments on pages, of which a merged one has some that the space lists by now. */
export async function listCommentedChangeRequests(
  db: Db,
  spaceId: string,
): Promise<readonly CommentedChangeRequest[]> {
  const isMerged = sql<boolean>`${changeRequests.status} = 'merged'`;
  return await db
    .select({ id: changeRequests.id, revisionId: changeRequests.revisionId, isMerged })
    .from(changeRequests)
    .where(
      and(
        eq(changeRequests.spaceId, spaceId),
        or(
          and(
            sql`${changeRequests.status} <> 'merged'`,
            sql`exists (select 1 from ${commentedPages} where ${commentedPages.changeRequestId} = ${changeRequests.id})`,
          ),
          and(
            sql`${changeRequests.status} = 'merged'`,
            sql`exists (select 1 from ${comments} where ${comments.changeRequestId} = ${changeRequests.id}
              and ${comments.inSpace} and ${comments.scope} <> '' and ${comments.pageId} is not null)`,
          ),
        ),
      ),
    )
    .orderBy(asc(changeRequests.number));
}

/** A comment on a block of a page, or on one that was there. */
export interface AnchoredComment {
  readonly id: string;
  readonly node: string | null;
  readonly quote: string;
  readonly inSpace: boolean;
}

/** The comments on blocks of a page after `after`, in the order of their ids. */
export async function listAnchoredComments(
  db: Db,
  { spaceId, scope, pageId }: CommentedPageKey,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly AnchoredComment[]> {
  const rows = await db
    .select({ id: comments.id, node: comments.node, quote: comments.quote, inSpace: comments.inSpace })
    .from(comments)
    .where(
      and(
        eq(comments.spaceId, spaceId),
        eq(comments.pageId, pageId),
        eq(comments.scope, scope),
        isNotNull(comments.quote),
        after === null ? undefined : gt(comments.id, after),
      ),
    )
    .orderBy(asc(comments.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, quote: row.quote ?? '' }));
}

/** Records where comments stand. */
export async function placeComments(
  db: Db,
  places: readonly { readonly id: string; readonly node: string | null; readonly quote: string }[],
): Promise<void> {
  if (places.length === 0) return;
  await db.execute(sql`
    update comments c set node = p.node, quote = p.quote
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p (id text, node text, quote text)
    where c.id = p.id`);
}

/** Makes the comments on a page that the space lists by now ones of the space's own page. */
export async function moveCommentsToSpace(
  db: Db,
  { spaceId, scope, pageId }: CommentedPageKey,
): Promise<void> {
  await db
    .update(comments)
    .set({ scope: '' })
    .where(
      and(
        eq(comments.spaceId, spaceId),
        eq(comments.scope, scope),
        eq(comments.pageId, pageId),
        sql`${comments.inSpace}`,
      ),
    );
}

/** Lists the open comments of a merged change request in its space, too. */
export async function listOpenCommentsInSpace(db: Db, changeRequestId: string): Promise<void> {
  await db
    .update(comments)
    .set({ inSpace: true })
    .where(and(eq(comments.changeRequestId, changeRequestId), isNull(comments.resolvedAt)));
  await db
    .update(comments)
    .set({ scope: '' })
    .where(
      and(eq(comments.changeRequestId, changeRequestId), sql`${comments.inSpace}`, isNull(comments.pageId)),
    );
}

/** The blocks of a page, as they are stored. */
export type StoredBlocks = readonly StoredBlock[];
