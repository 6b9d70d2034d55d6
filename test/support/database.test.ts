import { expect, test } from 'vitest';
import { tables } from '../../src/store/index.ts';
import { openTestDatabase } from './database.ts';

test('every test database is migrated and on its own', async () => {
  const testDatabase = await openTestDatabase();
  const two = await openTestDatabase();
  await testDatabase.store.db.insert(tables.organizations).values({ id: 'a', title: 'A' });
  expect(await testDatabase.store.db.select().from(tables.organizations)).toHaveLength(1);
  expect(await two.store.db.select().from(tables.organizations)).toHaveLength(0);
  await testDatabase.close();
  await two.close();
});
