import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOutage } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const failing = (statement: ReturnType<typeof sql>) =>
  database.store.db.execute(statement).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );

test('an error of a query contains neither its parameters nor values of rows', async () => {
  const secret = 'written by somebody';
  const errors = [
    await failing(sql`select ${secret}::text, 1 / 0`),
    await failing(sql`insert into organizations (id, title) values (${secret}, null)`),
  ];
  for (const error of errors) {
    expect(error.message).toContain('Failed query: ');
    const all = `${error.message}${error.stack}${JSON.stringify(error)}${JSON.stringify(error.cause)}`;
    expect(all).not.toContain(secret);
    expect(error.stack).toMatch(/\n {4}at /);
    expect(findOutage(error)).toBeNull();
  }
});

test('a connection that the server ends is an outage, and so is a full disk', async () => {
  expect(findOutage(await failing(sql`select pg_terminate_backend(pg_backend_pid())`))?.kind).toBe(
    'database',
  );
  expect(findOutage(Object.assign(new Error('write'), { code: 'ENOSPC' }))?.kind).toBe('disk');
  const inner = Object.assign(new Error('no space'), { code: '53100' });
  expect(findOutage(new Error('Failed', { cause: inner }))?.kind).toBe('disk');
});

test('a change where none is possible, as on a standby, is an outage', async () => {
  let pid: unknown;
  const refused = database.store.db.transaction(async (tx) => {
    pid = (await tx.execute(sql`select pg_backend_pid() as pid`)).rows[0]?.['pid'];
    await tx.execute(sql`set transaction read only`);
    await tx.execute(sql`insert into organizations (id, title) values ('standby', 'Standby')`);
  });
  const error = await refused.catch((error: unknown) => error);
  expect(findOutage(error)?.message).toContain('takes no changes');
  // Its connection is not used again.
  const isOpen = sql`select 1 from pg_stat_activity where pid = ${pid}`;
  await expect.poll(async () => (await database.store.db.execute(isOpen)).rows).toEqual([]);
});

test('a host that cannot be reached for another reason is no outage', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' });
  expect(findOutage(new Error('A webhook of somebody did not answer.', { cause: refused }))).toBeNull();
});
