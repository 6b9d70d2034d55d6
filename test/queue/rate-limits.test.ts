import { sql } from 'drizzle-orm';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  defineJob,
  openQueue,
  PauseRequested,
  type Queue,
  type SharedLimits,
} from '../../src/queue/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';

let database: TestDatabase;
const queues: Queue[] = [];
let kinds = 0;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
});

afterAll(() => database.close());

async function open(): Promise<Queue> {
  const queue = await openQueue(database.store);
  queues.push(queue);
  return queue;
}

const patient = { timeout: PATIENCE_MS, interval: 5 };

/** Each test has a kind of job and rate-limit groups of its own. */
function define(
  limits: SharedLimits,
  changes: { concurrency?: number; keyed?: boolean; retryDelay?: number } = {},
) {
  const kind = ++kinds;
  return defineJob({
    name: `test.limited-${kind}`,
    payload: Type.Object({ n: Type.Integer(), who: Type.String(), where: Type.Optional(Type.String()) }),
    retryLimit: 3,
    retryDelay: changes.retryDelay ?? 1,
    retryDelayMax: changes.retryDelay ?? 1,
    expireInSeconds: 60,
    concurrency: changes.concurrency ?? 50,
    rateLimit: ({ who, where = 'a' }) => ({ key: `host:${where}-${kind}`, share: who, limits }),
    ...(changes.keyed && { key: ({ where }: { where?: string }) => where ?? 'a' }),
  });
}

/** The highest number of moments in any window of this length. */
function mostWithin(moments: readonly number[], ms: number): number {
  const sorted = moments.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + ms).length));
}

test('no window contains more starts than the rate allows, and no more run at once, over two processes', async () => {
  const job = define({ concurrency: 3, rates: [{ count: 10, ms: 300 }] });
  const starts: number[] = [];
  const ran: number[] = [];
  let running = 0;
  let most = 0;
  for (const queue of [await open(), await open()]) {
    await queue.work(job, async ({ n }) => {
      starts.push(performance.now());
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      ran.push(n);
    });
  }
  await database.store.db.transaction(async (tx) => {
    for (let n = 0; n < 40; n++) await queues[0]?.enqueue(tx, job, { n, who: 'one' });
  });
  await vi.waitFor(() => expect(ran).toHaveLength(40), patient);
  expect(mostWithin(starts, 300)).toBeLessThanOrEqual(10);
  expect(most).toBeLessThanOrEqual(3);
  expect(new Set(ran).size).toBe(40);
});

test('the shares of a group take turns, however many jobs each has', async () => {
  const job = define({ concurrency: 1 });
  const queue = await open();
  await database.store.db.transaction(async (tx) => {
    for (let n = 0; n < 20; n++) await queue.enqueue(tx, job, { n, who: 'large' });
    for (let n = 0; n < 3; n++) await queue.enqueue(tx, job, { n, who: 'small' });
  });
  const order: string[] = [];
  await queue.work(job, async ({ who }) => void order.push(who));
  await vi.waitFor(() => expect(order).toHaveLength(23), patient);
  expect(order.slice(0, 6).filter((who) => who === 'small')).toHaveLength(3);
});

test('what a person waits for goes before schedules', async () => {
  const job = define({ concurrency: 1 });
  const queue = await open();
  await database.store.db.transaction(async (tx) => {
    for (let n = 0; n < 3; n++) await queue.enqueue(tx, job, { n, who: 'one' });
    await queue.enqueue(tx, job, { n: 9, who: 'one' }, { priority: 10 });
  });
  const order: number[] = [];
  await queue.work(job, async ({ n }) => void order.push(n));
  await vi.waitFor(() => expect(order).toEqual([9, 0, 1, 2]), patient);
});

test('a full group delays only its own jobs', async () => {
  const job = define({ concurrency: 1 });
  const queue = await open();
  const ran: string[] = [];
  const gate = Promise.withResolvers<void>();
  await queue.work(job, async ({ n, where = 'a' }) => {
    if (where === 'slow') await gate.promise;
    ran.push(`${where}${n}`);
  });
  await database.store.db.transaction(async (tx) => {
    for (let n = 0; n < 3; n++) await queue.enqueue(tx, job, { n, who: 'one', where: 'slow' });
    for (let n = 0; n < 3; n++) await queue.enqueue(tx, job, { n, who: 'one', where: 'quick' });
  });
  await vi.waitFor(() => expect(ran).toEqual(['quick0', 'quick1', 'quick2']), patient);
  const [state] = (await queue.rateLimits()).filter(({ key }) => key.startsWith('host:slow'));
  expect(state).toMatchObject({ waiting: 2, running: 1, concurrency: 1, rates: [], pausedUntil: null });
  gate.resolve();
  await vi.waitFor(() => expect(ran).toHaveLength(6), patient);
});

