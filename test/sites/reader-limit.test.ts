/** How much one reader may do, counted for all processes in the database. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReaderLimit } from '../../src/sites/reader-limit.ts';
import { tables } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

it('counts what a reader does in two processes together, each thing for itself', async () => {
  const { db } = database.store;
  const [first, second] = [1, 2].map(() => new ReaderLimit(db, 'questions', 3));
  const taken = await Promise.all(
    [first, second, first, second, first].map((limit) => limit?.take('203.0.113.7')),
  );
  expect(taken.filter(Boolean)).toHaveLength(3);
  expect(await second?.take('203.0.113.7')).toBe(false);
  expect(await second?.take('203.0.113.8')).toBe(true);
  expect(await new ReaderLimit(db, 'feedback', 3).take('203.0.113.7')).toBe(true);
});

it('takes a customer’s whole network of IPv6 for one reader', async () => {
  const limit = new ReaderLimit(database.store.db, 'searches', 1);
  expect(await limit.take('2001:db8:1:2::1')).toBe(true);
  expect(await limit.take('2001:db8:1:2:ffff::9')).toBe(false);
  expect(await limit.take('2001:db8:1:3::1')).toBe(true);
});

it('stores nobody’s address', async () => {
  const rows = await database.store.db.select({ key: tables.callWindows.key }).from(tables.callWindows);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|2001/);
});
