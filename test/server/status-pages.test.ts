/** The list of repositories on the status page, page by page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStatusPages } from '../../src/server/status/status-pages.ts';
import { tables } from '../../src/store/index.ts';
import type { StatusPages } from '../../src/web/index.ts';
import { startPlatform, type TestPlatform } from '../platform/start-platform.ts';

let platform: TestPlatform;
let status: StatusPages;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  const { db, queue } = platform.deps;
  status = createStatusPages({
    ...{ db, queue, pool: platform.database.store.pool, app: () => null },
    ...{ organizationId: async () => platform.organizationId, retainDisconnectedDays: null, maxWords: null },
  });
  const repository = (id: number, name: string) => ({
    ...{ id, installationId: 1, fullName: `octo/${name}`, defaultBranch: 'main' },
  });
  // A page has 25: its last one and the next have one name, as after a renaming that only one of them told.
  await db
    .insert(tables.repositories)
    .values([
      ...Array.from({ length: 24 }, (_one, at) => repository(100 + at, `a${String(at).padStart(2, '0')}`)),
      ...[repository(9, 'same'), repository(8, 'same'), repository(10, 'same'), repository(1, 'zero')],
    ]);
});
afterAll(() => platform?.close());

const ids = async (after: string | null) => {
  const { repositories, next } = await status.list(after, '');
  return { ids: repositories.map(({ id }) => id), next };
};

test('repositories of one name at the end of a page are all listed, each once', async () => {
  const first = await ids(null);
  expect(first.ids).toHaveLength(25);
  expect(first.ids.at(-1)).toBe(8);
  expect(await ids(first.next)).toEqual({ ids: [9, 10, 1], next: null });
});

test('an address of the release before continues after the name that it has', async () => {
  expect(await ids('octo/a23')).toEqual({ ids: [8, 9, 10, 1], next: null });
  expect(await ids('octo/same')).toEqual({ ids: [1], next: null });
});
