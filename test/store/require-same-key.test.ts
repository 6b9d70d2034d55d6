import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteIdentity, openSealer, requireSameKey } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('the first key is that of the database, until it is reset', async () => {
  const { db } = database.store;
  const [first, second] = ['a', 'b'].map((letter) =>
    openSealer({ secretKey: letter.repeat(32), dataDir: tmpdir() }),
  ) as [ReturnType<typeof openSealer>, ReturnType<typeof openSealer>];
  await requireSameKey(db, first);
  await requireSameKey(db, first);
  await expect(requireSameKey(db, second)).rejects.toThrow(
    `sealed with another key (${first.keyId}, and this process has ${second.keyId}): set SECRET_KEY`,
  );
  await deleteIdentity(db, 'secret-key');
  await requireSameKey(db, second);
  await expect(requireSameKey(db, first)).rejects.toThrow('another key');
});
