import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { removeOldRows, type SiteRow, tables } from '../../src/store/index.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startSites, type TestSites } from './start-sites.ts';

const SOURCE = 'github-1-pull-12';

let sites: TestSites;
let site: SiteRow;
let spaceId: string;
/** Of the preview, without and with its key. */
let root: string;
let opened: string;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({ 'README.md': '# Home\n', 'a.md': '# Page A\n\nOld.\n', 'b.md': '# Page B\n' });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  const other = await platform.createSpace('Reference');
  const { repo: second, url: secondUrl } = await platform.createRepo('reference');
  await second.commit({ 'README.md': '# Reference\n' });
  await platform.importBranch(other, { url: secondUrl, ref: 'refs/heads/main' });
  await repo.commit({ 'a.md': '# Page A\n\nProposed words.\n', 'c.md': '# Page C\n', 'b.md': null });
  const { revision } = await platform.importBranch(spaceId, {
    url,
    ref: 'refs/heads/main',
    standalone: true,
  });
  site = await sites.createSite('docs', { visibility: 'share-link' });
  await sites.addSpace(site, spaceId);
  await sites.addSpace(site, other, { path: 'reference' });
  const address = await save(revision ?? '');
  opened = address.pathname + address.search;
  root = address.pathname;
});
afterAll(() => sites.close());

async function save(revision: string): Promise<URL> {
  const { client, organizationId } = sites.platform;
  const { address } = await client.call(operations.saveSitePreview, {
    params: { organizationId, siteId: site.id },
    body: {
      source: SOURCE,
      title: '#12 of acme/docs',
      url: 'https://forge.example/acme/docs/pull/12',
      revisions: [{ space: spaceId, revision }],
    },
  });
  return new URL(address);
}

/** The cookie of who opened the preview by its key. */
async function enter(): Promise<{ cookie: string }> {
  const { cookies, statusCode, headers } = await sites.get(opened);
  expect([statusCode, headers.location]).toEqual([302, root]);
  const [cookie] = cookies;
  expect(cookie).toMatchObject({ path: root, httpOnly: true });
  return { cookie: `${cookie?.name}=${cookie?.value}` };
}

test('a preview is the whole site with the proposed pages, and lists what changes', async () => {
  const visitor = await enter();
  const home = await sites.get(root, visitor);
  expect(home.statusCode).toBe(200);
  expect(home.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
  });
  expect(home.body).toContain('<meta name="robots" content="noindex');
  // Neither networks nor assistants could read it.
  expect(home.body).not.toMatch(/og:image|chatgpt/);
  expect(home.body).toContain('href="https://forge.example/acme/docs/pull/12"');
  const bar = /<aside class="bar".*?<\/aside>/s.exec(home.body)?.[0] ?? '';
  expect(
    bar
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe('Preview, not live: #12 of acme/docs Changed pages (3) Page A Page C (new) Page B (removed)');
  expect(bar).toContain(`href="${root}/c"`);
  expect((await sites.get(`${root}/a`, visitor)).body).toContain('Proposed words.');
  expect((await sites.get(`${root}/b`, visitor)).statusCode).toBe(404);
  expect((await sites.get(`${root}/reference`, visitor)).body).toContain('Reference');
  expect((await sites.get(`${root}/~/search?q=proposed`, visitor)).body).toContain(`${root}/a`);
});

test('what is live shows nothing of it', async () => {
  sites.isMember = true;
  const live = await sites.get('/s/acme/docs/a');
  sites.isMember = false;
  expect(live.body).toContain('Old.');
  expect(live.body).not.toContain('Proposed');
});

test('it opens for members and by its key alone, and not by that of another', async () => {
  expect((await sites.get(root)).statusCode).toBe(404);
  expect((await sites.get(`${root}?shareKey=wrong`)).statusCode).toBe(404);
  sites.isMember = true;
  expect((await sites.get(root)).statusCode).toBe(200);
  sites.isMember = false;
  // The key of a preview is none of the site.
  expect((await sites.get(`/s/acme/docs${new URL(opened, 'http://x').search}`)).statusCode).toBe(404);
});

test('a preview that was not saved for long is deleted with its revisions', async () => {
  const { db } = sites.platform.deps;
  const ids = async () => (await db.select().from(tables.sitePreviews)).map(({ id }) => id);
  const before = await ids();
  const old = { ...(await db.select().from(tables.sitePreviews))[0], id: 'old', source: 'pull-1' };
  const aged = { ...old, updatedAt: new Date(Date.now() - 31 * 24 * 60 * 60 * 1000) };
  await db.insert(tables.sitePreviews).values(aged as typeof tables.sitePreviews.$inferInsert);
  await removeOldRows(db, AbortSignal.timeout(PATIENCE_MS));
  expect(await ids()).toEqual(before);
});

test('a newer state has the same address, and a deleted preview is gone at once', async () => {
  const { client, organizationId } = sites.platform;
  const params = { organizationId, siteId: site.id };
  const { revision } = await client.call(operations.getSpace, { params: { spaceId } });
  const again = await save(revision ?? '');
  expect(again.pathname + again.search).toBe(opened);
  const visitor = await enter();
  expect((await sites.get(`${root}/a`, visitor)).body).toContain('Old.');
  await client.call(operations.deleteSitePreview, { params: { ...params, previewSource: SOURCE } });
  expect((await sites.get(root, visitor)).statusCode).toBe(404);
});
