import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Binding } from './bindings.ts';
import type { Db } from './db.ts';
import type { KnownRepository } from './repositories.ts';
import { bindings, deliveries, repositories } from './schema/github.ts';

/** A webhook delivery as it is shown to people. */
export interface DeliverySummary {
  readonly id: string;
  readonly event: string;
  readonly action: string | null;
  readonly state: string;
  readonly error: string | null;
  readonly receivedAt: Date;
}

export interface RepositoryStatus {
  readonly repository: KnownRepository;
  /** In order of branch and directory. */
  readonly bindings: readonly Binding[];
  /** The latest; null when none is stored. */
  readonly lastDelivery: DeliverySummary | null;
}

/** Where the next page of repositories starts: one that was renamed may still have the name that another one has now. */
export type RepositoryKey = Pick<KnownRepository, 'fullName' | 'id'>;

/** The repositories after `after`, by name, each with its bindings; only those whose name has `find`. */
export async function listRepositoryStatus(
  db: Db,
  page: { readonly after: RepositoryKey | null; readonly find: string; readonly limit: number },
): Promise<readonly RepositoryStatus[]> {
  const rows = await db
    .select()
    .from(repositories)
    .where(
      and(
        page.after === null
          ? undefined
          : sql`(${repositories.fullName}, ${repositories.id}) > (${page.after.fullName}, ${page.after.id}::bigint)`,
        page.find === '' ? undefined : sql`strpos(lower(${repositories.fullName}), lower(${page.find})) > 0`,
      ),
    )
    .orderBy(asc(repositories.fullName), asc(repositories.id))
    .limit(page.limit);
  return await withBindings(db, rows);
}

/** A repository with its bindings; null when it is not known. */
export async function loadRepositoryStatus(db: Db, id: number): Promise<RepositoryStatus | null> {
  const rows = await db.select().from(repositories).where(eq(repositories.id, id));
  return (await withBindings(db, rows))[0] ?? null;
}

async function withBindings(db: Db, rows: readonly KnownRepository[]): Promise<readonly RepositoryStatus[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const bound = await db
    .select()
    .from(bindings)
    .where(inArray(bindings.repositoryId, ids))
    .orderBy(asc(bindings.branch), asc(bindings.directory));
  const latest = await db
    .selectDistinctOn([deliveries.repositoryId], {
      repositoryId: deliveries.repositoryId,
      id: deliveries.id,
      event: deliveries.event,
      action: deliveries.action,
      state: deliveries.state,
      error: deliveries.error,
      receivedAt: deliveries.receivedAt,
    })
    .from(deliveries)
    .where(and(inArray(deliveries.repositoryId, ids)))
    .orderBy(deliveries.repositoryId, desc(deliveries.receivedAt));
  return rows.map((repository) => {
    const lastDelivery = latest.find(({ repositoryId }) => repositoryId === repository.id);
    return {
      repository,
      bindings: bound.filter(({ repositoryId }) => repositoryId === repository.id),
      lastDelivery: lastDelivery ?? null,
    };
  });
}

/** How many bindings' last syncs failed, and how many bindings are disconnected. */
export async function countBindingProblems(
  db: Db,
): Promise<{ readonly failing: number; readonly disconnected: number }> {
  const [row] = await db
    .select({
      failing: sql<number>`count(*) filter (where ${bindings.lastError} is not null and ${bindings.disconnected} is null)::int`,
      disconnected: sql<number>`count(*) filter (where ${bindings.disconnected} is not null)::int`,
    })
    .from(bindings);
  return row ?? { failing: 0, disconnected: 0 };
}
