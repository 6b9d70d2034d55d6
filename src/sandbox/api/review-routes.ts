import { Type } from 'typebox';
import { type ForgeContext, timestamp } from '../forge-context.ts';
import { nodeId, presentAccount } from '../present/account.ts';
import { repositoryUrls } from '../present/repository.ts';
import { accountById, repositoryById } from '../state/find-records.ts';
import type { PullRecord, ReviewCommentRecord, ReviewRecord } from '../state/records.ts';
import { emitReviewCommentEvent } from '../webhooks/review-comment-event.ts';
import { ForgeApiError } from './api-error.ts';
import { paginate } from './paging.ts';
import { parseBody } from './parse-body.ts';
import { requireLines } from './require-lines.ts';
import { requirePull } from './require-pull.ts';
import { ok, type RepositoryCall, type RepositoryRoute, type RouteResult, requireAccount } from './route.ts';

/** Comments on lines of the new side, which are all that the App writes. */
const NewReview = Type.Object({
  commit_id: Type.Optional(Type.String()),
  body: Type.Optional(Type.String({ maxLength: 65_536 })),
  event: Type.Optional(Type.Enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT'])),
  comments: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ minLength: 1 }),
        body: Type.String({ minLength: 1, maxLength: 65_536 }),
        line: Type.Integer({ minimum: 1 }),
        side: Type.Optional(Type.Enum(['LEFT', 'RIGHT'])),
      }),
    ),
  ),
});

async function createReview(call: RepositoryCall): Promise<RouteResult> {
  const { context } = call;
  const pull = requirePull(call);
  const input = parseBody(NewReview, call.body);
  const commitId = input.commit_id ?? pull.headSha;
  if (input.event === 'COMMENT' && !input.body && !input.comments?.length)
    throw new ForgeApiError(422, 'Unprocessable Entity');
  await requireLines(context, pull, commitId, input.comments ?? []);
  const review: ReviewRecord = {
    id: context.nextId(),
    repositoryId: pull.repositoryId,
    pullNumber: pull.number,
    authorId: requireAccount(call).id,
    commitId,
    body: input.body ?? '',
    comments: (input.comments ?? []).map(({ path, line, body }) => ({ path, line, body })),
    submittedAt: timestamp(context.now()),
  };
  context.data.reviews = [...(context.data.reviews ?? []), review];
  const posted = review.comments.map((comment): ReviewCommentRecord => {
    const place = { repositoryId: pull.repositoryId, pullNumber: pull.number, commitId, replyTo: null };
    const { authorId, submittedAt: createdAt, id: reviewId } = review;
    return {
      ...place,
      ...comment,
      id: context.nextId(),
      authorId,
      reviewId,
      createdAt,
      updatedAt: createdAt,
    };
  });
  context.data.reviewComments = [...(context.data.reviewComments ?? []), ...posted];
  await context.save();
  for (const comment of posted) emitReviewCommentEvent(context, comment, 'created', requireAccount(call));
  return ok(presentReview(context, pull, review));
}

function presentReview(context: ForgeContext, pull: PullRecord, review: ReviewRecord) {
  const { html, api } = repositoryUrls(context, repositoryById(context.data, pull.repositoryId));
  const page = `${html}/pull/${pull.number}#pullrequestreview-${review.id}`;
  const pullUrl = `${api}/pulls/${pull.number}`;
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: presentAccount(context, accountById(context.data, review.authorId)),
    body: review.body,
    state: 'COMMENTED',
    html_url: page,
    pull_request_url: pullUrl,
    _links: { html: { href: page }, pull_request: { href: pullUrl } },
    submitted_at: review.submittedAt,
    commit_id: review.commitId,
    author_association: 'NONE',
  };
}

const reviews = '/repos/:owner/:repo/pulls/:number/reviews';

export const reviewRoutes: readonly RepositoryRoute[] = [
  { method: 'POST', path: reviews, needs: ['pull_requests', 'write'], run: createReview },
  {
    method: 'GET',
    path: reviews,
    needs: ['pull_requests', 'read'],
    run: (call) => {
      const pull = requirePull(call);
      const own = (call.context.data.reviews ?? []).filter(
        (review) => review.repositoryId === pull.repositoryId && review.pullNumber === pull.number,
      );
      return paginate(call, own, (review) => presentReview(call.context, pull, review));
    },
  },
];
