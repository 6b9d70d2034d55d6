import type { ForgeContext } from '../forge-context.ts';
import { presentPull } from '../present/pull.ts';
import { presentReviewComment } from '../present/review-comment.ts';
import { findPull, repositoryById } from '../state/find-records.ts';
import type { AccountRecord, ReviewCommentRecord } from '../state/records.ts';
import { emitRepositoryEvent } from './emit-event.ts';

export function emitReviewCommentEvent(
  context: ForgeContext,
  comment: ReviewCommentRecord,
  action: 'created' | 'edited' | 'deleted',
  sender: AccountRecord,
): void {
  const pull = findPull(context.data, comment.repositoryId, comment.pullNumber);
  if (pull === undefined) return;
  emitRepositoryEvent(context, {
    event: 'pull_request_review_comment',
    action,
    repository: repositoryById(context.data, comment.repositoryId),
    sender,
    payload: {
      pull_request: presentPull(context, pull),
      comment: presentReviewComment(context, comment),
    },
  });
}
