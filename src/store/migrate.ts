import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { checkCompatibility, currentRelease, recordRelease, type SchemaRelease } from './compatibility.ts';
import type { Log } from './log.ts';
import * as schema from './schema/index.ts';

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

/** The advisory lock that a process holds while it migrates; the same in all releases. */
const migrationLock = 0x6d696772;

/** A release of Docloom with its migrations. */
export interface Program extends SchemaRelease {
  readonly migrationsFolder: string;
}

const currentProgram: Program = {
  ...currentRelease,
  /** Beside this file, in `src` and in `dist`. */
  migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)),
};

/**
 * Brings the tables up to date. Of several processes that start at once, one does it and the others wait. A schema that
 * a newer release made is left as it is.
 *
 * @throws one sentence with what the database said, or that this program cannot run on a newer schema.
 */
export async function migrateDatabase(pool: pg.Pool, log: Log, program = currentProgram): Promise<void> {
  const client = await pool.connect();
  const db = drizzle(client, { schema });
  let newer: Awaited<ReturnType<typeof checkCompatibility>> | undefined;
  let failed = true;
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    if (await hasUnknownMigrations(client, program)) {
      newer = await checkCompatibility(db, program);
    } else {
      await migrate(db, program);
      await recordRelease(db, program);
    }
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    failed = false;
  } catch (error) {
    const root = rootOf(error);
    const reason = root.message.replace(/\.$/, '');
    const advice = ADVICE.get(root.code ?? '') ?? OTHERWISE;
    throw new Error(`The database's tables cannot be brought up to date: ${reason}. ${advice}`, {
      cause: error,
    });
  } finally {
    client.release(failed); // closing the connection releases the lock
  }
  if (newer === undefined) return;
  if ('refusal' in newer) throw new Error(newer.refusal);
  log(`The database was updated by Docloom ${newer.newest}: update this process, too.`, {
    release: program.release,
  });
}

/** Whether a newer program has migrated the database. */
async function hasUnknownMigrations(client: pg.PoolClient, program: Program): Promise<boolean> {
  const migrationsTable = 'drizzle.__drizzle_migrations';
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    migrationsTable,
  ]);
  if (!rows[0]?.found) return false;
  const last = readMigrationFiles(program).at(-1)?.folderMillis;
  const unknown = await client.query(`select from ${migrationsTable} where created_at > $1`, [last]);
  return unknown.rows.length > 0;
}

/** Drizzle puts the whole statement before what the database said of it. */
function rootOf(error: unknown): Error & { readonly code?: string } {
  const { cause } = error as Error;
  return cause instanceof Error ? rootOf(cause) : (error as Error);
}
