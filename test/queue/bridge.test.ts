/** How the jobs of 0.1.0, in tables of pg-boss, are migrated, and those that its processes still write there. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { defineJob, openQueue, type Queue } from '../../src/queue/index.ts';
import { openStore, reclaimLostJobs, type Store } from '../../src/store/index.ts';
import { createDatabase, openPool } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const patient = { timeout: PATIENCE_MS, interval: 10 };

const options = {
  payload: Type.Object({ n: Type.Integer() }),
  retryLimit: 3,
  retryDelay: 1,
  retryDelayMax: 1,
  expireInSeconds: 60,
  concurrency: 5,
};
const keyed = defineJob({ ...options, name: 'test.keyed', key: () => 'one' });
const limited = defineJob({
  ...options,
  name: 'test.limited',
  rateLimit: () => ({ key: 'host:a', share: 'org', limits: { concurrency: 1 } }),
});

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Databases of the release before are copies of this one, since migrating takes longer than most tests. */
let blank: Awaited<ReturnType<typeof createDatabase>>;

beforeAll(async () => {
  blank = await createDatabase();
  const migrationsFolder = await mkdtemp(join(tmpdir(), 'docloom-migrations-'));
  await cp(new URL('../../src/store/migrations', import.meta.url), migrationsFolder, { recursive: true });
  const journal = join(migrationsFolder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(journal, 'utf8'));
  await writeFile(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 1) }));
  const pool = openPool(blank.url, { max: 1 });
  await migrate(drizzle(pool), { migrationsFolder });
  await pool.query(await readFile(new URL('./pg-boss.sql', import.meta.url), 'utf8'));
  await pool.end();
  await rm(migrationsFolder, { recursive: true });
});

afterAll(() => blank?.drop());

/** A database as 0.1.0 left it, with what `fill` adds. Its process writes through `old`. */
async function openOld(fill: string): Promise<{ readonly old: pg.Pool; upgrade(): Promise<Store> }> {
  const { url, drop } = await createDatabase(new URL(blank.url).pathname.slice(1));
  closers.push(drop);
  const old = openPool(url, { max: 2 });
  old.on('error', () => {});
  closers.push(() => old.end());
  await old.query(fill);
  const upgrade = async () => {
    const store = await openStore({ dataDir: tmpdir(), databaseUrl: url, poolSize: 4 });
    closers.push(() => store.close());
    return store;
  };
  return { old, upgrade };
}

async function open(store: Store): Promise<Queue> {
  const queue = await openQueue(store);
  closers.push(() => queue.stop());
  return queue;
}

/** A row as 0.1.0 sent it: strict order for the kind with keys, 10 s for a heartbeat. */
const columns = `name, data, policy, singleton_key, retry_limit, retry_delay, retry_delay_max, retry_backoff, expire_seconds, deletion_seconds, heartbeat_seconds`;
const keyedRow = (n: number) =>
  `'test.keyed', '{"n":${n}}', 'key_strict_fifo', 'one', 3, 1, 1, true, 60, 86400, 10`;
const limitedRow = (n: number) =>
  `'test.limited', '{"n":${n}}', 'standard', null, 3, 1, 1, true, 60, 86400, 10`;

const send = (n: number, created = 'now()') =>
  `insert into pgboss.job (${columns}, created_on) values (${keyedRow(n)}, ${created}) returning id`;

const left = async (old: pg.Pool) =>
  (await old.query(`select data->'n' as n, state from pgboss.job order by created_on, id`)).rows;

