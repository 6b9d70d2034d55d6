import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/db.ts';
import { openTestDatabase } from '../support/database.ts';

it('a transaction whose connection broke before it began gives it back', async () => {
  const { url, close } = await openTestDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 5_000 });
  onTestFinished(async () => {
    await pool.end();
    await close();
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = openDatabase(pool);
  const one = () => db.transaction((tx) => tx.execute(sql`select 1 as n`));
  const breaks = (client: pg.PoolClient) => (client as unknown as pg.Client).connection.stream.destroy();

  pool.on('acquire', breaks);
  await expect(one()).rejects.toThrow('begin');
  pool.off('acquire', breaks);
  expect((await one()).rows).toEqual([{ n: 1 }]);
});
