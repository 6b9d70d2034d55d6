import type pg from 'pg';
import { checkServer, checkUrl, describeAddress, describeDatabaseFailure } from './check-server.ts';
import { createPool, keepServerAlert } from './create-pool.ts';
import { type Database, openDatabase } from './db.ts';
import { type EmbeddedPostgres, startEmbedded } from './embedded/embedded-postgres.ts';
import { hideParameters } from './hide-parameters.ts';
import type { Log } from './log.ts';
import { migrateDatabase } from './migrate.ts';
import { preparingClient } from './preparing-client.ts';
import { provideTrigrams } from './provide-trigrams.ts';

export interface StoreOptions {
  /** The folder of the embedded PostgreSQL; created when it is absent. */
  readonly dataDir: string;
  /** A PostgreSQL server of version 15 or newer, used instead of the embedded one. */
  readonly databaseUrl?: string | null | undefined;
  /** The same server without the connection pooler that `databaseUrl` leads to: for what lasts longer than a transaction. */
  readonly databaseDirectUrl?: string | null | undefined;
  readonly log?: Log;
  /** How many connections this process uses at most for queries (10). */
  readonly poolSize?: number;
  /** Whether the tables are made and updated (true). */
  readonly migrates?: boolean;
  /** Opens all of them at the start, for a server that must answer its first burst of requests fast. */
  readonly openPoolAtStart?: boolean;
  /** How long a database that is there, but takes no connection at this moment, is waited for (not at all). */
  readonly patienceMs?: number;
}

export interface Store {
  readonly db: Database;
  readonly pool: pg.Pool;
  /** The connection URL. It may contain a password: never show it. */
  readonly url: string;
  /** The same for connections with a state of their own: locks that outlast a transaction, LISTEN. */
  readonly directUrl: string;
  readonly kind: 'embedded' | 'external';
  /** Whether the database answers within two seconds; `detail` is a sentence without secrets. */
  health(): Promise<{ readonly ok: boolean; readonly detail: string }>;
  /** Closes the connections, and stops the embedded PostgreSQL if no other process uses it. */
  close(): Promise<void>;
}

/**
 * Opens the database, starting the embedded one unless `databaseUrl` is set, and migrates its tables.
 *
 * @throws Error with one sentence, without the password, when it cannot be reached, is too old or cannot be started.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const {
    dataDir,
    databaseUrl,
    databaseDirectUrl,
    log = () => {},
    poolSize = 10,
    migrates = true,
    openPoolAtStart = false,
    patienceMs = 0,
  } = options;
  hideParameters();
  if (databaseUrl) checkUrl(databaseUrl, 'DATABASE_URL');
  if (databaseDirectUrl) checkUrl(databaseDirectUrl, 'DATABASE_DIRECT_URL');
  const embedded = databaseUrl ? undefined : await startEmbedded({ dataDir, log });
  const url = embedded?.url ?? (databaseUrl as string);
  const directUrl = databaseDirectUrl ?? url;
  const pool = createPool(
    {
      connectionString: url,
      ...(directUrl === url && { Client: preparingClient(), onConnect: keepServerAlert }),
      max: poolSize,
      application_name: 'docloom',
    },
    log,
  );
  try {
    await checkServer(pool, url, log, patienceMs);
    if (migrates) {
      await migrateOn(directUrl === url ? pool : directUrl, log, patienceMs);
      await provideTrigrams(pool, log);
    }
    if (openPoolAtStart) await openAll(pool, poolSize);
  } catch (error) {
    await closeAll(pool, embedded);
    throw error;
  }
  let closed: Promise<void> | undefined;
  return {
    db: openDatabase(pool),
    pool,
    url,
    directUrl,
    kind: embedded ? 'embedded' : 'external',
    health: () => checkHealth(pool, url, embedded),
    close: () => (closed ??= closeAll(pool, embedded)),
  };
}

/** Migrations hold a lock for longer than a transaction. */
async function migrateOn(server: pg.Pool | string, log: Log, patienceMs: number): Promise<void> {
  if (typeof server !== 'string') return await migrateDatabase(server, log);
  const direct = createPool({ connectionString: server, max: 1 }, log);
  try {
    await checkServer(direct, server, log, patienceMs);
    await migrateDatabase(direct, log);
  } finally {
    await direct.end();
  }
}

/** Each connection is acquired before the first is released, so that there are as many as the pool may hold. */
async function openAll(pool: pg.Pool, count: number): Promise<void> {
  const acquired = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()));
  for (const result of acquired) if (result.status === 'fulfilled') result.value.release();
}

async function closeAll(pool: pg.Pool, embedded: EmbeddedPostgres | undefined): Promise<void> {
  await pool.end();
  await embedded?.close();
}

const healthMs = 2_000;

async function checkHealth(pool: pg.Pool, url: string, embedded: EmbeddedPostgres | undefined) {
  const trouble = embedded?.trouble();
  if (trouble !== undefined) return { ok: false, detail: `The database is not available: ${trouble}.` };
  const tooSlow = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooSlow.reject(new Error(`no answer in ${healthMs} ms`)), healthMs);
  try {
    const asked = pool.query<{ is_read_only: boolean }>(
      `select current_setting('transaction_read_only')::boolean as is_read_only`,
    );
    const { rows } = await Promise.race([asked, tooSlow.promise]);
    return rows[0]?.is_read_only
      ? { ok: false, detail: `The database at ${describeAddress(url)} is read-only, as a standby is.` }
      : { ok: true, detail: 'The database answers.' };
  } catch (error) {
    return { ok: false, detail: describeDatabaseFailure(error, url) };
  } finally {
    clearTimeout(timer);
  }
}
