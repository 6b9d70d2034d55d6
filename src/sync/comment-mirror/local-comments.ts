import {
  type Comment,
  type CommentReply,
  operations,
  type PlatformClient,
  PlatformError,
} from '../../client/index.ts';
import type { PullChangeRequestRow } from '../../store/index.ts';

/** A comment on a change request, with its replies. */
export interface LocalThread {
  readonly of: PullChangeRequestRow;
  readonly comment: Comment;
  readonly replies: readonly CommentReply[];
}

export interface LocalThreads {
  readonly items: readonly LocalThread[];
  /** Whether there are no more. */
  readonly isComplete: boolean;
}

/** Of one pull request: later ones stay on their side. */
const MAX_THREADS = 500;

/** Lists what is said about the change requests that a pull request carries, the oldest first. */
export async function listLocalThreads(
  client: PlatformClient,
  carried: readonly PullChangeRequestRow[],
  signal: AbortSignal,
): Promise<LocalThreads> {
  const items: LocalThread[] = [];
  for (const of of carried) {
    const params = paramsOf(of);
    const query = { format: 'markdown' as const, limit: 100 };
    try {
      const comments = client.paginate(operations.listChangeRequestComments, {
        params,
        query: { ...query, order: 'asc' },
        signal,
      });
      for await (const comment of comments) {
        if (items.length >= MAX_THREADS) return { items, isComplete: false };
        const replies: CommentReply[] = [];
        if (comment.replies > 0) {
          const listed = client.paginate(operations.listChangeRequestCommentReplies, {
            params: { ...params, commentId: comment.id },
            query,
            signal,
          });
          for await (const reply of listed) replies.push(reply);
        }
        items.push({ of, comment, replies });
      }
    } catch (error) {
      // The space or the change request is gone, and its comments with it.
      if (!(error instanceof PlatformError && error.status === 404)) throw error;
    }
  }
  return { items, isComplete: true };
}

export function paramsOf({ spaceId, changeRequestId }: PullChangeRequestRow) {
  return { spaceId, changeRequestId };
}
