/** Rate-limited calls, counted in the database, by the test's clock. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallRate, claimCall, countCalls } from '../../src/store/call-windows.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const RATE: CallRate = { count: 75, ms: 60_000 };
const START = Date.parse('2030-01-01T12:00:00Z');

/** The highest number of moments in any window of the rate's length. */
function mostInAWindow(moments: readonly number[]): number {
  return Math.max(
    ...moments.map((from) => moments.filter((moment) => moment >= from && moment < from + RATE.ms).length),
  );
}

it('two processes together never start more calls than the rate allows, and wait no longer than necessary', async () => {
  const { db } = database.store;
  const began: number[] = [];
  let at = START;
  // Both claim a call at the same moment, repeatedly, until 200 were made.
  while (began.length < 200) {
    const waits = await Promise.all([1, 2].map(() => claimCall(db, 'both', RATE, new Date(at))));
    for (const wait of waits) if (wait === 0) began.push(at);
    at += Math.max(50, Math.min(...waits));
  }
  expect(mostInAWindow(began)).toBe(75);
  // 75 at once, 75 a minute later, and the rest a minute after that.
  expect(at - START).toBeLessThan(2 * RATE.ms + 5_000);
});

it('of many concurrent claims of the only free call, one succeeds', async () => {
  const { db } = database.store;
  const rate = { count: 1, ms: 1_000 };
  for (let round = 0; round < 20; round++) {
    const at = new Date(START + round * rate.ms);
    const waits = await Promise.all(Array.from({ length: 6 }, () => claimCall(db, 'contested', rate, at)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(1);
  }
});

it('calls that started within a time are counted by key', async () => {
  const { db } = database.store;
  for (const key of ['counted:1:x', 'counted:1:x', 'counted:2:x', 'counted:2:y'])
    await claimCall(db, key, RATE);
  await claimCall(db, 'counted:2:x', RATE, new Date(Date.now() - 2 * RATE.ms));
  expect(await countCalls(db, 'counted:%:x', RATE.ms)).toEqual([
    { key: 'counted:1:x', count: 2 },
    { key: 'counted:2:x', count: 1 },
  ]);
});

it('keys do not share a rate, and old calls do not count', async () => {
  const { db } = database.store;
  const rate = { count: 1, ms: 1_000 };
  const take = (key: string, ms: number) => claimCall(db, key, rate, new Date(START + ms));
  expect(await take('one', 0)).toBe(0);
  expect(await take('other', 0)).toBe(0);
  expect(await take('one', 400)).toBe(600);
  expect(await take('one', 1_000)).toBe(0);
});
