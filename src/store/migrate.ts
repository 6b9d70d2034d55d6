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
    'Allow the user of DATABASE_URL to create schemas and tables there: make it the owner of the database, with ALTER DATABASE … OWNER TO ….',
  ],
  ['53100', 'Free space on the disk of the database, then start again.'],
  ['25006', 'The server is read-only: set DATABASE_URL to the primary server.'],
]);
const DEFAULT_ADVICE =
  'If another version of Docloom created it, run that version, or use an empty database.';

/** The advisory lock that a process holds while it migrates; the same in all releases. */
const migrationLock = 0x6d696772;

/** A release of Docloom with its migrations. */
export interface Program extends SchemaRelease {
  readonly migrationsFolder: string;
}

const currentProgram: Program = {
  ...currentRelease,
  /** Next to this file, in `src` and in `dist`. */
  migrationsFolder: fileURLToPath(new URL('./migrations', import.meta.url)),
};

/**
 * Runs the migrations that are due. Of several processes that start at once, one does it and the others wait. The schema
 * of a newer release stays unchanged.
 *
 * @throws Error with one sentence: the database's error, or that this program cannot run on a newer schema.
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
    const advice = ADVICE.get(root.code ?? '') ?? DEFAULT_ADVICE;
    throw new Error(`The database's tables cannot be migrated: ${reason}. ${advice}`, {
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

/** Drizzle's error starts with the whole statement; the database's own error is its cause. */
function rootOf(error: unknown): Error & { readonly code?: string } {
  const { cause } = error as Error;
  return cause instanceof Error ? rootOf(cause) : (error as Error);
}
