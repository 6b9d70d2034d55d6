import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { disconnection, sinceDisconnected } from './disconnections.ts';
import { bindings, repositories } from './schema/github.ts';

export type KnownRepository = typeof repositories.$inferSelect;

/** A repository as GitHub describes it. */
export type SeenRepository = Pick<
  KnownRepository,
  'id' | 'installationId' | 'fullName' | 'defaultBranch' | 'disconnected'
>;

/**
 * Upserts repositories as GitHub just described them, at most 1,000. A repository that is reconnected, renamed, transferred
 * or has another default branch counts as never synced: the process that recorded the change may have stopped before it
 * enqueued the sync.
 */
export async function saveRepositories(db: Db, seen: readonly SeenRepository[]): Promise<void> {
  const changed = await findChanged(db, seen);
  const isChanged = sql`(${repositories.disconnected} is not null and excluded.disconnected is null)
    or (${repositories.installationId}, ${repositories.fullName}, ${repositories.defaultBranch})
      is distinct from (excluded.installation_id, excluded.full_name, excluded.default_branch)`;
  const nullWhenChanged = (column: 'settled_oid' | 'tried_oid' | 'tried_at') =>
    sql`case when ${isChanged} then null else repositories.${sql.identifier(column)} end`;
  if (changed.length > 0)
    await db
      .insert(repositories)
      .values([...changed])
      .onConflictDoUpdate({
        target: repositories.id,
        set: {
          installationId: sql`excluded.installation_id`,
          fullName: sql`excluded.full_name`,
          defaultBranch: sql`excluded.default_branch`,
          disconnected: sql`excluded.disconnected`,
          disconnectedAt: sql`case when excluded.disconnected is not null then ${sinceDisconnected(repositories, sql`excluded.disconnected`)} end`,
          syncedOid: nullWhenChanged('settled_oid'),
          attemptedOid: nullWhenChanged('tried_oid'),
          attemptedAt: nullWhenChanged('tried_at'),
        },
      });
  for (const { id, disconnected } of seen) {
    if (disconnected !== null) await disconnectBindings(db, [id], disconnected);
  }
}

/** Those that are not known as they are: most are, and what does not change is not written again at every comparison. */
async function findChanged(db: Db, seen: readonly SeenRepository[]): Promise<readonly SeenRepository[]> {
  if (seen.length === 0) return [];
  const rows = await db
    .select()
    .from(repositories)
    .where(
      inArray(
        repositories.id,
        seen.map(({ id }) => id),
      ),
    );
  const known = new Map(rows.map((row) => [row.id, row]));
  return seen.filter((repository) => {
    const row = known.get(repository.id);
    return (
      row === undefined ||
      (Object.keys(repository) as (keyof SeenRepository)[]).some((key) => row[key] !== repository[key])
    );
  });
}

/** Whether no sync was completed or requested since the repository was first seen, or last changed or reconnected. */
export function isNeverSynced({ syncedOid, attemptedAt }: KnownRepository): boolean {
  return syncedOid === null && attemptedAt === null;
}

export async function loadRepository(db: Db, id: number): Promise<KnownRepository | null> {
  const [row] = await db.select().from(repositories).where(eq(repositories.id, id));
  return row ?? null;
}

export type ConnectedRepository = Pick<
  KnownRepository,
  'id' | 'installationId' | 'fullName' | 'configText' | 'syncedOid'
> & {
  readonly hasSpaces: boolean;
};

/** All connected repositories, with the configuration in force. */
export async function listConnectedRepositories(db: Db): Promise<readonly ConnectedRepository[]> {
  return await db
    .select({
      id: repositories.id,
      installationId: repositories.installationId,
      fullName: repositories.fullName,
      configText: repositories.configText,
      syncedOid: repositories.syncedOid,
      // Written out: Drizzle omits the table's name in a query of one table, and `id` would then be the binding's.
      hasSpaces: sql<boolean>`exists (select 1 from ${bindings} b where b.repository_id = repositories.id and b.disconnected is null)`,
    })
    .from(repositories)
    .where(isNull(repositories.disconnected))
    .orderBy(asc(repositories.id));
}

