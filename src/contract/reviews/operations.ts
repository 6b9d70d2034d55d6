import Type from 'typebox';
import { Description, Subject } from '../change-requests/change-request.ts';
import { CommentBodyInput } from '../comments/comment.ts';
import { defineOperation } from '../operation.ts';
import { ListOf, Paging, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import { MergeStatus } from './merge-status.ts';
import { ChangeRequestReview, RequestedReviewer, ReviewStatus } from './review.ts';

const tag = 'Reviews';
const base = '/spaces/:spaceId/change-requests/:changeRequestId';
const format = {
  format: Type.Optional(
    Type.Enum(['document', 'markdown'], {
      type: 'string',
      default: 'document',
      description: 'The form of the comments of reviews: nodes in `document`, or text in `markdown`.',
    }),
  ),
};

export const reviewOperations = {
  listReviews: defineOperation({
    id: 'getReviewsByChangeRequestId',
    method: 'GET',
    path: `${base}/reviews`,
    tag,
    summary: 'List the reviews of a change request, newest first.',
    query: Type.Object(
      { ...pagingFields, ...format, outdated: Type.Optional(Type.Boolean()) },
      { additionalProperties: false },
    ),
    responses: { 200: ListOf(ChangeRequestReview) },
    errors: ['role-too-low'],
    extension: true,
  }),

  submitReview: defineOperation({
    id: 'submitChangeRequestReview',
    method: 'POST',
    path: `${base}/reviews`,
    tag,
    summary: 'Approve a change request as it is now, or request changes.',
    description:
      'The review is about the revision that the change request proposes now: later edits make it outdated. `revision` says which one was read; if the change request proposes another one meanwhile, the response is 409. Whoever created the change request, or changed its content, cannot approve it. The request for the review is done with it, also one to a team of the reviewer. `comment` is posted on the change request with it.',
    body: Type.Object(
      {
        status: ReviewStatus,
        revision: Type.Optional(Id),
        comment: Type.Optional(CommentBodyInput),
      },
      { additionalProperties: false },
    ),
    responses: { 201: ChangeRequestReview },
    errors: ['role-too-low', 'own-change', 'already-merged', 'archived', 'content-moved', 'limit-reached'],
    extension: true,
  }),

  getReview: defineOperation({
    id: 'getChangeRequestReviewById',
    method: 'GET',
    path: `${base}/reviews/:reviewId`,
    tag,
    summary: 'Read a review.',
    query: Type.Object(format, { additionalProperties: false }),
    responses: { 200: ChangeRequestReview },
    errors: ['role-too-low'],
    extension: true,
  }),

  listRequestedReviewers: defineOperation({
    id: 'getRequestedReviewersByChangeRequestId',
    method: 'GET',
    path: `${base}/requested-reviewers`,
    tag,
    summary: 'List who was requested to review a change request and has not since, oldest request first.',
    query: Paging,
    responses: { 200: ListOf(RequestedReviewer) },
    errors: ['role-too-low'],
    extension: true,
  }),

  requestReviewers: defineOperation({
    id: 'requestReviewersForChangeRequest',
    method: 'POST',
    path: `${base}/requested-reviewers`,
    tag,
    summary: 'Request users and teams to review a change request; they are notified.',
    description:
      'A draft is opened by it. Users must be able to review in the space. Requesting somebody again makes their last review outdated.',
    body: Type.Object(
      {
        users: Type.Array(Id, { maxItems: 100 }),
        teams: Type.Optional(Type.Array(Id, { maxItems: 20 })),
        subject: Type.Optional(Subject),
        description: Type.Optional(Description),
      },
      { additionalProperties: false },
    ),
    responses: {
      200: Type.Object({
        users: Type.Array(RequestedReviewer),
        teams: Type.Array(RequestedReviewer),
      }),
    },
    errors: ['role-too-low', 'already-merged', 'archived', 'limit-reached'],
    extension: true,
  }),

  removeRequestedReviewer: defineOperation({
    id: 'removeRequestedReviewerFromChangeRequest',
    method: 'DELETE',
    path: `${base}/requested-reviewers/:userId`,
    tag,
    summary: 'Withdraw the request to a user for a review.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),

  removeRequestedTeam: defineOperation({
    id: 'removeRequestedTeamFromChangeRequest',
    method: 'DELETE',
    path: `${base}/requested-reviewers/teams/:teamId`,
    tag,
    summary: 'Withdraw the request to a team for a review.',
    responses: { 204: Type.Void() },
    errors: ['role-too-low'],
    extension: true,
  }),

  getMergeStatus: defineOperation({
    id: 'getChangeRequestMergeStatus',
    method: 'GET',
    path: `${base}/merge-status`,
    tag,
    summary: 'Read whether the caller may merge a change request now, with the state of each merge rule.',
    responses: { 200: MergeStatus },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
