import Type, { type Static } from 'typebox';
import { Document } from '../content/document.ts';
import { User } from '../organizations/user.ts';
import { Formed, Id, Moment, Url } from '../scalars.ts';

/** The longest text of a comment or reply, in UTF-16 code units of Markdown. */
export const MAX_COMMENT_LENGTH = 20_000;

/** Where else the same is said. */
export const CommentMirror = Type.Object(
  {
    url: Url,
    author: Type.Optional(
      Type.String({
        description:
          'Who wrote it there, by their name there; absent for what was written here. `postedBy` is then whose token brought it.',
      }),
    ),
  },
  {
    description:
      'The same on a pull request, where the repository’s configuration mirrors comments. An extension.',
  },
);
export type CommentMirror = Static<typeof CommentMirror>;

const mirrorUrl = Formed('^https?://[^\\s\\u0000]+$', 'an http or https address', { maxLength: 2_048 });

/** Names where what a caller posts was written first; what came from an address is there once. */
export const CommentMirrorInput = Type.Object(
  {
    url: mirrorUrl,
    author: Formed('^[^\\u0000-\\u001f]+$', 'one line', { minLength: 1, maxLength: 100 }),
  },
  {
    additionalProperties: false,
    description:
      'Where it was written, and by whom, if this is a copy. Posting a copy of the same address again changes nothing, and returns what is there. For the server itself and administrators of the space. An extension.',
  },
);

/** Names where a copy of a comment is. */
export const CommentMirrorChange = Type.Union(
  [Type.Object({ url: mirrorUrl }, { additionalProperties: false }), Type.Null()],
  {
    description:
      'Where a copy of it is; null where there is none any more. For the server itself and administrators of the space. An extension.',
  },
);

/** What a caller sends as the text of a comment: Markdown, or the nodes of a document. */
export const CommentBodyInput = Type.Union([
  Type.Object(
    { markdown: Type.String({ minLength: 1, maxLength: MAX_COMMENT_LENGTH }) },
    {
      additionalProperties: false,
      description: 'Markdown. `@` with the name or the e-mail address of a member mentions them.',
    },
  ),
  Type.Object(
    { document: Type.Record(Type.String(), Type.Unknown()) },
    {
      additionalProperties: false,
      description: 'Nodes, as `format=document` returns them. An inline of type `mention` mentions a user.',
    },
  ),
]);
export type CommentBodyInput = Static<typeof CommentBodyInput>;

/** The text of a comment, in the form that `format` chooses. */
export const CommentBody = Type.Object({
  document: Type.Optional(Document),
  markdown: Type.Optional(Type.String()),
});

/** Who reacted with which emoji. */
export const EmojiReaction = Type.Object({
  emoji: Type.String(),
  count: Type.Integer(),
  users: Type.Array(Type.Object({ user: User, reactedAt: Moment }), {
    description: 'The first 100 of them.',
  }),
});
export type EmojiReaction = Static<typeof EmojiReaction>;

/** One or a few emoji signs, or the name of one. */
export const Emoji = Type.String({ minLength: 1, maxLength: 64 });

/** A cell of a table, by the names that the table’s node has for its row and column. */
export const TableCell = Type.Object(
  { record: Type.String({ maxLength: 100 }), definition: Type.String({ maxLength: 100 }) },
  { additionalProperties: false },
);

/** Whether a comment still stands on its text. */
export const anchorStates = ['found', 'text-gone', 'page-gone'] as const;

/** What a comment is about, and where that is now. */
export const CommentTarget = Type.Object({
  space: Id,
  revision: Type.String({ description: 'The revision in which `node` is found.' }),
  changeRequest: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'The change request in which the comment was made.' }),
  ),
  review: Type.Optional(
    Type.Unsafe<string>({ ...Id, description: 'The review with which the comment was made.' }),
  ),
  page: Type.Optional(
    Type.Object({
      id: Id,
      title: Type.Optional(
        Type.String({ description: 'The title of the page, or its last one if it is gone. An extension.' }),
      ),
    }),
  ),
  node: Type.Optional(
    Type.Object(
      { id: Type.String() },
      {
        description:
          'The `key` of a node of the page in `revision`. It follows the text through later revisions, and is absent when the text is gone.',
      },
    ),
  ),
  tableCell: Type.Optional(TableCell),
  anchor: Type.Optional(
    Type.Object(
      {
        state: Type.Enum([...anchorStates], { type: 'string' }),
        quote: Type.Optional(
          Type.String({
            description: 'The beginning of the text that the comment is about, as it was last.',
          }),
        ),
      },
      { description: 'Whether the text and the page are still there. An extension.' },
    ),
  ),
});
export type CommentTarget = Static<typeof CommentTarget>;

const Permissions = Type.Object({
  view: Type.Boolean(),
  edit: Type.Boolean({ description: 'Change its text; of a comment also resolve and reopen it.' }),
  reply: Type.Boolean({ description: 'Reply and react to it.' }),
  delete: Type.Boolean(),
});

const posted = {
  id: Id,
  postedBy: User,
  postedAt: Moment,
  editedAt: Type.Optional(Moment),
  reactions: Type.Array(EmojiReaction, { description: 'In the order of the first of each.' }),
  body: CommentBody,
  mirror: Type.Optional(CommentMirror),
  urls: Type.Object({
    location: Url,
    app: Url,
  }),
  permissions: Permissions,
};

/** A comment on a space, a change request, or a page or node of them: the first of a thread. */
export const Comment = Type.Object(
  {
    object: Type.Literal('comment'),
    ...posted,
    replies: Type.Integer({ description: 'How many replies it has.' }),
    repliers: Type.Array(Type.Object({ updatedAt: Moment, count: Type.Integer(), user: User }), {
      description: 'Who replied how often, and when last; who replied last comes first, and at most 20.',
    }),
    target: CommentTarget,
    status: Type.Enum(['open', 'resolved'], { type: 'string' }),
    resolvedAt: Type.Optional(Moment),
    resolvedBy: Type.Optional(User),
  },
  { $id: 'Comment' },
);
export type Comment = Static<typeof Comment>;

/** A reply to a comment. */
export const CommentReply = Type.Object(
  { object: Type.Literal('comment-reply'), ...posted },
  { $id: 'CommentReply' },
);
export type CommentReply = Static<typeof CommentReply>;
