/** What readers do not find becomes conversations, and never so many that nothing else has room. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordQuestion } from '../../../src/platform/index.ts';
import { newId, tables } from '../../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

const { conversations } = tables;

let database: TestDatabase;
const organizationId = newId();
const queue = { enqueue: async () => {} };

beforeAll(async () => {
  database = await openTestDatabase();
  await database.store.db.insert(tables.organizations).values({ id: organizationId, title: 'Acme' });
});
beforeEach(() => database.store.db.delete(conversations));
afterAll(() => database?.close());

interface Limits {
  readonly perHour?: number;
  readonly perHourTogether?: number;
  readonly retained?: number;
}

async function record(site: string, id: string, limits: Limits): Promise<void> {
  const question = {
    organizationId,
    place: { kind: 'site', id: site },
    kind: 'search',
    id,
    subject: id,
    body: id,
    url: 'https://docs.example/',
  } as const;
  await database.store.db.transaction((tx) => recordQuestion(tx, queue, question, limits));
}

const stored = async () => {
  const rows = await database.store.db.select({ id: conversations.sourceId }).from(conversations);
  return rows.map(({ id }) => id).toSorted();
};

test('of each place, and of all places of an organization together, so many are stored in an hour', async () => {
  const limits = { perHour: 2, perHourTogether: 3 };
  for (const id of ['a1', 'a2', 'a3']) await record('a', id, limits);
  expect(await stored()).toEqual(['a1', 'a2']);
  for (const id of ['b1', 'b2']) await record('b', id, limits);
  expect(await stored()).toEqual(['a1', 'a2', 'b1']);
  await database.store.db.update(conversations).set({ ingestedAt: sql`now() - interval '2 hours'` });
  await record('b', 'b3', limits);
  expect(await stored()).toEqual(['a1', 'a2', 'b1', 'b3']);
});

test('the oldest of what readers typed gives way, and nothing else does', async () => {
  const { db } = database.store;
  const limits = { retained: 3 };
  await record('a', 'ticket', limits);
  await db.update(conversations).set({ source: 'email', ingestedAt: sql`now() - interval '300 days'` });
  for (const [at, id] of ['q1', 'q2', 'q3'].entries()) {
    await record('a', id, limits);
    await db
      .update(conversations)
      .set({ ingestedAt: sql`now() - ${`${100 - at} days`}::interval` })
      .where(eq(conversations.sourceId, id));
  }
  await record('b', 'q4', limits);
  expect(await stored()).toEqual(['q2', 'q3', 'q4', 'ticket']);
  await record('b', 'q5', { retained: 2 });
  expect(await stored()).toEqual(['q4', 'q5', 'ticket']);
});
