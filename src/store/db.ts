import { drizzle, type NodePgDatabase, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type pg from 'pg';

/** The database or a transaction in it: the first parameter of every query. */
export type Db = PgDatabase<NodePgQueryResultHKT>;

/** The database itself, on which transactions are started. */
export type Database = NodePgDatabase;

/**
 * Drizzle on a pool. A transaction takes its connection here: Drizzle itself (0.45) never gives one back whose `begin`
 * fails, as happens when the server or a connection pooler goes away, until the pool has none left.
 */
export function openDatabase(pool: pg.Pool): Database {
  const db = drizzle(pool);
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return db;
}
