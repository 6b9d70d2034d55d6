/** Reading from a hot standby that is up to date, behind, away, and back. */
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/store/db.ts';
import { openReplica, type ReplicaReads } from '../../src/store/index.ts';
import { openPool } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../support/replicated-database.ts';

let server: ReplicatedDatabase;
let pool: pg.Pool;
let primary: Database;
let replica: ReplicaReads;
let count = 0;
const logged: string[] = [];
const from: string[] = [];

beforeAll(async () => {
  server = await startReplicatedDatabase();
  pool = openPool(server.url, { max: 4 });
  primary = openDatabase(pool);
  await pool.query('create table notes (n int)');
  replica = open();
});
beforeEach(() => {
  from.splice(0);
});
afterAll(async () => {
  await replica?.close();
  await pool?.end();
  await server?.close();
});

function open(): ReplicaReads {
  return openReplica({
    url: server.standbyUrl,
    primary,
    log: (line) => logged.push(line),
    onRead: (server) => from.push(server),
  });
}

/** Writes a number that was never written, and reads where the primary is then. */
async function write(): Promise<{ readonly n: number; readonly position: string }> {
  const n = ++count;
  await pool.query('insert into notes values ($1)', [n]);
  return { n, position: await replica.position() };
}

/** The newest number, as one of the servers has it. */
const newest = async (db: Database) =>
  Number((await db.execute<{ n: number }>(sql`select max(n) as n from notes`)).rows[0]?.n);

it('reads what was just written from the replica, once that has it', async () => {
  await vi.waitFor(
    async () => {
      const { n, position } = await write();
      expect(await replica.read(position, newest)).toBe(n);
      expect(from.at(-1)).toBe('replica');
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
});

it('never reads an older state than that of the position: while the replica is behind, the primary answers', async () => {
  await server.onStandby('select pg_wal_replay_pause()');
  try {
    for (let round = 0; round < 5; round++) {
      const { n, position } = await write();
      expect(await replica.read(position, newest)).toBe(n);
    }
    expect(new Set(from)).toEqual(new Set(['primary']));
  } finally {
    await server.onStandby('select pg_wal_replay_resume()');
  }
  await vi.waitFor(
    async () => {
      const { n, position } = await write();
      expect(await replica.read(position, newest)).toBe(n);
      expect(from.at(-1)).toBe('replica');
    },
    { timeout: PATIENCE_MS, interval: 50 },
  );
});

it('what writes, or fails, on the replica is done on the primary, whose failure counts', async () => {
  const { position } = await write();
  const n = ++count;
  await vi.waitFor(() => replica.read(position, (db) => newest(db)), PATIENCE_MS);
  await replica.read(position, (db) => db.execute(sql`insert into notes values (${n})`));
  expect(from.at(-1)).toBe('primary');
  expect(await newest(primary)).toBe(n);
  await expect(
    replica.read(position, (db) => db.execute(sql`select nothing from nowhere`)),
  ).rejects.toThrow();
});

testAtLength('goes on without the replica, and uses it again when it is back', async () => {
  await replica.close();
  replica = open();
  await server.stopStandby();
  const gone = await write();
  expect(await replica.read(gone.position, newest)).toBe(gone.n);
  expect(from).toEqual(['primary']);
  expect(logged.at(-1)).toContain('The read replica cannot be used at this moment');
  await server.startStandby();
  await vi.waitFor(
    async () => {
      const { n, position } = await write();
      expect(await replica.read(position, newest)).toBe(n);
      expect(from.at(-1)).toBe('replica');
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );
});

it('a server that is no replica is never read from', async () => {
  const wrong = openReplica({ url: server.url, primary, onRead: (server) => from.push(server) });
  try {
    const { n, position } = await write();
    expect(await wrong.read(position, newest)).toBe(n);
    expect(from).toEqual(['primary']);
  } finally {
    await wrong.close();
  }
});
