import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { checkCompatibility, currentRelease, recordRelease, type SchemaRelease } from './compatibility.ts';
import type { Log } from './log.ts';

/** What other processes cause by their work on the same tables: a deadlock, a lock not granted in time, a serialization failure. */
const BUSY: ReadonlySet<string | undefined> = new Set(['40P01', '55P03', '40001']);

/** How often the migrations are tried while other processes work on their tables: for about a minute in all. */
const maxAttempts = 20;

/**
 * How long an attempt waits for a lock, in ms. The first ones give up before PostgreSQL looks for a deadlock (1 s), so that
 * it is never the work of another process that fails, and what waits behind us does not wait long. Later ones outlast what
 * holds a lock for seconds, such as a vacuum, which ends only for those who wait for a second.
 */
const lockTimeoutOf = (attempt: number) => Math.min(500 * Math.ceil(attempt / 2), 5_000);

/** What to do, by SQLSTATE (PostgreSQL's appendix A). */
const ADVICE: ReadonlyMap<string, string> = new Map([
  [
    '42501',
    'Allow the user of DATABASE_URL to create schemas and tables there: make it the owner of the database, with ALTER DATABASE … OWNER TO ….',
  ],
  ['53100', 'Free space on the disk of the database, then start again.'],
  ['25006', 'The server is read-only: set DATABASE_URL to the primary server.'],
]);
const BUSY_ADVICE =
  'Other connections kept the tables in use at every attempt, so nothing was changed: stop the other processes of Docloom and whatever else uses this database, such as a backup, then start again.';
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
 * Runs the migrations that are due, all or none. Of several processes that start at once, one does it and the others wait.
 * Processes of the release before may work on the tables meanwhile: where the two get in each other's way, this one gives
 * way and begins again. The schema of a newer release stays unchanged.
 *
 * @param attempts how often it tries while others hold locks on the tables.
 * @throws Error with one sentence: the database's error, that the tables stayed in use, or that this program cannot run on
 * a newer schema.
 */
export async function migrateDatabase(
  pool: pg.Pool,
  log: Log,
  program = currentProgram,
  attempts = maxAttempts,
): Promise<void> {
  const client = await pool.connect();
  const db = drizzle(client);
  let newer: Awaited<ReturnType<typeof checkCompatibility>> | undefined;
  let failed = true;
  try {
    // Another process may take its time to migrate.
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    if (await hasUnknownMigrations(client, program)) {
      newer = await checkCompatibility(db, program);
    } else {
      await migrateBesideOthers(client, program, log, attempts);
      await recordRelease(db, program);
    }
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    await client.query('reset lock_timeout');
    failed = false;
  } catch (error) {
    const root = rootOf(error);
    const reason = root.message.replace(/\.$/, '');
    const advice = BUSY.has(root.code) ? BUSY_ADVICE : (ADVICE.get(root.code ?? '') ?? DEFAULT_ADVICE);
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

/** All migrations of this release, in their order. */
export function knownMigrations(): readonly { readonly hash: string }[] {
  return readMigrationFiles(currentProgram);
}

/** Runs only the first `count` migrations: the tables become those of an earlier release. */
export async function migrateUpTo(pool: pg.Pool, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docloom-migrations-'));
  try {
    const from = currentProgram.migrationsFolder;
    const journal = JSON.parse(readFileSync(join(from, 'meta/_journal.json'), 'utf8'));
    const entries: readonly { readonly tag: string }[] = journal.entries.slice(0, count);
    mkdirSync(join(folder, 'meta'));
    writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) copyFileSync(join(from, `${tag}.sql`), join(folder, `${tag}.sql`));
    await migrateDatabase(pool, () => {}, { ...currentProgram, migrationsFolder: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the migrations in one transaction, and again while other processes prevent it. */
async function migrateBesideOthers(
  client: pg.PoolClient,
  program: Program,
  log: Log,
  attempts: number,
): Promise<void> {
  const db = drizzle(client);
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`select set_config('lock_timeout', $1, false)`, [`${lockTimeoutOf(attempt)}ms`]);
      await migrate(db, program);
      return;
    } catch (error) {
      const { code, message } = rootOf(error);
      if (!BUSY.has(code) || attempt === attempts) throw error;
      log('Another process works on the tables that are to be migrated; tried again.', {
        attempt,
        error: message,
      });
      await pause(100 + Math.random() * 400);
    }
  }
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
