import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimCall } from '../../src/store/call-windows.ts';
import { RETENTION_DAYS, removeLargePayloads, removeOldRows } from '../../src/store/clean-up.ts';
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
  expect(await removeOldRows(db, signal)).toMatchObject({ deliveries: 3, reports: 1, gitOperations: 3 });
  const kept = await db
    .select({ id: tables.deliveries.id })
    .from(tables.deliveries)
    .orderBy(tables.deliveries.id);
  expect(kept.map(({ id }) => id)).toEqual(['done-young', 'failed-young', 'received-old']);
  const operations = await db.select({ id: tables.gitOperations.id }).from(tables.gitOperations);
  expect(operations).toHaveLength(101);
  expect(operations).toContainEqual({ id: 'operation-1' }); // it is not complete
  expect(await removeOldRows(db, signal)).toMatchObject({ deliveries: 0, reports: 0, gitOperations: 0 });
});

const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
const signal = new AbortController().signal;

test('revoked and expired tokens, abandoned change requests, translations of gone texts and windows of calls are deleted after their time', async () => {
  const { db } = database.store;
  const { apiTokens, callWindows, changeRequests, revisions, translationMemory } = tables;
  await db.insert(tables.users).values({ id: 'user', displayName: 'A', email: 'a@example.com' });
  await db.insert(tables.organizations).values({ id: 'org2', title: 'Acme' });
  await db.insert(tables.spaces).values({ id: 'space2', organizationId: 'org2', title: 'Docs' });
  await db.insert(tables.histories).values({ id: 'history', spaceId: 'space2' });
  await db.insert(revisions).values({
    id: 'r',
    spaceId: 'space2',
    historyId: 'history',
    version: 1,
    type: 'edits',
    format: 'github',
  });
  const token = (id: string, revokedAt: Date | null, expiresAt: Date | null = null) => ({
    ...{ id, name: id, userId: 'user', hash: id, createdAt: ago(900), revokedAt, expiresAt },
  });
  const { endedTokens, archivedChangeRequests, mergedChangeRequests } = RETENTION_DAYS;
  const request = (number: number, status: string, at: Date) => ({
    ...{ id: `${number}`, number, status, spaceId: 'space2', baseRevisionId: 'r', revisionId: 'r' },
    updatedAt: at,
    ...(status === 'merged' && { mergedAt: at, mergedRevisionId: 'r' }),
  });
  await db
    .insert(changeRequests)
    .values([
      request(1, 'archived', ago(archivedChangeRequests + 1)),
      request(2, 'archived', ago(archivedChangeRequests - 1)),
      request(3, 'merged', ago(mergedChangeRequests + 1)),
      request(4, 'merged', ago(mergedChangeRequests - 1)),
      request(5, 'open', ago(2_000)),
      request(6, 'archived', ago(2_000)),
    ]);
  // Their days begin with the first run of a release that deletes them.
  expect(await removeOldRows(db, signal)).toMatchObject({ changeRequests: 0 });
  await db.update(tables.schemaReleases).set({ recordedAt: ago(3_000) });
  await db
    .insert(apiTokens)
    .values([
      token('in-use', null),
      token('revoked', ago(endedTokens - 1)),
      token('long-revoked', ago(endedTokens + 1)),
      token('expired', null, ago(endedTokens - 1)),
      token('long-expired', null, ago(endedTokens + 1)),
    ]);
  await db.insert(tables.translations).values({
    ...{ id: 'translation', organizationId: 'org2', sourceSpaceId: 'space2', language: 'de' },
  });
  const entry = (key: string, origin: string, days: number | null) => ({
    ...{ translationId: 'translation', key, origin, run: 1, source: key },
    unneededSince: days === null ? null : ago(days),
  });
  const { unneededTranslations, unneededCorrections } = RETENTION_DAYS;
  await db
    .insert(translationMemory)
    .values([
      entry('needed', 'machine', null),
      entry('unneeded', 'machine', unneededTranslations - 1),
      entry('long unneeded', 'machine', unneededTranslations + 1),
      entry('corrected', 'person', unneededTranslations + 1),
      entry('long ago corrected', 'person', unneededCorrections + 1),
    ]);
  await claimCall(db, 'now', { count: 5, ms: 1_000 });
  await db.insert(callWindows).values({ key: 'of-an-installation-that-left', starts: [ago(2)] });

  expect(await removeOldRows(db, signal)).toMatchObject({ tokens: 2, changeRequests: 2, translations: 2 });
  const tokens = await db.select({ id: apiTokens.id }).from(apiTokens).orderBy(apiTokens.id);
  expect(tokens.map(({ id }) => id)).toEqual(['expired', 'in-use', 'revoked']);
  const numbers = await db.select({ n: changeRequests.number }).from(changeRequests);
  // The newest has a number that must not be assigned again.
  expect(numbers.map(({ n }) => n).sort()).toEqual([2, 4, 5, 6]);
  const texts = await db.select({ key: translationMemory.key }).from(translationMemory);
  expect(texts.map(({ key }) => key).sort()).toEqual(['corrected', 'needed', 'unneeded']);
  expect(await db.select({ key: callWindows.key }).from(callWindows)).toEqual([{ key: 'now' }]);
});

test('payloads of deliveries that are done are emptied when they take too much, the oldest first', async () => {
  const { db } = database.store;
  const { deliveries } = tables;
  await db.delete(deliveries);
  const rows = [
    ['failed', 'failed', 9],
    ['oldest', 'done', 4],
    ['older', 'ignored', 3],
    ['newer', 'done', 2],
    ['newest', 'done', 1],
    ['waits', 'received', 10],
  ] as const;
  for (const [id, state, days] of rows) {
    await storeDelivery(db, { ...delivery, id, payload: 'x'.repeat(1_000) });
    await db
      .update(deliveries)
      .set({ state, receivedAt: ago(days) })
      .where(eq(deliveries.id, id));
  }
  expect(await removeLargePayloads(db, signal)).toBe(0);
  expect(await removeLargePayloads(db, signal, 3_500)).toBe(2);
  expect(await removeLargePayloads(db, signal, 3_500)).toBe(0);
  const stored = await db.select().from(deliveries).orderBy(deliveries.id);
  expect(stored.filter(({ payload }) => payload !== '').map(({ id }) => id)).toEqual([
    'failed',
    'newer',
    'newest',
    'waits',
  ]);
});
