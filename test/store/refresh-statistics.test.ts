import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refreshStatistics } from '../../src/store/refresh-statistics.ts';
import type { ContentChanges } from '../../src/store/revisions.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const none = { removed: [], added: [] };

function withSets(count: number): ContentChanges {
  const links = new Map(Array.from({ length: count }, (_, at) => [`${at}`, []]));
  return { pages: none, files: none, entries: none, settings: none, links };
}

/** The number of rows that the planner assumes; -1 before the first analysis. */
async function knownRows(): Promise<unknown> {
  const { rows } = await database.store.db.execute(
    sql`select reltuples as known from pg_class where oid = 'links'::regclass`,
  );
  return rows[0]?.['known'];
}

it('analyses the tables after many rows were added at once, and not after a few', async () => {
  const { db } = database.store;
  await refreshStatistics(db, withSets(3));
  expect(await knownRows()).toBe(-1);
  await refreshStatistics(db, withSets(5_000));
  expect(await knownRows()).toBe(0);
});
