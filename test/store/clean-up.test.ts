import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeOldRows } from '../../src/store/clean-up.ts';
import { type NewDelivery, storeDelivery } from '../../src/store/deliveries.ts';
import { insertGitOperation } from '../../src/store/git-operations.ts';
import { tables } from '../../src/store/index.ts';
import { reserveReport } from '../../src/store/reports.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(async () => {
  await database?.close();
});

const delivery: Omit<NewDelivery, 'id'> = {
  event: 'push',
  action: null,
  installationId: 1,
  repositoryId: 1,
  repository: 'acme/docs',
  payload: '{}',
  state: 'received',
};

test('rows completed long ago are deleted; unfinished and recent ones and the newest of a space stay', async () => {
  const { db } = database.store;
  const rows = [
    ['done-old', 'done', 31],
    ['ignored-old', 'ignored', 31],
    ['failed-old', 'failed', 91],
    ['done-young', 'done', 29],
    ['failed-young', 'failed', 89],
    ['received-old', 'received', 400],
  ] as const;
  for (const [id, state, days] of rows) {
    await storeDelivery(db, { ...delivery, id });
    await db.execute(
      sql`update deliveries set state = ${state}, received_at = now() - make_interval(days => ${days}) where id = ${id}`,
    );
  }
  for (const [id, days] of [
    ['old', 181],
    ['young', 179],
  ] as const) {
    const fields = { repositoryId: 1, repository: 'acme/docs', pullNumber: days, headOid: 'a', baseOid: 'b' };
    await reserveReport(db, { id, kind: 'links', ...fields });
    await db.execute(
      sql`update reports set created_at = now() - make_interval(days => ${days}) where id = ${id}`,
    );
  }
  await db.insert(tables.organizations).values({ id: 'org', title: 'Acme' });
  await db.insert(tables.spaces).values({ id: 'space', organizationId: 'org', title: 'Docs' });
  for (let index = 0; index < 104; index++) {
    await insertGitOperation(db, {
      id: `operation-${index}`,
      spaceId: 'space',
      direction: 'import',
      request: {},
      sealedCredentials: null,
      timestamp: new Date(index),
      ref: 'refs/heads/main',
      standalone: false,
    });
  }
  await db.execute(
    sql`update git_operations set state = 'success', ended_at = now() - interval '200 days' where id <> 'operation-1'`,
  );

  const signal = new AbortController().signal;
  expect(await removeOldRows(db, signal)).toEqual({ deliveries: 3, reports: 1, gitOperations: 3 });
  const kept = await db
    .select({ id: tables.deliveries.id })
    .from(tables.deliveries)
    .orderBy(tables.deliveries.id);
  expect(kept.map(({ id }) => id)).toEqual(['done-young', 'failed-young', 'received-old']);
  const operations = await db.select({ id: tables.gitOperations.id }).from(tables.gitOperations);
  expect(operations).toHaveLength(101);
  expect(operations).toContainEqual({ id: 'operation-1' }); // it is not complete
  expect(await removeOldRows(db, signal)).toEqual({ deliveries: 0, reports: 0, gitOperations: 0 });
});
