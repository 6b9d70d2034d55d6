import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import * as schema from '../schema/index.ts';

/** When each blob was last needed in an object store: each store has its own. */
const OF_THE_STORE = 'blob_uses';

/** The names of all tables of this release that a backup has, in order. */
export const TABLES: readonly string[] = Object.values(schema)
  .flatMap((value) => (is(value, PgTable) ? [getTableConfig(value).name] : []))
  .filter((name) => name !== OF_THE_STORE)
  .sort();

export interface StoredTable {
  readonly name: string;
  /** Without those that the database computes. */
  readonly columns: readonly string[];
}

/** The tables of Docloom that the database has, in order. */
export async function listTables(client: pg.ClientBase): Promise<readonly StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname = any($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`,
    [TABLES],
  );
  return rows;
}

/** `"a"` for a name. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The digests of the migrations that the database has had, in order; empty when it has none. */
export async function listMigrations(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  );
  if (rows[0]?.found !== true) return [];
  const applied = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at, id',
  );
  return applied.rows.map(({ hash }) => hash);
}
