import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { tables } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

const rowsOf = ({ store }: TestDatabase) => store.db.select().from(tables.organizations);
const addRow = ({ store }: TestDatabase) =>
  store.db.insert(tables.organizations).values({ id: 'a', title: 'A' });

test('every test database is migrated and on its own', async () => {
  const testDatabase = await openTestDatabase();
  const two = await openTestDatabase();
  await addRow(testDatabase);
  expect(await rowsOf(testDatabase)).toHaveLength(1);
  expect(await rowsOf(two)).toHaveLength(0);
  await testDatabase.close();
  await two.close();
});

test('a database that was used is empty for the next test, and closed for the one before', async () => {
  const first = await openTestDatabase();
  await addRow(first);
  await first.store.db.execute(sql`select nextval('git_operations_sequence_seq')`);
  await first.close();
  const next = await openTestDatabase();
  expect(next.url).toBe(first.url);
  expect(await rowsOf(next)).toEqual([]);
  const { rows } = await next.store.db.execute(
    sql`select nextval('git_operations_sequence_seq')::int as next`,
  );
  expect(rows).toEqual([{ next: 1 }]);
  await expect(rowsOf(first)).rejects.toMatchObject({ cause: { message: /has ended/ } });
  await next.close();
});

test.each([
  [
    'another column',
    (one: TestDatabase) => one.store.db.execute(sql`alter table spaces add column more text`),
  ],
  [
    'another default',
    (one: TestDatabase) => one.store.db.execute(sql`alter table spaces alter column title set default 'x'`),
  ],
  ['a trigger less', (one: TestDatabase) => one.store.db.execute(sql`drop table links cascade`)],
  ['statistics', (one: TestDatabase) => one.store.db.execute(sql`analyze organizations`)],
  ['another release', (one: TestDatabase) => one.store.db.execute(sql`delete from schema_releases`)],
  ['a connection in use', (one: TestDatabase) => one.store.pool.connect()],
])('a database with %s is not used again', async (_, change) => {
  const first = await openTestDatabase();
  const left = await change(first);
  if ('release' in left) setTimeout(() => left.release(), 200);
  await first.close();
  const next = await openTestDatabase();
  expect(next.url).not.toBe(first.url);
  await next.close();
});
