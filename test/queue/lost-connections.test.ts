/** What becomes of the connections of a queue when the network, not the database, ends or forgets them. */
import { tmpdir } from 'node:os';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineJob, openQueue, type Queue } from '../../src/queue/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { createMigratedDatabase, openPool } from '../support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { PATIENCE_MS } from '../support/patience.ts';

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let proxy: DatabaseProxy;
let store: Store;
let queue: Queue;
/** Not through the proxy. */
let observer: ReturnType<typeof openPool>;

beforeAll(async () => {
  database = await createMigratedDatabase();
  proxy = await startDatabaseProxy(database.url);
  store = await openStore({ dataDir: tmpdir(), databaseUrl: proxy.url, migrates: false });
  // Longer than a busy machine leaves a connection unanswered that works.
  queue = await openQueue(store, { silenceMs: 2_000 });
  observer = openPool(database.url, { max: 1 });
});
afterAll(async () => {
  await queue.stop();
  await store.close();
  await observer.end();
  await proxy.close();
  await database.drop();
});

const patient = { timeout: PATIENCE_MS, interval: 20 };

async function listeners(): Promise<number> {
  const { rows } = await observer.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = 'docloom queue presence'`,
  );
  return rows[0]?.n ?? 0;
}

/** Lets the queue run a kind of job that is tried once. */
async function workOn(name: string, run: () => void) {
  const job = defineJob({
    name,
    payload: Type.Object({}),
    retryLimit: 0,
    retryDelay: 1,
    retryDelayMax: 1,
    expireInSeconds: 60,
    concurrency: 1,
  });
  await queue.work(job, async () => run());
  return job;
}

test('a connection that is lost again while it is being made anew has one successor', async () => {
  const attempts = 4;
  proxy.endWhoSends('listen ', attempts);
  await observer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'docloom queue presence'`,
  );
  await expect.poll(() => proxy.remaining(), patient).toBe(0);
  await expect.poll(listeners, patient).toBe(1);
  // Had there been others, they would have been there before it.
  let ran = 0;
  const job = await workOn('test.once', () => void ran++);
  await queue.enqueue(store.db, job, {});
  await expect.poll(() => ran, patient).toBe(1);
  expect(await listeners()).toBe(1);
});

test('connections that nothing arrives on are replaced, and what waited on them fails', async () => {
  let ran = 0;
  const job = await workOn('test.later', () => void ran++);
  const client = await store.pool.connect();
  proxy.dropAll();
  await expect(client.query('select 1')).rejects.toThrow(/Connection terminated/);
  client.release();
  await queue.enqueue(store.db, job, {});
  await expect.poll(() => ran, patient).toBe(1);
  expect(await store.health()).toMatchObject({ ok: true });
});
