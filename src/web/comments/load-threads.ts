import { type Comment, type CommentReply, operations, type PlatformClient } from '../../client/index.ts';
import type { Markup } from '../../markup/index.ts';
import { ID_PREFIX } from '../layout.ts';
import type { CommentPlace } from './place.ts';
import { renderWritten } from './render-written.ts';

/** A comment or reply with its text as HTML; null for a text that is not shown. */
export interface Shown<Resource> {
  readonly resource: Resource;
  readonly html: Markup | null;
}

export interface Thread extends Shown<Comment> {
  /** The first replies; `resource.replies` is how many there are. */
  readonly replies: readonly Shown<CommentReply>[];
}

export interface Threads {
  readonly count: number;
  readonly items: readonly Thread[];
  /** The cursor of the next ones. */
  readonly next: string | null;
}

export type ThreadStatus = 'open' | 'resolved' | 'all';

/** Threads of one page of the dashboard. */
const SHOWN = 20;

/** The same beside the text that they are about. */
export const SHOWN_IN_PLACE = 50;

/** Replies that a thread shows in a list; its own page shows all. */
const REPLIES_SHOWN = 50;

/** Loads threads, the newest first. */
export async function loadThreads(
  client: PlatformClient,
  place: CommentPlace,
  options: {
    readonly status: ThreadStatus;
    readonly pageId?: string;
    readonly cursor?: string;
    readonly limit?: number;
  },
): Promise<Threads> {
  const { status, pageId, cursor, limit = SHOWN } = options;
  const query = {
    format: 'markdown' as const,
    limit,
    status,
    ...(pageId === undefined ? {} : { targetPage: pageId }),
    ...(cursor === undefined || cursor === '' ? {} : { page: cursor }),
  };
  const { spaceId, changeRequest } = place;
  const list =
    changeRequest === null
      ? await client.call(operations.listSpaceComments, { params: { spaceId }, query })
      : await client.call(operations.listChangeRequestComments, {
          params: { spaceId, changeRequestId: changeRequest },
          query,
        });
  const items = await Promise.all(list.items.map((comment) => toThread(client, place, comment)));
  return { count: list.count, items, next: list.next?.page ?? null };
}

/** Loads one thread. */
export async function loadThread(
  client: PlatformClient,
  place: CommentPlace,
  commentId: string,
): Promise<Thread> {
  const { spaceId, changeRequest } = place;
  const query = { format: 'markdown' } as const;
  const comment =
    changeRequest === null
      ? await client.call(operations.getSpaceComment, { params: { spaceId, commentId }, query })
      : await client.call(operations.getChangeRequestComment, {
          params: { spaceId, changeRequestId: changeRequest, commentId },
          query,
        });
  return await toThread(client, place, comment, true);
}

async function toThread(
  client: PlatformClient,
  place: CommentPlace,
  comment: Comment,
  isWhole = false,
): Promise<Thread> {
  const replies = comment.replies === 0 ? [] : await listReplies(client, place, comment.id, isWhole);
  const shown = await Promise.all(
    replies.map(async (reply) => ({ resource: reply, html: await renderText(reply) })),
  );
  return { resource: comment, html: await renderText(comment), replies: shown };
}

async function listReplies(
  client: PlatformClient,
  { spaceId, changeRequest }: CommentPlace,
  commentId: string,
  isWhole: boolean,
): Promise<readonly CommentReply[]> {
  const query = { format: 'markdown' as const, limit: isWhole ? 1_000 : REPLIES_SHOWN };
  const list =
    changeRequest === null
      ? await client.call(operations.listSpaceCommentReplies, { params: { spaceId, commentId }, query })
      : await client.call(operations.listChangeRequestCommentReplies, {
          params: { spaceId, changeRequestId: changeRequest, commentId },
          query,
        });
  return list.items;
}

async function renderText({
  id,
  body: { markdown = '' },
}: Pick<Comment, 'id' | 'body'>): Promise<Markup | null> {
  return await renderWritten(markdown, `${ID_PREFIX}${id}-`);
}
