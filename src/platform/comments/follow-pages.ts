import { type AnchorBlock, followThreads } from '../../content/anchors/index.ts';
import {
  type AnchoredComment,
  type CommentedPageKey,
  type CommentedPageRow,
  type Db,
  ensureCommentedPage,
  findPages,
  listAnchoredComments,
  listCommentedChangeRequests,
  listCommentedPages,
  loadCommentedPage,
  loadRevision,
  loadSpace,
  lockCommentedPage,
  moveCommentedPages,
  moveCommentsToSpace,
  type PageRow,
  placeComments,
  type RevisionRow,
  type SpaceRow,
  updateCommentedPage,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { blocksVersionOf, readPageBlocks } from './page-blocks.ts';

/** Pages that are looked up together. */
const BATCH = 200;

/** Comments of a page that are placed together. */
const COMMENTS = 2_000;

/** Looks up where all comments of a space stand; what did not change since costs next to nothing. */
export async function followPages(deps: PlatformDeps, spaceId: string, signal: AbortSignal): Promise<void> {
  const space = await loadSpace(deps.db, spaceId);
  if (space === null) return;
  const current = space.revisionId === null ? null : await loadRevision(deps.db, space.id, space.revisionId);
  if (current === null) return;
  await followScope(deps, space, { scope: '', revision: current, signal });
  for (const { id, revisionId, isMerged } of await listCommentedChangeRequests(deps.db, space.id)) {
    if (isMerged) {
      await bringToSpace(deps, space, { changeRequestId: id, revision: current, signal });
      continue;
    }
    const revision = await loadRevision(deps.db, space.id, revisionId);
    if (revision !== null) await followScope(deps, space, { scope: id, revision, signal });
  }
}

interface Scope {
  readonly scope: string;
  readonly revision: RevisionRow;
  readonly signal: AbortSignal;
}

async function followScope(
  deps: PlatformDeps,
  space: SpaceRow,
  { scope, revision, signal }: Scope,
): Promise<void> {
  const { db } = deps;
  for (let after: string | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof listCommentedPages>> = await listCommentedPages(
      db,
      { spaceId: space.id, scope },
      { after, limit: BATCH },
    );
    const ids = rows.map(({ pageId }) => pageId);
    const pages = new Map((await findPages(db, revision, ids)).map((page) => [page.id, page]));
    const same: string[] = [];
    for (const row of rows) {
      signal.throwIfAborted();
      const page = pages.get(row.pageId) ?? null;
      if (isAsIn(row, page)) same.push(row.pageId);
      else await followPage(deps, space, { key: row, page, revision });
    }
    await moveCommentedPages(db, { spaceId: space.id, scope }, { pageIds: same, revisionId: revision.id });
    const last = rows.at(-1);
    if (rows.length < BATCH || last === undefined) return;
    after = last.pageId;
  }
}

function isAsIn(row: Omit<CommentedPageRow, 'blocks'>, page: PageRow | null): boolean {
  if (page === null) return row.goneAt !== null;
  return row.goneAt === null && row.title === page.title && row.version === blocksVersionOf(page);
}

/** Looks up where the comments on one page stand in this revision. */
export async function followPage(
  deps: PlatformDeps,
  space: SpaceRow,
  {
    key,
    page,
    revision,
  }: { readonly key: CommentedPageKey; readonly page: PageRow | null; readonly revision: RevisionRow },
): Promise<void> {
  const { db } = deps;
  if (page === null) {
    // The comments keep where they stood: they stand there again when the page is back.
    await updateCommentedPage(db, key, { goneAt: new Date() });
    return;
  }
  const version = blocksVersionOf(page);
  const found = await loadCommentedPage(db, key);
  const needsBlocks = found !== null && found.blocks !== null && found.version !== version;
  const read = needsBlocks ? await readPageBlocks(deps, space, page) : null;
  await db.transaction(async (tx) => {
    const row = await lockCommentedPage(tx, key);
    // Somebody commented meanwhile, and the page was looked up for that.
    if (row === null || row.version !== found?.version || (row.blocks === null) !== (found.blocks === null))
      return;
    const facts = { title: page.title, revisionId: revision.id, goneAt: null };
    if (!needsBlocks) {
      await updateCommentedPage(tx, key, { ...facts, ...(row.blocks === null && { version }) });
      return;
    }
    const after = read?.blocks ?? [];
    await placeAll(tx, key, { before: row.blocks, after });
    await updateCommentedPage(tx, key, { ...facts, version, blocks: after });
  });
}

async function placeAll(
  tx: Db,
  key: CommentedPageKey,
  pages: {
    readonly before: readonly AnchorBlock[] | null;
    readonly after: readonly AnchorBlock[];
    readonly only?: (comment: AnchoredComment) => boolean;
  },
): Promise<void> {
  const { only = () => true, ...versions } = pages;
  for (let after: string | null = null; ; ) {
    const comments: readonly AnchoredComment[] = await listAnchoredComments(tx, key, {
      after,
      limit: COMMENTS,
    });
    const moved = followThreads(comments.filter(only), versions);
    const before = new Map(comments.map((comment) => [comment.id, comment]));
    await placeComments(
      tx,
      moved.filter(({ id, node, quote }) => {
        const was = before.get(id);
        return was?.node !== node || was.quote !== quote;
      }),
    );
    const last = comments.at(-1);
    if (comments.length < COMMENTS || last === undefined) return;
    after = last.id;
  }
}

/** Makes the comments of a merged change request that the space lists stand on the space's own pages. */
async function bringToSpace(
  deps: PlatformDeps,
  space: SpaceRow,
  {
    changeRequestId,
    revision,
    signal,
  }: { readonly changeRequestId: string; readonly revision: RevisionRow; readonly signal: AbortSignal },
): Promise<void> {
  const { db } = deps;
  const from = { spaceId: space.id, scope: changeRequestId };
  for (let after: string | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof listCommentedPages>> = await listCommentedPages(db, from, {
      after,
      limit: BATCH,
    });
    for (const { pageId } of rows) {
      signal.throwIfAborted();
      await bringPage(deps, space, { key: { ...from, pageId }, revision });
    }
    const last = rows.at(-1);
    if (rows.length < BATCH || last === undefined) return;
    after = last.pageId;
  }
}

async function bringPage(
  deps: PlatformDeps,
  space: SpaceRow,
  { key, revision }: { readonly key: CommentedPageKey; readonly revision: RevisionRow },
): Promise<void> {
  const { db } = deps;
  const own = { ...key, scope: '' };
  const [page] = await findPages(db, revision, [key.pageId]);
  const proposed = await loadCommentedPage(db, key);
  if (proposed === null) return;
  const hasBlocks = proposed.blocks !== null || (await loadCommentedPage(db, own))?.blocks != null;
  const read = page === undefined || !hasBlocks ? null : await readPageBlocks(deps, space, page);
  const now = page && { version: blocksVersionOf(page), blocks: hasBlocks ? (read?.blocks ?? []) : null };
  await db.transaction(async (tx) => {
    const row = await ensureCommentedPage(tx, {
      ...own,
      title: page?.title ?? proposed.title,
      revisionId: page === undefined ? proposed.revisionId : revision.id,
      goneAt: page === undefined ? new Date() : null,
      version: proposed.version,
      blocks: proposed.blocks,
    });
    // Of a page that is gone, the space keeps what it knew last.
    const after = now?.blocks ?? row.blocks ?? [];
    if (now !== undefined && row.version !== now.version) {
      await placeAll(tx, own, { before: row.blocks, after });
    }
    await placeAll(tx, key, { before: proposed.blocks, after, only: ({ inSpace }) => inSpace });
    await moveCommentsToSpace(tx, key);
    if (page === undefined || now === undefined) return;
    const facts = { title: page.title, revisionId: revision.id, goneAt: null };
    await updateCommentedPage(tx, own, { ...facts, version: now.version, blocks: now.blocks ?? row.blocks });
  });
}
