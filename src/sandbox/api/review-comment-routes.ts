import { Type } from 'typebox';
import { timestamp } from '../forge-context.ts';
import { presentReviewComment } from '../present/review-comment.ts';
import type { PullRecord, ReviewCommentRecord } from '../state/records.ts';
import { emitReviewCommentEvent } from '../webhooks/review-comment-event.ts';
import { ForgeApiError, notFoundError } from './api-error.ts';
import { mayUse } from './caller.ts';
import { paginate } from './paging.ts';
import { parseBody } from './parse-body.ts';
import { requireLines } from './require-lines.ts';
import { requirePull } from './require-pull.ts';
import {
  created,
  numberParam,
  ok,
  type RepositoryCall,
  type RepositoryRoute,
  type RouteResult,
  requireAccount,
} from './route.ts';

/** https://docs.github.com/en/rest/pulls/comments; comments on the old side are not written here. */
const body = Type.String({ minLength: 1, maxLength: 65_536 });
const CommentText = Type.Object({ body });
const NewComment = Type.Object({
  body,
  commit_id: Type.String({ minLength: 1 }),
  path: Type.String({ minLength: 1 }),
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  side: Type.Optional(Type.Enum(['RIGHT'])),
  subject_type: Type.Optional(Type.Enum(['line', 'file'])),
});

function commentsOf({ context, repository }: RepositoryCall): readonly ReviewCommentRecord[] {
  return (context.data.reviewComments ?? []).filter((comment) => comment.repositoryId === repository.id);
}

function requireComment(call: RepositoryCall): ReviewCommentRecord {
  const id = numberParam(call, 'comment');
  const found = commentsOf(call).find((comment) => comment.id === id);
  if (!found) throw notFoundError();
  return found;
}

function listComments(call: RepositoryCall): RouteResult {
  const pull = requirePull(call);
  const own = commentsOf(call).filter(({ pullNumber }) => pullNumber === pull.number);
  return paginate(call, own, (comment) => presentReviewComment(call.context, comment));
}

async function createComment(call: RepositoryCall): Promise<RouteResult> {
  const pull = requirePull(call);
  const input = parseBody(NewComment, call.body);
  const isOnFile = input.subject_type === 'file';
  if (!isOnFile && input.line === undefined)
    throw new ForgeApiError(422, 'Unprocessable Entity: line is missing');
  const place = { path: input.path, line: isOnFile ? null : (input.line ?? null) };
  await requireLines(call.context, pull, input.commit_id, [place]);
  return await add(call, pull, { ...place, commitId: input.commit_id, replyTo: null, body: input.body });
}

/** Replies to replies belong to the first comment of the thread. */
async function reply(call: RepositoryCall): Promise<RouteResult> {
  const pull = requirePull(call);
  const to = requireComment(call);
  if (to.pullNumber !== pull.number) throw notFoundError();
  const { path, line, commitId } = to;
  const text = parseBody(CommentText, call.body);
  return await add(call, pull, { path, line, commitId, replyTo: to.replyTo ?? to.id, body: text.body });
}

async function add(
  call: RepositoryCall,
  pull: PullRecord,
  said: Pick<ReviewCommentRecord, 'path' | 'line' | 'commitId' | 'replyTo' | 'body'>,
): Promise<RouteResult> {
  const { context } = call;
  const author = requireAccount(call);
  const now = timestamp(context.now());
  const comment: ReviewCommentRecord = {
    ...said,
    id: context.nextId(),
    repositoryId: pull.repositoryId,
    pullNumber: pull.number,
    authorId: author.id,
    reviewId: null,
    createdAt: now,
    updatedAt: now,
  };
  context.data.reviewComments = [...(context.data.reviewComments ?? []), comment];
  await context.save();
  emitReviewCommentEvent(context, comment, 'created', author);
  return created(presentReviewComment(context, comment));
}

async function updateComment(call: RepositoryCall): Promise<RouteResult> {
  const { context } = call;
  const comment = requireComment(call);
  requireOwn(call, comment);
  const updated = {
    ...comment,
    body: parseBody(CommentText, call.body).body,
    updatedAt: timestamp(context.now()),
  };
  context.data.reviewComments = (context.data.reviewComments ?? []).map((candidate) =>
    candidate === comment ? updated : candidate,
  );
  await context.save();
  emitReviewCommentEvent(context, updated, 'edited', requireAccount(call));
  return ok(presentReviewComment(context, updated));
}

async function deleteComment(call: RepositoryCall): Promise<RouteResult> {
  const { context } = call;
  const comment = requireComment(call);
  requireOwn(call, comment);
  context.data.reviewComments = (context.data.reviewComments ?? []).filter(
    (candidate) => candidate !== comment,
  );
  await context.save();
  emitReviewCommentEvent(context, comment, 'deleted', requireAccount(call));
  return { status: 204 };
}

/** Its author and whoever may write to the repository may change a comment. */
function requireOwn(call: RepositoryCall, comment: ReviewCommentRecord): void {
  const { context, caller, repository } = call;
  if (requireAccount(call).id === comment.authorId) return;
  if (!mayUse(context, caller, repository, 'contents', 'write')) throw new ForgeApiError(403, 'Forbidden');
}

const pull = '/repos/:owner/:repo/pulls/:number/comments';
const comment = '/repos/:owner/:repo/pulls/comments/:comment';

export const reviewCommentRoutes: readonly RepositoryRoute[] = [
  { method: 'PATCH', path: comment, needs: ['pull_requests', 'write'], run: updateComment },
  { method: 'DELETE', path: comment, needs: ['pull_requests', 'write'], run: deleteComment },
  {
    method: 'GET',
    path: comment,
    needs: ['pull_requests', 'read'],
    run: (call) => ok(presentReviewComment(call.context, requireComment(call))),
  },
  { method: 'GET', path: pull, needs: ['pull_requests', 'read'], run: listComments },
  { method: 'POST', path: pull, needs: ['pull_requests', 'write'], run: createComment },
  { method: 'POST', path: `${pull}/:comment/replies`, needs: ['pull_requests', 'write'], run: reply },
];