test('jobs of one key run one at a time in their order, though the group has room', async () => {
  const job = define({ concurrency: 5 }, { keyed: true });
  const queue = await open();
  const running = { a: 0, b: 0 };
  const order: number[] = [];
  await queue.work(job, async ({ n, where = 'a' }) => {
    const key = where as 'a' | 'b';
    expect(++running[key]).toBe(1);
    await new Promise(setImmediate);
    running[key]--;
    order.push(n);
  });
  await database.store.db.transaction(async (tx) => {
    for (let n = 0; n < 10; n++)
      await queue.enqueue(tx, job, { n, who: 'one', where: n % 2 === 0 ? 'a' : 'b' });
  });
  await vi.waitFor(() => expect(order).toHaveLength(10), patient);
  expect(order.filter((n) => n % 2 === 0)).toEqual([0, 2, 4, 6, 8]);
});

test('a job that is not due delays no job of its key', async () => {
  const job = define({ concurrency: 5 }, { keyed: true });
  const queue = await open();
  const { db } = database.store;
  await queue.enqueue(db, job, { n: 1, who: 'one' }, { startAfter: 3600 });
  await queue.enqueue(db, job, { n: 2, who: 'one' });
  const ran: number[] = [];
  await queue.work(job, async ({ n }) => void ran.push(n));
  await vi.waitFor(() => expect(ran).toEqual([2]), patient);
});

testAtLength(
  'more groups than one claim considers all get their turn, whatever is not due in others',
  async () => {
    const job = define({ concurrency: 1 }, { concurrency: 20 });
    const queue = await open();
    await database.store.db.transaction(async (tx) => {
      for (let n = 0; n < 240; n++) {
        const later = { startAfter: 3600 };
        await queue.enqueue(tx, job, { n, who: 'one', where: `${n}` }, n % 12 === 0 ? later : {});
      }
    });
    const ran = new Set<number>();
    await queue.work(job, async ({ n }) => void ran.add(n));
    await vi.waitFor(() => expect(ran.size).toBe(220), patient);
    await queue.enqueue(database.store.db, job, { n: 1_001, who: 'one', where: 'last' });
    await vi.waitFor(() => expect(ran).toContain(1_001), patient);
    expect([...ran].filter((n) => n % 12 === 0)).toEqual([]);
  },
);

test('a job that is already waiting is not added again with `unlessWaiting`', async () => {
  const job = define({ concurrency: 1 }, { keyed: true });
  const queue = await open();
  const { db } = database.store;
  for (let n = 0; n < 5; n++) await queue.enqueue(db, job, { n, who: 'one' }, { unlessWaiting: true });
  const ran: number[] = [];
  await queue.work(job, async ({ n }) => void ran.push(n));
  await vi.waitFor(() => expect(ran).toEqual([0]), patient);
});

test('a job that was to start later starts at once when the same is enqueued without a delay', async () => {
  const job = define({ concurrency: 1 }, { keyed: true });
  const queue = await open();
  const { db } = database.store;
  await queue.enqueue(db, job, { n: 0, who: 'one' }, { startAfter: 3_600 });
  await queue.enqueue(db, job, { n: 1, who: 'one' }, { startAfter: 7_200, unlessWaiting: true });
  const ran: number[] = [];
  await queue.work(job, async ({ n }) => void ran.push(n));
  await queue.enqueue(db, job, { n: 2, who: 'one' }, { unlessWaiting: true });
  await vi.waitFor(() => expect(ran).toEqual([0]), patient);
  expect(await queue.counts()).not.toContainEqual(expect.objectContaining({ name: job.name, waiting: 1 }));
});

test('the pause before the next attempt ends early only where a person requests the job', async () => {
  const job = define({ concurrency: 1 }, { keyed: true, retryDelay: 3_600 });
  const queue = await open();
  const { db } = database.store;
  const attempts: number[] = [];
  await queue.work(job, async (_payload, { attempt }) => {
    attempts.push(attempt);
    if (attempt === 1) throw new Error('It does not answer.');
  });
  await queue.enqueue(db, job, { n: 0, who: 'one' });
  const isWaiting = async () => {
    const counts = await queue.counts();
    expect(counts.find(({ name }) => name === job.name)).toMatchObject({ waiting: 1, active: 0 });
  };
  await vi.waitFor(async () => {
    expect(attempts).toEqual([1]);
    await isWaiting();
  }, patient);
  await queue.enqueue(db, job, { n: 1, who: 'one' }, { unlessWaiting: true });
  await isWaiting();
  await queue.enqueue(db, job, { n: 2, who: 'one' }, { unlessWaiting: true, retriesNow: true });
  await vi.waitFor(() => expect(attempts).toEqual([1, 2]), patient);
});

