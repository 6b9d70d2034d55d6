import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../src/store/db.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { emptyDatabase, readState } from './empty-database.ts';
import { databaseUrl, type TestServer } from './test-server.ts';

export interface TestDatabase {
  readonly url: string;
  readonly store: Store;
  /** Ends the use of the database: it is emptied for the next test, or dropped with what else is connected to it. */
  close(): Promise<void>;
}

interface Opened {
  readonly url: string;
  readonly store: Store;
  /** What {@link readState} answered when it was new. */
  readonly state: string;
  drop(): Promise<void>;
}

/**
 * Databases that tests of this worker have used and left as they were. The connections stay open: starting one costs more
 * than most tests ask of it, since each is a process.
 */
const spare: Opened[] = [];
/** As many as a test uses at once. */
const MAX_SPARE = 2;

/** A database with all tables and nothing in them: cloned from the run's template, or emptied after another test. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const opened = spare.pop() ?? (await openAnother());
  const { url, store } = opened;
  const { pool, end } = lend(store.pool);
  let closed: Promise<void> | undefined;
  return {
    url,
    store: { ...store, pool, db: openDatabase(pool) },
    close() {
      end();
      closed ??= giveBack(opened);
      return closed;
    },
  };
}

/** Connections for one test: what it left running does not reach the database of the next one. */
function lend(pool: pg.Pool): { readonly pool: pg.Pool; end(): void } {
  let isOpen = true;
  const refuse = () => Promise.reject(new Error('The test that had this database has ended.'));
  const lent = Object.assign(Object.create(pool), {
    connect: (...args: []) => (isOpen ? pool.connect(...args) : refuse()),
    query: (...args: [string]) => (isOpen ? pool.query(...args) : refuse()),
  });
  return {
    pool: lent,
    end() {
      isOpen = false;
    },
  };
}

async function openAnother(): Promise<Opened> {
  const { url, drop } = await createMigratedDatabase();
  const store = await openStore({ dataDir: tmpdir(), databaseUrl: url });
  // Kept for as long as the worker runs, and no reason for it to.
  Object.assign(store.pool.options, { idleTimeoutMillis: 0, allowExitOnIdle: true });
  return { url, store, drop, state: await readState(store.pool) };
}

async function giveBack(opened: Opened): Promise<void> {
  const { store, state, drop } = opened;
  // On a server that outlives the run, databases must not.
  const { isOurs } = await askForServer();
  if (isOurs && spare.length < MAX_SPARE && (await emptyDatabase(store.pool, state))) {
    spare.push(opened);
    return;
  }
  await store.close();
  await drop();
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
  await onServer(`create database ${name} template ${template} strategy ${strategy}`);
  return {
    url: databaseUrl(server, name),
    drop: async () => void (await onServer(`drop database if exists ${name} with (force)`)),
  };
}

/** Connections to a database of a test, which may still be closing when it is dropped. */
export function openPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ ...options, connectionString: url });
  pool.on('error', () => {});
  return pool;
}

/** One connection outside of any test's database, for all tests of this worker. */
let admin: pg.Pool | undefined;

async function onServer(statement: string): Promise<unknown> {
  admin ??= openPool((await askForServer()).server, { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return await admin.query(statement);
}

let asked: Promise<TestServer['urls']> | undefined;

function askForServer(): Promise<TestServer['urls']> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<TestServer['urls']> {
  const answer = JSON.parse(await text(connect(inject('databaseServer')))) as
    | TestServer['urls']
    | { readonly error: string };
  if ('error' in answer) throw new Error(`The tests' PostgreSQL did not start: ${answer.error}`);
  return answer;
}
