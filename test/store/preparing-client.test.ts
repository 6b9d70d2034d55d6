import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/db.ts';
import { preparingClient } from '../../src/store/preparing-client.ts';
import { createMigratedDatabase, openPool } from '../support/database.ts';

let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createMigratedDatabase();
  pool = openPool(database.url, { Client: preparingClient(), max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const prepared = async () => {
  const { rows } = await pool.query('select statement from pg_prepared_statements order by prepare_time');
  return rows.map(({ statement }) => statement as string);
};

it('prepares what is asked for the fifth time, in transactions too, and answers as before', async () => {
  const db = openDatabase(pool);
  const ask = (on: Pick<typeof db, 'execute'>, word: string) =>
    on.execute(sql`select ${word}::text as word`).then(({ rows }) => rows);
  for (const word of ['a', 'b', 'c', 'd']) expect(await ask(db, word)).toEqual([{ word }]);
  expect(await prepared()).toEqual([]);
  expect(await ask(db, 'e')).toEqual([{ word: 'e' }]);
  expect(await db.transaction((tx) => ask(tx, 'f'))).toEqual([{ word: 'f' }]);
  expect(await prepared()).toEqual(['select $1::text as word']);
});

it('prepares no text without parameters, which may be several statements, and nothing that has a name', async () => {
  const before = await prepared();
  for (let time = 0; time < 6; time++) {
    await pool.query('select 1; select 2');
    await pool.query({ text: 'select 3; select 4' });
    await pool.query({ name: 'own', text: 'select $1::int', values: [time] });
  }
  expect(await prepared()).toEqual([...before, 'select $1::int']);
});

it('lets the database plan each text search for its words', async () => {
  const db = openDatabase(pool);
  const before = await prepared();
  for (let time = 0; time < 6; time++) {
    const found = await db.execute(
      sql`select to_tsvector('simple', 'a quokka') @@ ${'quokka'}::tsquery as found`,
    );
    expect(found.rows).toEqual([{ found: true }]);
  }
  expect(await prepared()).toEqual(before);
});

it('prepares 256 statements at most, whatever is asked', async () => {
  for (let at = 0; at < 300; at++)
    for (let time = 0; time < 5; time++) await pool.query({ text: `select $1::int + ${at}`, values: [time] });
  expect((await prepared()).filter((text) => /^select \$1::(?:int \+|text)/.test(text))).toHaveLength(256);
});

it('a statement that fails is asked again as a new one', async () => {
  const other = openPool(database.url, { Client: preparingClient(), max: 1 });
  const ask = () => other.query('select $1::int + n as sum from later', [1]);
  for (let time = 0; time < 7; time++) await expect(ask()).rejects.toThrow('does not exist');
  await other.query('create table later (n int); insert into later values (2)');
  expect((await ask()).rows).toEqual([{ sum: 3 }]);
  // A column that was added meanwhile changes nothing, as when a newer release updates the tables.
  await other.query('alter table later add column m text');
  expect((await ask()).rows).toEqual([{ sum: 3 }]);
  await other.end();
});