test('a pause that the remote side requests stops the whole group, and the attempt counts', async () => {
  const job = define({ concurrency: 1 });
  const queue = await open();
  let until = 0;
  const starts: { n: number; attempt: number; at: number }[] = [];
  await queue.work(job, async ({ n }, { attempt }) => {
    starts.push({ n, attempt, at: Date.now() });
    if (starts.length === 1) {
      until = Date.now() + 400;
      throw new PauseRequested(new Date(until), 'example.com asked for a pause.');
    }
  });
  await database.store.db.transaction(async (tx) => {
    for (let n = 0; n < 2; n++) await queue.enqueue(tx, job, { n, who: 'one' });
  });
  await vi.waitFor(() => expect(starts).toHaveLength(3), patient);
  expect(starts.map(({ n, attempt }) => `${n}.${attempt}`)).toEqual(['0.1', '0.2', '1.1']);
  expect(starts[1]?.at).toBeGreaterThanOrEqual(until);
});

test('limits can be changed while jobs wait', async () => {
  const job = define({ concurrency: 1, rates: [{ count: 1, ms: 3_600_000 }] });
  const queue = await open();
  const ran: number[] = [];
  await queue.work(job, async ({ n }) => void ran.push(n));
  const { db } = database.store;
  for (let n = 0; n < 3; n++) await queue.enqueue(db, job, { n, who: 'one' });
  await vi.waitFor(() => expect(ran).toEqual([0]), patient);
  await queue.setRateLimit(`host:a-${kinds}`, { concurrency: 1 });
  await vi.waitFor(() => expect(ran).toEqual([0, 1, 2]), patient);
});

test('a job that fails permanently is stored, and its group continues', async () => {
  const job = { ...define({ concurrency: 1 }), retryLimit: 0 };
  const queue = await open();
  const ran: number[] = [];
  await queue.work(job, async ({ n }) => {
    if (n === 0) throw new Error('no such address');
    ran.push(n);
  });
  await database.store.db.transaction(async (tx) => {
    for (let n = 0; n < 2; n++) await queue.enqueue(tx, job, { n, who: 'one' });
  });
  await vi.waitFor(() => expect(ran).toEqual([1]), patient);
  const failed = await queue.failed({ name: job.name });
  expect(failed).toMatchObject([{ error: 'no such address', attempts: 1, payload: { n: 0 } }]);
});

test.each([
  ['0 3 * * *', 'Mars/Olympus', 'The schedule "0 3 * * *" in Mars/Olympus cannot be read: '],
  [
    '0 3 * *',
    'UTC',
    'The schedule "0 3 * *" needs five fields: minute, hour, day of month, month, day of week.',
  ],
  ['61 3 * * *', 'UTC', 'The schedule "61 3 * * *" in UTC cannot be read: '],
])('the schedule %s in %s is refused', async (cron, timeZone, message) => {
  const queue = await open();
  const schedule = queue.schedule(
    define({ concurrency: 1 }),
    { key: 'k', cron, timeZone },
    { n: 1, who: 'o' },
  );
  await expect(schedule).rejects.toThrow(message);
});

test('a schedule is stored once for its key, with its next time', async () => {
  const queue = await open();
  const job = define({ concurrency: 1 });
  await queue.schedule(
    job,
    { key: 'docs/api', cron: '0 3 * * *', timeZone: 'Europe/Berlin' },
    { n: 1, who: 'o' },
  );
  await queue.schedule(
    job,
    { key: 'docs/api', cron: '30 4 * * 1', timeZone: 'Asia/Tokyo' },
    { n: 2, who: 'o' },
  );
  const [kept, ...rest] = await queue.schedules(job);
  expect(rest).toEqual([]);
  expect(kept).toMatchObject({ key: 'docs/api', cron: '30 4 * * 1', timeZone: 'Asia/Tokyo' });
  const tokyo = { timeZone: 'Asia/Tokyo', weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;
  expect(kept?.next.toLocaleString('en-GB', tokyo)).toBe('Mon 04:30');
  await queue.unschedule(job, 'docs/api');
  expect(await queue.schedules(job)).toEqual([]);
});

testAtLength('a schedule whose delay is longer than its interval has one waiting job', async () => {
  const queue = await open();
  const job = define({ concurrency: 1 }, { keyed: true });
  const { db } = database.store;
  await queue.work(job, async () => {});
  await queue.schedule(job, { key: 'dense', cron: '* * * * *', spreadSeconds: 86_400 }, { n: 1, who: 'o' });
  for (let time = 0; time < 2; time++) {
    await db.execute(sql`update job_schedules set next_at = now() where name = ${job.name}`);
    await vi.waitFor(async () => {
      const { rows } = await db.execute(
        sql`select 1 from job_schedules where name = ${job.name} and next_at > now()`,
      );
      expect(rows).toHaveLength(1);
    }, patient);
  }
  const counts = await queue.counts();
  expect(counts.find(({ name }) => name === job.name)).toMatchObject({ waiting: 1, active: 0 });
});
