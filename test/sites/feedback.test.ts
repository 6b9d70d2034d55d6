import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let params: { readonly organizationId: string; readonly siteId: string };

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({ 'README.md': '# Welcome\n', 'deep/page.md': '# Second\n' });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  const site = await sites.createSite('docs');
  await sites.addSpace(site, spaceId);
  params = { organizationId: platform.organizationId, siteId: site.id };
});
afterAll(() => sites.close());

/** Sends the form of a page as a browser does, with a button pressed. */
async function send(path: string, values: Readonly<Record<string, string>>) {
  const { body } = await sites.get(`/s/acme/docs${path}`);
  const [, form = ''] = /<form class="feedback"(.*?)<\/form>/s.exec(body) ?? [];
  const action = /action="([^"]*)"/.exec(form)?.[1] ?? '/s/acme/docs/~/feedback';
  const hidden = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  );
  const payload = new URLSearchParams({ ...Object.fromEntries(hidden), ...values }).toString();
  return await sites.post(action, payload, { 'content-type': 'application/x-www-form-urlencoded' });
}

const list = (query: { helpful?: boolean; pageId?: string } = {}) =>
  sites.platform.client.call(operations.listSiteFeedback, { params, query });

test('what readers say is listed, the newest first, and says nothing about them', async () => {
  const thanks = await send('/deep/page', { helpful: 'yes' });
  expect([thanks.statusCode, thanks.headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect(thanks.headers['set-cookie']).toBeUndefined();
  expect(thanks.body).toContain('<a href="/s/acme/docs/deep/page">Back to the page</a>');
  await send('', { helpful: 'no', comment: `  <b>Where</b> is\u0000 it? ${'x'.repeat(3_000)}` });
  const { items, count } = await list();
  expect(count).toBe(2);
  expect(items.map(({ helpful, page }) => [helpful, page.title, page.path])).toEqual([
    [false, 'Welcome', ''],
    [true, 'Second', 'deep/page'],
  ]);
  expect(items[0]?.comment).toMatch(/^<b>Where<\/b> is it\? x+$/);
  expect(items[0]?.comment).toHaveLength(2_000);
  expect(items[1]).not.toHaveProperty('comment');
  expect((await list({ helpful: true })).items.map(({ id }) => id)).toEqual([items[1]?.id]);
  expect((await list({ pageId: items[0]?.page.id ?? '' })).count).toBe(1);
});

test('only an answer about a page of the site is stored', async () => {
  const { count } = await list();
  const refused: readonly Record<string, string>[] = [
    { helpful: 'maybe' },
    {},
    { helpful: 'yes', page: 'nosuch' },
    { helpful: 'yes', space: 'x' },
  ];
  for (const values of refused) expect((await send('', values)).statusCode).toBe(404);
  expect((await sites.get('/s/acme/docs/~/feedback')).statusCode).toBe(404);
  expect((await list()).count).toBe(count);
});

test('where a site does not ask, nothing is stored', async () => {
  const { client } = sites.platform;
  const look = await client.call(operations.getSiteCustomization, { params });
  const [form] = (await list()).items;
  await client.call(operations.updateSiteCustomization, {
    params,
    body: { ...look, feedback: { enabled: false } },
  });
  await waitFor(async () => !(await sites.get('/s/acme/docs')).body.includes('class="feedback"'));
  expect((await send('', { helpful: 'yes', page: form?.page.id ?? '' })).statusCode).toBe(404);
  await client.call(operations.updateSiteCustomization, { params, body: look });
  await waitFor(async () => (await sites.get('/s/acme/docs')).body.includes('class="feedback"'));
});

test('a reader can say only so much at once', async () => {
  const statuses = [];
  for (let nth = 0; nth < 12; nth += 1) statuses.push((await send('', { helpful: 'yes' })).statusCode);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  const last = await send('', { helpful: 'yes' });
  expect([last.statusCode, last.headers['retry-after']]).toEqual([429, '600']);
  expect((await list()).count).toBe(10);
});
