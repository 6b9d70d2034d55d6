import { sql } from 'drizzle-orm';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { defineJob, openQueue, PermanentFailure, Postponed, type Queue } from '../../src/queue/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';

let database: TestDatabase;
let queue: Queue;
const others: Queue[] = [];
let kinds = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database.store);
});

afterEach(async () => {
  await Promise.all(others.splice(0).map((other) => other.stop()));
});

afterAll(async () => {
  await queue.stop();
  await database.close();
});

/** Each test has a kind of job of its own. */
function define(changes: { retryLimit?: number; concurrency?: number; keyed?: boolean } = {}) {
  return defineJob({
    name: `test.kind-${++kinds}`,
    payload: Type.Object({ key: Type.String(), n: Type.Integer() }),
    retryLimit: changes.retryLimit ?? 3,
    retryDelay: 1,
    retryDelayMax: 1,
    expireInSeconds: 60,
    concurrency: changes.concurrency ?? 4,
    ...(changes.keyed && { key: (payload: { key: string }) => payload.key }),
  });
}

const patient = { timeout: PATIENCE_MS, interval: 10 };

/** How often a process looks for jobs of which it was not told, in ms. */
const POLL_MS = 2_000;

test('a job runs as soon as its transaction is committed, rather than with the next look for jobs', async () => {
  const job = define();
  const started: number[] = [];
  await queue.work(job, async () => void started.push(performance.now()));
  const waits: number[] = [];
  for (let n = 0; n < 5; n++) {
    await queue.enqueue(database.store.db, job, { key: 'a', n });
    const committed = performance.now();
    await vi.waitFor(() => expect(started).toHaveLength(n + 1), patient);
    waits.push((started[n] as number) - committed);
  }
  expect(waits.sort((a, b) => a - b)[2]).toBeLessThan(POLL_MS / 2);
});

