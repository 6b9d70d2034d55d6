import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSealer, type Sealer, tables } from '../../src/store/index.ts';
import {
  deleteServerSecret,
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
