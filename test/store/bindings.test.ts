/** What is known of a branch's last sync when its space is disconnected and connected again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Db,
  disconnectBranch,
  listBindings,
  newId,
  recordBindingsSynced,
  reserveBinding,
  retireBindings,
  retireBranches,
} from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const branch = 'v1';
const reserve = (repositoryId: number) =>
  reserveBinding(database.store.db, {
    id: newId(),
    installationId: 1,
    repositoryId,
    repository: 'octo/docs',
    branch,
    directory: 'docs',
    title: 'Docs',
    pinned: true,
    direction: 'import',
  });

it.each([
  {
    way: 'its branch is deleted',
    repositoryId: 1,
    disconnect: (db: Db) => disconnectBranch(db, { repositoryId: 1, branch }, 'gone'),
  },
  {
    way: 'the configuration names its branch no more',
    repositoryId: 2,
    disconnect: (db: Db) => retireBranches(db, 2, ['main'], 'not named'),
  },
  {
    way: 'the configuration names its directory no more',
    repositoryId: 3,
    async disconnect(db: Db) {
      await retireBindings(db, { repositoryId: 3, branch }, ['other'], 'not named');
      // The same sync goes on, and is complete for the other spaces of the branch.
      await recordBindingsSynced(db, { repositoryId: 3, branch }, 'oid2');
    },
  },
])(
  'a space that is connected again after $way counts as not synced',
  async ({ repositoryId, disconnect }) => {
    const { db } = database.store;
    await reserve(repositoryId);
    await recordBindingsSynced(db, { repositoryId, branch }, 'oid1');
    expect(await reserve(repositoryId)).toMatchObject({ syncedOid: 'oid1' });
    await disconnect(db);
    expect(await listBindings(db, repositoryId)).toMatchObject([{ disconnected: expect.any(String) }]);
    expect(await reserve(repositoryId)).toMatchObject({ disconnected: null, syncedOid: null });
    await recordBindingsSynced(db, { repositoryId, branch }, 'oid1');
    expect(await reserve(repositoryId)).toMatchObject({ syncedOid: 'oid1' });
  },
);