test('a job of a transaction that is rolled back never existed', async () => {
  const job = define();
  const ran: number[] = [];
  await queue.work(job, async ({ n }) => void ran.push(n));
  const failing = database.store.db.transaction(async (tx) => {
    await queue.enqueue(tx, job, { key: 'a', n: 1 });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await queue.enqueue(database.store.db, job, { key: 'a', n: 2 });
  await vi.waitFor(() => expect(ran).toEqual([2]), patient);
  // Its completion is recorded a moment after it ran.
  await vi.waitFor(
    async () => expect(await countOf(job.name)).toEqual({ name: job.name, waiting: 0, active: 0, failed: 0 }),
    patient,
  );
});

test('jobs of one key run one at a time in their order, those of different keys concurrently, over two processes', async () => {
  const job = define({ keyed: true, concurrency: 3 });
  const other = await openQueue(database.store);
  others.push(other);
  const keys = ['a', 'b', 'c', 'd'];
  const ran: Record<string, number[]> = { a: [], b: [], c: [], d: [] };
  const running = new Map<string, number>();
  let together = 0;
  for (const worker of [queue, other]) {
    await worker.work(job, async ({ key, n }) => {
      running.set(key, (running.get(key) ?? 0) + 1);
      expect(running.get(key)).toBe(1);
      together = Math.max(together, [...running.values()].filter((count) => count > 0).length);
      await new Promise((resolve) => setImmediate(resolve));
      running.set(key, (running.get(key) ?? 0) - 1);
      ran[key]?.push(n);
    });
  }
  const numbers = Array.from({ length: 15 }, (_, n) => n);
  await database.store.db.transaction(async (tx) => {
    for (const n of numbers) for (const key of keys) await queue.enqueue(tx, job, { key, n });
  });
  await vi.waitFor(() => expect(Object.values(ran).flat()).toHaveLength(60), patient);
  expect(ran).toEqual(Object.fromEntries(keys.map((key) => [key, numbers])));
  expect(together).toBeGreaterThan(1);
});

test('a postponed job loses no attempt, shows why it waits, and runs again when it is due', async () => {
  const job = define({ keyed: true, retryLimit: 0 });
  const ran: string[] = [];
  let until = 0;
  let isEarly = false;
  await queue.work(job, async ({ n }, { lastAttempt }) => {
    ran.push(`${n}${lastAttempt ? ', the last' : ''}`);
    if (ran.length === 1) {
      until = Date.now() + 600;
      throw new Error('Wrapped.', { cause: new Postponed(new Date(until), 'The hour is used up.') });
    }
    isEarly ||= Date.now() < until;
  });
  await queue.enqueue(database.store.db, job, { key: 'a', n: 1 });
  await queue.enqueue(database.store.db, job, { key: 'a', n: 2 });
  await vi.waitFor(() => expect(ran).toHaveLength(3), patient);
  expect(ran).toEqual(['1, the last', '1, the last', '2, the last']);
  expect(isEarly).toBe(false);
  await vi.waitFor(
    async () => expect(await countOf(job.name)).toEqual({ name: job.name, waiting: 0, active: 0, failed: 0 }),
    patient,
  );
});

test('a failed job delays its key while it waits for a retry, and not after its last attempt', async () => {
  const job = define({ keyed: true, retryLimit: 1 });
  const ran: string[] = [];
  await queue.work(job, async ({ key, n }, { attempt, lastAttempt }) => {
    ran.push(`${key}${n} try ${attempt}${lastAttempt ? ', the last' : ''}`);
    if (n === 1) throw new Error(`no luck with ${n}`);
  });
  await database.store.db.transaction(async (tx) => {
    await queue.enqueue(tx, job, { key: 'a', n: 1 });
    await queue.enqueue(tx, job, { key: 'a', n: 2 });
    await queue.enqueue(tx, job, { key: 'b', n: 3 });
  });
  await vi.waitFor(() => expect(ran).toHaveLength(4), patient);
  expect(ran.filter((line) => line.startsWith('a'))).toEqual(['a1 try 1', 'a1 try 2, the last', 'a2 try 1']);

  const [failed, ...more] = await queue.failed({ name: job.name });
  expect(more).toEqual([]);
  expect(failed).toMatchObject({
    name: job.name,
    payload: { key: 'a', n: 1 },
    attempts: 2,
    error: 'no luck with 1',
  });
  expect(Date.now() - (failed?.failedAt.getTime() ?? 0)).toBeLessThan(60_000);
});

test('a permanent failure fails a job at once, and a person can retry it', async () => {
  const job = define({ keyed: true });
  let broken = true;
  const attempts: number[] = [];
  await queue.work(job, async (_, { attempt }) => {
    attempts.push(attempt);
    if (broken) throw new PermanentFailure('the repository is gone');
  });
  await queue.enqueue(database.store.db, job, { key: 'a', n: 1 });
  await vi.waitFor(async () => expect(await queue.failed({ name: job.name })).toHaveLength(1), patient);
  broken = false;
  const [failed] = await queue.failed({ name: job.name });
  expect(failed).toMatchObject({ attempts: 1, error: 'the repository is gone' });
  expect(await queue.retry(failed?.id as string)).toBe(true);
  await vi.waitFor(() => expect(attempts).toEqual([1, 1]), patient);
  await vi.waitFor(
    async () => expect(await countOf(job.name)).toMatchObject({ waiting: 0, active: 0 }),
    patient,
  );
  expect(await queue.failed({ name: job.name })).toEqual([]);
  expect(await queue.retry(failed?.id as string)).toBe(false);
  expect(await queue.retry('not an id')).toBe(false);
});

describe('payloads', () => {
  test('of the wrong shape are refused, with the field and without the value', async () => {
    const job = define();
    const adding = queue.enqueue(database.store.db, job, { key: 'a', n: 'secret' } as never);
    await expect(adding).rejects.toThrow(
      `The payload of a ${job.name} job is wrong: its field /n must be integer.`,
    );
  });

  test('that an older version stored fail the job', async () => {
    const job = define();
    await queue.enqueue(database.store.db, job, { key: 'a', n: 1 });
    await database.store.db.execute(sql`update jobs set payload = '{}' where name = ${job.name}`);
    await queue.work(job, async () => expect.unreachable());
    await vi.waitFor(async () => expect(await queue.failed({ name: job.name })).toHaveLength(1), patient);
  });
});

test('a job that is already waiting starts after the transaction that relies on it', async () => {
  const job = define({ keyed: true });
  const { db } = database.store;
  await queue.enqueue(db, job, { key: 'relied on', n: 1 });
  const ran: string[] = [];
  await db.transaction(async (tx) => {
    await queue.enqueue(tx, job, { key: 'relied on', n: 2 }, { unlessWaiting: true });
    await queue.work(job, async ({ key, n }) => void ran.push(`${key} ${n}`));
    await queue.enqueue(db, job, { key: 'other', n: 1 });
    await vi.waitFor(() => expect(ran).toContain('other 1'), patient);
    expect(ran).toEqual(['other 1']);
  });
  await vi.waitFor(() => expect(ran).toEqual(['other 1', 'relied on 1']), patient);
});

test('a job with a start time waits for it', async () => {
  const job = define();
  let ranAt = 0;
  await queue.work(job, async () => {
    ranAt = Date.now();
  });
  const begun = Date.now();
  await queue.enqueue(database.store.db, job, { key: 'a', n: 1 }, { startAfter: 1 });
  await vi.waitFor(() => expect(ranAt).toBeGreaterThan(0), patient);
  expect(ranAt - begun).toBeGreaterThanOrEqual(1000);
});

test('a queue that stops waits for its jobs, and hands back the unfinished ones with all their attempts', async () => {
  const job = define({ retryLimit: 0 });
  const ended: number[] = [];
  const first = Promise.withResolvers<void>();
  /** A queue with a running job. */
  const openRunning = async (n: number) => {
    const leaving = await openQueue(database.store);
    const begun = Promise.withResolvers<void>();
    await leaving.work(job, async (_, { signal }) => {
      begun.resolve();
      if (n === 1) await first.promise;
      else await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      ended.push(n);
    });
    await leaving.enqueue(database.store.db, job, { key: 'a', n });
    await begun.promise;
    return leaving;
  };
  const stopping = (await openRunning(1)).stop({ graceMs: PATIENCE_MS });
  first.resolve();
  await stopping;
  await (await openRunning(2)).stop({ graceMs: 10 });
  expect(ended).toEqual([1]);

  const again: number[] = [];
  await queue.work(job, async ({ n }) => void again.push(n));
  await vi.waitFor(() => expect(again).toEqual([2]), patient);
  await vi.waitFor(
    async () => expect(await countOf(job.name)).toMatchObject({ waiting: 0, active: 0 }),
    patient,
  );
  expect(await queue.failed({ name: job.name })).toEqual([]);
});

async function countOf(name: string) {
  return (await queue.counts()).find((counts) => counts.name === name);
}

test('a job that was taken over is aborted where it ran, and what comes of it there counts for nothing', async () => {
  // The first process has no room for it while it runs there, so it is the second one that takes it over.
  const job = define({ keyed: true, concurrency: 1 });
  const name = job.name;
  const first = await openQueue(database.store);
  others.push(first);
  const begun = Promise.withResolvers<AbortSignal>();
  const late = Promise.withResolvers<void>();
  const runs: string[] = [];
  await first.work(job, async (_payload, { signal, attempt }) => {
    runs.push(`first, attempt ${attempt}`);
    begun.resolve(signal);
    await late.promise;
  });
  await first.enqueue(database.store.db, job, { key: 'a', n: 1 });
  const signal = await begun.promise;

  const release = Promise.withResolvers<void>();
  await queue.work(job, async (_payload, { attempt }) => {
    runs.push(`second, attempt ${attempt}`);
    await release.promise;
  });
  // As if the first process had been silent for long, and is heard of again.
  await vi.waitFor(async () => {
    await database.store.db.execute(
      sql`update jobs set heartbeat_at = now() - interval '1 minute' where name = ${name} and attempt = 1`,
    );
    expect(runs).toEqual(['first, attempt 1', 'second, attempt 2']);
  }, patient);
  await vi.waitFor(() => expect(signal.aborted).toBe(true), patient);
  expect(String(signal.reason)).toContain('Another process has taken over this job');
  late.resolve();
  await first.stop();
  expect(await countOf(name)).toMatchObject({ waiting: 0, active: 1, failed: 0 });
  release.resolve();
  await vi.waitFor(async () => expect(await countOf(name)).toMatchObject({ waiting: 0, active: 0 }), patient);
});

test('a job that its own process takes over is aborted before it runs there again', async () => {
  const job = define({ keyed: true });
  const signals: AbortSignal[] = [];
  const seen: boolean[] = [];
  await queue.work(job, async (_payload, { signal }) => {
    signals.push(signal);
    if (signals.length === 1) await new Promise(() => {});
    seen.push(...signals.map(({ aborted }) => aborted));
  });
  await queue.enqueue(database.store.db, job, { key: 'a', n: 1 });
  // As if the process had stood still for long.
  await vi.waitFor(async () => {
    await database.store.db.execute(
      sql`update jobs set heartbeat_at = now() - interval '1 minute' where name = ${job.name} and attempt = 1`,
    );
    expect(seen).toEqual([true, false]);
  }, patient);
  await vi.waitFor(
    async () => expect(await countOf(job.name)).toMatchObject({ waiting: 0, active: 0 }),
    patient,
  );
});

testAtLength('a job that is handed back is aborted before another process begins with it', async () => {
  const job = define();
  const first = await openQueue(database.store);
  others.push(first);
  const begun = Promise.withResolvers<AbortSignal>();
  await first.work(job, async (_payload, { signal }) => {
    begun.resolve(signal);
    await new Promise(() => {});
  });
  await first.enqueue(database.store.db, job, { key: 'a', n: 1 });
  const signal = await begun.promise;
  const seen: boolean[] = [];
  await queue.work(job, async () => void seen.push(signal.aborted));
  await first.stop({ graceMs: 0 });
  await vi.waitFor(() => expect(seen).toEqual([true]), patient);
});

test('work on a kind of jobs stops, hands back running jobs, and starts again; waiting jobs can be discarded', async () => {
  const [job, beside] = [define({ keyed: true }), define()];
  const ran: string[] = [];
  const held = Promise.withResolvers<void>();
  const hold = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<void>((_resolve, reject) => {
      held.resolve();
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  await queue.work(job, hold);
  await queue.work(beside, async ({ n }) => void ran.push(`beside ${n}`));
  await queue.enqueue(database.store.db, job, { key: 'a', n: 1 });
  await queue.enqueue(database.store.db, job, { key: 'a', n: 2 });
  await held.promise;
  await queue.stopWork([job], { graceMs: 10 });
  expect(await countOf(job.name)).toEqual({ name: job.name, waiting: 2, active: 0, failed: 0 });
  await queue.enqueue(database.store.db, beside, { key: 'b', n: 1 });
  await vi.waitFor(() => expect(ran).toEqual(['beside 1']), patient);
  await queue.work(job, async ({ n }, { attempt, lastAttempt }) => {
    ran.push(`again ${n}, try ${attempt}${lastAttempt ? ', the last' : ''}`);
  });
  // Another worker may have claimed it in the meantime, and handed it back at once.
  const again = ['beside 1', expect.stringMatching(/^again 1, try [23]$/), 'again 2, try 1'];
  await vi.waitFor(() => expect(ran).toEqual(again), patient);
  await queue.stopWork([job]);
  await queue.enqueue(database.store.db, job, { key: 'a', n: 3 });
  await database.store.db.transaction((tx) => queue.discard(tx, [job]));
  expect(await countOf(job.name)).toEqual({ name: job.name, waiting: 0, active: 0, failed: 0 });
});
