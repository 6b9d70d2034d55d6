import { and, eq, inArray, isNotNull, isNull, ne, notInArray, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { disconnection } from './disconnections.ts';
import { bindings, repositories } from './schema/github.ts';

export type Binding = typeof bindings.$inferSelect;

export interface NewBinding {
  /** The id of the binding if it is inserted. */
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
 * The binding of a repository's branch and directory, inserted when absent. Its space may still be missing (`spaceId`
 * null): the row is reserved before the space is created, so that a crash in between is noticed. A disconnected one is
 * connected again, and counts as not synced.
 */
export async function reserveBinding(db: Db, binding: NewBinding): Promise<Binding> {
  const [row] = await db
    .insert(bindings)
    .values(binding)
    .onConflictDoUpdate({
      target: [bindings.repositoryId, bindings.branch, bindings.directory],
      set: {
        installationId: binding.installationId,
        repository: binding.repository,
        title: binding.title,
        pinned: binding.pinned,
        direction: binding.direction,
        disconnected: null,
        disconnectedAt: null,
        // However it was disconnected: the space may be another one now, and its configuration, too.
        syncedOid: sql`case when ${bindings.disconnected} is null then ${bindings.syncedOid} end`,
        updatedAt: sql`now()`,
      },
    })
    .returning();
  if (row === undefined) throw new Error('The database returned no row for a binding that it stored.');
  return row;
}

/** The bindings of a repository, of all branches. */
export async function listBindings(db: Db, repositoryId: number): Promise<readonly Binding[]> {
  return await db.select().from(bindings).where(eq(bindings.repositoryId, repositoryId));
}

/** Those of several repositories, at most 1,000. */
export async function listBindingsOf(db: Db, repositoryIds: readonly number[]): Promise<readonly Binding[]> {
  if (repositoryIds.length === 0) return [];
  return await db
    .select()
    .from(bindings)
    .where(inArray(bindings.repositoryId, [...repositoryIds]));
}

export async function loadBinding(db: Db, id: string): Promise<Binding | null> {
  const [row] = await db.select().from(bindings).where(eq(bindings.id, id));
  return row ?? null;
}

/** The binding that a space's content comes through: a connected one if possible; null when there is none. */
export async function findBindingOfSpace(db: Db, spaceId: string): Promise<Binding | null> {
  const [row] = await db
    .select()
    .from(bindings)
    .where(eq(bindings.spaceId, spaceId))
    .orderBy(sql`${bindings.disconnected} is not null`, bindings.id)
    .limit(1);
  return row ?? null;
}

/** What is wrong with the newest configuration of the repository that is bound to a space; null when nothing is. */
export async function findConfigError(db: Db, spaceId: string): Promise<string | null> {
  const binding = await findBindingOfSpace(db, spaceId);
  if (binding === null) return null;
  const [row] = await db
    .select({ configError: repositories.configError })
    .from(repositories)
    .where(eq(repositories.id, binding.repositoryId));
  return row?.configError ?? null;
}

/** The configuration in force of a repository, for a space that it feeds. */
export interface SpaceConfigText {
  readonly spaceId: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly text: string;
}

/** Of these spaces, the configurations of those that a connected repository feeds, where they contain a word. */
export async function listConfigTexts(
  db: Db,
  spaceIds: readonly string[],
  word: string,
): Promise<readonly SpaceConfigText[]> {
  if (spaceIds.length === 0) return [];
  const rows = await db
    .select({ spaceId: bindings.spaceId, repository: repositories.fullName, text: repositories.configText })
    .from(bindings)
    .innerJoin(repositories, eq(repositories.id, bindings.repositoryId))
    .where(
      and(
        inArray(bindings.spaceId, [...spaceIds]),
        isNull(bindings.disconnected),
        isNull(repositories.disconnected),
        sql`position(${word} in ${repositories.configText}) > 0`,
      ),
    )
    .orderBy(bindings.id);
  return rows.flatMap(({ spaceId, repository, text }) =>
    spaceId === null || text === null ? [] : [{ spaceId, repository, text }],
  );
}

/** Of these spaces, the bindings of those that pushes no longer reach, by space. */
export async function listDisconnected(
  db: Db,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, Binding>> {
  if (spaceIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(bindings)
    .where(and(inArray(bindings.spaceId, [...spaceIds]), isNotNull(bindings.disconnected)));
  return new Map(rows.flatMap((row) => (row.spaceId === null ? [] : [[row.spaceId, row]])));
}

/** Disconnects the pinned bindings of a branch that was deleted. Unpinned ones move with the default branch. */
export async function disconnectBranch(
  db: Db,
  { repositoryId, branch }: Pick<NewBinding, 'repositoryId' | 'branch'>,
  reason: string,
): Promise<void> {
  await db
    .update(bindings)
    .set({ ...disconnection(bindings, reason), updatedAt: sql`now()` })
    .where(
      and(eq(bindings.repositoryId, repositoryId), eq(bindings.branch, branch), eq(bindings.pinned, true)),
    );
}

/** Disconnects the pinned bindings of a repository whose branch is not among `branches`. */
export async function retireBranches(
  db: Db,
  repositoryId: number,
  branches: readonly string[],
  reason: string,
): Promise<void> {
  await db
    .update(bindings)
    .set({ ...disconnection(bindings, reason), updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.repositoryId, repositoryId),
        eq(bindings.pinned, true),
        isNull(bindings.disconnected),
        branches.length === 0 ? undefined : notInArray(bindings.branch, [...branches]),
      ),
    );
}

/** Records that the sync of a pinned branch's commit is complete, successful or not, and was reported on the commit. */
export async function recordBindingsSynced(
  db: Db,
  { repositoryId, branch }: Pick<NewBinding, 'repositoryId' | 'branch'>,
  oid: string,
): Promise<void> {
  await db
    .update(bindings)
    .set({ syncedOid: oid })
    .where(
      and(
        eq(bindings.repositoryId, repositoryId),
        eq(bindings.branch, branch),
        isNull(bindings.disconnected),
      ),
    );
}

/**
 * Makes `to` the live commit of a branch's bindings, after a push from `from` to `to` that changed none of their spaces.
 * Returns false, and changes nothing, unless all of them show `from` and no import is pending.
 */
export async function advanceLiveCommit(
  db: Db,
  { repositoryId, branch }: Pick<NewBinding, 'repositoryId' | 'branch'>,
  from: string,
  to: string,
): Promise<boolean> {
  const bound = and(
    eq(bindings.repositoryId, repositoryId),
    eq(bindings.branch, branch),
    isNull(bindings.disconnected),
  );
  return await db.transaction(async (tx) => {
    const rows = await tx.select().from(bindings).where(bound).for('update');
    const isCurrent = rows.every(({ liveOid, pendingOids }) => liveOid === from && pendingOids.length === 0);
    if (!isCurrent || rows.length === 0) return false;
    await tx.update(bindings).set({ liveOid: to, syncedOid: to }).where(bound);
    await tx
      .update(repositories)
      .set({ syncedOid: to })
      .where(and(eq(repositories.id, repositoryId), eq(repositories.syncedBranch, branch)));
    return true;
  });
}

/**
 * Releases a space from a disconnected binding of the repository other than `bindingId`. Returns whether there was such a
 * binding.
 */
export async function releaseSpace(
  db: Db,
  repositoryId: number,
  spaceId: string,
  bindingId: string,
): Promise<boolean> {
  const rows = await db
    .update(bindings)
    .set({ spaceId: null, liveOid: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.repositoryId, repositoryId),
        eq(bindings.spaceId, spaceId),
        ne(bindings.id, bindingId),
        isNotNull(bindings.disconnected),
      ),
    )
    .returning({ id: bindings.id });
  return rows.length > 0;
}

/** Disconnects the bindings of a branch whose directory is not among `directories`. */
export async function retireBindings(
  db: Db,
  { repositoryId, branch }: Pick<NewBinding, 'repositoryId' | 'branch'>,
  directories: readonly string[],
  reason: string,
): Promise<void> {
  await db
    .update(bindings)
    .set({ ...disconnection(bindings, reason), updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.repositoryId, repositoryId),
        eq(bindings.branch, branch),
        sql`${bindings.disconnected} is distinct from ${reason}`,
        directories.length === 0 ? undefined : notInArray(bindings.directory, [...directories]),
      ),
    );
}

