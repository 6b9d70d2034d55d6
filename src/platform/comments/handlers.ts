import Type from 'typebox';
import type { BodyOf, Comment, CommentReply, Member, Operations, QueryOf } from '../../contract/index.ts';
import {
  type CommentView,
  type Db,
  deleteComment,
  deleteReply,
  findCopiedComment,
  findCopiedReply,
  insertComment,
  insertReply,
  listCommenters,
  listComments,
  listReplies,
  loadChangeRequest,
  loadComment,
  loadReply,
  loadSpace,
  lockCommentForUpdate,
  newId,
  type ReplyView,
  recordAudit,
  updateComment,
  updateReply,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';
import { ageKeyOf, readAgeCursor } from '../api/age-cursor.ts';
import { notFound } from '../api/api-error.ts';
import { limitOf, readCursor, toList } from '../api/cursor.ts';
import type { HandlersOf } from '../api/handler.ts';
import type { PlatformDeps } from '../deps.ts';
import { viewMembers } from '../members/view-members.ts';
import { presentUserTo } from '../organizations/present-user.ts';
import { findCommentTarget, lockPage, recordPage, scopeOf } from './find-target.ts';
import { followComments } from './follow-job.ts';
import { requireRate, requireRoomForComment, requireRoomForReply } from './limits.ts';
import {
  type DiscussionParams,
  type LocatedDiscussion,
  locateDiscussion,
  nameOfPlace,
  requireComment,
  requireMirroring,
  requireModeration,
} from './locate-discussion.ts';
import { notifyOfComment, notifyOfMentions, notifyOfReply } from './notify-of-comment.ts';
import { type CommentFormat, viewComments, viewReplies } from './present-comment.ts';
import { changeReactions, checkReactions } from './react.ts';
import { readCommentBody } from './read-comment-body.ts';

type CommentParams = DiscussionParams & { readonly commentId: string };
type ReplyParams = CommentParams & { readonly commentReplyId: string };

/** What the handlers of both kinds of discussions get. */
interface Input<Params, Query = object, Body = unknown> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly setHeader: (name: string, value: string) => void;
}

type ListQuery = QueryOf<Operations['listSpaceComments']>;
type FormatQuery = QueryOf<Operations['getSpaceComment']>;
type PagingQuery = QueryOf<Operations['listSpaceCommenters']>;
type RepliesQuery = QueryOf<Operations['listSpaceCommentReplies']>;
type CreateBody = BodyOf<Operations['createSpaceComment']>;
type UpdateBody = BodyOf<Operations['updateSpaceComment']>;
type ReplyBody = BodyOf<Operations['createSpaceCommentReply']>;
type UpdateReplyBody = BodyOf<Operations['updateSpaceCommentReply']>;

const MemberKey = Type.Tuple([Type.String({ format: 'date-time' }), Type.String({ maxLength: 64 })]);

