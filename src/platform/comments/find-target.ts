import { type AnchorBlock, quoteOf } from '../../content/anchors/index.ts';
import {
  type CommentedPageRow,
  type Db,
  ensureCommentedPage,
  loadCommentedPage,
  loadPage,
  loadRevision,
  lockCommentedPage,
  type PageRow,
  type RevisionRow,
  updateCommentedPage,
} from '../../store/index.ts';
import { ApiError, invalid } from '../api/api-error.ts';
import type { PlatformDeps } from '../deps.ts';
import { followPage } from './follow-pages.ts';
import type { LocatedDiscussion } from './locate-discussion.ts';
import { blocksVersionOf, isGenerated, readPageBlocks } from './page-blocks.ts';

/** What a caller wants to comment on. */
export interface RequestedTarget {
  readonly page?: string | undefined;
  readonly node?: string | undefined;
  readonly tableCell?: { readonly record: string; readonly definition: string } | undefined;
}

/** A page, or a block of it, that a new comment is about. */
export interface CommentedPage {
  readonly page: PageRow;
  readonly version: string;
  /** The blocks of the page, where the comment is about one of them. */
  readonly blocks: readonly AnchorBlock[] | null;
  readonly node: string | null;
  readonly quote: string | null;
}

export interface LocatedTarget {
  readonly revision: RevisionRow;
  /** Null for a comment on the whole. */
  readonly on: CommentedPage | null;
}

/** Finds what a comment is about in what the space or the change request shows now; throws a 400 where it is not there. */
export async function findCommentTarget(
  deps: PlatformDeps,
  located: LocatedDiscussion,
  { page: pageId, node, tableCell }: RequestedTarget,
): Promise<LocatedTarget> {
  const { space, changeRequest } = located;
  const revisionId = changeRequest?.row.revisionId ?? space.revisionId;
  const revision = revisionId === null ? null : await loadRevision(deps.db, space.id, revisionId);
  if (revision === null) {
    throw invalid('/body/page', 'names nothing: the space has no content yet');
  }
  if (pageId === undefined) {
    if (node !== undefined) throw invalid('/body/page', 'is missing: name the page that has the node');
    if (tableCell !== undefined) throw invalid('/body/node', 'is missing: name the table that has the cell');
    return { revision, on: null };
  }
  const page = await loadPage(deps.db, revision, pageId);
  if (page === null)
    throw invalid('/body/page', `is not a page of ${changeRequest ? 'the change request' : 'the space'}`);
  const version = blocksVersionOf(page);
  if (node === undefined) {
    if (tableCell !== undefined) throw invalid('/body/node', 'is missing: name the table that has the cell');
    return { revision, on: { page, version, blocks: null, node: null, quote: null } };
  }
  if (isGenerated(page)) {
    throw invalid(
      '/body/node',
      'cannot be set: the text of this page is generated, so comment on the page as a whole',
    );
  }
  const known = await loadCommentedPage(deps.db, {
    spaceId: space.id,
    scope: scopeOf(located),
    pageId,
  });
  if (known !== null && known.version === version && known.blocks?.some(({ key }) => key === node)) {
    return {
      revision,
      on: { page, version, blocks: known.blocks, node, quote: quoteIn(known.blocks, node) },
    };
  }
  const read = await readPageBlocks(deps, space, page);
  const block = read?.enclosing.get(node);
  if (read === null || block === undefined) {
    throw invalid('/body/node', 'is not a node of this page now; read the page again');
  }
  return {
    revision,
    on: { page, version, blocks: read.blocks, node: block, quote: quoteIn(read.blocks, block) },
  };
}

/** Where comments of this discussion are placed: on the pages of the space, or on those of the change request. */
export function scopeOf({ changeRequest }: LocatedDiscussion): string {
  return changeRequest?.row.id ?? '';
}

/** Records the page of a new comment; whose comments stand on an earlier version of it are looked up first. */
export async function recordPage(
  deps: PlatformDeps,
  located: LocatedDiscussion,
  { revision, on }: LocatedTarget,
): Promise<void> {
  if (on === null) return;
  const { db } = deps;
  const { space, changeRequest } = located;
  const key = { spaceId: space.id, scope: scopeOf(located), pageId: on.page.id };
  const row = await ensureCommentedPage(db, {
    ...key,
    changeRequestId: changeRequest?.row.id ?? null,
    title: on.page.title,
    version: on.version,
    revisionId: revision.id,
    blocks: on.blocks,
  });
  if (row.version !== on.version || row.goneAt !== null) {
    await followPage(deps, space, { key, page: on.page, revision });
  }
}

/**
 * Locks the page of a new comment in its transaction, with its blocks; throws a 409 when the page was changed since it was
 * read.
 */
export async function lockPage(tx: Db, located: LocatedDiscussion, { on }: LocatedTarget): Promise<void> {
  if (on === null) return;
  const key = { spaceId: located.space.id, scope: scopeOf(located), pageId: on.page.id };
  const row: CommentedPageRow | null = await lockCommentedPage(tx, key);
  if (row === null || row.version !== on.version) {
    throw new ApiError(
      'content-moved',
      'The page was changed at the same time; read it again and try again.',
    );
  }
  if (row.blocks === null && on.blocks !== null) await updateCommentedPage(tx, key, { blocks: on.blocks });
}

function quoteIn(blocks: readonly AnchorBlock[], node: string): string {
  const block = blocks.find(({ key }) => key === node);
  return block === undefined ? '' : quoteOf(block);
}
