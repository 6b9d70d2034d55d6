/** Tables of the discussions about spaces and change requests. */
import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';
import { changeRequests } from './content.ts';
import { organizations, spaces, users } from './platform.ts';

/** Where the same is said on a pull request. */
const mirrorColumns = {
  /** Its address there; null where it is only here. */
  mirrorUrl: text('mirror_url'),
  /** Who wrote it there, by their name there; null for what was written here. */
  mirrorAuthor: text('mirror_author'),
};

/** The first comments of threads. */
export const comments = pgTable(
  'comments',
  {
    id: id('id').primaryKey(),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    /** The change request in which it was made; null for one on the space, or when the change request was deleted. */
    changeRequestId: id('change_request_id').references(() => changeRequests.id, { onDelete: 'set null' }),
    /** Whether the space lists it: its own ones, and those that were open when their change request was merged. */
    inSpace: boolean('in_space').notNull(),
    /** The commented page by whose blocks its place is known: a change request's, or with an empty one the space's. */
    scope: text('scope').notNull(),
    /** The review with which it was made. */
    reviewId: id('review_id'),
    pageId: id('page_id'),
    /** The key of the node that it is about, in `revision_id`; null when it is about none, or its text is gone. */
    node: text('node'),
    /** The beginning of the node's text, as it was last; null when it is about no node. */
    quote: text('quote'),
    tableCell: jsonb('table_cell').$type<{ readonly record: string; readonly definition: string }>(),
    /** The revision in which it was made. */
    revisionId: id('revision_id').notNull(),
    authorId: id('author_id').references(() => users.id, { onDelete: 'set null' }),
    /** As its author wrote it. */
    markdown: text('markdown').notNull(),
    /** The same as nodes. */
    document: jsonb('document').notNull(),
    /** The users whom it mentions. */
    mentions: text('mentions').array().notNull().default(sql`'{}'`),
    createdAt: moment('created_at').notNull().defaultNow(),
    editedAt: moment('edited_at'),
    resolvedAt: moment('resolved_at'),
    resolvedBy: id('resolved_by').references(() => users.id, { onDelete: 'set null' }),
    ...mirrorColumns,
  },
  (table) => [
    uniqueIndex('comments_from_elsewhere')
      .on(table.spaceId, table.mirrorUrl)
      .where(sql`mirror_author is not null`),
    index('comments_in_space').on(table.spaceId, table.createdAt, table.id).where(sql`in_space`),
    index('comments_open_in_space')
      .on(table.spaceId, table.createdAt, table.id)
      .where(sql`in_space and resolved_at is null`),
    // Its equal keys are stored once, so counting the open ones of a space reads few pages.
    index('comments_open_by_space').on(table.spaceId).where(sql`in_space and resolved_at is null`),
    index('comments_on_page').on(table.spaceId, table.pageId, table.createdAt, table.id),
    index('comments_in_change_request')
      .on(table.changeRequestId, table.createdAt, table.id)
      .where(sql`change_request_id is not null`),
    index('comments_of_no_list').on(table.id).where(sql`change_request_id is null and not in_space`),
    index('comments_by_author').on(table.spaceId, table.authorId, table.createdAt, table.id),
  ],
);

export const commentReplies = pgTable(
  'comment_replies',
  {
    id: id('id').primaryKey(),
    commentId: id('comment_id')
      .notNull()
      .references(() => comments.id, { onDelete: 'cascade' }),
    authorId: id('author_id').references(() => users.id, { onDelete: 'set null' }),
    markdown: text('markdown').notNull(),
    document: jsonb('document').notNull(),
    mentions: text('mentions').array().notNull().default(sql`'{}'`),
    createdAt: moment('created_at').notNull().defaultNow(),
    editedAt: moment('edited_at'),
    ...mirrorColumns,
  },
  (table) => [
    uniqueIndex('replies_from_elsewhere')
      .on(table.commentId, table.mirrorUrl)
      .where(sql`mirror_author is not null`),
    index('replies_of_comment').on(table.commentId, table.createdAt, table.id),
    index('replies_by_author').on(table.authorId, table.commentId),
  ],
);

export const commentReactions = pgTable(
  'comment_reactions',
  {
    id: id('id').primaryKey(),
    commentId: id('comment_id')
      .notNull()
      .references(() => comments.id, { onDelete: 'cascade' }),
    /** The reply that it is a reaction to; null for the comment itself. */
    replyId: id('reply_id').references(() => commentReplies.id, { onDelete: 'cascade' }),
    userId: id('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    emoji: text('emoji').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('reactions_once').on(
      table.commentId,
      sql`coalesce(${table.replyId}, '')`,
      table.emoji,
      table.userId,
    ),
    index('reactions_to_reply').on(table.replyId).where(sql`reply_id is not null`),
    index('reactions_of_user').on(table.userId),
  ],
);

/** A block of a page, by which comments find their text again. */
export interface StoredBlock {
  /** The key of its node. */
  readonly key: string;
  readonly type: string;
  readonly text: string;
}

/** The pages that comments are about, as they were when the places of the comments were looked up last. */
export const commentedPages = pgTable(
  'commented_pages',
  {
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    /** The change request in which the page is seen; empty for the space. */
    scope: text('scope').notNull(),
    changeRequestId: id('change_request_id').references(() => changeRequests.id, { onDelete: 'cascade' }),
    pageId: id('page_id').notNull(),
    title: text('title').notNull(),
    /** What the text of the page was made from. */
    version: text('version').notNull(),
    revisionId: id('revision_id').notNull(),
    /** The blocks of the page; null when no comment is about one. */
    blocks: jsonb('blocks').$type<readonly StoredBlock[]>(),
    /** Since when the page is not there; null while it is. */
    goneAt: moment('gone_at'),
    checkedAt: moment('checked_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.spaceId, table.scope, table.pageId] }),
    index('commented_pages_of_change_request')
      .on(table.changeRequestId)
      .where(sql`change_request_id is not null`),
  ],
);

/** What somebody should look at: shown on their home page, and mailed where they want it. */
export const notifications = pgTable(
  'notifications',
  {
    id: id('id').primaryKey(),
    userId: id('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    changeRequestId: id('change_request_id').references(() => changeRequests.id, { onDelete: 'cascade' }),
    commentId: id('comment_id').references(() => comments.id, { onDelete: 'cascade' }),
    replyId: id('reply_id').references(() => commentReplies.id, { onDelete: 'cascade' }),
    /** `mention`, `reply`, `comment`, `review-request` or `review`. */
    kind: text('kind').notNull(),
    /** Names what happened, so that each person hears of it once. */
    event: text('event').notNull(),
    actorId: id('actor_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    readAt: moment('read_at'),
  },
  (table) => [
    uniqueIndex('notifications_once').on(table.userId, table.event),
    index('notifications_of_user').on(table.userId, table.createdAt, table.id),
    index('notifications_unread').on(table.userId, table.createdAt, table.id).where(sql`read_at is null`),
    index('notifications_by_age').on(table.createdAt),
    index('notifications_of_comment').on(table.commentId).where(sql`comment_id is not null`),
    index('notifications_of_reply').on(table.replyId).where(sql`reply_id is not null`),
  ],
);
