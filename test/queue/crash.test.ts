import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Type } from 'typebox';
import { afterEach, expect, test, vi } from 'vitest';
import { defineJob, openQueue, type Queue } from '../../src/queue/index.ts';
import { reclaimLostJobs } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { calling } from './calling.ts';
import { crashing } from './crashing.ts';

const patientJob = defineJob({
  name: 'test.patient',
  payload: Type.Object({}),
  retryLimit: 40,
  retryDelay: 4,
  retryDelayMax: 100,
  expireInSeconds: 600,
  concurrency: 1,
});

const closers: (() => Promise<unknown>)[] = [];
const children: ChildProcess[] = [];
const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
const patient = { timeout: PATIENCE_MS, interval: 10 };

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const close of closers.splice(0).reverse()) await close();
});

async function openDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  closers.push(() => database.close());
  return database;
}

async function open(database: TestDatabase, log?: (line: string) => void): Promise<Queue> {
  const queue = await openQueue(database.store, log && { log });
  closers.push(() => queue.stop());
  return queue;
}

/** Starts a worker process, and waits until it has claimed the job. */
async function startWorker(url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [new URL('./worker-process.ts', import.meta.url).pathname], {
    env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [text] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  expect(text.toString()).toBe('begun 1\n');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('jobs of a killed process run again, once, as soon as it is started again', async () => {
  const database = await openDatabase();
  const before = await openQueue(database.store);
  await before.enqueue(database.store.db, crashing, { n: 1 });
  await before.enqueue(database.store.db, crashing, { n: 2 });
  await before.stop();
  await kill(await startWorker(database.url));

  const lines: string[] = [];
  const queue = await open(database, (line) => lines.push(line));
  expect(lines).toContain('Jobs of a process that stopped run again.'); // and no heartbeat is waited for
  const ran: [number, number][] = [];
  await queue.work(crashing, async ({ n }, { attempt }) => void ran.push([n, attempt]));
  await vi.waitFor(() => expect(ran).toHaveLength(2), patient);
  expect(ran).toEqual([
    [1, 2],
    [2, 1],
  ]);
});

test('other processes take over when its heartbeats have expired, and not before', async () => {
  const database = await openDatabase();
  const queue = await open(database);
  await queue.enqueue(database.store.db, crashing, { n: 1 });
  const child = await startWorker(database.url);
  await queue.enqueue(database.store.db, crashing, { n: 2 });

  const ran: number[] = [];
  const other = await open(database);
  await other.work(crashing, async ({ n }) => void ran.push(n));
  await kill(child);
  expect(ran).toEqual([]);
  await database.store.pool.query(
    `update jobs set heartbeat_at = heartbeat_at - interval '11 s' where state = 'running'`,
  );
  await vi.waitFor(() => expect(ran).toEqual([1, 2]), patient);
});

testAtLength(
  'the capacity of a rate-limit group that a killed process used is free before its heartbeats have expired',
  async () => {
    const database = await openDatabase();
    const { pool } = database.store;
    const requested: string[] = [];
    const silent = createServer((request) => void requested.push(request.url ?? '')).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closers.push(async () => {
      silent.closeAllConnections();
      silent.close();
    });
    const queue = await open(database);
    await queue.enqueue(database.store.db, calling, { n: 1, host: 'h', who: 'o' });
    const child = spawn(process.execPath, [new URL('./calling-process.ts', import.meta.url).pathname], {
      env: {
        PATH,
        NODE_COMPILE_CACHE,
        NODE_OPTIONS,
        DATABASE_URL: database.url,
        CALL_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.push(child);
    await vi.waitFor(() => expect(requested).toEqual(['/h/1']), patient);

    const silence = `update jobs set heartbeat_at = now() - interval '5 s' where state = 'running'`;
    await pool.query(silence);
    expect(await reclaimLostJobs(pool, { alone: false })).toBe(false);
    await kill(child);
    const ran: number[] = [];
    await queue.work(calling, async ({ n }) => void ran.push(n));
    await pool.query(silence);
    await vi.waitFor(() => expect(ran).toEqual([1]), patient);
  },
);

testAtLength('a job that always crashes its process is reported, fails and frees its key', async () => {
  const database = await openDatabase();
  const before = await openQueue(database.store);
  await before.enqueue(database.store.db, crashing, { n: 1 });
  await before.enqueue(database.store.db, crashing, { n: 2 });
  await before.stop();
  await kill(await startWorker(database.url));
  await kill(await startWorker(database.url));

  const queue = await open(database);
  const ran: string[] = [];
  await queue.work(
    crashing,
    async ({ n }, { exhausted }) => void ran.push(`${n}${exhausted ? ' reported' : ''}`),
  );
  await vi.waitFor(() => expect(ran).toEqual(['1 reported', '2']), patient);
  const [failed] = await queue.failed();
  expect(failed).toMatchObject({ payload: { n: 1 }, attempts: 2 });
  expect(failed?.error).toMatch(/the process that ran it stopped/);
});

testAtLength(
  'a job whose process was killed several times waits a little longer each time, and does not fail',
  async () => {
    const database = await openDatabase();
    const { pool } = database.store;
    const queue = await open(database);
    await queue.enqueue(database.store.db, patientJob, {});
    const pauses = [
      [1, 0],
      [2, 4],
      [3, 8],
      [4, 16],
      [31, 100],
    ];
    for (const [attempt, pause] of pauses) {
      const before = await pool.query('select now()::text as at');
      await pool.query(
        `update jobs set state = 'running', attempt = $1, started_at = now(), heartbeat_at = now() - interval '1 h'
       where name = $2`,
        [attempt, patientJob.name],
      );
      await reclaimLostJobs(pool, { alone: false });
      // However long that took, the pause began meanwhile.
      const { rows } = await pool.query(
        `select state, start_after - make_interval(secs => $2) between $3::timestamptz and now() as "isExact"
         from jobs where name = $1`,
        [patientJob.name, pause, before.rows[0].at],
      );
      expect(rows).toEqual([{ state: 'waiting', isExact: true }]);
    }
  },
);

testAtLength('a job that takes too long in its last attempt is reported, too', async () => {
  const database = await openDatabase();
  const queue = await open(database);
  const slow = defineJob({
    name: 'test.slow',
    payload: Type.Object({}),
    retryLimit: 0,
    retryDelay: 1,
    retryDelayMax: 1,
    expireInSeconds: 1,
    concurrency: 1,
  });
  const ran: boolean[] = [];
  await queue.work(slow, async (_payload, { exhausted }) => {
    ran.push(exhausted);
    if (!exhausted) await new Promise(() => {});
  });
  await queue.enqueue(database.store.db, slow, {});
  await vi.waitFor(() => expect(ran).toEqual([false, true]), patient);
  await vi.waitFor(async () => expect(await queue.failed()).toMatchObject([{ attempts: 1 }]), patient);
});
