import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeOldRows } from '../../src/store/clean-up.ts';
import {
  type AuditFilter,
  countAuditEvents,
  listAuditEvents,
  newId,
  recordAudit,
  tables,
} from '../../src/store/index.ts';
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

test('events of long ago and of lately are found without passing by all others', async () => {
  const { db } = database.store;
  const organizationId = newId();
  await db.insert(tables.organizations).values({ id: organizationId, title: 'Old' });
  const [days, perDay] = [400, 20];
  await db.execute(sql`insert into ${tables.auditEvents} (at, organization_id, action, outcome, actor_kind)
    select now() - make_interval(days => ${days} - n / ${perDay}, secs => 60 - n % ${perDay}), ${organizationId},
      'test.one', 'success', 'server' from generate_series(0, ${days * perDay} - 1) n`);
  await db.execute(sql`analyze ${tables.auditEvents}`);
  const none = { action: null, actor: null, target: null, outcome: null, since: null, until: null };

  /** What a filter finds, and how many rows of the log are read for that. */
  async function find(times: Partial<AuditFilter>) {
    return await db.transaction(async (tx) => {
      // Counts of earlier transactions may still be in it.
      const countReads = async () => {
        const { rows } = await tx.execute<{ rows: string }>(sql`select seq_tup_read + idx_tup_fetch as rows
          from pg_stat_xact_user_tables where relname = 'audit_events'`);
        return Number(rows[0]?.rows ?? 0);
      };
      const before = await countReads();
      const filter = { ...none, ...times };
      const rows = await listAuditEvents(tx, organizationId, filter, { before: null, limit: 50 });
      const count = await countAuditEvents(tx, organizationId, filter, { limit: 1000 });
      return { found: rows.length, count, read: (await countReads()) - before };
    });
  }
  const dayAgo = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000);

  const early = await find({ until: dayAgo(360.5) });
  expect(early).toMatchObject({ found: 50, count: 800 });
  expect(early.read).toBeLessThan(2_000);
  const late = await find({ since: dayAgo(2.5) });
  expect(late).toMatchObject({ found: 40, count: 40 });
  expect(late.read).toBeLessThan(500);
  const between = await find({ since: dayAgo(201.5), until: dayAgo(200.5) });
  expect(between).toMatchObject({ found: 20, count: 20 });
  expect(between.read).toBeLessThan(500);
});

test('an event is found by its time where another transaction was written first', async () => {
  const { db } = database.store;
  const organizationId = newId();
  await db.insert(tables.organizations).values({ id: organizationId, title: 'Crossed' });
  const at = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000);
  // The second was begun ten hours before the first, and written after it.
  for (const [hours, action] of [
    [12, 'test.first'],
    [2, 'test.second'],
  ] as const)
    await db.execute(sql`insert into ${tables.auditEvents} (at, organization_id, action, outcome, actor_kind)
      values (${at(hours).toISOString()}, ${organizationId}, ${action}, 'success', 'server')`);
  const list = async (times: Partial<AuditFilter>) => {
    const filter = { action: null, actor: null, target: null, outcome: null, since: null, until: null };
    const rows = await listAuditEvents(
      db,
      organizationId,
      { ...filter, ...times },
      { before: null, limit: 9 },
    );
    return rows.map(({ action }) => action);
  };
  expect(await list({ until: at(6) })).toEqual(['test.second']);
  expect(await list({ since: at(6) })).toEqual(['test.first']);
});
