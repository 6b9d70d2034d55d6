import { type AnyColumn, and, eq, inArray, isNull, lt, not, type SQL, sql } from 'drizzle-orm';
import { daysAgo } from './days-ago.ts';
import type { Db } from './db.ts';
import { bindings, repositories } from './schema/github.ts';
import { exports, externalUses, openapiSources, repositoryTranslations } from './schema/sync.ts';

/** Since when a row is disconnected, if it is disconnected now: the time of the first reason stays. */
export function sinceDisconnected(table: {
  readonly disconnected: AnyColumn;
  readonly disconnectedAt: AnyColumn;
}): SQL<Date> {
  const { disconnected, disconnectedAt } = table;
  return sql`case when ${disconnected} is null then now() else coalesce(${disconnectedAt}, now()) end`;
}

/** Which disconnected rows are old enough to be removed. */
export interface DisconnectedFor {
  readonly days: number;
  /** Reasons for which nothing is removed. */
  readonly exceptReasons: readonly string[];
}

/** Sets or clears the time of each row that a process of 0.1.0, which knows none, disconnected or connected again. */
export async function correctDisconnectionTimes(db: Db): Promise<void> {
  for (const table of [repositories, bindings]) {
    const { disconnected, disconnectedAt } = table;
    await db
      .update(table)
      .set({ disconnectedAt: sql`case when ${disconnected} is not null then now() end` })
      .where(sql`(${disconnected} is null) <> (${disconnectedAt} is null)`);
  }
}

/** The bindings that have been disconnected for so long, the first disconnected first; at most `limit`. */
export async function listLongDisconnected(
  db: Db,
  age: DisconnectedFor,
  limit: number,
): Promise<readonly (typeof bindings.$inferSelect)[]> {
  return await db
    .select()
    .from(bindings)
    .where(isLongDisconnected(bindings, age))
    .orderBy(bindings.disconnectedAt, bindings.id)
    .limit(limit);
}

/** Deletes a binding that is disconnected, with what is stored about its exports and external links. */
export async function deleteDisconnectedBinding(db: Db, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const deleted = await tx
      .delete(bindings)
      .where(and(eq(bindings.id, id), not(isNull(bindings.disconnected))))
      .returning({ id: bindings.id });
    if (deleted.length === 0) return;
    await tx.delete(exports).where(eq(exports.bindingId, id));
    await tx.delete(externalUses).where(eq(externalUses.bindingId, id));
  });
}

/**
 * Deletes the repositories that have been disconnected for so long and have no bindings any more, with the records of
 * their translations; the names of their specifications are free for other repositories. Returns how many repositories
 * were deleted.
 */
export async function deleteLongDisconnectedRepositories(db: Db, age: DisconnectedFor): Promise<number> {
  return await db.transaction(async (tx) => {
    const deleted = await tx
      .delete(repositories)
      .where(
        and(
          isLongDisconnected(repositories, age),
          sql`not exists (select 1 from ${bindings} b where b.repository_id = ${repositories}.id)`,
        ),
      )
      .returning({ id: repositories.id });
    const ids = deleted.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.delete(repositoryTranslations).where(inArray(repositoryTranslations.repositoryId, ids));
    await tx.update(openapiSources).set({ isNamed: false }).where(inArray(openapiSources.repositoryId, ids));
    return ids.length;
  });
}

function isLongDisconnected(
  { disconnected, disconnectedAt }: typeof bindings | typeof repositories,
  { days, exceptReasons }: DisconnectedFor,
): SQL | undefined {
  return and(
    lt(disconnectedAt, daysAgo(days)),
    not(isNull(disconnected)),
    exceptReasons.length === 0 ? undefined : not(inArray(disconnected, [...exceptReasons])),
  );
}
