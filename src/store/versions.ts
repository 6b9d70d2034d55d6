import { and, eq, getTableColumns, gt, lte, max, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import { toStorableText } from './insert-rows.ts';
import { entries, files, histories, OPEN_ENDED, pages, revisions, settings } from './schema/content.ts';

/** A version of a history: identifies the rows of a revision. */
export interface Version {
  readonly historyId: string;
  readonly version: number;
}

interface VersionedTable {
  readonly historyId: AnyPgColumn;
  readonly since: AnyPgColumn;
  readonly until: AnyPgColumn;
}

/** Whether a row belongs to a version. */
export function isInVersion(table: VersionedTable, { historyId, version }: Version): SQL {
  return and(eq(table.historyId, historyId), lte(table.since, version), gt(table.until, version)) as SQL;
}

/** Whether a row belongs to one of two versions of the same history, but not to both. */
export function differsBetween(table: VersionedTable, one: Version, other: Version): SQL {
  const has = ({ version }: Version) => and(lte(table.since, version), gt(table.until, version));
  return and(eq(table.historyId, one.historyId), sql`(${has(one)}) <> (${has(other)})`) as SQL;
}

export async function insertHistory(
  db: Db,
  history: { readonly id: string; readonly spaceId: string },
): Promise<void> {
  await db.insert(histories).values(history);
}

/** The newest version of a history; 0 when it has none. */
export async function newestVersion(db: Db, historyId: string): Promise<number> {
  const [row] = await db
    .select({ version: max(revisions.version) })
    .from(revisions)
    .where(eq(revisions.historyId, historyId));
  return row?.version ?? 0;
}

/** Copies all rows of a version into another history, as its version 1. */
export async function copyVersion(db: Db, from: Version, historyId: string): Promise<void> {
  for (const table of [entries, pages, files, settings]) {
    const columns: readonly AnyPgColumn[] = Object.values(getTableColumns(table));
    const copied = columns.filter((column) => !['history_id', 'since', 'until'].includes(column.name));
    const names = sql.join(
      copied.map((column) => sql.identifier(column.name)),
      sql`, `,
    );
    await db.execute(sql`
      insert into ${table} (history_id, since, until, ${names})
      select ${historyId}, 1, ${OPEN_ENDED}::int, ${names} from ${table} where ${isInVersion(table, from)}`);
  }
}

/** The tables whose rows versions share. */
export type VersionedRows = typeof entries | typeof pages | typeof files | typeof settings;

/** Closes rows of the newest version, found by values of the column `key`, so that `version` does not have them. */
export async function closeRows(
  db: Db,
  table: VersionedRows,
  key: AnyPgColumn,
  { historyId, version }: Version,
  values: readonly string[],
): Promise<void> {
  if (values.length === 0) return;
  // As an array, whose length the planner sees: a few rows are found by the index, however many the history has.
  const closed = and(
    eq(table.historyId, historyId),
    eq(table.until, OPEN_ENDED),
    sql`${key} = any(${sql.param(values.map(toStorableText))}::text[])`,
  );
  // A row that was added in this very version belongs to no other.
  await db.delete(table).where(and(closed, eq(table.since, version)));
  await db.update(table).set({ until: version }).where(closed);
}
