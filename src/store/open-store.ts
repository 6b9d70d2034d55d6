import pg from 'pg';
import { checkServer, checkUrl, describeDatabaseFailure } from './check-server.ts';
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
  } = options;
  hideParameters();
  if (databaseUrl) checkUrl(databaseUrl, 'DATABASE_URL');
  if (databaseDirectUrl) checkUrl(databaseDirectUrl, 'DATABASE_DIRECT_URL');
  const embedded = databaseUrl ? undefined : await startEmbedded({ dataDir, log });
  const url = embedded?.url ?? (databaseUrl as string);
  const directUrl = databaseDirectUrl ?? url;
  const pool = new pg.Pool({
    connectionString: url,
    ...(directUrl === url && { Client: preparingClient() }),
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'docloom',
  });
  // Idle connections close when the server stops; the next query opens a new one.
  pool.on('error', (error) => log('A database connection was closed.', { error: error.message }));
  // A connection in use, as by a transaction, must not crash the process either: its query fails and reports the error.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await checkServer(pool, url);
    if (migrates) {
      await migrateOn(directUrl === url ? pool : directUrl, log);
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
async function migrateOn(server: pg.Pool | string, log: Log): Promise<void> {
  if (typeof server !== 'string') return await migrateDatabase(server, log);
  const direct = new pg.Pool({ connectionString: server, max: 1, connectionTimeoutMillis: 10_000 });
  direct.on('error', () => {});
  try {
    await checkServer(direct, server);
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
    await Promise.race([pool.query('select 1'), tooSlow.promise]);
    return { ok: true, detail: 'The database answers.' };
  } catch (error) {
    return { ok: false, detail: describeDatabaseFailure(error, url) };
  } finally {
    clearTimeout(timer);
  }
}
