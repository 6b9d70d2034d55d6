/** Several processes compare the installations of one App with GitHub, and none reads what another one does. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  areComparisonsComplete,
  type Db,
  disconnectMissingRepositories,
  tables,
} from '../../src/store/index.ts';
import {
  claimComparison,
  deleteComparisons,
  recordMissed,
  releaseComparison,
  renewComparison,
  requestComparisons,
} from '../../src/store/installation-comparisons.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const HOLD_MS = 60_000;
const { installationComparisons } = tables;

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.store.db;
});

afterAll(async () => {
  await database?.close();
});

beforeEach(async () => {
  await deleteComparisons(db);
});

async function claim() {
  const claimed = await claimComparison(db, HOLD_MS);
  if (claimed === null) throw new Error('No comparison is due.');
  return claimed;
}

async function expire(installationId: number): Promise<void> {
  await db
    .update(installationComparisons)
    .set({ claimedUntil: sql`now() - interval '1 second'` })
    .where(eq(installationComparisons.installationId, installationId));
}

test('of many claims at once, each gets another installation, and each installation is compared once', async () => {
  await requestComparisons(db, [1, 2, 3, 4, 5]);
  const claimed = await Promise.all(Array.from({ length: 8 }, () => claimComparison(db, HOLD_MS)));
  expect(claimed.flatMap((one) => one?.installationId ?? []).sort()).toEqual([1, 2, 3, 4, 5]);
  expect(await areComparisonsComplete(db)).toBe(false);
  for (const one of claimed) if (one !== null) await releaseComparison(db, one, 'complete');
  expect(await areComparisonsComplete(db)).toBe(true);
  expect(await claimComparison(db, HOLD_MS)).toBeNull();
  await requestComparisons(db, [1]);
  expect((await claim()).installationId).toBe(1);
});

test('an installation whose webhooks were missed is the next, once', async () => {
  await requestComparisons(db, [1, 2, 3]);
  await recordMissed(db, [3, 4]);
  const first = await claim();
  expect(first).toMatchObject({ installationId: 3, isMissed: true, comparedAt: null });
  await releaseComparison(db, first, 'complete');
  for (const id of [1, 2]) {
    const next = await claim();
    expect(next).toMatchObject({ installationId: id, isMissed: false });
    await releaseComparison(db, next, 'complete');
  }
});

test('another process goes on where one was killed, which then has no say any more', async () => {
  await requestComparisons(db, [1]);
  const killed = await claim();
  expect(await renewComparison(db, killed, HOLD_MS, { isListed: true, afterRepository: 700 })).toBe(true);
  expect(await claimComparison(db, HOLD_MS)).toBeNull();
  await expire(1);
  const next = await claim();
  expect(next).toMatchObject({ installationId: 1, afterRepository: 700, listedAt: expect.any(Date) });
  expect(await renewComparison(db, killed, HOLD_MS, { afterRepository: 800 })).toBe(false);
  await releaseComparison(db, killed, 'complete');
  expect(await areComparisonsComplete(db)).toBe(false);
  await releaseComparison(db, next, 'complete');
  expect(await areComparisonsComplete(db)).toBe(true);
});

test('what failed waits for the next request, and what was stopped is taken at once', async () => {
  await requestComparisons(db, [1]);
  await releaseComparison(db, await claim(), 'failed');
  expect(await claimComparison(db, HOLD_MS)).toBeNull();
  expect(await areComparisonsComplete(db)).toBe(false);
  await requestComparisons(db, [1]);
  await releaseComparison(db, await claim(), 'stopped');
  expect((await claim()).installationId).toBe(1);
});

test('installations that are not requested any more are forgotten', async () => {
  await requestComparisons(db, [1, 2]);
  await requestComparisons(db, [2]);
  const rows = await db.select().from(installationComparisons);
  expect(rows.map(({ installationId }) => installationId)).toEqual([2]);
  await requestComparisons(db, []);
  expect(await db.select().from(installationComparisons)).toEqual([]);
});

test('an installation may have more repositories than a statement has parameters', async () => {
  const seen = { installationId: 9, defaultBranch: 'main' };
  await db.insert(tables.repositories).values([
    { id: 70_001, fullName: 'acme/stays', ...seen },
    { id: 70_002, fullName: 'acme/goes', ...seen },
  ]);
  const listed = Array.from({ length: 70_001 }, (_repository, index) => index + 1);
  await disconnectMissingRepositories(db, 9, listed, 'It was removed.');
  const rows = await db.select().from(tables.repositories).where(eq(tables.repositories.installationId, 9));
  expect(new Map(rows.map(({ fullName, disconnected }) => [fullName, disconnected]))).toEqual(
    new Map([
      ['acme/stays', null],
      ['acme/goes', 'It was removed.'],
    ]),
  );
});
