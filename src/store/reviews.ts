import { and, asc, count, desc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type AgeKey, isOlder, isYounger } from './age-keys.ts';
import type { Db } from './db.ts';
import type { UserRow } from './organizations.ts';
import { changeRequests } from './schema/content.ts';
import { teamMembers } from './schema/people.ts';
import { users } from './schema/platform.ts';
import { changeRequestEdits, changeRequestReviews, requestedReviewers } from './schema/reviews.ts';
import { textRows } from './text-rows.ts';

export type ReviewRow = typeof changeRequestReviews.$inferSelect;
export type RequestedReviewerRow = typeof requestedReviewers.$inferSelect;

/** A review with the users that it names. */
export interface ReviewView {
  readonly row: ReviewRow;
  readonly reviewer: UserRow;
  readonly requestedBy: UserRow | null;
}

/** A request for a review with the users that it names. */
export interface RequestedReviewerView {
  readonly row: RequestedReviewerRow;
  /** Null where a team was requested. */
  readonly user: UserRow | null;
  readonly requestedBy: UserRow | null;
}

const reviewers = alias(users, 'reviewers');
const requesters = alias(users, 'requesters');

/** Adds a review; those that the reviewer wrote before are superseded, and the requests to them and to their teams done. */
export async function insertReview(
  db: Db,
  review: Pick<ReviewRow, 'id' | 'changeRequestId' | 'reviewerId' | 'status' | 'revisionId'>,
): Promise<void> {
  await supersedeReviews(db, review.changeRequestId, [review.reviewerId]);
  const done = await db
    .delete(requestedReviewers)
    .where(
      and(
        eq(requestedReviewers.changeRequestId, review.changeRequestId),
        sql`(${requestedReviewers.userId} = ${review.reviewerId} or ${requestedReviewers.teamId} in (
          select team_id from ${teamMembers} where user_id = ${review.reviewerId}))`,
      ),
    )
    .returning();
  const own = done.find(({ userId }) => userId !== null) ?? done[0];
  await db
    .insert(changeRequestReviews)
    .values({ ...review, holdsFor: review.revisionId, requestedBy: own?.requestedBy ?? null });
}

/** Marks what these users said about a change request as superseded. */
export async function supersedeReviews(
  db: Db,
  changeRequestId: string,
  reviewerIds: readonly string[],
): Promise<void> {
  await db
    .update(changeRequestReviews)
    .set({ superseded: true, updatedAt: sql`now()` })
    .where(
      and(
        eq(changeRequestReviews.changeRequestId, changeRequestId),
        eq(changeRequestReviews.superseded, false),
        sql`${changeRequestReviews.reviewerId} in ${textRows(reviewerIds)}`,
      ),
    );
}

/** The reviews of a change request hold for another revision now, which says the same. */
export async function carryReviews(
  db: Db,
  changeRequestId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await db
    .update(changeRequestReviews)
    .set({ holdsFor: to })
    .where(
      and(eq(changeRequestReviews.changeRequestId, changeRequestId), eq(changeRequestReviews.holdsFor, from)),
    );
}

export async function countReviews(db: Db, changeRequestId: string): Promise<number> {
  return await db.$count(changeRequestReviews, eq(changeRequestReviews.changeRequestId, changeRequestId));
}

function selectReviews(db: Db) {
  return db
    .select({ row: changeRequestReviews, reviewer: reviewers, requestedBy: requesters })
    .from(changeRequestReviews)
    .innerJoin(reviewers, eq(reviewers.id, changeRequestReviews.reviewerId))
    .leftJoin(requesters, eq(requesters.id, changeRequestReviews.requestedBy));
}

export async function loadReview(
  db: Db,
  changeRequestId: string,
  reviewId: string,
): Promise<ReviewView | null> {
  const [found] = await selectReviews(db).where(
    and(eq(changeRequestReviews.changeRequestId, changeRequestId), eq(changeRequestReviews.id, reviewId)),
  );
  return found ?? null;
}

