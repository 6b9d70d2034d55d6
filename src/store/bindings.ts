import { and, eq, inArray, isNotNull, isNull, ne, notInArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { bindings, repositories } from './schema/github.ts';

export type Binding = typeof bindings.$inferSelect;

export interface NewBinding {
  /** Used when there is no such binding yet. */
  readonly id: string;
  readonly installationId: number;
  readonly repositoryId: number;
  /** `owner/name` as last seen. */
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly title: string;
  /** Whether the configuration names the branch. */
  readonly pinned: boolean;
  readonly direction: 'import' | 'export' | 'both';
}

/**
 * The binding of a repository's branch and directory, made when absent. Its space may still be missing
 * (`spaceId` null): the row is reserved before the space is created, so that a crash in between is noticed.
 */
export async function reserveBinding(db: Db, place: NewBinding): Promise<Binding> {
  const [row] = await db
    .insert(bindings)
    .values(place)
    .onConflictDoUpdate({
      target: [bindings.repositoryId, bindings.branch, bindings.directory],
      set: {
        installationId: place.installationId,
        repository: place.repository,
        title: place.title,
        pinned: place.pinned,
        direction: place.direction,
        disconnected: null,
        updatedAt: sql`now()`,
      },
    })
    .returning();
  if (row === undefined) throw new Error('The database gave no row back for a binding that it stored.');
  return row;
}

/** The bindings of a repository, on whatever branch. */
export async function listBindings(db: Db, repositoryId: number): Promise<readonly Binding[]> {
  return await db.select().from(bindings).where(eq(bindings.repositoryId, repositoryId));
}

export async function loadBinding(db: Db, id: string): Promise<Binding | null> {
  const [row] = await db.select().from(bindings).where(eq(bindings.id, id));
  return row ?? null;
}

/** The binding that a space's content comes by: a connected one where there is one; null for none. */
export async function findBindingOfSpace(db: Db, spaceId: string): Promise<Binding | null> {
  const [row] = await db
    .select()
    .from(bindings)
    .where(eq(bindings.spaceId, spaceId))
    .orderBy(sql`${bindings.disconnected} is not null`, bindings.id)
    .limit(1);
  return row ?? null;
}

/** Why nothing reaches these spaces any more: those that were bound once, and have no connected binding left. */
export async function listDisconnected(
  db: Db,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (spaceIds.length === 0) return new Map();
  const rows = await db
    .select({ spaceId: bindings.spaceId, reason: sql<string>`max(${bindings.disconnected})` })
    .from(bindings)
    .where(inArray(bindings.spaceId, [...spaceIds]))
    .groupBy(bindings.spaceId)
    .having(sql`count(*) = count(${bindings.disconnected})`);
  return new Map(rows.flatMap(({ spaceId, reason }) => (spaceId === null ? [] : [[spaceId, reason]])));
}

/** Of a branch that was deleted: says so of its bindings, those that follow the default branch aside. */
export async function disconnectBranch(
  db: Db,
  place: Pick<NewBinding, 'repositoryId' | 'branch'>,
  reason: string,
): Promise<void> {
  await db
    .update(bindings)
    .set({ disconnected: reason, settledOid: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.repositoryId, place.repositoryId),
        eq(bindings.branch, place.branch),
        eq(bindings.pinned, true),
      ),
    );
}

/** Says of a repository's pinned bindings whose branch is none of these why nothing reaches them any more. */
export async function retireBranches(
  db: Db,
  repositoryId: number,
  kept: readonly string[],
  reason: string,
): Promise<void> {
  await db
    .update(bindings)
    .set({ disconnected: reason, updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.repositoryId, repositoryId),
        eq(bindings.pinned, true),
        isNull(bindings.disconnected),
        kept.length === 0 ? undefined : notInArray(bindings.branch, [...kept]),
      ),
    );
}

/** The sync of a pinned branch's commit came to its end, which was reported on the commit. */
export async function recordBindingsSynced(
  db: Db,
  place: Pick<NewBinding, 'repositoryId' | 'branch'>,
  oid: string,
): Promise<void> {
  await db
    .update(bindings)
    .set({ settledOid: oid })
    .where(and(eq(bindings.repositoryId, place.repositoryId), eq(bindings.branch, place.branch)));
}

/**
 * A push from one commit to another changed nothing of the branch's spaces: those that show the one show the other.
 * Returns whether all of them did, and none waits for anything.
 */
