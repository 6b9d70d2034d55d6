import type { BodyOf, Operations } from '../../contract/index.ts';
import {
  countReviews,
  insertComment,
  insertReview,
  lockChangeRequestForUpdate,
  newId,
  recordAudit,
} from '../../store/index.ts';
import { ApiError } from '../api/api-error.ts';
import type { LocatedChangeRequest } from '../change-requests/locate-change-request.ts';
import { requireUnmerged } from '../change-requests/require-unmerged.ts';
import { requireRoomForComment } from '../comments/limits.ts';
import { type LocatedDiscussion, nameOfPlace } from '../comments/locate-discussion.ts';
import { notifyOfMentions } from '../comments/notify-of-comment.ts';
import { readCommentBody } from '../comments/read-comment-body.ts';
import type { PlatformDeps } from '../deps.ts';
import { notifyOfReview } from './notify-of-review.ts';

/** Of one change request. */
const MAX_REVIEWS = 1_000;

/** Records what the caller says about a change request as it is now; returns the id of the review. */
export async function submitReview(
  deps: PlatformDeps,
  located: LocatedDiscussion & LocatedChangeRequest,
  { status, revision, comment }: BodyOf<Operations['submitReview']>,
): Promise<string> {
  const { caller, space, changeRequest } = located;
  const userId = caller.user.id;
  if (comment !== undefined) await requireRoomForComment(deps.db, space.id);
  const text = comment === undefined ? null : await readCommentBody(deps, space, comment, '/body/comment');
  return await deps.db.transaction(async (tx) => {
    const locked = await lockChangeRequestForUpdate(tx, changeRequest.row.id);
    const row = requireUnmerged(locked === null ? null : { ...changeRequest, row: locked });
    if (revision !== undefined && revision !== row.revisionId) {
      throw new ApiError(
        'content-moved',
        `Change request ${row.number} was changed after you read it; look at what it proposes now, and review that.`,
      );
    }
    if (status === 'approved' && (row.createdBy === userId || row.editors.includes(userId))) {
      throw new ApiError(
        'own-change',
        `You ${row.createdBy === userId ? 'created' : 'changed'} change request ${row.number}, so somebody else has to approve it.`,
      );
    }
    if ((await countReviews(tx, row.id)) >= MAX_REVIEWS)
      throw new ApiError('limit-reached', `A change request has at most ${MAX_REVIEWS} reviews.`);
    const id = newId();
    const { revisionId } = row;
    await insertReview(tx, { id, changeRequestId: row.id, reviewerId: userId, status, revisionId });
    await recordAudit(tx, {
      organizationId: space.organizationId,
      action: 'change-request.review',
      actor: caller.actor,
      target: { kind: 'change-request', id: row.id, name: row.subject },
      after: { space: space.id, number: row.number, review: id, status, revision: row.revisionId },
    });
    await notifyOfReview(deps, tx, {
      space,
      row,
      caller,
      reviewId: id,
      approved: status === 'approved',
      said: text?.markdown ?? null,
    });
    if (text !== null) {
      const commentId = newId();
      await insertComment(tx, {
        id: commentId,
        ...located.discussion,
        inSpace: false,
        scope: row.id,
        reviewId: id,
        revisionId,
        authorId: userId,
        ...text,
        mentions: [...text.mentions],
      });
      await recordAudit(tx, {
        organizationId: space.organizationId,
        action: 'comment.create',
        actor: caller.actor,
        target: { kind: 'comment', id: commentId, name: nameOfPlace(located, null) },
        after: { space: space.id, changeRequest: row.id, review: id },
      });
      await notifyOfMentions(deps, tx, located, { commentId, pageTitle: null, ...text });
    }
    return id;
  });
}