/** The handlers of the comments on spaces and on change requests, which differ in where they are. */
export function commentHandlers(deps: PlatformDeps): HandlersOf<'comments'> {
  const { db, publicUrl } = deps;

  const locate = (caller: Caller, params: DiscussionParams) => locateDiscussion(db, caller, params);

  async function presentOne(
    located: LocatedDiscussion,
    view: CommentView,
    format: CommentFormat = 'document',
  ): Promise<Comment> {
    return (await viewComments(db, [view], { located, publicUrl, format }))(view);
  }

  async function presentOneReply(
    located: LocatedDiscussion,
    view: ReplyView,
    format: CommentFormat = 'document',
  ): Promise<CommentReply> {
    return (await viewReplies(db, [view], { located, publicUrl, format }))(view);
  }

  async function reload(located: LocatedDiscussion, id: string, format?: CommentFormat): Promise<Comment> {
    return await presentOne(located, await requireComment(db, located, id), format);
  }

  async function requireReply(commentId: string, id: string): Promise<ReplyView> {
    const found = await loadReply(db, commentId, id);
    if (found === null) throw notFound('reply with this id to this comment');
    return found;
  }

  /** Tells those who mirror the discussions of change requests, but not of what they wrote themselves. */
  async function noteChange(
    tx: Db,
    changeRequestId: string | null,
    { mirror }: { readonly mirror?: unknown } = {},
  ): Promise<void> {
    if (changeRequestId !== null && mirror === undefined)
      await deps.onDiscussionChanged?.(tx, changeRequestId);
  }

  async function record(
    tx: Db,
    located: LocatedDiscussion,
    action: string,
    {
      page,
      ...target
    }: {
      readonly kind: 'comment' | 'comment-reply';
      readonly id: string;
      readonly page: { readonly title: string } | null | undefined;
    },
    after?: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { caller, space, discussion } = located;
    await recordAudit(tx, {
      organizationId: space.organizationId,
      action,
      actor: caller.actor,
      target: { ...target, name: nameOfPlace(located, page) },
      // What people wrote is not repeated in the log, which outlives it.
      after: {
        space: space.id,
        ...(discussion.changeRequestId === null ? {} : { changeRequest: discussion.changeRequestId }),
        ...after,
      },
    });
  }

  async function list({ caller, params, query }: Input<DiscussionParams, ListQuery>) {
    const located = await locate(caller, params);
    const limit = limitOf(query);
    const { order = 'desc', status = 'all', format = 'document' } = query;
    const name = `comments ${order}`;
    const found = await listComments(db, located.discussion, {
      status,
      pageId: query.targetPage,
      authorIds: query.authors,
      order,
      after: readAgeCursor(name, query),
      limit: limit + 1,
    });
    const present = await viewComments(db, found.rows, { located, publicUrl, format });
    return toList(found, { list: name, limit, keyOf: ({ row }) => ageKeyOf(row), present });
  }

  async function create(input: Input<DiscussionParams, FormatQuery, CreateBody>): Promise<Comment> {
    const { caller, params, body, query, setHeader } = input;
    const located = await locate(caller, params);
    if (body.mirror !== undefined) {
      requireMirroring(located);
      const copied = await findCopiedComment(db, located.discussion, body.mirror.url);
      if (copied !== null) return await reload(located, copied, query.format);
    }
    await requireRate(db, caller, setHeader);
    await requireRoomForComment(db, located.space.id);
    const text = await readCommentBody(deps, located.space, body.body);
    const target = await findCommentTarget(deps, located, body);
    await recordPage(deps, located, target);
    const id = newId();
    const { space, discussion } = located;
    await db.transaction(async (tx) => {
      await lockPage(tx, located, target);
      await insertComment(tx, {
        id,
        ...discussion,
        inSpace: discussion.changeRequestId === null,
        scope: scopeOf(located),
        revisionId: target.revision.id,
        pageId: target.on?.page.id ?? null,
        node: target.on?.node ?? null,
        quote: target.on?.quote ?? null,
        tableCell: body.tableCell ?? null,
        authorId: caller.user.id,
        ...text,
        mentions: [...text.mentions],
        mirrorUrl: body.mirror?.url ?? null,
        mirrorAuthor: body.mirror?.author ?? null,
      });
      await noteChange(tx, discussion.changeRequestId, body);
      await record(
        tx,
        located,
        'comment.create',
        { kind: 'comment', id, page: target.on?.page },
        { page: body.page },
      );
      const pageTitle = target.on?.page.title ?? null;
      await notifyOfComment(deps, tx, located, { commentId: id, pageTitle, ...text });
      // The row that was inserted keeps both locked against another revision, so this reads the last one before it.
      const { id: revisionId } = target.revision;
      const now =
        discussion.changeRequestId === null
          ? (await loadSpace(tx, space.id))?.revisionId
          : (await loadChangeRequest(tx, space.id, discussion.changeRequestId))?.row.revisionId;
      if (now !== revisionId) await followComments(deps, tx, space.id);
    });
    return await reload(located, id, query.format);
  }

  async function get({ caller, params, query }: Input<CommentParams, FormatQuery>): Promise<Comment> {
    return await reload(await locate(caller, params), params.commentId, query.format);
  }

  async function update(input: Input<CommentParams, FormatQuery, UpdateBody>): Promise<Comment> {
    const { caller, params, body, query, setHeader } = input;
    const located = await locate(caller, params);
    const { row, page } = await requireComment(db, located, params.commentId);
    const isChange = body.body !== undefined || body.resolved !== undefined;
    if (isChange) requireModeration(located, row.authorId);
    if (body.mirror !== undefined) requireMirroring(located);
    checkReactions(body);
    await requireRate(db, caller, setHeader);
    const text = body.body === undefined ? null : await readCommentBody(deps, located.space, body.body);
    await db.transaction(async (tx) => {
      const locked = await lockCommentForUpdate(tx, row.id);
      if (locked === null) throw notFound('comment with this id here');
      const target = { kind: 'comment', id: row.id, page } as const;
      if (text !== null && text.markdown !== locked.markdown) {
        await updateComment(tx, row.id, { ...text, mentions: [...text.mentions], editedAt: new Date() });
        await record(tx, located, 'comment.update', target);
        await notifyOfMentions(deps, tx, located, {
          commentId: row.id,
          pageTitle: page?.title ?? null,
          ...text,
        });
      }
      if (body.resolved !== undefined && body.resolved !== (locked.resolvedAt !== null)) {
        await setResolved(tx, located, row.id, body.resolved);
        await record(tx, located, body.resolved ? 'comment.resolve' : 'comment.reopen', target);
      }
      if (body.mirror !== undefined) await updateComment(tx, row.id, { mirrorUrl: body.mirror?.url ?? null });
      if (isChange) await noteChange(tx, row.changeRequestId, body);
      await changeReactions(tx, { commentId: row.id, replyId: null }, caller.user.id, body);
    });
    return await reload(located, row.id, query.format);
  }

  async function setResolved(tx: Db, located: LocatedDiscussion, id: string, resolved: boolean) {
    const { caller, changeRequest, space } = located;
    // One that is opened again after the merge is open in the space, too.
    const isMerged = changeRequest?.row.status === 'merged';
    await updateComment(tx, id, {
      resolvedAt: resolved ? new Date() : null,
      resolvedBy: resolved ? caller.user.id : null,
      ...(isMerged && !resolved && { inSpace: true }),
    });
    if (isMerged && !resolved) await followComments(deps, tx, space.id);
  }

  async function remove({ caller, params }: Input<CommentParams>): Promise<void> {
    const located = await locate(caller, params);
    const found = await loadComment(db, located.discussion, params.commentId);
    if (found === null) return;
    requireModeration(located, found.row.authorId);
    await db.transaction(async (tx) => {
      await deleteComment(tx, found.row.id);
      await noteChange(tx, found.row.changeRequestId);
      await record(tx, located, 'comment.delete', { kind: 'comment', id: found.row.id, page: found.page });
    });
  }

  async function listTheReplies({ caller, params, query }: Input<CommentParams, RepliesQuery>) {
    const located = await locate(caller, params);
    const { row } = await requireComment(db, located, params.commentId);
    const limit = limitOf(query);
    const name = `replies to ${row.id}`;
    const found = await listReplies(db, row.id, { after: readAgeCursor(name, query), limit: limit + 1 });
    const { format = 'document' } = query;
    const present = await viewReplies(db, found.rows, { located, publicUrl, format });
    return toList(found, { list: name, limit, keyOf: (view) => ageKeyOf(view.row), present });
  }

  async function reply(input: Input<CommentParams, FormatQuery, ReplyBody>): Promise<CommentReply> {
    const { caller, params, body, query, setHeader } = input;
    const located = await locate(caller, params);
    const { row, page } = await requireComment(db, located, params.commentId);
    if (body.mirror !== undefined) {
      requireMirroring(located);
      const copied = await findCopiedReply(db, row.id, body.mirror.url);
      if (copied !== null)
        return await presentOneReply(located, await requireReply(row.id, copied), query.format);
    }
    await requireRate(db, caller, setHeader);
    await requireRoomForReply(db, row.id);
    const text = await readCommentBody(deps, located.space, body.body);
    const id = newId();
    await db.transaction(async (tx) => {
      if ((await lockCommentForUpdate(tx, row.id)) === null) throw notFound('comment with this id here');
      await insertReply(tx, {
        id,
        commentId: row.id,
        authorId: caller.user.id,
        ...text,
        mentions: [...text.mentions],
        mirrorUrl: body.mirror?.url ?? null,
        mirrorAuthor: body.mirror?.author ?? null,
      });
      await noteChange(tx, row.changeRequestId, body);
      await record(
        tx,
        located,
        'comment-reply.create',
        { kind: 'comment-reply', id, page },
        { comment: row.id },
      );
      await notifyOfReply(deps, tx, located, {
        commentId: row.id,
        replyId: id,
        pageTitle: page?.title ?? null,
        threadAuthor: row.authorId,
        ...text,
      });
    });
    return await presentOneReply(located, await requireReply(row.id, id), query.format);
  }

  async function getReply({ caller, params, query }: Input<ReplyParams, FormatQuery>): Promise<CommentReply> {
    const located = await locate(caller, params);
    const { row } = await requireComment(db, located, params.commentId);
    return await presentOneReply(located, await requireReply(row.id, params.commentReplyId), query.format);
  }

  async function changeReply(input: Input<ReplyParams, FormatQuery, UpdateReplyBody>): Promise<CommentReply> {
    const { caller, params, body, query, setHeader } = input;
    const located = await locate(caller, params);
    const { row: comment, page } = await requireComment(db, located, params.commentId);
    const { row } = await requireReply(comment.id, params.commentReplyId);
    if (body.body !== undefined) requireModeration(located, row.authorId);
    if (body.mirror !== undefined) requireMirroring(located);
    checkReactions(body);
    await requireRate(db, caller, setHeader);
    const text = body.body === undefined ? null : await readCommentBody(deps, located.space, body.body);
    await db.transaction(async (tx) => {
      if (text !== null && text.markdown !== row.markdown) {
        await updateReply(tx, row.id, { ...text, mentions: [...text.mentions], editedAt: new Date() });
        await record(tx, located, 'comment-reply.update', { kind: 'comment-reply', id: row.id, page });
        await notifyOfMentions(deps, tx, located, {
          commentId: comment.id,
          replyId: row.id,
          pageTitle: page?.title ?? null,
          ...text,
        });
      }
      if (body.mirror !== undefined) await updateReply(tx, row.id, { mirrorUrl: body.mirror?.url ?? null });
      if (text !== null) await noteChange(tx, comment.changeRequestId, body);
      await changeReactions(tx, { commentId: comment.id, replyId: row.id }, caller.user.id, body);
    });
    return await presentOneReply(located, await requireReply(comment.id, row.id), query.format);
  }

  async function removeReply({ caller, params }: Input<ReplyParams>): Promise<void> {
    const located = await locate(caller, params);
    const comment = await loadComment(db, located.discussion, params.commentId);
    const found = comment && (await loadReply(db, comment.row.id, params.commentReplyId));
    if (found === null) return;
    requireModeration(located, found.row.authorId);
    await db.transaction(async (tx) => {
      await deleteReply(tx, found.row.id);
      await noteChange(tx, comment?.row.changeRequestId ?? null);
      await record(tx, located, 'comment-reply.delete', {
        kind: 'comment-reply',
        id: found.row.id,
        page: comment?.page,
      });
    });
  }

  async function listTheCommenters({ caller, params, query }: Input<DiscussionParams, PagingQuery>) {
    const { space, discussion } = await locate(caller, params);
    const limit = limitOf(query);
    const key = readCursor('commenters', MemberKey, query);
    const found = await listCommenters(db, discussion, {
      organizationId: space.organizationId,
      after: key && { joinedAt: new Date(key[0]), userId: key[1] },
      limit: limit + 1,
    });
    const present = await viewMembers(deps, space.organizationId, found.rows);
    return toList(found, {
      list: 'commenters',
      limit,
      keyOf: ({ member }) => [member.joinedAt.toISOString(), member.userId],
      present: (view): Member => ({
        ...present(view),
        // Who may not list the members does not see their addresses here either.
        user: presentUserTo(caller, space.organizationId, view.user, publicUrl),
      }),
    });
  }

  return {
    listSpaceComments: list,
    createSpaceComment: create,
    getSpaceComment: get,
    updateSpaceComment: update,
    deleteSpaceComment: remove,
    listSpaceCommentReplies: listTheReplies,
    createSpaceCommentReply: reply,
    getSpaceCommentReply: getReply,
    updateSpaceCommentReply: changeReply,
    deleteSpaceCommentReply: removeReply,
    listSpaceCommenters: listTheCommenters,
    listChangeRequestComments: list,
    createChangeRequestComment: create,
    getChangeRequestComment: get,
    updateChangeRequestComment: update,
    deleteChangeRequestComment: remove,
    listChangeRequestCommentReplies: listTheReplies,
    createChangeRequestCommentReply: reply,
    getChangeRequestCommentReply: getReply,
    updateChangeRequestCommentReply: changeReply,
    deleteChangeRequestCommentReply: removeReply,
    listChangeRequestCommenters: listTheCommenters,
  };
}
