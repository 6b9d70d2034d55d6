import Type from 'typebox';
import { Member } from '../members/member.ts';
import { defineOperation } from '../operation.ts';
import { ListOf, Order, Paging, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import { Comment, CommentBodyInput, CommentReply, Emoji, TableCell } from './comment.ts';

const tag = 'Comments';
const inSpace = '/spaces/:spaceId';
const inChangeRequest = '/spaces/:spaceId/change-requests/:changeRequestId';

const formatField = {
  format: Type.Optional(
    Type.Enum(['document', 'markdown'], {
      type: 'string',
      default: 'document',
      description: 'The form of `body`: nodes in `document`, or text in `markdown`.',
    }),
  ),
};
const FormatQuery = Type.Object(formatField, { additionalProperties: false });

const ListQuery = Type.Object(
  {
    ...pagingFields,
    ...formatField,
    order: Type.Optional(Order),
    status: Type.Optional(Type.Enum(['all', 'open', 'resolved'], { type: 'string', default: 'all' })),
    targetPage: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only those on this page.' })),
    authors: Type.Optional(
      Type.Array(Id, { maxItems: 100, description: 'Only those of these users, by their ids.' }),
    ),
  },
  { additionalProperties: false },
);

const RepliesQuery = Type.Object({ ...pagingFields, ...formatField }, { additionalProperties: false });

const CreateBody = Type.Object(
  {
    body: CommentBodyInput,
    page: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'The page that it is about.' })),
    node: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The `key` of a node of that page, as `format=document` returns it now.',
      }),
    ),
    tableCell: Type.Optional(TableCell),
  },
  { additionalProperties: false },
);

const reactionFields = {
  addedReactions: Type.Optional(Type.Array(Emoji, { maxItems: 20 })),
  removedReactions: Type.Optional(Type.Array(Emoji, { maxItems: 20 })),
};

const UpdateBody = Type.Object(
  {
    body: Type.Optional(CommentBodyInput),
    resolved: Type.Optional(Type.Boolean()),
    ...reactionFields,
  },
  { additionalProperties: false },
);

const ReplyBody = Type.Object({ body: CommentBodyInput }, { additionalProperties: false });

const UpdateReplyBody = Type.Object(
  { body: Type.Optional(CommentBodyInput), ...reactionFields },
  { additionalProperties: false },
);

const EDITING =
  'The text, and whether it is resolved, may be changed by its author and by those who may edit the space; anybody who may comment may react.';
const READING = 'Comments are shown to those who may comment in the space.';
const empty = { 204: Type.Void() } as const;

