import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openQueue } from '../../src/queue/index.ts';
import { openStore, tables } from '../../src/store/index.ts';
import { createDatabase } from '../support/database.ts';

test('stores and queues that open an empty database at once set it up once', async () => {
  const { url, drop } = await createDatabase();
  const stores = await Promise.all(
    [1, 2, 3, 4, 5].map(() => openStore({ dataDir: tmpdir(), databaseUrl: url, poolSize: 2 })),
  );
  const queues = await Promise.all(stores.map((store) => openQueue(store)));

  const applied = await stores[0]?.pool.query('select 1 from drizzle.__drizzle_migrations');
  const files = readdirSync(new URL('../../src/store/migrations', import.meta.url)).filter((name) =>
    name.endsWith('.sql'),
  );
  expect(applied?.rowCount).toBe(files.length);
  for (const store of stores) expect(await store.db.select().from(tables.spaces)).toEqual([]);
  for (const queue of queues) expect(await queue.failed()).toEqual([]);

  await Promise.all(queues.map((queue) => queue.stop()));
  await Promise.all(stores.map((store) => store.close()));
  await drop();
});

test('a user that may make nothing there is told what to do', async () => {
  const { url, drop } = await createDatabase();
  const pool = new pg.Pool({ connectionString: url });
  const weak = `weak_${process.pid}`;
  await pool.query(`create role ${weak}`);
  const address = new URL(url);
  address.searchParams.set('options', `-c role=${weak}`);
  await expect(openStore({ dataDir: tmpdir(), databaseUrl: address.href })).rejects.toThrow(
    /permission denied for database [^.]+\. Let the user of DATABASE_URL make schemas and tables there: .+ OWNER TO …\.$/,
  );
  await pool.query(`drop role ${weak}`);
  await pool.end();
  await drop();
});

test('tables that somebody else made are named in one sentence', async () => {
  const { url, drop } = await createDatabase();
  const pool = new pg.Pool({ connectionString: url });
  await pool.query('create table spaces (id text)');
  await pool.end();
  await expect(openStore({ dataDir: tmpdir(), databaseUrl: url })).rejects.toThrow(
    'The database\'s tables cannot be brought up to date: relation "spaces" already exists. Was it made by another version of Docloom? Then run that one, or use an empty database.',
  );
  await drop();
});
