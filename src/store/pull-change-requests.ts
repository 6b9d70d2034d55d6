import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { pullChangeRequests, repositories } from './schema/github.ts';

/** Pull requests that are named for one change request. */
const CARRYING_SHOWN = 20;

export type PullChangeRequestRow = typeof pullChangeRequests.$inferSelect;

/** A pull request of a repository. */
export interface PullKey {
  readonly repositoryId: number;
  readonly pullNumber: number;
}

function isOf({ repositoryId, pullNumber }: PullKey) {
  return and(
    eq(pullChangeRequests.repositoryId, repositoryId),
    eq(pullChangeRequests.pullNumber, pullNumber),
  );
}

/** Records that an open pull request carries the edits of these change requests. */
export async function savePullChangeRequests(
  db: Db,
  pull: PullKey & { readonly spaceId: string },
  changeRequestIds: readonly string[],
): Promise<void> {
  if (changeRequestIds.length === 0) return;
  const { repositoryId, pullNumber, spaceId } = pull;
  await db
    .insert(pullChangeRequests)
    .values(
      changeRequestIds.map((changeRequestId) => ({ repositoryId, pullNumber, spaceId, changeRequestId })),
    )
    .onConflictDoUpdate({
      target: [
        pullChangeRequests.repositoryId,
        pullChangeRequests.pullNumber,
        pullChangeRequests.changeRequestId,
      ],
      set: { seenAt: sql`now()`, closedAt: null },
    });
}

/** The change requests whose edits a pull request carries. */
export async function listPullChangeRequests(
  db: Db,
  pull: PullKey,
): Promise<readonly PullChangeRequestRow[]> {
  return await db
    .select()
    .from(pullChangeRequests)
    .where(isOf(pull))
    .orderBy(pullChangeRequests.changeRequestId);
}

/** The pull requests that carry the edits of a change request, the newest first, with the name of their repository. */
export async function listCarryingPulls(
  db: Db,
  { spaceId, changeRequestId }: { readonly spaceId: string; readonly changeRequestId: string },
): Promise<
  readonly {
    readonly repository: string | null;
    readonly number: number;
    readonly closedAt: Date | null;
  }[]
> {
  return await db
    .select({
      repository: repositories.fullName,
      number: pullChangeRequests.pullNumber,
      closedAt: pullChangeRequests.closedAt,
    })
    .from(pullChangeRequests)
    .leftJoin(repositories, eq(repositories.id, pullChangeRequests.repositoryId))
    .where(
      and(eq(pullChangeRequests.changeRequestId, changeRequestId), eq(pullChangeRequests.spaceId, spaceId)),
    )
    .orderBy(desc(pullChangeRequests.pullNumber), pullChangeRequests.repositoryId)
    .limit(CARRYING_SHOWN);
}

/** The pull requests that are not known to be closed: those with edits of a change request, or all. */
export async function listOpenPulls(db: Db, changeRequestId?: string): Promise<readonly PullKey[]> {
  return await db
    .selectDistinct({
      repositoryId: pullChangeRequests.repositoryId,
      pullNumber: pullChangeRequests.pullNumber,
    })
    .from(pullChangeRequests)
    .where(
      and(
        isNull(pullChangeRequests.closedAt),
        changeRequestId === undefined ? undefined : eq(pullChangeRequests.changeRequestId, changeRequestId),
      ),
    )
    .orderBy(pullChangeRequests.repositoryId, pullChangeRequests.pullNumber);
}

export async function recordPullState(db: Db, pull: PullKey, state: 'open' | 'closed'): Promise<void> {
  await db
    .update(pullChangeRequests)
    .set(
      state === 'open'
        ? { seenAt: sql`now()`, closedAt: null }
        : { closedAt: sql`coalesce(${pullChangeRequests.closedAt}, now())`, error: null },
    )
    .where(isOf(pull));
}

/** Records why comments could not be mirrored; null when they could. */
export async function recordMirrorError(db: Db, pull: PullKey, error: string | null): Promise<void> {
  await db
    .update(pullChangeRequests)
    .set({ error })
    .where(and(isOf(pull), sql`${pullChangeRequests.error} is distinct from ${error}`));
}

/** Why comments of repositories' pull requests are not mirrored, by repository. */
export async function listMirrorErrors(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .select({ id: pullChangeRequests.repositoryId, error: sql<string>`min(${pullChangeRequests.error})` })
    .from(pullChangeRequests)
    .where(isNotNull(pullChangeRequests.error))
    .groupBy(pullChangeRequests.repositoryId);
  return new Map(rows.map(({ id, error }) => [id, error]));
}
