import { and, count, desc, eq, inArray, lt, max, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import type { UserRow } from './organizations.ts';
import { retainedSince } from './retained-since.ts';
import { comments } from './schema/comments.ts';
import { changeRequests } from './schema/content.ts';
import { teamMembers } from './schema/people.ts';
import { users } from './schema/platform.ts';
import { requestedReviewers } from './schema/reviews.ts';
import { type SpaceSelection, selectedIds } from './space-selection.ts';
import { anyText } from './text-rows.ts';

export type ChangeRequestRow = typeof changeRequests.$inferSelect;

/** A change request with the users that it names. */
export interface ChangeRequestView {
  readonly row: ChangeRequestRow;
  readonly createdBy: UserRow | null;
  readonly mergedBy: UserRow | null;
  /** When its days begin after which it is deleted, if it is archived. */
  readonly retainedSince: Date;
  /** How many comments on it are open. */
  readonly comments: number;
}

export interface ChangeRequestCounts {
  readonly total: number;
  readonly open: number;
  readonly draft: number;
}

/** Inserts a change request with the next number of its space. Call it with the space locked. */
export async function insertChangeRequest(
  db: Db,
  draft: Pick<
    typeof changeRequests.$inferInsert,
    'id' | 'spaceId' | 'subject' | 'description' | 'createdBy' | 'baseRevisionId' | 'revisionId' | 'clusterId'
  >,
): Promise<ChangeRequestRow> {
  const [last] = await db
    .select({ number: max(changeRequests.number) })
    .from(changeRequests)
    .where(eq(changeRequests.spaceId, draft.spaceId));
  const [row] = await db
    .insert(changeRequests)
    .values({ ...draft, status: 'draft', number: (last?.number ?? 0) + 1 })
    .returning();
  return row as ChangeRequestRow;
}

const authors = alias(users, 'authors');
const mergers = alias(users, 'mergers');

function selectViews(db: Db) {
  return db
    .select({
      row: changeRequests,
      createdBy: authors,
      mergedBy: mergers,
      comments: sql<number>`(select count(*)::int from ${comments} where ${comments.changeRequestId} = ${changeRequests.id} and ${comments.resolvedAt} is null)`,
      retainedSince: retainedSince(changeRequests.updatedAt).mapWith(changeRequests.updatedAt) as SQL<Date>,
    })
    .from(changeRequests)
    .leftJoin(authors, eq(authors.id, changeRequests.createdBy))
    .leftJoin(mergers, eq(mergers.id, changeRequests.mergedBy));
}

/** A change request of a space by its id or its number. */
export async function loadChangeRequest(
  db: Db,
  spaceId: string,
  idOrNumber: string,
): Promise<ChangeRequestView | null> {
  const isNumber = /^[1-9]\d{0,8}$/.test(idOrNumber);
  const [found] = await selectViews(db).where(
    and(
      eq(changeRequests.spaceId, spaceId),
      or(
        eq(changeRequests.id, idOrNumber),
        isNumber ? eq(changeRequests.number, Number(idOrNumber)) : undefined,
      ),
    ),
  );
  return found ?? null;
}

/** The change request of a space whose merge made a revision. */
export async function findMergedAs(
  db: Db,
  spaceId: string,
  revisionId: string,
): Promise<ChangeRequestView | null> {
  const [found] = await selectViews(db).where(
    and(eq(changeRequests.spaceId, spaceId), eq(changeRequests.mergedRevisionId, revisionId)),
  );
  return found ?? null;
}

/** Locks a change request until the transaction is complete. */
export async function lockChangeRequestForUpdate(db: Db, id: string): Promise<ChangeRequestRow | null> {
  const [row] = await db.select().from(changeRequests).where(eq(changeRequests.id, id)).for('update');
  return row ?? null;
}

/** Which change requests a list has; null for no condition. */
export interface ChangeRequestFilter {
  readonly status: string | null;
  /** The user who created it. */
  readonly creator: string | null;
  /** A user who changed its content. */
  readonly contributor: string | null;
  /** A user whose review is requested, or that of one of their teams. */
  readonly requestedReviewer: string | null;
  /** The group of what people ask that it is to answer. */
  readonly cluster: string | null;
  /** The revision that it proposes. */
  readonly revision: string | null;
}

/** Where the next page of a list of change requests starts: by number, or by when they were changed. */
export type ChangeRequestKey =
  | { readonly number: number }
  | { readonly updatedAt: Date; readonly id: string };

/** The number of change requests of a space that match, and those after `after`: the newest first, or the last changed. */
export async function listChangeRequests(
  db: Db,
  spaceId: string,
  options: {
    readonly filter: ChangeRequestFilter;
    readonly orderBy: 'number' | 'updatedAt';
    readonly after: ChangeRequestKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly ChangeRequestView[] }> {
  const matching = and(eq(changeRequests.spaceId, spaceId), matches(options.filter));
  const [total] = await db.select({ count: count() }).from(changeRequests).where(matching);
  const rows = await selectViews(db)
    .where(and(matching, isBeyond(options.after)))
    .orderBy(
      ...(options.orderBy === 'number'
        ? [desc(changeRequests.number)]
        : [desc(changeRequests.updatedAt), desc(changeRequests.id)]),
    )
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

/** The same for the spaces of an organization that are not deleted, or for these of them; the last changed first. */
export async function listOrganizationChangeRequests(
  db: Db,
  organizationId: string,
  options: {
    /** Only those in these spaces; in all when null. */
    readonly selection: SpaceSelection | null;
    readonly filter: ChangeRequestFilter;
    readonly after: ChangeRequestKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly ChangeRequestView[] }> {
  const { selection, filter } = options;
  const matching = and(
    inArray(changeRequests.spaceId, selectedIds(db, organizationId, selection)),
    matches(filter),
  );
  const [total] = await db.select({ count: count() }).from(changeRequests).where(matching);
  const rows = await selectViews(db)
    .where(and(matching, isBeyond(options.after)))
    .orderBy(desc(changeRequests.updatedAt), desc(changeRequests.id))
    .limit(options.limit);
  return { count: total?.count ?? 0, rows };
}

function matches(filter: ChangeRequestFilter): SQL | undefined {
  const { status, creator, contributor, requestedReviewer, cluster, revision } = filter;
  return and(
    revision === null ? undefined : eq(changeRequests.revisionId, revision),
    status === null ? undefined : eq(changeRequests.status, status),
    creator === null ? undefined : eq(changeRequests.createdBy, creator),
    cluster === null ? undefined : eq(changeRequests.clusterId, cluster),
    contributor === null ? undefined : sql`${contributor} = any(${changeRequests.editors})`,
    requestedReviewer === null
      ? undefined
      : sql`${changeRequests.id} in (
          select change_request_id from ${requestedReviewers} where user_id = ${requestedReviewer}
          union all
          select change_request_id from ${requestedReviewers} where team_id in (
            select team_id from ${teamMembers} where user_id = ${requestedReviewer}))`,
  );
}

function isBeyond(after: ChangeRequestKey | null): SQL | undefined {
  if (after === null) return undefined;
  if ('number' in after) return lt(changeRequests.number, after.number);
  return sql`(${changeRequests.updatedAt}, ${changeRequests.id}) < (${after.updatedAt.toISOString()}::timestamptz, ${after.id})`;
}

/**
 * Whether a change request that is neither merged nor archived is to answer a cluster of issues. Call it with the cluster
 * locked.
 *
 * @param selection the spaces whose change requests count; null for all
 */
export async function isClusterBeingWritten(
  db: Db,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  selection: SpaceSelection | null,
): Promise<boolean> {
  const matching = and(
    eq(changeRequests.clusterId, id),
    selection === null
      ? undefined
      : inArray(changeRequests.spaceId, selectedIds(db, organizationId, selection)),
    inArray(changeRequests.status, ['draft', 'open']),
  );
  return (await db.$count(changeRequests, matching)) > 0;
}

/** How many change requests of a space are neither merged nor archived. Call it with the space locked. */
export async function countUnmerged(db: Db, spaceId: string): Promise<number> {
  return await db.$count(
    changeRequests,
    and(eq(changeRequests.spaceId, spaceId), sql`${changeRequests.status} in ('draft', 'open')`),
  );
}

export async function updateChangeRequest(
  db: Db,
  id: string,
  changes: Partial<
    Pick<
      ChangeRequestRow,
      | 'subject'
      | 'description'
      | 'status'
      | 'baseRevisionId'
      | 'revisionId'
      | 'editors'
      | 'mergedRevisionId'
      | 'mergedBy'
      | 'mergedAt'
    >
  >,
): Promise<void> {
  await db
    .update(changeRequests)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(changeRequests.id, id));
}

/** How many change requests each of the spaces has; a space without any is left out. */
export async function countChangeRequests(
  db: Db,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, ChangeRequestCounts>> {
  if (spaceIds.length === 0) return new Map();
  const ofStatus = (status: string) =>
    sql<number>`(count(*) filter (where ${changeRequests.status} = ${status}))::int`;
  const rows = await db
    .select({
      spaceId: changeRequests.spaceId,
      total: count(),
      open: ofStatus('open'),
      draft: ofStatus('draft'),
    })
    .from(changeRequests)
    .where(sql`${changeRequests.spaceId} = ${anyText(spaceIds)}`)
    .groupBy(changeRequests.spaceId);
  return new Map(rows.map(({ spaceId, ...counts }) => [spaceId, counts]));
}
