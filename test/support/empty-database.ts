import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Where PostgreSQL stores what is not a row of ours: whatever changes a table, or analyses it, changes a row there. */
const CATALOGS = [
  'pg_attribute',
  'pg_class',
  'pg_constraint',
  'pg_db_role_setting',
  'pg_extension',
  'pg_namespace',
  'pg_policy',
  'pg_proc',
  'pg_statistic',
  'pg_trigger',
  'pg_type',
];

/** What a new database has rows in, which say which release's it is. */
const FILLED = ['drizzle.__drizzle_migrations', 'public.schema_releases'];

/** How much larger than new it may become: rows that were deleted slow its queries down. */
const MAX_GROWTH_BYTES = 16 * 1024 * 1024;

/** Connections that were just closed end a moment later. */
const MAX_LOOKS = 10;
const LOOK_MS = 10;

const catalogs = CATALOGS.map((name) => `(select row(count(*), max(xmin::text::bigint)) from ${name})`);
const rows = FILLED.map((name) => `(select jsonb_agg(t order by t::text) from ${name} t)`);
const STATE = `select row(${[...catalogs, ...rows, '(select sum(reltuples) from pg_class)'].join(', ')})::text
  as state, pg_database_size(current_database())::int as size`;

const sizes = new WeakMap<pg.Pool, number>();

/** Everything in a database but the rows of its tables, to be compared. */
export async function readState(pool: pg.Pool): Promise<string> {
  const { state, size } = await read(pool);
  sizes.set(pool, size);
  return state;
}

/**
 * Deletes the rows of all tables and sets their numbers back.
 *
 * @param pool the connections that remain; none may be in use.
 * @param expected what {@link readState} answered when the database was new.
 * @returns whether it is as new: not where a test changed more than rows, or left a connection behind that may go on
 *   writing.
 */
export async function emptyDatabase(pool: pg.Pool, expected: string): Promise<boolean> {
  if (pool.ending || pool.waitingCount > 0 || pool.idleCount < pool.totalCount) return false;
  try {
    const before = await read(pool);
    if (before.state !== expected || before.size > (sizes.get(pool) ?? 0) + MAX_GROWTH_BYTES) return false;
    if (!(await settleConnections(pool))) return false;
    await pool.query(await statementsFor(pool));
    return true;
  } catch {
    return false; // the test broke it on purpose, or a lock is left
  }
}

async function read(pool: pg.Pool): Promise<{ state: string; size: number }> {
  const { rows: found } = await pool.query<{ state: string; size: number }>(STATE);
  return found[0] as { state: string; size: number };
}

/** Ends what a test began in our connections: settings, locks, listening. Answers whether they are the only ones. */
async function settleConnections(pool: pg.Pool): Promise<boolean> {
  const ours = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  try {
    for (const client of ours) {
      await client.query('reset all; unlisten *; select pg_advisory_unlock_all()');
    }
    for (let look = 0; look < MAX_LOOKS; look++) {
      const { rows: found } = await (ours[0] as pg.PoolClient).query<{ others: boolean }>(
        `select count(*) > $1 as others from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend'`,
        [ours.length],
      );
      if (found[0]?.others === false) return true;
      await pause(LOOK_MS);
    }
    return false;
  } finally {
    for (const client of ours) client.release();
  }
}

const statements = new WeakMap<pg.Pool, string>();

/** In one transaction, without looking at foreign keys. */
async function statementsFor(pool: pg.Pool): Promise<string> {
  const known = statements.get(pool);
  if (known !== undefined) return known;
  const { rows: found } = await pool.query<{ statement: string }>(
    `select format('delete from %I.%I', schemaname, tablename) as statement from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') and schemaname || '.' || tablename <> all($1)
     union all
     select format('select setval(%L, %s, false)', format('%I.%I', schemaname, sequencename), start_value)
       from pg_sequences where schemaname <> 'drizzle'`,
    [FILLED],
  );
  const all = ['begin', 'set local session_replication_role = replica', 'set local lock_timeout = 5000']
    .concat(found.map(({ statement }) => statement))
    .concat('commit')
    .join(';');
  statements.set(pool, all);
  return all;
}
