import Type from 'typebox';
import { Member } from '../members/member.ts';
import { defineOperation } from '../operation.ts';
import { ListOf, Order, Paging, pagingFields } from '../paging.ts';
import { Id } from '../scalars.ts';
import {
  Comment,
  CommentBodyInput,
  CommentMirrorChange,
  CommentMirrorInput,
  CommentReply,
  Emoji,
  TableCell,
} from './comment.ts';

const tag = 'Comments';

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
    mirror: Type.Optional(CommentMirrorInput),
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
    mirror: Type.Optional(CommentMirrorChange),
  },
  { additionalProperties: false },
);

const ReplyBody = Type.Object(
  { body: CommentBodyInput, mirror: Type.Optional(CommentMirrorInput) },
  { additionalProperties: false },
);

const UpdateReplyBody = Type.Object(
  {
    body: Type.Optional(CommentBodyInput),
    ...reactionFields,
    mirror: Type.Optional(CommentMirrorChange),
  },
  { additionalProperties: false },
);

const EDITING =
  'The text, and whether it is resolved, may be changed by its author and by those who may edit the space; anybody who may comment may react.';
const READING = 'Comments are shown to those who may comment in the space.';
const empty = { 204: Type.Void() } as const;

/** Where comments are made: the operations of both places are the same but for what is named here. */
interface Place<Path extends string> {
  readonly path: Path;
  /** As the ids of operations end. */
  readonly name: 'Space' | 'ChangeRequest';
  /** For summaries. */
  readonly words: string;
  readonly listing: string;
  /** The parts that the published description does not have. */
  readonly extensions: ReadonlySet<'list-replies' | 'reply' | 'commenters'>;
}

function defineComments<const Path extends string>({ path, name, words, listing, extensions }: Place<Path>) {
  const ifExtension = (part: 'list-replies' | 'reply' | 'commenters') =>
    extensions.has(part) ? { extension: true as const } : {};
  const onReply = name === 'Space' ? '' : ` to a comment on ${words}`;
  const onComment = name === 'Space' ? '' : ` on ${words}`;
  return {
    list: defineOperation({
      id: `listCommentsIn${name}`,
      method: 'GET',
      path: `${path}/comments` as const,
      tag,
      summary: `List the comments on ${words}, the newest first.`,
      description: listing,
      query: ListQuery,
      responses: { 200: ListOf(Comment) },
      errors: ['role-too-low'],
    }),
    create: defineOperation({
      id: `postCommentIn${name}`,
      method: 'POST',
      path: `${path}/comments` as const,
      tag,
      summary: `Comment on ${words}, a page of it, or a node of the page.`,
      query: FormatQuery,
      body: CreateBody,
      responses: { 200: Comment },
      errors: ['role-too-low', 'limit-reached', 'content-moved'],
    }),
    get: defineOperation({
      id: `getCommentIn${name}`,
      method: 'GET',
      path: `${path}/comments/:commentId` as const,
      tag,
      summary: `Read a comment on ${words}.`,
      query: FormatQuery,
      responses: { 200: Comment },
      errors: ['role-too-low'],
    }),
    update: defineOperation({
      id: `updateCommentIn${name}`,
      method: 'PUT',
      path: `${path}/comments/:commentId` as const,
      tag,
      summary: `Change, resolve or reopen a comment${onComment}, or react to it.`,
      description: EDITING,
      query: FormatQuery,
      body: UpdateBody,
      responses: { 200: Comment },
      errors: ['role-too-low', 'not-own-comment', 'limit-reached'],
    }),
    remove: defineOperation({
      id: `deleteCommentIn${name}`,
      method: 'DELETE',
      path: `${path}/comments/:commentId` as const,
      tag,
      summary: `Delete a comment${onComment} with its replies.`,
      responses: empty,
      errors: ['role-too-low', 'not-own-comment'],
    }),
    listReplies: defineOperation({
      id: `listCommentRepliesIn${name}`,
      method: 'GET',
      path: `${path}/comments/:commentId/replies` as const,
      tag,
      summary: `List the replies to a comment${onComment}, the oldest first.`,
      query: RepliesQuery,
      responses: { 200: ListOf(CommentReply) },
      errors: ['role-too-low'],
      ...ifExtension('list-replies'),
    }),
    createReply: defineOperation({
      id: `postCommentReplyIn${name}`,
      method: 'POST',
      path: `${path}/comments/:commentId/replies` as const,
      tag,
      summary: `Reply to a comment${onComment}.`,
      query: FormatQuery,
      body: ReplyBody,
      responses: { 200: CommentReply },
      errors: ['role-too-low', 'limit-reached'],
    }),
    getReply: defineOperation({
      id: `getCommentReplyIn${name}`,
      method: 'GET',
      path: `${path}/comments/:commentId/replies/:commentReplyId` as const,
      tag,
      summary: `Read a reply${onReply}.`,
      query: FormatQuery,
      responses: { 200: CommentReply },
      errors: ['role-too-low'],
      ...ifExtension('reply'),
    }),
    updateReply: defineOperation({
      id: `updateCommentReplyIn${name}`,
      method: 'PUT',
      path: `${path}/comments/:commentId/replies/:commentReplyId` as const,
      tag,
      summary: `Change a reply${onReply}, or react to it.`,
      query: FormatQuery,
      body: UpdateReplyBody,
      responses: { 200: CommentReply },
      errors: ['role-too-low', 'not-own-comment', 'limit-reached'],
      ...ifExtension('reply'),
    }),
    removeReply: defineOperation({
      id: `deleteCommentReplyIn${name}`,
      method: 'DELETE',
      path: `${path}/comments/:commentId/replies/:commentReplyId` as const,
      tag,
      summary: `Delete a reply${onReply}.`,
      responses: empty,
      errors: ['role-too-low', 'not-own-comment'],
      ...ifExtension('reply'),
    }),
    listCommenters: defineOperation({
      id: `listCommentersIn${name}`,
      method: 'GET',
      path: `${path}/commenters` as const,
      tag,
      summary: `List the members who commented on ${words} or replied there, who joined first at the beginning.`,
      query: Paging,
      responses: { 200: ListOf(Member) },
      errors: ['role-too-low'],
      ...ifExtension('commenters'),
    }),
  };
}

