import { tmpdir } from 'node:os';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openQueue } from '../../src/queue/index.ts';
import { checkVersion } from '../../src/store/check-server.ts';
import { openStore } from '../../src/store/index.ts';
import { startPasswordServer } from './password-server.ts';

const password = 'p@ss/w:rd 100%';
let server: Awaited<ReturnType<typeof startPasswordServer>>;

beforeAll(async () => {
  server = await startPasswordServer(password);
});
afterAll(() => server.close());

function url(
  changes: { user?: string; password?: string; port?: number; database?: string; host?: string } = {},
) {
  const { user = 'docs', port = server.port, database = 'docs', host = '127.0.0.1' } = changes;
  return `postgresql://${user}:${encodeURIComponent(changes.password ?? password)}@${host}:${port}/${database}`;
}

test('an external PostgreSQL is used over TCP with its password, by store and queue', async () => {
  const store = await openStore({ dataDir: tmpdir(), databaseUrl: url() });
  expect(store.kind).toBe('external');
  expect(await store.health()).toEqual({ ok: true, detail: 'The database answers.' });
  const queue = await openQueue(store);
  expect(await queue.failed()).toEqual([]);
  await queue.stop();
  await store.close();
});

test.each([
  ['a wrong password', { password: 'hunter2-secret' }, 'it does not accept the password in DATABASE_URL'],
  [
    'an unknown user',
    { user: 'nobody', password: 'hunter2-secret' },
    'it does not accept the password in DATABASE_URL',
  ],
  ['an unknown database', { database: 'absent' }, 'it has no database of that name; create it first'],
  ['a port where nothing listens', { port: 1 }, 'nothing listens there'],
  ['an unknown host', { host: 'host.invalid' }, 'the host name'],
])('%s is reported in one sentence without the password', async (_, changes, reason) => {
  const databaseUrl = url(changes);
  const error = await openStore({ dataDir: tmpdir(), databaseUrl }).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );
  expect(error.message).toMatch(/^The database at [\w.]+:\d+\/\w+ cannot be used: .*\.$/);
  expect(error.message).toContain(reason);
  for (const secret of ['hunter2-secret', password, encodeURIComponent(password)]) {
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(secret);
  }
  expect(error.cause).toBeUndefined();
});

test.each([
  'localhost:5432/docs',
  'mysql://localhost/docs',
  'postgresql://docs:se cret@[/docs',
  'http://localhost',
])('%s is no address of a PostgreSQL', async (databaseUrl) => {
  await expect(openStore({ dataDir: tmpdir(), databaseUrl })).rejects.toThrow(
    'DATABASE_URL must have the form postgresql://user:password@host:5432/database.',
  );
});

test.each([
  [150_012, undefined],
  [180_004, undefined],
  [140_019, 'The PostgreSQL at db.example:5433/docs is version 14; Docloom needs 15 or newer.'],
  [90_624, 'The PostgreSQL at db.example:5433/docs is version 9; Docloom needs 15 or newer.'],
])('version %i', (number, message) => {
  const check = () => checkVersion(number, 'postgresql://docs:secret@db.example:5433/docs');
  if (message === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(message);
});

test('a standby is not healthy', async () => {
  const standby = new URL(url());
  standby.searchParams.set('options', '-c default_transaction_read_only=on');
  const store = await openStore({ dataDir: tmpdir(), databaseUrl: standby.href, migrates: false });
  const { ok, detail } = await store.health();
  expect([ok, detail]).toEqual([
    false,
    expect.stringMatching(/^The database at \S+ is read-only, as a standby is\.$/),
  ]);
  await store.close();
});

test('a connection that is closed inside a transaction fails that transaction, not the process', async () => {
  const store = await openStore({ dataDir: tmpdir(), databaseUrl: url() });
  const transaction = store.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await store.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    await tx.execute(sql`select 1`);
  });
  await expect(transaction).rejects.toThrow();
  expect(await store.health()).toMatchObject({ ok: true });
  await store.close();
});