/** The connected repositories of an installation for which no sync was ever completed or requested; at most 1,000. */
export async function listNewRepositories(
  db: Db,
  installationId: number,
): Promise<readonly KnownRepository[]> {
  return await db
    .select()
    .from(repositories)
    .where(
      and(
        eq(repositories.installationId, installationId),
        isNull(repositories.disconnected),
        isNull(repositories.syncedOid),
        isNull(repositories.attemptedAt),
      ),
    )
    .orderBy(asc(repositories.id))
    .limit(1_000);
}

/** The connected repositories of an installation with these ids, or `limit` of them after one, in order of id. */
export async function listRepositoriesToReconcile(
  db: Db,
  installationId: number,
  which: { readonly ids: readonly number[] } | { readonly after: number; readonly limit: number },
): Promise<readonly KnownRepository[]> {
  const chosen = 'ids' in which ? inArray(repositories.id, [...which.ids]) : gt(repositories.id, which.after);
  const query = db
    .select()
    .from(repositories)
    .where(and(eq(repositories.installationId, installationId), isNull(repositories.disconnected), chosen))
    .orderBy(asc(repositories.id));
  return await ('ids' in which ? query : query.limit(which.limit));
}

/** The installations that are known to have repositories. */
export async function listKnownInstallations(db: Db): Promise<readonly number[]> {
  const rows = await db
    .selectDistinct({ id: repositories.installationId })
    .from(repositories)
    .where(isNull(repositories.disconnected));
  return rows.map(({ id }) => id);
}

/** Disconnects the repositories of an installation that are not among `connected`. */
export async function disconnectMissingRepositories(
  db: Db,
  installationId: number,
  connected: readonly number[],
  reason: string,
): Promise<void> {
  const disconnected = await db
    .update(repositories)
    .set(disconnection(repositories, reason))
    .where(
      and(
        eq(repositories.installationId, installationId),
        isNull(repositories.disconnected),
        // One parameter, whatever their number: a statement has 65,535 at most.
        sql`${repositories.id} not in (select unnest(${sql.param([...connected])}::bigint[]))`,
      ),
    )
    .returning({ id: repositories.id });
  await disconnectBindings(
    db,
    disconnected.map(({ id }) => id),
    reason,
  );
}

export async function disconnectAllRepositories(db: Db, reason: string): Promise<void> {
  for (const installationId of await listKnownInstallations(db))
    await disconnectMissingRepositories(db, installationId, [], reason);
}

/** Disconnects a repository, unless it belongs to another installation by now. */
export async function disconnectRepository(
  db: Db,
  repository: Pick<KnownRepository, 'id' | 'installationId'>,
  reason: string,
): Promise<void> {
  const { id, installationId } = repository;
  const rows = await db
    .update(repositories)
    .set(disconnection(repositories, reason))
    .where(and(eq(repositories.id, id), eq(repositories.installationId, installationId)))
    .returning({ id: repositories.id });
  if (rows.length > 0) await disconnectBindings(db, [id], reason);
}

async function disconnectBindings(db: Db, ids: readonly number[], reason: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(bindings)
    .set({ ...disconnection(bindings, reason), updatedAt: sql`now()` })
    .where(
      and(inArray(bindings.repositoryId, [...ids]), sql`${bindings.disconnected} is distinct from ${reason}`),
    );
}

/**
 * Moves the unpinned bindings of a repository to `branch`, which is its default branch now. Where a directory is bound on
 * both branches, its old binding is disconnected.
 */