export async function advanceLiveCommit(
  db: Db,
  place: Pick<NewBinding, 'repositoryId' | 'branch'>,
  from: string,
  to: string,
): Promise<boolean> {
  const bound = and(
    eq(bindings.repositoryId, place.repositoryId),
    eq(bindings.branch, place.branch),
    isNull(bindings.disconnected),
  );
  return await db.transaction(async (tx) => {
    const rows = await tx.select().from(bindings).where(bound).for('update');
    const carried = rows.every(({ liveOid, pendingOids }) => liveOid === from && pendingOids.length === 0);
    if (!carried || rows.length === 0) return false;
    await tx.update(bindings).set({ liveOid: to, settledOid: to }).where(bound);
    await tx
      .update(repositories)
      .set({ settledOid: to })
      .where(and(eq(repositories.id, place.repositoryId), eq(repositories.settledBranch, place.branch)));
    return true;
  });
}

/**
 * Frees a space from another binding of the same repository whose directory shows it no longer. Answers whether there
 * was one.
 */
export async function releaseSpace(
  db: Db,
  repositoryId: number,
  spaceId: string,
  keptId: string,
): Promise<boolean> {
  const rows = await db
    .update(bindings)
    .set({ spaceId: null, liveOid: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.repositoryId, repositoryId),
        eq(bindings.spaceId, spaceId),
        ne(bindings.id, keptId),
        isNotNull(bindings.disconnected),
      ),
    )
    .returning({ id: bindings.id });
  return rows.length > 0;
}

/** Says of a branch's bindings other than those of these directories why nothing reaches them any more. */
export async function retireBindings(
  db: Db,
  place: Pick<NewBinding, 'repositoryId' | 'branch'>,
  kept: readonly string[],
  reason: string,
): Promise<void> {
  await db
    .update(bindings)
    .set({ disconnected: reason, updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.repositoryId, place.repositoryId),
        eq(bindings.branch, place.branch),
        sql`${bindings.disconnected} is distinct from ${reason}`,
        kept.length === 0 ? undefined : notInArray(bindings.directory, [...kept]),
      ),
    );
}

/**
 * Gives a binding its space. Answers false, and changes nothing, when the binding has one already or when
 * another binding holds this space: two bindings never share one.
 */
export async function bindSpace(db: Db, bindingId: string, spaceId: string): Promise<boolean> {
  const rows = await db
    .update(bindings)
    .set({ spaceId, updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.id, bindingId),
        sql`${bindings.spaceId} is null`,
        sql`not exists (select 1 from ${bindings} other where other.space_id = ${spaceId})`,
      ),
    )
    .returning({ id: bindings.id })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) return [];
      throw error;
    });
  return rows.length > 0;
}

/** Which of these spaces belong to a binding. */
export async function findBoundSpaces(db: Db, spaceIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (spaceIds.length === 0) return new Set();
  const rows = await db
    .select({ spaceId: bindings.spaceId })
    .from(bindings)
    .where(inArray(bindings.spaceId, [...spaceIds]));
  return new Set(rows.flatMap((row) => row.spaceId ?? []));
}

/** The binding's space is gone from the platform: the next sync makes a new one. */
export async function unbindSpace(db: Db, bindingId: string, spaceId: string): Promise<void> {
  await db
    .update(bindings)
    .set({ spaceId: null, liveOid: null, updatedAt: sql`now()` })
    .where(and(eq(bindings.id, bindingId), eq(bindings.spaceId, spaceId)));
}

/** This commit is about to be told as being imported. Kept first, so that a crash leaves no commit waiting for ever. */
export async function recordPending(db: Db, bindingId: string, commitOid: string): Promise<void> {
  const { pendingOids } = bindings;
  await db
    .update(bindings)
    .set({ pendingOids: sql`array_append(array_remove(${pendingOids}, ${commitOid}), ${commitOid})` })
    .where(eq(bindings.id, bindingId));
}

/** This commit is live and was reported as such, and so was the end of those before it. */
export async function recordLive(db: Db, bindingId: string, commitOid: string): Promise<void> {
  await db
    .update(bindings)
    .set({ liveOid: commitOid, lastError: null, pendingOids: [], updatedAt: sql`now()` })
    .where(eq(bindings.id, bindingId));
}

/** The import ended badly for good, and that was reported; what is live stays as it was. */
export async function recordFailedImport(db: Db, bindingId: string, error: string): Promise<void> {
  await db
    .update(bindings)
    .set({ lastError: error, pendingOids: [], updatedAt: sql`now()` })
    .where(eq(bindings.id, bindingId));
}

/** The last try to sync failed; what is live stays as it was. */
export async function recordSyncError(db: Db, bindingId: string, error: string): Promise<void> {
  await db
    .update(bindings)
    .set({ lastError: error, updatedAt: sql`now()` })
    .where(eq(bindings.id, bindingId));
}

function isUniqueViolation(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === '23505';
}
