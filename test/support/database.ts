import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';
import { openStore, type Store } from '../../src/store/index.ts';
import { databaseUrl, onServer, type TestServer } from './test-server.ts';

export interface TestDatabase {
  readonly url: string;
  readonly store: Store;
  /** Closes the store and drops the database. */
  close(): Promise<void>;
}

/** A database of its own with all tables, cloned from the run's template. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createMigratedDatabase();
  const store = await openStore({ dataDir: tmpdir(), databaseUrl: url });
  return {
    url,
    store,
    async close() {
      await store.close();
      await drop();
    },
  };
}

/** A new database with all tables, for whoever opens it: a copy of the run's template. */
export async function createMigratedDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return await createDatabase((await askForServer()).template);
}

/** A new database, empty as PostgreSQL makes it or a copy of another. */
export async function createDatabase(
  template = 'template0',
): Promise<{ url: string; drop(): Promise<void> }> {
  const { server, strategy } = await askForServer();
  const name = `docloom_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} template ${template} strategy ${strategy}`);
  return {
    url: databaseUrl(server, name),
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}

/** Connections to a database of a test, which may still be closing when it is dropped. */
export function openPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ ...options, connectionString: url });
  pool.on('error', () => {});
  return pool;
}

async function askForServer(): Promise<TestServer['urls']> {
  const answer = JSON.parse(await text(connect(inject('databaseServer')))) as
    | TestServer['urls']
    | { readonly error: string };
  if ('error' in answer) throw new Error(`The tests' PostgreSQL did not start: ${answer.error}`);
  return answer;
}