export async function moveBindingsToBranch(db: Db, repositoryId: number, branch: string): Promise<void> {
  const onOldBranches = and(
    eq(bindings.repositoryId, repositoryId),
    ne(bindings.branch, branch),
    eq(bindings.pinned, false),
  );
  await db
    .update(bindings)
    .set({ branch, liveOid: null, updatedAt: sql`now()` })
    .where(
      and(
        onOldBranches,
        // The most recently updated of several, since a directory of a branch has one binding.
        sql`${bindings.id} in (select distinct on (directory) id from ${bindings} b
          where b.repository_id = ${repositoryId} and b.branch <> ${branch} and not b.pinned
          order by directory, updated_at desc)`,
        sql`not exists (select 1 from ${bindings} b where b.repository_id = ${repositoryId}
          and b.branch = ${branch} and b.directory = ${bindings.directory})`,
      ),
    );
  await db
    .update(bindings)
    .set({
      ...disconnection(
        bindings,
        `The default branch is ${branch} now, where another space shows this directory.`,
      ),
      updatedAt: sql`now()`,
    })
    .where(and(onOldBranches, isNull(bindings.disconnected)));
}

/** Puts a configuration in force; `text` is null when there is no file. */
export async function saveConfig(
  db: Db,
  repositoryId: number,
  { text, oid }: { readonly text: string | null; readonly oid: string },
): Promise<void> {
  await db
    .update(repositories)
    .set({ configText: text, configOid: oid, configError: null })
    .where(eq(repositories.id, repositoryId));
}

/** Records that the newest configuration cannot be used; the one in force stays. */
export async function recordConfigError(db: Db, repositoryId: number, error: string): Promise<void> {
  await db.update(repositories).set({ configError: error }).where(eq(repositories.id, repositoryId));
}

/** Records the site that a repository's configuration declared; null for none. */
export async function recordRepositorySite(
  db: Db,
  repositoryId: number,
  site: KnownRepository['site'],
): Promise<void> {
  await db.update(repositories).set({ site }).where(eq(repositories.id, repositoryId));
}

/** Updates the state of the pull request that proposes a configuration. */
export async function saveOnboarding(
  db: Db,
  repositoryId: number,
  onboarding: Partial<Pick<KnownRepository, 'onboarding' | 'onboardingPull' | 'onboardingDigest'>>,
): Promise<void> {
  await db.update(repositories).set(onboarding).where(eq(repositories.id, repositoryId));
}

/** Records that the sync of a branch's commit is complete, successful or not, and was reported on the commit. */
export async function recordBranchSynced(
  db: Db,
  repositoryId: number,
  { branch, oid }: { readonly branch: string; readonly oid: string },
): Promise<void> {
  await db
    .update(repositories)
    .set({ syncedBranch: branch, syncedOid: oid })
    .where(eq(repositories.id, repositoryId));
}

/** Records that a sync was requested; `oid` is null where the branch's tip was not read. */
export async function recordSyncAttempt(db: Db, repositoryId: number, oid: string | null): Promise<void> {
  await db
    .update(repositories)
    .set({ attemptedOid: oid, attemptedAt: sql`now()` })
    .where(eq(repositories.id, repositoryId));
}

/**
 * Records that the sync of a branch's commit is not complete although it was once: it is requested again after a while,
 * also if the commit stays the branch's tip.
 */
export async function recordUnsynced(
  db: Db,
  repositoryId: number,
  { branch, oid }: { readonly branch: string; readonly oid: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    // Bindings first, as where a sync is recorded. Those without an error are synced.
    await tx
      .update(bindings)
      .set({ syncedOid: null })
      .where(
        and(
          eq(bindings.repositoryId, repositoryId),
          eq(bindings.branch, branch),
          isNotNull(bindings.lastError),
        ),
      );
    await tx
      .update(repositories)
      .set({ syncedOid: null, attemptedOid: oid, attemptedAt: sql`now()` })
      .where(and(eq(repositories.id, repositoryId), eq(repositories.syncedBranch, branch)));
  });
}

/** How many repositories are connected. */
export async function countRepositories(db: Db): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(repositories)
    .where(isNull(repositories.disconnected));
  return row?.count ?? 0;
}
