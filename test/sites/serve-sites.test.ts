import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables, updateSite } from '../../src/store/index.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let sites: TestSites;
let spaceId: string;
let repoUrl: string;
let repo: Awaited<ReturnType<TestSites['platform']['createRepo']>>['repo'];
let siteId: string;
let siteSpaceId: string;

beforeAll(async () => {
  // Only the git program reads when files changed.
  sites = await startSites({ git: { program: 'git' } });
  const { platform } = sites;
  spaceId = await platform.createSpace('Guide');
  ({ repo, url: repoUrl } = await platform.createRepo('guide'));
  await repo.commit({
    'README.md': '# Welcome\n\nRead the [start](guide/start.md#first) or see ![a dot](dot.png).\n',
    'guide/start.md': '# Start\n\n## First\n\nBack [home](../README.md), nowhere [else](missing.md).\n',
    'SUMMARY.md': '# Summary\n\n* [Welcome](README.md)\n* [Start](guide/start.md)\n',
    'dot.png': PIXEL,
  });
  await platform.importBranch(spaceId, { url: repoUrl, ref: 'refs/heads/main' });
  const site = await sites.createSite('docs');
  siteId = site.id;
  siteSpaceId = (await sites.addSpace(site, spaceId)).id;
});
afterAll(() => sites.close());

testAtLength('a page says when a commit last changed its file', async () => {
  const { platform } = sites;
  const own = await platform.createSpace('Dates');
  const { repo: docs, url } = await platform.createRepo('dates');
  const day = 24 * 60 * 60;
  const commitOn = async (nth: number, files: Readonly<Record<string, string>>) => {
    const blobs = Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    );
    const at = Date.parse('2025-03-01T12:00:00Z') / 1_000 + nth * day;
    const from = nth === 0 ? '' : 'from refs/heads/main^0\n';
    await docs.git(
      ['fast-import', '--quiet', '--force'],
      `commit refs/heads/main\ncommitter A <a@example.com> ${at} +0000\ndata 1\nx\n${from}${blobs.join('')}\n`,
    );
  };
  const dates = async () =>
    await Promise.all(
      ['', '/a'].map(async (path) => {
        const { body } = await sites.get(`/s/acme/dates${path}`);
        return /<time datetime="([^T]*)T/.exec(body)?.[1];
      }),
    );
  await commitOn(0, { 'README.md': '# Home\n', 'a.md': '# A\n' });
  await commitOn(1, { 'a.md': '# A\n\nMore.\n' });
  await commitOn(2, { 'x.txt': 'x' });
  await platform.importBranch(own, { url, ref: 'refs/heads/main' });
  const site = await sites.createSite('dates');
  await sites.addSpace(site, own, { path: 'dates' });
  expect(await dates()).toEqual(['2025-03-01', '2025-03-02']);
  await commitOn(3, { 'README.md': '# Home\n\nNew.\n' });
  await platform.importBranch(own, { url, ref: 'refs/heads/main' });
  await waitFor(async () => (await dates())[0] === '2025-03-04');
  expect(await dates()).toEqual(['2025-03-04', '2025-03-02']);
});

test('a page has its own title as heading, and its label in the navigation', async () => {
  const { platform } = sites;
  const own = await platform.createSpace('Labels');
  const { repo: docs, url } = await platform.createRepo('labels');
  await docs.commit({
    'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] };",
    'docs/start.md': '---\ntitle: How to start\nsidebar_label: Start\n---\nText without a heading.\n',
  });
  await platform.importBranch(own, { url, ref: 'refs/heads/main' });
  const site = await sites.createSite('labels');
  await sites.addSpace(site, own, { path: 'labels' });
  const address = '/s/acme/labels/docs/start';
  const { body } = await sites.get(address);
  expect(body).toContain('<h1>How to start</h1>');
  expect(body).toContain('<title>How to start · ');
  expect(body).toMatch(/<a [^>]*aria-current="page"[^>]*>Start<\/a>/);
});

