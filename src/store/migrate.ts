import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import * as schema from './schema/index.ts';

/** Beside this file, in `src` and in `dist`. */
const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** What to do, by SQLSTATE (PostgreSQL's appendix A). */
const ADVICE: ReadonlyMap<string, string> = new Map([
  [
    '42501',
    'Let the user of DATABASE_URL make schemas and tables there: make it the owner of the database, with ALTER DATABASE … OWNER TO ….',
  ],
  ['53100', 'Make room on the disk of the database, then start again.'],
  ['25006', 'It is read-only there: let DATABASE_URL name the primary server.'],
]);
const OTHERWISE = 'Was it made by another version of Docloom? Then run that one, or use an empty database.';

/** The advisory lock of who migrates. */
const migrating = 0x6d696772;

/**
 * Brings the tables up to date. Of several processes that start at once, one does it and the others wait.
 *
 * @throws one sentence with what the database said.
 */
export async function migrateDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('select pg_advisory_lock($1)', [migrating]);
    await migrate(drizzle(client, { schema }), { migrationsFolder });
    await client.query('select pg_advisory_unlock($1)', [migrating]);
    broken = false;
  } catch (error) {
    const root = rootOf(error);
    const said = root.message.replace(/\.$/, '');
    const advice = ADVICE.get(root.code ?? '') ?? OTHERWISE;
    throw new Error(`The database's tables cannot be brought up to date: ${said}. ${advice}`, {
      cause: error,
    });
  } finally {
    client.release(broken); // closing the connection gives the lock back
  }
}

/** Drizzle puts the whole statement before what the database said of it. */
function rootOf(error: unknown): Error & { readonly code?: string } {
  const { cause } = error as Error;
  return cause instanceof Error ? rootOf(cause) : (error as Error);
}
