import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeOldRows } from '../../src/store/clean-up.ts';
import { recordAudit, tables } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

test('events are never changed, and deleted only by age', async () => {
  const { db, pool } = database.store;
  const nobody = { kind: 'nobody', id: null, name: null } as const;
  for (const action of ['test.young', 'test.old', 'test.ancient'])
    await recordAudit(db, { organizationId: null, action, actor: nobody });
  await expect(pool.query(`update audit_events set outcome = 'refused'`)).rejects.toThrow('never change');
  await expect(pool.query('truncate audit_events')).rejects.toThrow('never change');
  await expect(pool.query('delete from audit_events')).rejects.toThrow('deleted only by age');

  for (const [action, days] of [
    ['test.old', 60],
    ['test.ancient', 731],
  ] as const) {
    await db.execute(sql`insert into ${tables.auditEvents} (at, action, outcome, actor_kind)
      values (now() - make_interval(days => ${days}), ${`${action}.aged`}, 'success', 'nobody')`);
  }
  const actions = async () =>
    (await db.select({ action: tables.auditEvents.action }).from(tables.auditEvents).orderBy(sql`id`)).map(
      ({ action }) => action,
    );
  const { signal } = new AbortController();
  await removeOldRows(db, signal);
  expect(await actions()).toEqual(['test.young', 'test.old', 'test.ancient', 'test.old.aged']);
  await removeOldRows(db, signal, { auditDays: 30 });
  expect(await actions()).toEqual(['test.young', 'test.old', 'test.ancient']);
});