test('waiting, delayed, retried, failed and expired jobs and schedules are moved with their state', async () => {
  const { old, upgrade } = await openOld(`
    insert into lanes (key, concurrency, rates, fixed, paused_until)
      values ('host:a', 2, '[{"count":5,"ms":60000}]', true, now() + interval '1 hour');
    insert into lane_runs (job_id, attempt, lane, share, process, ended_at)
      values (gen_random_uuid(), 0, 'host:a', 'org', 7, now());
    insert into pgboss.job (${columns}, state, created_on, started_on, retry_count, output, start_after, group_id, group_tier, completed_on) values
      (${keyedRow(1)}, 'retry', now() - interval '9 min', now(), 1, '{"message":"no luck"}', now() + interval '1 h', null, null, null),
      (${keyedRow(2)}, 'created', now() - interval '8 min', null, 0, null, now(), null, null, null),
      (${limitedRow(3)}, 'created', now() - interval '7 min', null, 0, null, now() + interval '2 h', 'host:a', 'org', null),
      (${limitedRow(4)}, 'failed', now() - interval '6 min', now(), 3, null, now(), 'host:a', 'org', now()),
      (${limitedRow(5)}, 'completed', now() - interval '5 min', now(), 0, null, now(), 'host:a', 'org', now());
    insert into pgboss.job (name, data, state, started_on, retry_count, retry_limit, deletion_seconds, completed_on, output, policy, singleton_key, created_on)
      values ('test.keyed', '{"n":6}', 'failed', now(), 3, 3, 7776000, now(), '{"value":{"message":"gone"}}', 'standard', 'one', now());
    insert into pgboss.job (name, data, state) values ('__pgboss__send-it', '{}', 'created');
    insert into pgboss.version values (40, now() - interval '3 days');
    insert into pgboss.schedule (name, key, cron, timezone, data, options) values
      ('test.limited', 'daily', '0 3 * * *', 'Europe/Berlin', '{"n":8}', '{"startAfter":90,"missed":"once"}'),
      ('test.limited', 'yearly', '0 3 1 1 *', 'UTC', '{"n":9}', '{"startAfter":0,"missed":"once"}')`);
  const store = await upgrade();
  const { rows } = await store.pool.query(`
    select payload->'n' as n, state, attempt, attempt_limit, error, key, rate_limit, share,
      (extract(epoch from start_after - now()) / 60)::int as minutes from jobs order by created_at`);
  const row = {
    attempt: 0,
    attempt_limit: 4,
    error: null,
    key: null,
    rate_limit: null,
    share: null,
    minutes: 0,
  };
  expect(rows).toEqual([
    { ...row, n: 1, state: 'waiting', attempt: 2, error: 'no luck', key: 'one', minutes: 60 },
    { ...row, n: 2, state: 'waiting', key: 'one' },
    { ...row, n: 3, state: 'waiting', rate_limit: 'host:a', share: 'org', minutes: 120 },
    // It took too long in its last attempt: its closing run is due.
    { ...row, n: 4, state: 'waiting', attempt: 4, rate_limit: 'host:a', share: 'org' },
    { ...row, n: 6, state: 'failed', attempt: 4, error: 'gone', key: 'one' },
  ]);
  expect(await left(old)).toEqual([
    { n: 5, state: 'completed' },
    { n: null, state: 'created' },
  ]);

  const queue = await open(store);
  expect(await queue.failed()).toMatchObject([{ payload: { n: 6 }, attempts: 4, error: 'gone' }]);
  expect(await queue.rateLimits()).toMatchObject([
    {
      key: 'host:a',
      concurrency: 2,
      rates: [{ count: 5, ms: 60_000 }],
      waiting: 2,
      pausedUntil: expect.any(Date),
    },
  ]);
  expect((await store.pool.query('select share from rate_limited_runs')).rows).toEqual([{ share: 'org' }]);
  expect(await queue.schedules(limited)).toMatchObject([
    { key: 'daily', cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
    { key: 'yearly', cron: '0 3 1 1 *', timeZone: 'UTC' },
  ]);
  // The daily schedule was due three times since pg-boss last checked, and is made up for once.
  await queue.work(limited, async () => {});
  await vi.waitFor(async () => {
    const due = await store.pool.query(`select payload->'n' as n from jobs where payload->'n' > '7'`);
    expect(due.rows).toEqual([{ n: 8 }]);
  }, patient);
});

test('a process of 0.1.0 that enqueues a rate-limited job meanwhile completes that before the tables are migrated', async () => {
  const { old, upgrade } = await openOld('select 1');
  const client = await old.connect();
  // It writes to the group first, and then the job.
  await client.query(`begin; insert into lanes (key, concurrency, rates) values ('host:a', 1, '[]')`);
  const upgrading = upgrade();
  upgrading.catch(() => {}); // asserted below
  await vi.waitFor(async () => {
    const waiting = `select from pg_locks where not granted and locktype = 'relation'
      and database = (select oid from pg_database where datname = current_database())`;
    expect((await client.query(waiting)).rowCount).toBe(1);
  }, patient);
  await client.query(`set local deadlock_timeout = '10ms'`);
  await client.query(
    `insert into pgboss.job (${columns}, group_id, group_tier) values (${limitedRow(1)}, 'host:a', 'org')`,
  );
  await client.query('commit');
  client.release();
  const { pool } = await upgrading;
  const { rows } = await pool.query(`select payload->'n' as n, rate_limit from jobs`);
  expect(rows).toEqual([{ n: 1, rate_limit: 'host:a' }]);
  expect((await pool.query('select key from rate_limits')).rows).toEqual([{ key: 'host:a' }]);
});

testAtLength(
  'jobs that a process of 0.1.0 enqueues run here, in one order with those enqueued here',
  async () => {
    const { old, upgrade } = await openOld(send(1, `now() - interval '1 min'`));
    const store = await upgrade();
    const queue = await open(store);
    const { rows } = await old.query(send(2));
    expect(rows).toHaveLength(1); // pg-boss needs the id
    await queue.enqueue(store.db, keyed, { n: 3 });
    await old.query(send(4));
    expect(await left(old)).toEqual([]);
    const ran: number[] = [];
    await queue.work(keyed, async ({ n }) => void ran.push(n));
    await vi.waitFor(() => expect(ran).toEqual([1, 2, 3, 4]), patient);
    // It is notified, too, and a transaction that is rolled back leaves nothing.
    await old.query(`begin; ${send(5)}; rollback`);
    await old.query(send(6));
    await vi.waitFor(() => expect(ran).toEqual([1, 2, 3, 4, 6]), patient);
  },
);

/** A database with a job that a process of 0.1.0 runs, and a later one of its key. */
async function openRunning() {
  const { old, upgrade } = await openOld(`
    insert into pgboss.job (${columns}, state, created_on, started_on, heartbeat_on)
      values (${keyedRow(1)}, 'active', now() - interval '1 min', now(), now());
    ${send(2)}`);
  // Another process is present, like that of 0.1.0.
  const client = await old.connect();
  closers.push(async () => client.release(true));
  await client.query(`select pg_advisory_lock_shared(${0x71756575})`);
  const store = await upgrade();
  const queue = await open(store);
  const ran: string[] = [];
  await queue.work(keyed, async ({ n }, { attempt }) => void ran.push(`${n}.${attempt}`));
  return { old, store, queue, ran };
}

test('a job that a process of 0.1.0 runs holds back its key until it is completed there', async () => {
  const { old, store, queue, ran } = await openRunning();
  await old.query(`update pgboss.job set heartbeat_on = now() where state = 'active'`);
  expect(await reclaimLostJobs(store.pool, { alone: false })).toBe(false);
  expect(await queue.counts()).toEqual([{ name: 'test.keyed', waiting: 1, active: 1, failed: 0 }]);
  expect(ran).toEqual([]);
  await old.query(`update pgboss.job set state = 'completed', completed_on = now() where state = 'active'`);
  await vi.waitFor(() => expect(ran).toEqual(['2.1']), patient);
  await vi.waitFor(
    async () =>
      expect(await queue.counts()).toEqual([{ name: 'test.keyed', waiting: 0, active: 0, failed: 0 }]),
    patient,
  );
});

testAtLength(
  'a job that fails in a process of 0.1.0 is retried here, before the later ones of its key',
  async () => {
    const { old, ran } = await openRunning();
    // As pg-boss writes it: the row is deleted and inserted again.
    await old.query(`
    with gone as (delete from pgboss.job where state = 'active' returning *)
    insert into pgboss.job (${columns}, id, state, created_on, started_on, output, start_after)
      select ${columns}, id, 'retry', created_on, started_on, '{"message":"no luck"}', now() from gone`);
    await vi.waitFor(() => expect(ran).toEqual(['1.2', '2.1']), patient);
    expect(await left(old)).toEqual([]);
  },
);

testAtLength(
  'a job of a killed process of 0.1.0 runs here, and a later result of that process changes nothing',
  async () => {
    const { old, store, ran } = await openRunning();
    await store.pool.query(`update jobs set heartbeat_at = now() - interval '11 s' where state = 'running'`);
    await vi.waitFor(() => expect(ran).toEqual(['1.2', '2.1']), patient);
    expect(await left(old)).toEqual([]);
  },
);

test('a schedule that a process of 0.1.0 sets is set here, and setting it again does not change its times', async () => {
  const { old, upgrade } = await openOld('select 1');
  const store = await upgrade();
  const set = (cron: string) =>
    old.query(`insert into pgboss.schedule (name, key, cron, timezone, data, options)
      values ('test.limited', 'a', '${cron}', 'UTC', '{"n":1}', '{"startAfter":5}')
      on conflict (name, key) do update set cron = excluded.cron`);
  const read = async () =>
    (await store.pool.query('select cron, delay_seconds, next_at from job_schedules')).rows;
  await set('0 3 * * *');
  expect(await read()).toEqual([{ cron: '0 3 * * *', delay_seconds: 5, next_at: null }]);
  const next = new Date('2030-01-01T03:00:00Z');
  await store.pool.query('update job_schedules set next_at = $1', [next]);
  await set('0 3 * * *');
  expect(await read()).toEqual([{ cron: '0 3 * * *', delay_seconds: 5, next_at: next }]);
  await set('0 4 * * *');
  expect(await read()).toEqual([{ cron: '0 4 * * *', delay_seconds: 5, next_at: null }]);
  expect((await old.query('select from pgboss.schedule')).rowCount).toBe(0);
});

testAtLength('a pause that is requested from a process of 0.1.0 applies here', async () => {
  const { old, upgrade } = await openOld(
    `insert into lanes (key, concurrency, rates) values ('host:a', 1, '[]')`,
  );
  const store = await upgrade();
  const queue = await open(store);
  await old.query(`update lanes set paused_until = now() + interval '1 h' where key = 'host:a'`);
  expect(await queue.rateLimits()).toMatchObject([{ key: 'host:a', pausedUntil: expect.any(Date) }]);
});

test('nothing but the bridge names the tables of pg-boss', async () => {
  const { execFileSync } = await import('node:child_process');
  const named = execFileSync('grep', ['-rl', 'pgboss', 'src'], { encoding: 'utf8' }).trim().split('\n');
  expect(named).toEqual(['src/store/migrations/0002_jobs.sql']);
});
