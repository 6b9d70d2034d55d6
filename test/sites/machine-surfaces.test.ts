import { parseFragment } from 'parse5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables, updateSite } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let siteId: string;

beforeAll(async () => {
  sites = await startSites();
  const spaceId = await sites.platform.createSpace('Guide');
  const { repo, url } = await sites.platform.createRepo('guide');
  const pages = Array.from({ length: 120 }, (_page, nth) => nth);
  await repo.commit({
    'README.md': '---\ndescription: What <this> is\n---\n\n# Welcome & hello\n\nText.\n',
    'plain.md': 'No heading here.\n',
    'hidden.md': '---\nhidden: true\n---\n\n# Hidden\n\nNobody lists this.\n',
    ...Object.fromEntries(pages.map((nth) => [`many/page-${nth}.md`, `# Page ${nth}\n\nText ${nth}.\n`])),
    'SUMMARY.md': `# Summary\n\n* [Welcome & hello](README.md)\n* [Plain \\[x\\]](plain.md)\n* [Hidden](hidden.md)\n${pages
      .map((nth) => `* [Page ${nth}](many/page-${nth}.md)`)
      .join('\n')}\n`,
  });
  await sites.platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  const site = await sites.createSite('docs');
  siteId = site.id;
  await sites.addSpace(site, spaceId);
});
afterAll(() => sites.close());

const canonical = (path: string) => `${sites.platform.deps.publicUrl}/s/acme/docs${path}`;

test('a page is Markdown at its address with .md, and for who asks for Markdown', async () => {
  for (const [path, accept] of [
    ['/s/acme/docs/index.md', '*/*'],
    ['/s/acme/docs', 'text/markdown'],
  ] as const) {
    const { headers, body } = await sites.get(path, { accept });
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(body).toBe('# Welcome & hello\n\nText.\n');
    expect(headers.vary).toContain('accept');
  }
  expect((await sites.get('/s/acme/docs/plain.md')).body).toBe('# Plain [x]\n\nNo heading here.\n');
  expect((await sites.get('/s/acme/docs/nothing.md')).statusCode).toBe(404);
});

test('llms.txt names every page but hidden ones, with the address of its Markdown', async () => {
  const { body } = await sites.get('/s/acme/docs/llms.txt');
  expect(body).toContain(`- [Welcome & hello](${canonical('/index.md')}): What <this> is\n`);
  expect(body).toContain(`- [Plain \\[x\\]](${canonical('/plain.md')})\n`);
  expect(body).not.toContain('Hidden');
  for (const [, address = ''] of body.matchAll(/\]\((http[^)]*)\)/g)) {
    const { statusCode } = await sites.get(new URL(address).pathname);
    expect([address, statusCode]).toEqual([address, 200]);
  }
});

test('llms-full.txt has the texts in parts, each page once', async () => {
  const first = (await sites.get('/s/acme/docs/llms-full.txt')).body;
  const second = (await sites.get('/s/acme/docs/llms-full-2.txt')).body;
  expect(first).toContain(`The next part: ${canonical('/llms-full-2.txt')}`);
  const sources = [...`${first}${second}`.matchAll(/^Source: (.*)$/gm)].map(([, address]) => address);
  expect(new Set(sources).size).toBe(sources.length);
  expect(sources).toHaveLength(122);
  expect(`${first}${second}`).not.toContain('Nobody lists this');
  for (const path of [
    '/s/acme/docs/llms-full-3.txt',
    '/s/acme/docs/llms-full-1.txt',
    '/s/acme/docs/llms-full-0.txt',
  ])
    expect((await sites.get(path)).statusCode).toBe(404);
});

describe('for search engines', () => {
  test('the sitemap names the pages of each space, with the time of their last change', async () => {
    const index = await sites.get('/s/acme/docs/sitemap.xml');
    const [, address = ''] = /<loc>([^<]*)<\/loc><lastmod>\d{4}-[^<]*Z<\/lastmod>/.exec(index.body) ?? [];
    const sitemap = (await sites.get(new URL(address).pathname)).body;
    const pages = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, page]) => page);
    expect(pages).toHaveLength(122);
    expect(pages).toContain(canonical(''));
    expect(pages).not.toContain(canonical('/hidden'));
  });

  test('the feed has the newest pages, escaped', async () => {
    const { headers, body } = await sites.get('/s/acme/docs/feed.xml');
    expect(headers['content-type']).toContain('application/rss+xml');
    expect(body.match(/<item>/g)).toHaveLength(50);
    expect(() => parseFragment(body)).not.toThrow();
    expect(body).not.toMatch(/<this>/);
  });

  test('robots.txt of the server names the sitemaps of the public sites below it, and of no others', async () => {
    const { db, publicUrl } = sites.platform.deps;
    await sites.createSite('secret', { visibility: 'unlisted' });
    await sites.createSite('draft', { publishedAt: null });
    await sites.createSite('proxied', { proxy: 'example.com/docs' });
    await sites.createSite('hosted', { hostname: 'docs.example.com' });
    const proof = { organizationId: sites.platform.organizationId, domain: 'example.com', challenge: 'c' };
    const sitemaps = async () => {
      const { statusCode, headers, body } = await sites.get('/robots.txt');
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(body).toMatch(/^User-agent: \*\nDisallow: \/v1\/\n\n/);
      return [...body.matchAll(/^Sitemap: (.*)$/gm)].map(([, address]) => address);
    };
    const own = [canonical('/sitemap.xml'), `${publicUrl}/s/acme/hosted/sitemap.xml`];
    await waitFor(async () => (await sitemaps()).length === 2);
    expect(await sitemaps()).toEqual(own);
    await db.insert(tables.emailDomains).values({ ...proof, provedAt: new Date() });
    await waitFor(async () => (await sitemaps()).length === 1);
    expect(await sitemaps()).toEqual(own.slice(0, 1));
  });

  test('an unlisted site has no sitemap, and robots.txt says so', async () => {
    const { db } = sites.platform.deps;
    expect((await sites.get('/s/acme/docs/robots.txt')).body).toContain(
      `Sitemap: ${canonical('/sitemap.xml')}`,
    );
    await updateSite(db, siteId, { visibility: 'unlisted' });
    await waitFor(async () => (await sites.get('/robots.txt')).body === 'User-agent: *\nDisallow: /v1/\n');
    await waitFor(async () => (await sites.get('/s/acme/docs/sitemap.xml')).statusCode === 404);
    expect((await sites.get('/s/acme/docs/robots.txt')).body).toContain('Disallow: /\n');
    expect((await sites.get('/s/acme/docs/llms.txt')).statusCode).toBe(200);
  });

  test('a site that is not published has nothing for anybody else', async () => {
    await updateSite(sites.platform.deps.db, siteId, { publishedAt: null });
    await waitFor(async () => (await sites.get('/s/acme/docs/llms.txt')).statusCode === 404);
    for (const path of ['/sitemap.xml', '/feed.xml', '/robots.txt', '/llms-full.txt', '/index.md', ''])
      expect([path, (await sites.get(`/s/acme/docs${path}`)).statusCode]).toEqual([path, 404]);
  });
});