describe('a public site', () => {
  test('shows its pages, with links between them', async () => {
    const home = await sites.get('/s/acme/docs');
    expect(home.statusCode).toBe(200);
    expect(home.body).toContain('<h1');
    expect(home.body).toContain('href="/s/acme/docs/guide/start#first"');
    expect(home.body).toMatch(/<img [^>]*width="1" height="1"/);
    const start = await sites.get('/s/acme/docs/guide/start');
    expect(start.statusCode).toBe(200);
    expect(start.body).toContain('href="/s/acme/docs"');
    expect(start.body).not.toContain('href="missing');
  });

  test('may be kept by shared caches, and is asked for again with its tag', async () => {
    const { headers } = await sites.get('/s/acme/docs');
    expect(headers['cache-control']).toMatch(/^public, /);
    const again = await sites.get('/s/acme/docs', { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('is repeated to the next reader as it was sent to the first', async () => {
    const address = '/s/acme/docs/guide/start';
    const { headers } = await sites.get(address);
    const asked = [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br' }] as const;
    const known = { 'if-none-match': String(headers.etag) };
    for (const how of [...asked, known, { ...known, accept: 'text/html' }]) {
      // What begins with a query is never repeated.
      const first = await sites.get(`${address}?`, how);
      const again = await sites.get(address, how);
      expect([again.statusCode, again.rawPayload]).toEqual([first.statusCode, first.rawPayload]);
      const [{ date: _first, ...sent }, { date: _again, ...repeated }] = [first.headers, again.headers];
      expect(repeated).toEqual(sent);
    }
  });

  test('is compressed as the client accepts', async () => {
    const { body } = await sites.get('/s/acme/docs');
    const brotli = await sites.get('/s/acme/docs', { 'accept-encoding': 'gzip, br' });
    const gzip = await sites.get('/s/acme/docs', { 'accept-encoding': 'gzip' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(body);
  });

  test('shows its pictures', async () => {
    const { body } = await sites.get('/s/acme/docs');
    const src = /<img[^>]* src="([^"]*)"/.exec(body)?.[1] ?? '';
    const picture = await sites.get(src);
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png']);
    expect(picture.rawPayload).toEqual(PIXEL);
    expect(picture.headers['content-security-policy']).toContain('sandbox');
  });

  test('loads its scripts, and the styles for them, from its own address, and browsers keep them', async () => {
    const { body } = await sites.get('/s/acme/docs');
    const addresses = [...body.matchAll(/(?:src|href)="(\/s\/acme\/docs\/~\/assets\/[^"]*)"/g)].map(
      ([, address]) => address ?? '',
    );
    expect(addresses.map((address) => address.split('.').at(-1)).toSorted()).toEqual(['css', 'js', 'svg']);
    for (const address of addresses) {
      const asset = await sites.get(address, { 'accept-encoding': 'br' });
      expect([asset.statusCode, asset.headers['content-encoding']], address).toEqual([200, 'br']);
      expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  test('shows people what they may have meant at an address without a page', async () => {
    const path = '/s/acme/docs/guides/started.html';
    const { statusCode, headers, body } = await sites.get(path, { accept: 'text/html,*/*' });
    expect([statusCode, headers['cache-control']]).toEqual([404, 'private, no-store']);
    expect(body).toContain('<h1>Page not found</h1>');
    expect(body).toContain('<li><a href="/s/acme/docs/guide/start">Start</a></li>');
    expect(body).toContain('noindex');
    expect((await sites.get(path)).headers['content-type']).toContain('text/plain');
  });

  test.each([
    ['/s/acme/docs/', '/s/acme/docs'],
    ['/s/acme/docs/docs', '/s/acme/docs'],
    ['/s/acme/docs/docs/guide/start', '/s/acme/docs/guide/start'],
    ['/s/acme/docs/guide/start/', '/s/acme/docs/guide/start'],
    ['/s/acme/docs/guide/start/?a=/', '/s/acme/docs/guide/start'],
  ])('redirects %s to the one address of its page', async (path, address) => {
    const { statusCode, headers } = await sites.get(path);
    expect([statusCode, headers.location]).toEqual([301, address]);
  });

  test.each([
    '/s/acme/docs/nothing',
    '/s/acme/other',
    '/s/nobody/docs',
    '/s/acme/docs/%00',
    '/s/acme/docs/~/files/x/y',
    '/s/acme/docs/~/assets/site.css',
    '/s/acme/docs/~/assets/constructor',
    '/s/acme/docs/~/nothing',
  ])('has nothing at %s', async (path) => {
    const { statusCode, headers } = await sites.get(path);
    expect([statusCode, headers['cache-control']]).toEqual([404, 'private, no-store']);
  });

  test('shows a push at once, and leads from where a page was to where it is', async () => {
    await sites.get('/s/acme/docs/guide/start');
    await repo.commit({
      'guide/start.md': null,
      'guide/begin.md': '# Start\n\n## First\n\nBack [home](../README.md), nowhere [else](missing.md).\n',
      'SUMMARY.md': '# Summary\n\n* [Welcome](README.md)\n* [Start](guide/begin.md)\n',
    });
    await sites.platform.importBranch(spaceId, { url: repoUrl, ref: 'refs/heads/main' });
    await waitFor(async () => {
      const { statusCode } = await sites.get('/s/acme/docs/guide/begin');
      return statusCode === 200 || undefined;
    });
    const moved = await sites.get('/s/acme/docs/guide/start');
    expect([moved.statusCode, moved.headers.location]).toEqual([301, '/s/acme/docs/guide/begin']);
  });
});

describe('a site that is not published', () => {
  test('is not there, but for members, whose answers no cache keeps', async () => {
    const { db } = sites.platform.deps;
    await updateSite(db, siteId, { publishedAt: null });
    await waitFor(async () => (await sites.get('/s/acme/docs')).statusCode === 404 || undefined);
    sites.isMember = true;
    const { statusCode, headers, body } = await sites.get('/s/acme/docs');
    expect([statusCode, headers['cache-control']]).toEqual([200, 'private, no-store']);
    const src = /<img[^>]* src="([^"]*)"/.exec(body)?.[1] ?? '';
    expect((await sites.get(src)).headers['cache-control']).toBe('private, no-store');
    sites.isMember = false;
    expect((await sites.get(src)).statusCode).toBe(404);
    await updateSite(db, siteId, { publishedAt: new Date() });
    await waitFor(async () => (await sites.get('/s/acme/docs')).statusCode === 200 || undefined);
  });
});

test('a space that is taken out of a site is not shown there any more, nor its files', async () => {
  const { body } = await sites.get('/s/acme/docs');
  const src = /<img[^>]* src="([^"]*)"/.exec(body)?.[1] ?? '';
  const { siteSpaces } = tables;
  await sites.platform.deps.db.delete(siteSpaces).where(eq(siteSpaces.id, siteSpaceId));
  await waitFor(async () => (await sites.get('/s/acme/docs')).statusCode === 404 || undefined);
  expect((await sites.get(src)).statusCode).toBe(404);
});