/** Records that the configuration names the space that a binding has already. */
export async function recordClaim(db: Db, bindingId: string): Promise<void> {
  await db.update(bindings).set({ claimedSpace: true }).where(eq(bindings.id, bindingId));
}

/**
 * Sets the space of a binding: one that was created for it, or one that the configuration names. Returns false, and changes nothing, when the binding has one already or when another
 * binding has this space: two bindings never share one.
 */
export async function bindSpace(
  db: Db,
  bindingId: string,
  spaceId: string,
  { isClaimed }: { readonly isClaimed: boolean },
): Promise<boolean> {
  const rows = await db
    .update(bindings)
    .set({ spaceId, claimedSpace: isClaimed, updatedAt: sql`now()` })
    .where(
      and(
        eq(bindings.id, bindingId),
        sql`${bindings.spaceId} is null`,
        sql`not exists (select 1 from ${bindings} b where b.space_id = ${spaceId})`,
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

/** Removes the space of a binding, which the platform no longer has: the next sync creates a new one. */
export async function unbindSpace(db: Db, bindingId: string, spaceId: string): Promise<void> {
  await db
    .update(bindings)
    .set({ spaceId: null, liveOid: null, updatedAt: sql`now()` })
    .where(and(eq(bindings.id, bindingId), eq(bindings.spaceId, spaceId)));
}

/** Records that a commit is about to be reported as `pending`. Call it first, so that a crash leaves no commit pending forever. */
export async function recordPending(db: Db, bindingId: string, commitOid: string): Promise<void> {
  const { pendingOids } = bindings;
  await db
    .update(bindings)
    .set({ pendingOids: sql`array_append(array_remove(${pendingOids}, ${commitOid}), ${commitOid})` })
    .where(eq(bindings.id, bindingId));
}

/** Records that a commit is live, and that this and the results of all pending commits were reported. */
export async function recordLive(db: Db, bindingId: string, commitOid: string): Promise<void> {
  await db
    .update(bindings)
    .set({ liveOid: commitOid, lastError: null, pendingOids: [], updatedAt: sql`now()` })
    .where(eq(bindings.id, bindingId));
}

/** Records that the import failed permanently, and that this was reported; what is live stays. */
export async function recordFailedImport(db: Db, bindingId: string, error: string): Promise<void> {
  await db
    .update(bindings)
    .set({ lastError: error, pendingOids: [], updatedAt: sql`now()` })
    .where(eq(bindings.id, bindingId));
}

/** Records that the last attempt to sync failed; what is live stays. */
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