/** The number of reviews of a change request that match, and those after `after`, newest first. */
export async function listReviews(
  db: Db,
  { id, revisionId }: { readonly id: string; readonly revisionId: string },
  options: {
    /** Null for all. */
    readonly outdated: boolean | null;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly ReviewView[] }> {
  const isOutdated = sql`(${changeRequestReviews.superseded} or ${changeRequestReviews.holdsFor} <> ${revisionId})`;
  const matching = and(
    eq(changeRequestReviews.changeRequestId, id),
    options.outdated === null ? undefined : sql`${isOutdated} = ${options.outdated}`,
  );
  const [total] = await db.select({ count: count() }).from(changeRequestReviews).where(matching);
  const rows = await selectReviews(db)
    .where(and(matching, isOlder(changeRequestReviews, options.after)))
    .orderBy(desc(changeRequestReviews.createdAt), desc(changeRequestReviews.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** The last review of each reviewer of these change requests, unless it was superseded. */
export async function loadLastReviews(
  db: Db,
  changeRequestIds: readonly string[],
): Promise<readonly ReviewView[]> {
  if (changeRequestIds.length === 0) return [];
  return await selectReviews(db)
    .where(
      and(
        sql`${changeRequestReviews.changeRequestId} in ${textRows(changeRequestIds)}`,
        eq(changeRequestReviews.superseded, false),
      ),
    )
    .orderBy(asc(changeRequestReviews.createdAt), asc(changeRequestReviews.id));
}

/** Requests reviews; what was requested already stays as it is. Returns the rows that are new. */
export async function insertRequestedReviewers(
  db: Db,
  rows: readonly (typeof requestedReviewers.$inferInsert)[],
): Promise<readonly RequestedReviewerRow[]> {
  if (rows.length === 0) return [];
  return await db
    .insert(requestedReviewers)
    .values([...rows])
    .onConflictDoNothing()
    .returning();
}

export async function countRequestedReviewers(db: Db, changeRequestId: string): Promise<number> {
  return await db.$count(requestedReviewers, eq(requestedReviewers.changeRequestId, changeRequestId));
}

function selectRequests(db: Db) {
  return db
    .select({ row: requestedReviewers, user: reviewers, requestedBy: requesters })
    .from(requestedReviewers)
    .leftJoin(reviewers, eq(reviewers.id, requestedReviewers.userId))
    .leftJoin(requesters, eq(requesters.id, requestedReviewers.requestedBy));
}

/** The requests for reviews of a change request: their number, and those after `after`, oldest first. */
export async function listRequestedReviewers(
  db: Db,
  changeRequestId: string,
  { after, limit }: { readonly after: AgeKey | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly RequestedReviewerView[] }> {
  const matching = eq(requestedReviewers.changeRequestId, changeRequestId);
  const rows = await selectRequests(db)
    .where(and(matching, isYounger(requestedReviewers, after)))
    .orderBy(asc(requestedReviewers.createdAt), asc(requestedReviewers.id))
    .limit(limit);
  return { count: await db.$count(requestedReviewers, matching), rows };
}

/** All requests for reviews of these change requests. */
export async function loadRequestedReviewers(
  db: Db,
  changeRequestIds: readonly string[],
): Promise<readonly RequestedReviewerView[]> {
  if (changeRequestIds.length === 0) return [];
  return await selectRequests(db)
    .where(sql`${requestedReviewers.changeRequestId} in ${textRows(changeRequestIds)}`)
    .orderBy(asc(requestedReviewers.createdAt), asc(requestedReviewers.id));
}

/** Withdraws a request for a review; returns whether there was one. */
export async function removeRequestedReviewer(
  db: Db,
  changeRequestId: string,
  subject: { readonly userId: string } | { readonly teamId: string },
): Promise<boolean> {
  const removed = await db
    .delete(requestedReviewers)
    .where(
      and(
        eq(requestedReviewers.changeRequestId, changeRequestId),
        'userId' in subject
          ? eq(requestedReviewers.userId, subject.userId)
          : eq(requestedReviewers.teamId, subject.teamId),
      ),
    )
    .returning({ id: requestedReviewers.id });
  return removed.length > 0;
}

/** Counts a change of the content of a change request by a user. */
export async function recordEdit(db: Db, changeRequestId: string, userId: string): Promise<void> {
  await db
    .insert(changeRequestEdits)
    .values({ changeRequestId, userId, count: 1 })
    .onConflictDoUpdate({
      target: [changeRequestEdits.changeRequestId, changeRequestEdits.userId],
      set: { count: sql`${changeRequestEdits.count} + 1`, updatedAt: sql`now()` },
    });
}

/** A user who changed the content of a change request. */
export interface Contributor {
  readonly user: UserRow;
  readonly count: number;
  readonly updatedAt: Date;
}

/** Who changed the content of a change request, by their ids after `after`. A release before 0.2.0 counts no changes. */
export async function listContributors(
  db: Db,
  changeRequestId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly count: number; readonly rows: readonly Contributor[] }> {
  const isEditor = and(
    eq(changeRequests.id, changeRequestId),
    sql`${users.id} = any(${changeRequests.editors})`,
  );
  const [total] = await db.select({ count: count() }).from(users).innerJoin(changeRequests, isEditor);
  const rows = await db
    .select({
      user: users,
      edits: changeRequestEdits.count,
      at: changeRequestEdits.updatedAt,
      of: changeRequests,
    })
    .from(users)
    .innerJoin(changeRequests, isEditor)
    .leftJoin(
      changeRequestEdits,
      and(eq(changeRequestEdits.changeRequestId, changeRequests.id), eq(changeRequestEdits.userId, users.id)),
    )
    .where(after === null ? undefined : sql`${users.id} > ${after}`)
    .orderBy(asc(users.id))
    .limit(limit);
  return {
    count: total?.count ?? 0,
    rows: rows.map(({ user, edits, at, of }) => ({ user, count: edits ?? 1, updatedAt: at ?? of.updatedAt })),
  };
}

/** The members of these teams, at most `limit` of them. */
export async function listTeamMemberIds(
  db: Db,
  teamIds: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  if (teamIds.length === 0) return [];
  const rows = await db
    .selectDistinct({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(sql`${teamMembers.teamId} in ${textRows(teamIds)}`)
    .orderBy(asc(teamMembers.userId))
    .limit(limit);
  return rows.map(({ userId }) => userId);
}
