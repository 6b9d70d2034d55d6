import { expect, test } from 'vitest';
import { tables } from '../../src/store/index.ts';
import { openTestDatabase } from './database.ts';

test('every test database is migrated and on its own', async () => {
  const one = await openTestDatabase();
  const two = await openTestDatabase();
  await one.store.db.insert(tables.organizations).values({ id: 'a', title: 'A' });
  expect(await one.store.db.select().from(tables.organizations)).toHaveLength(1);
  expect(await two.store.db.select().from(tables.organizations)).toHaveLength(0);
  await one.close();
  await two.close();
});
