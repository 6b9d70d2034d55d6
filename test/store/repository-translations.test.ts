/** Rows of translations that a process of 0.1.0 wrote. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimRepositoryTranslation, saveRepositoryTranslation, tables } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const key = { repositoryId: 7, directory: 'docs', language: 'de', organizationId: 'org' };

it.each([
  { stored: 'wrong c0ffee words.yml', glossaryFrom: null, invalidGlossaryFrom: 'c0ffee words.yml' },
  { stored: 'c0ffee words.yml', glossaryFrom: 'c0ffee words.yml', invalidGlossaryFrom: null },
  { stored: null, glossaryFrom: null, invalidGlossaryFrom: null },
])('the glossary $stored of 0.1.0 is understood', async ({ stored, ...expected }) => {
  const { db } = database.store;
  await claimRepositoryTranslation(db, key);
  await saveRepositoryTranslation(db, key, { glossaryFrom: stored });
  expect(await claimRepositoryTranslation(db, key)).toMatchObject(expected);
  // What was converted stays so.
  expect(await claimRepositoryTranslation(db, key)).toMatchObject(expected);
  await db.delete(tables.repositoryTranslations).where(eq(tables.repositoryTranslations.repositoryId, 7));
});
