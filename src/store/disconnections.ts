import { type AnyColumn, and, eq, inArray, isNotNull, isNull, lt, not, type SQL, sql } from 'drizzle-orm';
import { daysAgo } from './days-ago.ts';
import type { Db } from './db.ts';
import { bindings, repositories } from './schema/github.ts';
import { exports, externalUses, openapiSources, repositoryTranslations } from './schema/sync.ts';

/** What a row becomes that is disconnected now. For another reason than before, the time counts anew. */
export function disconnection(
  table: { readonly disconnected: AnyColumn; readonly disconnectedAt: AnyColumn },
  reason: string,
): { readonly disconnected: string; readonly disconnectedAt: SQL<Date> } {
  return { disconnected: reason, disconnectedAt: sinceDisconnected(table, sql`${reason}::text`) };
}

export function sinceDisconnected(
  { disconnected, disconnectedAt }: { readonly disconnected: AnyColumn; readonly disconnectedAt: AnyColumn },
  reason: SQL,
): SQL<Date> {
  return sql`case when ${disconnected} is distinct from ${reason} then now() else coalesce(${disconnectedAt}, now()) end`;
}

/** Which disconnected rows are old enough to be removed. */
export interface DisconnectedFor {
  readonly days: number;
  /** Reasons for which nothing is removed. */
  readonly exceptReasons: readonly string[];
  /** Reasons that a binding has from its repository. */
  readonly reasonsOfRepositories: readonly string[];
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
    .where(isRemovable(age))
    .orderBy(bindings.disconnectedAt, bindings.id)
    .limit(limit);
}

/**
 * Deletes a binding that is still disconnected, for so long if `age` is given, with what is stored about its exports and
 * external links. Returns whether it did: the binding may have been connected again meanwhile.
 */
export async function deleteDisconnectedBinding(
  db: Db,
  id: string,
  age: DisconnectedFor | null,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const deleted = await tx
      .delete(bindings)
      .where(and(eq(bindings.id, id), age === null ? isNotNull(bindings.disconnected) : isRemovable(age)))
      .returning({ id: bindings.id });
    if (deleted.length === 0) return false;
    await tx.delete(exports).where(eq(exports.bindingId, id));
    await tx.delete(externalUses).where(eq(externalUses.bindingId, id));
    return true;
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

/**
 * Condition for bindings that are long disconnected. Not for those of a repository that is back, or was: their next sync
 * connects or retires them. A process of 0.1.0 records no time, but when it changed the row.
 */
function isRemovable(age: DisconnectedFor): SQL | undefined {
  const isBack = and(
    inArray(bindings.disconnected, [...age.reasonsOfRepositories]),
    sql`exists (select 1 from ${repositories} r where r.id = ${bindings.repositoryId}
      and (r.disconnected is null or r.disconnected_at >= ${daysAgo(age.days)}))`,
  );
  return and(
    isLongDisconnected(bindings, age),
    lt(bindings.updatedAt, daysAgo(age.days)),
    isBack === undefined ? undefined : not(isBack),
  );
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
