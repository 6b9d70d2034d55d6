/** What the pages of a space say about its repository: whether it gets what is merged, and which pull requests carry it. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, recordPullState, savePullChangeRequests, tables } from '../../src/store/index.ts';
import { createMember } from '../platform/create-member.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let spaceId: string;
let writer: string;
let request: { readonly id: string; readonly number: number };

beforeAll(async () => {
  pages = await startPages();
  const { platform } = pages;
  const { db } = platform.deps;
  writer = await pages.signIn((await createMember(platform, 'Wanda', { role: 'edit' })).token);
  spaceId = await platform.createSpace('Handbook');
  await db.insert(tables.repositories).values({
    ...{ id: 7, installationId: 1, fullName: 'octo/docs', defaultBranch: 'main' },
  });
  await db.insert(tables.bindings).values({
    ...{ id: newId(), installationId: 1, repositoryId: 7, repository: 'octo/docs' },
    ...{ branch: 'main', directory: '', title: 'Handbook', spaceId },
  });
  const place = `/spaces/${spaceId}/change-requests`;
  request = (await platform.api('POST', place, { body: { subject: 'Words' } })).body;
  const changes = [{ type: 'write', path: 'README.md', text: '# Words\n\n[Away](nothing.md)\n' }];
  await platform.api('POST', `${place}/${request.id}/content`, { body: { changes } });
});
afterAll(() => pages?.close());

const words = (page: string) => page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const read = async (part: string) =>
  await (await pages.get(`/spaces/${spaceId}/${part}`, { cookie: writer })).text();
const address = () => `change-requests/${request.number}`;

test('a repository that is only imported from gets nothing, and the pages say so', async () => {
  for (const part of [address(), 'syncs'])
    expect(words(await read(part))).toContain('stays here, and pushes keep it: octo/docs is only imported');
});

test('a merged change request names the pull requests that carry it, with their state', async () => {
  const { deps, api } = pages.platform;
  const { bindings } = tables;
  await deps.db.update(bindings).set({ direction: 'both' }).where(eq(bindings.spaceId, spaceId));
  expect(words(await read(address()))).toContain('What is merged goes to octo/docs , branch main .');
  expect((await api('POST', `/spaces/${spaceId}/change-requests/${request.id}/merge`)).status).toBe(200);
  const pull = (pullNumber: number) => ({ repositoryId: 7, pullNumber, spaceId });
  for (const number of [3, 4]) await savePullChangeRequests(deps.db, pull(number), [request.id]);
  await recordPullState(deps.db, pull(3), 'closed');
  const page = await read(address());
  expect(page).toContain('href="https://github.com/octo/docs/pull/4"');
  expect(words(page)).toMatch(/merged 1 changed file (?!of)/);
  expect(words(page)).toContain('Pull request octo/docs#4 Open Pull request octo/docs#3 Closed');
});

test('a broken link leads to its line in the editor', async () => {
  expect(await read('links')).toContain(`href="/spaces/${spaceId}/edit?path=README.md#L3"`);
  const { pages: listed } = (await pages.platform.api('GET', `/spaces/${spaceId}/content`)).body;
  expect(await read(`pages/${listed[0].id}`)).toContain(`href="/spaces/${spaceId}/edit?path=README.md#L3"`);
});
