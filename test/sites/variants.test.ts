import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../src/store/index.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;

/** One site, whose default is the newest version in English, with an old one and a translation of both. */
const VARIANTS = {
  new: { language: 'en', files: { 'README.md': '# Home\n', 'deep/a.md': '# A\n', 'deep/b.md': '# B\n' } },
  old: { language: null, files: { 'README.md': '# Home 1\n', 'deep/a.md': '# A\n', 'gone.md': '# Gone\n' } },
  de: { language: 'de', files: { 'README.md': '# Start\n', 'deep/a.md': '# A auf Deutsch\n' } },
  'de-old': { language: 'de', files: { 'README.md': '# Start 1\n' } },
} as const;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const { db } = platform.deps;
  const site = await sites.createSite('docs');
  for (const [path, { language, files }] of Object.entries(VARIANTS)) {
    const spaceId = await platform.createSpace(path);
    await db.update(tables.spaces).set({ language }).where(eq(tables.spaces.id, spaceId));
    const { repo, url } = await platform.createRepo(path);
    await repo.commit(files);
    await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
    await sites.addSpace(site, spaceId, { path });
  }
});
afterAll(() => sites.close());

const whole = (path: string) => `${sites.platform.deps.publicUrl}/s/acme/docs${path}`;

async function headOf(path: string) {
  const { statusCode, body } = await sites.get(`/s/acme/docs${path}`);
  expect(statusCode).toBe(200);
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1];
  return {
    canonical: /<link rel="canonical" href="([^"]*)">/.exec(body)?.[1],
    alternates: Object.fromEntries(
      [...body.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g)].map(
        ([, language, href]) => [language, href],
      ),
    ),
    breadcrumbs: json === undefined ? null : JSON.parse(json),
  };
}

test.each([
  ['/deep/a', '/deep/a', { en: '/deep/a', de: '/de/deep/a' }],
  ['/de/deep/a', '/de/deep/a', { en: '/deep/a', de: '/de/deep/a' }],
  ['/deep/b', '/deep/b', {}],
  ['/old/deep/a', '/deep/a', {}],
  ['/old/gone', '/old/gone', {}],
  ['/old', '', {}],
  ['/de-old', '/de', {}],
])('search engines know %s as %s, in the languages %j', async (path, canonical, alternates) => {
  const head = await headOf(path);
  expect(head.canonical).toBe(whole(canonical));
  expect(head.alternates).toEqual(
    Object.fromEntries(Object.entries(alternates).map(([language, href]) => [language, whole(href)])),
  );
});

test('sitemaps have no old versions', async () => {
  const { body } = await sites.get('/s/acme/docs/sitemap.xml');
  const addresses = [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);
  const pages = await Promise.all(addresses.map((address) => sites.get(new URL(address).pathname)));
  const listed = pages.flatMap((sitemap) =>
    [...sitemap.body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, page]) => page),
  );
  expect(listed.toSorted()).toEqual(['', '/de', '/de/deep/a', '/deep/a', '/deep/b'].map(whole).toSorted());
});

test('pages say where they are as data', async () => {
  const { breadcrumbs } = await headOf('/deep/a');
  expect(breadcrumbs['@type']).toBe('BreadcrumbList');
  expect(breadcrumbs.itemListElement.at(0)).toEqual({
    '@type': 'ListItem',
    position: 1,
    name: 'Acme Docs',
    item: whole(''),
  });
  expect(breadcrumbs.itemListElement.at(-1)).toMatchObject({ name: 'A', item: whole('/deep/a') });
  const home = (await headOf('')).breadcrumbs.itemListElement;
  expect(home.map(({ item }: { item: string }) => item)).toEqual([whole('')]);
});
