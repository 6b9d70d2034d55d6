import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSealer, type Sealer, tables } from '../../src/store/index.ts';
import {
  deleteServerSecret,
  findServerSecret,
  insertServerSecret,
  loadServerSecret,
  upsertServerSecret,
} from '../../src/store/server-secrets.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let sealer: Sealer;
const folder = mkdtempSync(join(tmpdir(), 'docloom-secrets-'));
beforeAll(async () => {
  database = await openTestDatabase();
  sealer = openSealer({ dataDir: folder });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

test('a secret is stored sealed, and of several at once one is stored', async () => {
  const { db } = database.store;
  expect(await loadServerSecret(db, sealer, 'setup-key')).toBeNull();
  const kept = await Promise.all(
    ['one', 'two', 'three'].map((text) => insertServerSecret(db, sealer, 'setup-key', text)),
  );
  expect(kept.filter(Boolean)).toHaveLength(1);
  await upsertServerSecret(db, sealer, 'setup-key', 'a secret nobody reads');
  expect(await loadServerSecret(db, sealer, 'setup-key')).toBe('a secret nobody reads');
  expect(JSON.stringify(await db.select().from(tables.serverSecrets))).not.toContain('nobody reads');
  await deleteServerSecret(db, 'setup-key');
  expect(await loadServerSecret(db, sealer, 'setup-key')).toBeNull();
});

test('a secret that a lost key sealed is none, and a database that fails is no lost key', async () => {
  const { db } = database.store;
  const lost = openSealer({ dataDir: folder, secretKey: 'another key, of 32 characters or more' });
  await upsertServerSecret(db, lost, 'setup-key', 'sealed with the lost key');
  expect(await findServerSecret(db, lost, 'setup-key')).toBe('sealed with the lost key');
  expect(await findServerSecret(db, sealer, 'setup-key')).toBeNull();
  await expect(loadServerSecret(db, sealer, 'setup-key')).rejects.toThrow('was sealed with key');
  const failed = db.transaction(async (tx) => {
    await expect(tx.execute(sql`select 1 / 0`)).rejects.toThrow();
    await findServerSecret(tx, sealer, 'setup-key');
  });
  await expect(failed).rejects.toThrow();
  await deleteServerSecret(db, 'setup-key');
});
