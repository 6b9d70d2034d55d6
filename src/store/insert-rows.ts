import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/** How many rows one statement inserts: few enough that writing them as JSON takes the thread only for milliseconds. */
const batchSize = 2_000;

/**
 * Inserts rows with one parameter per batch, since PostgreSQL allows 65,535 parameters in a statement, and binding each
 * value makes large inserts slow. All rows must have the same fields. `skipExisting` skips rows that exist already.
 */
export async function insertRows<Table extends PgTable>(
  db: Db,
  table: Table,
  rows: Iterable<Table['$inferInsert']>,
  options: { readonly skipExisting?: boolean } = {},
): Promise<void> {
  let batch: Table['$inferInsert'][] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    await insertBatch(db, table, batch, options);
    batch = [];
  }
  await insertBatch(db, table, batch, options);
}

async function insertBatch<Table extends PgTable>(
  db: Db,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  options: { readonly skipExisting?: boolean },
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
  const batch = rows.map((row) =>
    Object.fromEntries(fields.map(({ field, name }) => [name, row[field as keyof typeof row]])),
  );
  await db.execute(sql`
    insert into ${table} (${names})
    select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(batch, storable)}::json)
    ${options.skipExisting ? sql`on conflict do nothing` : sql``}
  `);
}

/** PostgreSQL's text cannot contain U+0000 or half a surrogate pair; files of a repository can. */
function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? toStorableText(value) : value;
}

/** Replaces what PostgreSQL cannot store by U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
