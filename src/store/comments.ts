import { and, asc, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type AgeKey, isOlder, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import type { MemberView } from './members.ts';
import type { UserRow } from './organizations.ts';
import { commentedPages, commentReactions, commentReplies, comments } from './schema/comments.ts';
import { changeRequests } from './schema/content.ts';
import { members, users } from './schema/platform.ts';
import { anyText, textRows } from './text-rows.ts';

export type CommentRow = typeof comments.$inferSelect;
export type ReplyRow = typeof commentReplies.$inferSelect;

/** The list that comments belong to: those of a space, or of one of its change requests. */
export interface Discussion {
  readonly spaceId: string;
  readonly changeRequestId: string | null;
}

/** A comment with the users that it names and where it is. */
export interface CommentView {
  readonly row: CommentRow;
  readonly author: UserRow | null;
  readonly resolver: UserRow | null;
  /** The number of its change request. */
  readonly changeRequest: number | null;
  /** The page that it is about, as it was last. */
  readonly page: {
    readonly title: string;
    readonly goneAt: Date | null;
    readonly revisionId: string;
  } | null;
}

export interface ReplyView {
  readonly row: ReplyRow;
  readonly author: UserRow | null;
}

const authors = alias(users, 'authors');
const resolvers = alias(users, 'resolvers');

function selectComments(db: Db) {
  return db
    .select({
      row: comments,
      author: authors,
      resolver: resolvers,
      changeRequest: changeRequests.number,
      page: {
        title: commentedPages.title,
        goneAt: commentedPages.goneAt,
        revisionId: commentedPages.revisionId,
      },
    })
    .from(comments)
    .leftJoin(authors, eq(authors.id, comments.authorId))
    .leftJoin(resolvers, eq(resolvers.id, comments.resolvedBy))
    .leftJoin(changeRequests, eq(changeRequests.id, comments.changeRequestId))
    .leftJoin(
      commentedPages,
      and(
        eq(commentedPages.spaceId, comments.spaceId),
        eq(commentedPages.scope, comments.scope),
        eq(commentedPages.pageId, comments.pageId),
      ),
    );
}

function isIn({ spaceId, changeRequestId }: Discussion): SQL | undefined {
  return changeRequestId === null
    ? and(eq(comments.spaceId, spaceId), sql`${comments.inSpace}`)
    : and(eq(comments.spaceId, spaceId), eq(comments.changeRequestId, changeRequestId));
}

export interface CommentFilter {
  readonly status: 'all' | 'open' | 'resolved';
  readonly pageId: string | undefined;
  /** Of any of these users; of all when absent. */
  readonly authorIds: readonly string[] | undefined;
}

function matches({ status, pageId, authorIds }: CommentFilter): SQL | undefined {
  return and(
    status === 'all'
      ? undefined
      : status === 'open'
        ? isNull(comments.resolvedAt)
        : isNotNull(comments.resolvedAt),
    pageId === undefined ? undefined : eq(comments.pageId, pageId),
    authorIds === undefined ? undefined : inArray(comments.authorId, [...authorIds]),
  );
}

/** The number of comments that match, and those after `after`. */
export async function listComments(
  db: Db,
  discussion: Discussion,
  options: CommentFilter & {
    readonly order: 'asc' | 'desc';
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly CommentView[] }> {
  const { order, after, limit } = options;
  const matching = and(isIn(discussion), matches(options));
  const [total] = await db.select({ count: count() }).from(comments).where(matching);
  const by = order === 'asc' ? asc : desc;
  const rows = await selectComments(db)
    .where(and(matching, order === 'asc' ? isYounger(comments, after) : isOlder(comments, after)))
    .orderBy(by(comments.createdAt), by(comments.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

export async function loadComment(db: Db, discussion: Discussion, id: string): Promise<CommentView | null> {
  const [found] = await selectComments(db).where(and(eq(comments.id, id), isIn(discussion)));
  return found ?? null;
}

/** The id of the comment that was copied from an address; null where none was. */
export async function findCopiedComment(db: Db, discussion: Discussion, url: string): Promise<string | null> {
  const [found] = await db
    .select({ id: comments.id })
    .from(comments)
    .where(and(isIn(discussion), eq(comments.mirrorUrl, url), isNotNull(comments.mirrorAuthor)));
  return found?.id ?? null;
}

/** The same of a reply to a comment. */
export async function findCopiedReply(db: Db, commentId: string, url: string): Promise<string | null> {
  const [found] = await db
    .select({ id: commentReplies.id })
    .from(commentReplies)
    .where(
      and(
        eq(commentReplies.commentId, commentId),
        eq(commentReplies.mirrorUrl, url),
        isNotNull(commentReplies.mirrorAuthor),
      ),
    );
  return found?.id ?? null;
}

/** What was said on a change request with these reviews. */
export async function listReviewComments(
  db: Db,
  discussion: Discussion,
  reviewIds: readonly string[],
): Promise<readonly CommentView[]> {
  if (reviewIds.length === 0) return [];
  return await selectComments(db).where(
    and(isIn(discussion), sql`${comments.reviewId} in ${textRows(reviewIds)}`),
  );
}

/** How many comments and replies there are in a space, with those of its change requests; for its limit. */
export async function countComments(db: Db, spaceId: string): Promise<number> {
  const [total] = await db.select({ count: count() }).from(comments).where(eq(comments.spaceId, spaceId));
  return total?.count ?? 0;
}

export async function insertComment(db: Db, comment: typeof comments.$inferInsert): Promise<void> {
  await db.insert(comments).values(comment);
}

export async function updateComment(
  db: Db,
  id: string,
  changes: Partial<
    Pick<
      CommentRow,
      | 'markdown'
      | 'document'
      | 'mentions'
      | 'editedAt'
      | 'resolvedAt'
      | 'resolvedBy'
      | 'inSpace'
      | 'mirrorUrl'
    >
  >,
): Promise<void> {
  await db.update(comments).set(changes).where(eq(comments.id, id));
}

/** Locks a comment until the transaction is complete. */
export async function lockCommentForUpdate(db: Db, id: string): Promise<CommentRow | null> {
  const [row] = await db.select().from(comments).where(eq(comments.id, id)).for('update');
  return row ?? null;
}

/** Deletes a comment with its replies and reactions. */
export async function deleteComment(db: Db, id: string): Promise<void> {
  await db.delete(comments).where(eq(comments.id, id));
}

function selectReplies(db: Db) {
  return db
    .select({ row: commentReplies, author: authors })
    .from(commentReplies)
    .leftJoin(authors, eq(authors.id, commentReplies.authorId));
}

/** The number of replies to a comment, and those after `after`, the oldest first. */
export async function listReplies(
  db: Db,
  commentId: string,
  { after, limit }: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly ReplyView[] }> {
  const rows = await selectReplies(db)
    .where(and(eq(commentReplies.commentId, commentId), isYounger(commentReplies, after)))
    .orderBy(asc(commentReplies.createdAt), asc(commentReplies.id))
    .limit(limit);
  return { count: await countReplies(db, commentId), rows };
}

/** The first replies to each of these comments, the oldest first. */
export async function listFirstReplies(
  db: Db,
  commentIds: readonly string[],
  limit: number,
): Promise<readonly ReplyView[]> {
  if (commentIds.length === 0) return [];
  return await selectReplies(db)
    .where(
      sql`${commentReplies.id} in (select first.id from ${textRows(commentIds)} as thread (id)
        cross join lateral (select r.id from comment_replies r where r.comment_id = thread.id
          order by r.created_at, r.id limit ${limit}) first)`,
    )
    .orderBy(asc(commentReplies.createdAt), asc(commentReplies.id));
}

export async function countReplies(db: Db, commentId: string): Promise<number> {
  const [total] = await db
    .select({ count: count() })
    .from(commentReplies)
    .where(eq(commentReplies.commentId, commentId));
  return total?.count ?? 0;
}

export async function loadReply(db: Db, commentId: string, id: string): Promise<ReplyView | null> {
  const [found] = await selectReplies(db).where(
    and(eq(commentReplies.id, id), eq(commentReplies.commentId, commentId)),
  );
  return found ?? null;
}

export async function insertReply(db: Db, reply: typeof commentReplies.$inferInsert): Promise<void> {
  await db.insert(commentReplies).values(reply);
}

export async function updateReply(
  db: Db,
  id: string,
  changes: Partial<Pick<ReplyRow, 'markdown' | 'document' | 'mentions' | 'editedAt' | 'mirrorUrl'>>,
): Promise<void> {
  await db.update(commentReplies).set(changes).where(eq(commentReplies.id, id));
}

export async function deleteReply(db: Db, id: string): Promise<void> {
  await db.delete(commentReplies).where(eq(commentReplies.id, id));
}

/** What a comment or reply is reacted to with. */
export interface ReactionTarget {
  readonly commentId: string;
  readonly replyId: string | null;
}

export async function insertReaction(db: Db, reaction: typeof commentReactions.$inferInsert): Promise<void> {
  await db.insert(commentReactions).values(reaction).onConflictDoNothing();
}

export async function deleteReaction(
  db: Db,
  { commentId, replyId }: ReactionTarget,
  { userId, emoji }: { readonly userId: string; readonly emoji: string },
): Promise<void> {
  await db
    .delete(commentReactions)
    .where(
      and(
        eq(commentReactions.commentId, commentId),
        replyId === null ? isNull(commentReactions.replyId) : eq(commentReactions.replyId, replyId),
        eq(commentReactions.userId, userId),
        eq(commentReactions.emoji, emoji),
      ),
    );
}

/** How many different emoji something is reacted to with. */
export async function countEmoji(db: Db, { commentId, replyId }: ReactionTarget): Promise<number> {
  const [total] = await db
    .select({ count: sql<number>`count(distinct ${commentReactions.emoji})::int` })
    .from(commentReactions)
    .where(
      and(
        eq(commentReactions.commentId, commentId),
        replyId === null ? isNull(commentReactions.replyId) : eq(commentReactions.replyId, replyId),
      ),
    );
  return total?.count ?? 0;
}

/** Those who reacted to something with one emoji: the number, and the first of them. */
export interface ReactionSum {
  readonly emoji: string;
  readonly count: number;
  readonly users: readonly { readonly userId: string; readonly reactedAt: Date }[];
}

/** How many who reacted are named. */
const REACTORS_SHOWN = 100;

/** The reactions to these comments, or to these replies, by their ids, in the order of the first of each. */
export async function loadReactions(
  db: Db,
  kind: 'comments' | 'replies',
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ReactionSum[]>> {
  if (ids.length === 0) return new Map();
  const target = kind === 'comments' ? sql`comment_id` : sql`reply_id`;
  const { rows } = await db.execute<{
    target: string;
    emoji: string;
    count: number;
    users: string[];
    times: string[];
  }>(sql`
    select ${target} as target, emoji, count(*)::int as count,
      (array_agg(user_id order by created_at, id))[1:${sql.raw(String(REACTORS_SHOWN))}] as users,
      to_jsonb((array_agg(created_at order by created_at, id))[1:${sql.raw(String(REACTORS_SHOWN))}]) as times
    from comment_reactions
    where ${target} in ${textRows(ids)} ${kind === 'comments' ? sql`and reply_id is null` : sql``}
    group by ${target}, emoji order by min(created_at), emoji`);
  const sums = rows.map(({ target: id, emoji, count: total, users: userIds, times }) => ({
    id,
    emoji,
    count: total,
    users: userIds.map((userId, at) => ({ userId, reactedAt: new Date(times[at] ?? 0) })),
  }));
  return Map.groupBy(sums, ({ id }) => id);
}

/** How often somebody replied to a comment, and when last. */
export interface ReplierSum {
  readonly commentId: string;
  /** Null for somebody whose account was deleted. */
  readonly userId: string | null;
  readonly count: number;
  readonly updatedAt: Date;
}

/** Who replied to these comments, who did last first. */
export async function loadRepliers(
  db: Db,
  commentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ReplierSum[]>> {
  if (commentIds.length === 0) return new Map();
  const rows = await db
    .select({
      commentId: commentReplies.commentId,
      userId: commentReplies.authorId,
      count: count(),
      updatedAt: sql`max(${commentReplies.createdAt})`.mapWith(commentReplies.createdAt) as SQL<Date>,
    })
    .from(commentReplies)
    .where(sql`${commentReplies.commentId} in ${textRows(commentIds)}`)
    .groupBy(commentReplies.commentId, commentReplies.authorId)
    .orderBy(desc(sql`max(${commentReplies.createdAt})`));
  return Map.groupBy(rows, ({ commentId }) => commentId);
}

/** The users with these ids. */
export async function loadUsersById(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, UserRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The number of members who commented or replied, and those after `after`, in the order in which they joined. */
export async function listCommenters(
  db: Db,
  discussion: Discussion,
  options: {
    readonly organizationId: string;
    readonly after: { readonly joinedAt: Date; readonly userId: string } | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly MemberView[] }> {
  const { organizationId, after, limit } = options;
  const listed = isIn(discussion);
  const matching = and(
    eq(members.organizationId, organizationId),
    sql`(exists (select 1 from ${comments} where ${listed} and ${comments.authorId} = ${members.userId})
      or exists (select 1 from ${commentReplies} inner join ${comments} on ${comments.id} = ${commentReplies.commentId}
        where ${commentReplies.authorId} = ${members.userId} and ${listed}))`,
  );
  const [total] = await db.select({ count: count() }).from(members).where(matching);
  const rows = await db
    .select({ member: members, user: users })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        matching,
        after === null
          ? undefined
          : sql`(${members.joinedAt}, ${members.userId}) > (${after.joinedAt.toISOString()}::timestamptz, ${after.userId})`,
      ),
    )
    .orderBy(asc(members.joinedAt), asc(members.userId))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** How many open comments each of the spaces lists; a space without any is left out. */
export async function countOpenComments(
  db: Db,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (spaceIds.length === 0) return new Map();
  const rows = await db
    .select({ spaceId: comments.spaceId, count: count() })
    .from(comments)
    .where(
      and(
        sql`${comments.spaceId} = ${anyText(spaceIds)}`,
        sql`${comments.inSpace}`,
        isNull(comments.resolvedAt),
      ),
    )
    .groupBy(comments.spaceId);
  return new Map(rows.map(({ spaceId, count: open }) => [spaceId, open]));
}