const space = defineComments({
  path: '/spaces/:spaceId',
  name: 'Space',
  words: 'a space',
  listing: `${READING} Those of a change request are in its own list; when it is merged, the open ones are here, too.`,
  extensions: new Set(['list-replies']),
});

const changeRequest = defineComments({
  path: '/spaces/:spaceId/change-requests/:changeRequestId',
  name: 'ChangeRequest',
  words: 'a change request',
  listing: READING,
  extensions: new Set(['reply', 'commenters']),
});

export const commentOperations = {
  listSpaceComments: space.list,
  createSpaceComment: space.create,
  getSpaceComment: space.get,
  updateSpaceComment: space.update,
  deleteSpaceComment: space.remove,
  listSpaceCommentReplies: space.listReplies,
  createSpaceCommentReply: space.createReply,
  getSpaceCommentReply: space.getReply,
  updateSpaceCommentReply: space.updateReply,
  deleteSpaceCommentReply: space.removeReply,
  listSpaceCommenters: space.listCommenters,

  listChangeRequestComments: changeRequest.list,
  createChangeRequestComment: changeRequest.create,
  getChangeRequestComment: changeRequest.get,
  updateChangeRequestComment: changeRequest.update,
  deleteChangeRequestComment: changeRequest.remove,
  listChangeRequestCommentReplies: changeRequest.listReplies,
  createChangeRequestCommentReply: changeRequest.createReply,
  getChangeRequestCommentReply: changeRequest.getReply,
  updateChangeRequestCommentReply: changeRequest.updateReply,
  deleteChangeRequestCommentReply: changeRequest.removeReply,
  listChangeRequestCommenters: changeRequest.listCommenters,
} as const;
