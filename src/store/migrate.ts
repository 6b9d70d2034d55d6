import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import * as schema from './schema/index.ts';

/** Beside this file, in `src` and in `dist`. */
const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** The advisory lock of who migrates. */
const migrating = 0x6d696772;

/** Brings the tables up to date. Of several processes that start at once, one does it and the others wait. */
export async function migrateDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('select pg_advisory_lock($1)', [migrating]);
    await migrate(drizzle(client, { schema }), { migrationsFolder });
    await client.query('select pg_advisory_unlock($1)', [migrating]);
    broken = false;
  } finally {
    client.release(broken); // closing the connection gives the lock back
  }
}
