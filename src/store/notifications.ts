import { and, count, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type AgeKey, isOlder } from './age-keys.ts';
import type { Db } from './db.ts';
import type { UserRow } from './organizations.ts';
import { commentedPages, commentReplies, comments, notifications } from './schema/comments.ts';
import { changeRequests } from './schema/content.ts';
import { spaces, users } from './schema/platform.ts';
import type { SpaceRow } from './spaces.ts';
import { textRows } from './text-rows.ts';

export type NotificationRow = typeof notifications.$inferSelect;

/** A notification with what it is about. */
export interface NotificationView {
  readonly row: NotificationRow;
  readonly actor: UserRow | null;
  readonly spaceTitle: string;
  readonly changeRequest: { readonly number: number; readonly subject: string } | null;
  readonly comment: { readonly markdown: string; readonly pageId: string | null } | null;
  readonly pageTitle: string | null;
  /** The text of the reply, if it is about one. */
  readonly reply: string | null;
}

/** Notifies people of an event; returns those who had not heard of it. */
export async function insertNotifications(
  db: Db,
  rows: readonly (typeof notifications.$inferInsert)[],
): Promise<readonly string[]> {
  if (rows.length === 0) return [];
  const inserted = await db
    .insert(notifications)
    .values([...rows])
    .onConflictDoNothing()
    .returning({ userId: notifications.userId });
  return inserted.map(({ userId }) => userId);
}

/** The spaces that a user has notifications of, unless they are deleted. */
export async function listNotifiedSpaces(db: Db, userId: string): Promise<readonly SpaceRow[]> {
  const rows = await db
    .select()
    .from(spaces)
    .where(
      and(
        isNull(spaces.deletedAt),
        sql`${spaces.id} in (select space_id from ${notifications} where user_id = ${userId})`,
      ),
    );
  return rows;
}

const actors = alias(users, 'actors');

function selectViews(db: Db) {
  return db
    .select({
      row: notifications,
      actor: actors,
      spaceTitle: spaces.title,
      changeRequest: { number: changeRequests.number, subject: changeRequests.subject },
      comment: { markdown: comments.markdown, pageId: comments.pageId },
      pageTitle: commentedPages.title,
      reply: commentReplies.markdown,
    })
    .from(notifications)
    .innerJoin(spaces, eq(spaces.id, notifications.spaceId))
    .leftJoin(actors, eq(actors.id, notifications.actorId))
    .leftJoin(changeRequests, eq(changeRequests.id, notifications.changeRequestId))
    .leftJoin(comments, eq(comments.id, notifications.commentId))
    .leftJoin(commentReplies, eq(commentReplies.id, notifications.replyId))
    .leftJoin(
      commentedPages,
      and(
        eq(commentedPages.spaceId, comments.spaceId),
        eq(commentedPages.scope, comments.scope),
        eq(commentedPages.pageId, comments.pageId),
      ),
    );
}

function isOf(userId: string, spaceIds: readonly string[]): SQL | undefined {
  return and(eq(notifications.userId, userId), sql`${notifications.spaceId} in ${textRows(spaceIds)}`);
}

/** The number of a user's notifications of these spaces, and those before `after`, the newest first. */
export async function listNotifications(
  db: Db,
  userId: string,
  options: {
    readonly spaceIds: readonly string[];
    /** Whether they are unread; all when undefined. */
    readonly unread: boolean | undefined;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly NotificationView[] }> {
  const { spaceIds, unread, after, limit } = options;
  const matching = and(
    isOf(userId, spaceIds),
    unread === undefined
      ? undefined
      : unread
        ? isNull(notifications.readAt)
        : isNotNull(notifications.readAt),
  );
  const [total] = await db.select({ count: count() }).from(notifications).where(matching);
  const rows = await selectViews(db)
    .where(and(matching, isOlder(notifications, after)))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

export async function loadNotification(
  db: Db,
  userId: string,
  { id, spaceIds }: { readonly id: string; readonly spaceIds: readonly string[] },
): Promise<NotificationView | null> {
  const [found] = await selectViews(db).where(and(isOf(userId, spaceIds), eq(notifications.id, id)));
  return found ?? null;
}

/** Whose a notification is, and of what; null for one whose comment was deleted. */
export async function loadNotificationRow(db: Db, id: string): Promise<NotificationRow | null> {
  const [row] = await db.select().from(notifications).where(eq(notifications.id, id));
  return row ?? null;
}

/** Marks notifications of a user as read or unread: one, or all when `id` is null. */
export async function markNotifications(
  db: Db,
  userId: string,
  { id, readAt }: { readonly id: string | null; readonly readAt: Date | null },
): Promise<void> {
  await db
    .update(notifications)
    .set({ readAt })
    .where(
      and(
        eq(notifications.userId, userId),
        id === null ? undefined : eq(notifications.id, id),
        readAt === null ? undefined : isNull(notifications.readAt),
      ),
    );
}

/** Whether notifications are mailed to a user. */
export async function loadWantsMail(db: Db, userId: string): Promise<boolean> {
  const [row] = await db.select({ wantsMail: users.wantsMail }).from(users).where(eq(users.id, userId));
  return row?.wantsMail ?? false;
}

export async function updateWantsMail(db: Db, userId: string, wantsMail: boolean): Promise<void> {
  await db.update(users).set({ wantsMail }).where(eq(users.id, userId));
}