export const commentOperations = {
  listSpaceComments: defineOperation({
    id: 'listCommentsInSpace',
    method: 'GET',
    path: `${inSpace}/comments`,
    tag,
    summary: 'List the comments on a space, the newest first.',
    description: `${READING} Those of a change request are in its own list; when it is merged, the open ones are here, too.`,
    query: ListQuery,
    responses: { 200: ListOf(Comment) },
    errors: ['role-too-low'],
  }),
  createSpaceComment: defineOperation({
    id: 'postCommentInSpace',
    method: 'POST',
    path: `${inSpace}/comments`,
    tag,
    summary: 'Comment on a space, a page of it, or a node of the page.',
    query: FormatQuery,
    body: CreateBody,
    responses: { 200: Comment },
    errors: ['role-too-low', 'limit-reached', 'content-moved'],
  }),
  getSpaceComment: defineOperation({
    id: 'getCommentInSpace',
    method: 'GET',
    path: `${inSpace}/comments/:commentId`,
    tag,
    summary: 'Read a comment on a space.',
    query: FormatQuery,
    responses: { 200: Comment },
    errors: ['role-too-low'],
  }),
  updateSpaceComment: defineOperation({
    id: 'updateCommentInSpace',
    method: 'PUT',
    path: `${inSpace}/comments/:commentId`,
    tag,
    summary: 'Change, resolve or reopen a comment, or react to it.',
    description: EDITING,
    query: FormatQuery,
    body: UpdateBody,
    responses: { 200: Comment },
    errors: ['role-too-low', 'not-own-comment', 'limit-reached'],
  }),
  deleteSpaceComment: defineOperation({
    id: 'deleteCommentInSpace',
    method: 'DELETE',
    path: `${inSpace}/comments/:commentId`,
    tag,
    summary: 'Delete a comment with its replies.',
    responses: empty,
    errors: ['role-too-low', 'not-own-comment'],
  }),
  listSpaceCommentReplies: defineOperation({
    id: 'listCommentRepliesInSpace',
    method: 'GET',
    path: `${inSpace}/comments/:commentId/replies`,
    tag,
    summary: 'List the replies to a comment, the oldest first.',
    query: RepliesQuery,
    responses: { 200: ListOf(CommentReply) },
    errors: ['role-too-low'],
    extension: true,
  }),
  createSpaceCommentReply: defineOperation({
    id: 'postCommentReplyInSpace',
    method: 'POST',
    path: `${inSpace}/comments/:commentId/replies`,
    tag,
    summary: 'Reply to a comment.',
    query: FormatQuery,
    body: ReplyBody,
    responses: { 200: CommentReply },
    errors: ['role-too-low', 'limit-reached'],
  }),
  getSpaceCommentReply: defineOperation({
    id: 'getCommentReplyInSpace',
    method: 'GET',
    path: `${inSpace}/comments/:commentId/replies/:commentReplyId`,
    tag,
    summary: 'Read a reply.',
    query: FormatQuery,
    responses: { 200: CommentReply },
    errors: ['role-too-low'],
  }),
  updateSpaceCommentReply: defineOperation({
    id: 'updateCommentReplyInSpace',
    method: 'PUT',
    path: `${inSpace}/comments/:commentId/replies/:commentReplyId`,
    tag,
    summary: 'Change a reply, or react to it.',
    query: FormatQuery,
    body: UpdateReplyBody,
    responses: { 200: CommentReply },
    errors: ['role-too-low', 'not-own-comment', 'limit-reached'],
  }),
  deleteSpaceCommentReply: defineOperation({
    id: 'deleteCommentReplyInSpace',
    method: 'DELETE',
    path: `${inSpace}/comments/:commentId/replies/:commentReplyId`,
    tag,
    summary: 'Delete a reply.',
    responses: empty,
    errors: ['role-too-low', 'not-own-comment'],
  }),
  listSpaceCommenters: defineOperation({
    id: 'listCommentersInSpace',
    method: 'GET',
    path: `${inSpace}/commenters`,
    tag,
    summary: 'List the members who commented on a space or replied there, who joined first at the beginning.',
    query: Paging,
    responses: { 200: ListOf(Member) },
    errors: ['role-too-low'],
  }),

  listChangeRequestComments: defineOperation({
    id: 'listCommentsInChangeRequest',
    method: 'GET',
    path: `${inChangeRequest}/comments`,
    tag,
    summary: 'List the comments on a change request, the newest first.',
    description: READING,
    query: ListQuery,
    responses: { 200: ListOf(Comment) },
    errors: ['role-too-low'],
  }),
  createChangeRequestComment: defineOperation({
    id: 'postCommentInChangeRequest',
    method: 'POST',
    path: `${inChangeRequest}/comments`,
    tag,
    summary: 'Comment on a change request, a page of it, or a node of the page.',
    query: FormatQuery,
    body: CreateBody,
    responses: { 200: Comment },
    errors: ['role-too-low', 'limit-reached', 'content-moved'],
  }),
  getChangeRequestComment: defineOperation({
    id: 'getCommentInChangeRequest',
    method: 'GET',
    path: `${inChangeRequest}/comments/:commentId`,
    tag,
    summary: 'Read a comment on a change request.',
    query: FormatQuery,
    responses: { 200: Comment },
    errors: ['role-too-low'],
  }),
  updateChangeRequestComment: defineOperation({
    id: 'updateCommentInChangeRequest',
    method: 'PUT',
    path: `${inChangeRequest}/comments/:commentId`,
    tag,
    summary: 'Change, resolve or reopen a comment on a change request, or react to it.',
    description: EDITING,
    query: FormatQuery,
    body: UpdateBody,
    responses: { 200: Comment },
    errors: ['role-too-low', 'not-own-comment', 'limit-reached'],
  }),
  deleteChangeRequestComment: defineOperation({
    id: 'deleteCommentInChangeRequest',
    method: 'DELETE',
    path: `${inChangeRequest}/comments/:commentId`,
    tag,
    summary: 'Delete a comment on a change request with its replies.',
    responses: empty,
    errors: ['role-too-low', 'not-own-comment'],
  }),
  listChangeRequestCommentReplies: defineOperation({
    id: 'listCommentRepliesInChangeRequest',
    method: 'GET',
    path: `${inChangeRequest}/comments/:commentId/replies`,
    tag,
    summary: 'List the replies to a comment on a change request, the oldest first.',
    query: RepliesQuery,
    responses: { 200: ListOf(CommentReply) },
    errors: ['role-too-low'],
  }),
  createChangeRequestCommentReply: defineOperation({
    id: 'postCommentReplyInChangeRequest',
    method: 'POST',
    path: `${inChangeRequest}/comments/:commentId/replies`,
    tag,
    summary: 'Reply to a comment on a change request.',
    query: FormatQuery,
    body: ReplyBody,
    responses: { 200: CommentReply },
    errors: ['role-too-low', 'limit-reached'],
  }),
  getChangeRequestCommentReply: defineOperation({
    id: 'getCommentReplyInChangeRequest',
    method: 'GET',
    path: `${inChangeRequest}/comments/:commentId/replies/:commentReplyId`,
    tag,
    summary: 'Read a reply to a comment on a change request.',
    query: FormatQuery,
    responses: { 200: CommentReply },
    errors: ['role-too-low'],
    extension: true,
  }),
  updateChangeRequestCommentReply: defineOperation({
    id: 'updateCommentReplyInChangeRequest',
    method: 'PUT',
    path: `${inChangeRequest}/comments/:commentId/replies/:commentReplyId`,
    tag,
    summary: 'Change a reply to a comment on a change request, or react to it.',
    query: FormatQuery,
    body: UpdateReplyBody,
    responses: { 200: CommentReply },
    errors: ['role-too-low', 'not-own-comment', 'limit-reached'],
    extension: true,
  }),
  deleteChangeRequestCommentReply: defineOperation({
    id: 'deleteCommentReplyInChangeRequest',
    method: 'DELETE',
    path: `${inChangeRequest}/comments/:commentId/replies/:commentReplyId`,
    tag,
    summary: 'Delete a reply to a comment on a change request.',
    responses: empty,
    errors: ['role-too-low', 'not-own-comment'],
    extension: true,
  }),
  listChangeRequestCommenters: defineOperation({
    id: 'listCommentersInChangeRequest',
    method: 'GET',
    path: `${inChangeRequest}/commenters`,
    tag,
    summary: 'List the members who commented on a change request or replied there.',
    query: Paging,
    responses: { 200: ListOf(Member) },
    errors: ['role-too-low'],
    extension: true,
  }),
} as const;
