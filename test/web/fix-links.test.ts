/** Broken links of a space corrected in a change request, as a browser without script asks for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMember } from '../platform/create-member.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let spaceId: string;
let writer: string;
let reader: string;

const FILES = {
  'README.md': '# Welcome\r\n\r\nThe [guide](Guide.md), its [end](guide), [nothing](zzz.md).\r\n',
  'guide.md': '# Guide\n\n## The end\n\n![A *face*](face.svg) and [home](README.md#welcom)',
  'face.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'fine.md': '# Fine\n\n[Guide](guide.md)\n',
};

beforeAll(async () => {
  pages = await startPages();
  const { platform } = pages;
  writer = await pages.signIn((await createMember(platform, 'Wanda', { role: 'edit' })).token);
  reader = await pages.signIn((await createMember(platform, 'Rolf', { role: 'read' })).token);
  spaceId = await platform.createSpace('Handbook');
  const { repo, url } = await platform.createRepo('handbook');
  await repo.commit(FILES);
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
});
afterAll(() => pages?.close());

async function fix(fields: Record<string, string>, cookie = writer): Promise<Response> {
  return await pages.post(`/spaces/${spaceId}/links/fix`, fields, { cookie });
}

async function sourceIn(changeRequest: string, path: string): Promise<string> {
  const query = new URLSearchParams({ changeRequest, path });
  return (await pages.platform.api('GET', `/spaces/${spaceId}/editing/source?${query}`)).body.text;
}

test('those with a suggestion are corrected, and every other byte stays', async () => {
  const list = await (await pages.get(`/spaces/${spaceId}/links`, { cookie: writer })).text();
  expect(list).toContain('Fix all with a suggestion');
  const answer = await fix({});
  const address = answer.headers.get('location') ?? '';
  expect([answer.status, address]).toEqual([303, `/spaces/${spaceId}/change-requests/1?done=fixed`]);
  const page = await (await pages.get(address, { cookie: writer })).text();
  expect(page).toContain('<h1>Fix 3 broken links in 2 files ');
  expect(page).toContain('The links lead to what was suggested for them now.');
  expect(await sourceIn('1', 'README.md')).toBe(
    '# Welcome\r\n\r\nThe [guide](guide.md), its [end](guide.md), [nothing](zzz.md).\r\n',
  );
  expect(await sourceIn('1', 'guide.md')).toBe(
    '# Guide\n\n## The end\n\n![A *face*](face.svg) and [home](README.md#welcome)',
  );
});

test('those of one file are corrected alone', async () => {
  expect((await fix({ path: 'guide.md' })).headers.get('location')).toMatch(/\/2\?done=fixed$/);
  expect(await sourceIn('2', 'README.md')).toBe(FILES['README.md']);
  expect(await sourceIn('2', 'guide.md')).toContain('#welcome)');
});

test.each(['fine.md', 'face.svg', 'none.md', '../x'])('in %s there is nothing to correct', async (path) => {
  const answer = await fix({ path });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('No link that is broken now has a suggestion');
});

test('who may not edit sees no button, and is refused', async () => {
  const list = await (await pages.get(`/spaces/${spaceId}/links`, { cookie: reader })).text();
  expect(list).toContain('zzz.md');
  expect(list).not.toContain('/links/fix');
  const before = (await pages.platform.api('GET', `/spaces/${spaceId}/change-requests`)).body.count;
  expect([403, 404]).toContain((await fix({}, reader)).status);
  expect((await pages.platform.api('GET', `/spaces/${spaceId}/change-requests`)).body.count).toBe(before);
});
