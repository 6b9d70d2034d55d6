import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/** Rows in one statement: few enough that a statement stays below some ten megabytes. */
const batchSize = 5_000;

/**
 * Inserts many rows with one parameter per batch, whatever their number: PostgreSQL allows 65,535 parameters in a
 * statement, and binding them one by one is what makes large inserts slow. Every row must have the same fields.
 * `keepExisting` leaves rows alone that are there already.
 */
export async function insertRows<Table extends PgTable>(
  db: Db,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  options: { readonly keepExisting?: boolean } = {},
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = getTableColumns(table);
  const fields = Object.keys(first).map((field) => {
    const column = columns[field];
    if (!column) throw new TypeError(`${getTableName(table)} has no field ${field}.`);
    return { field, name: column.name };
  });
  const names = sql.join(
    fields.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows
      .slice(start, start + batchSize)
      .map((row) =>
        Object.fromEntries(fields.map(({ field, name }) => [name, row[field as keyof typeof row]])),
      );
    await db.execute(sql`
      insert into ${table} (${names})
      select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(batch, storable)}::json)
      ${options.keepExisting ? sql`on conflict do nothing` : sql``}
    `);
  }
}

/** PostgreSQL's text holds neither U+0000 nor half a surrogate pair; files of a repository may. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? toStorableText(value) : value;
}

/** The text with U+FFFD in place of what PostgreSQL cannot store. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
