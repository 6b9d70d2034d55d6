import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { tables } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let siteId: string;

const B = '# B\n\n## Part\n\nThe quokka. See [a](a.md), [b](#part), [c](c.md#end) ![](../picture.svg)\n';

/** One site, whose default is the newest version in English, with an old one and a translation of both. */
const VARIANTS = {
  new: {
    language: 'en',
    files: {
      'README.md': '# Home\n',
      'deep/a.md': '# A\n',
      'deep/b.md': B,
      'deep/c.md': '# C\n\n## End\n',
      'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
  },
  old: { language: null, files: { 'README.md': '# Home 1\n', 'deep/a.md': '# A\n', 'gone.md': '# Gone\n' } },
  de: { language: 'de', files: { 'README.md': '# Start\n', 'deep/a.md': '# A auf Deutsch\n' } },
  'de-old': { language: 'de', files: { 'README.md': '# Start 1\n' } },
} as const;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const { db } = platform.deps;
  const site = await sites.createSite('docs');
  siteId = site.id;
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
  expect(listed.toSorted()).toEqual(
    ['', '/de', '/de/deep/a', '/deep/a', '/deep/b', '/deep/c'].map(whole).toSorted(),
  );
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

test('a page that a translation lacks is the original, in the frame of the translation, and says so', async () => {
  const { statusCode, body } = await sites.get('/s/acme/docs/de/deep/b');
  expect(statusCode).toBe(200);
  expect(body).toContain('<html lang="de" dir="ltr"');
  expect(body).toContain('Diese Seite ist noch nicht übersetzt.');
  expect(body).toMatch(/<p class="untranslated" role="note">[^<]*<a href="\/s\/acme\/docs\/deep\/b">/);
  const [article = ''] = /<article.*<\/article>/s.exec(body) ?? [];
  expect(article).toMatch(/^<article [^>]*lang="en" dir="ltr"/);
  expect(article).toContain('The quokka.');
  const links = [...article.matchAll(/<a\b[^>]* href="(\/s[^"]*)"/g)].map(([, href]) => href);
  expect(links).toEqual(['/s/acme/docs/de/deep/a', '/s/acme/docs/de/deep/c#end']);
  const [, picture = ''] = / src="([^"]*)"/.exec(article) ?? [];
  expect((await sites.get(picture)).statusCode).toBe(200);
  expect(await headOf('/de/deep/b')).toEqual({
    canonical: whole('/deep/b'),
    alternates: {},
    breadcrumbs: null,
  });
  const [, navigation = ''] = /<nav class="pages"(.*?)<\/nav>/s.exec(body) ?? [];
  expect(navigation).toContain('A auf Deutsch');
  expect(navigation).not.toContain('aria-current');
});

test('the switch of languages keeps a page that is not translated', async () => {
  for (const path of ['/deep/b', '/de/deep/b']) {
    const { body } = await sites.get(`/s/acme/docs${path}`);
    const [, variants = ''] = /<nav class="variants"(.*?)<\/nav>/s.exec(body) ?? [];
    const [, , german] = variants.match(/<li>.*?<\/li>/gs) ?? [];
    expect(german).toContain('href="/s/acme/docs/de/deep/b"');
    expect(german).not.toContain('<small>');
  }
});

test('the original is Markdown for programs at both addresses, with what it is', async () => {
  const { body } = await sites.get('/s/acme/docs/de/deep/b.md');
  expect(body).toMatch(
    /^> Diese Seite ist noch nicht übersetzt\. \[.*\]\(\/s\/acme\/docs\/deep\/b\.md\)\n\n# B\n/,
  );
  expect(body).toContain('](/s/acme/docs/de/deep/a.md)');
  expect(body).toContain('](/s/acme/docs/de/deep/c.md#end)');
  expect((await sites.get('/s/acme/docs/deep/b.md')).body).toMatch(/^# B\n/);
});

test.each(['/old/deep/b', '/de-old/deep/b', '/de/nothing', '/de/de/deep/a', '/gone'])(
  'nothing stands in at %s',
  async (path) => {
    expect((await sites.get(`/s/acme/docs${path}`)).statusCode).toBe(404);
  },
);

test('a page is found by searches once', async () => {
  const { body } = await sites.get('/s/acme/docs/~/search?q=quokka&scope=all', {
    accept: 'application/json',
  });
  expect(JSON.parse(body).results).toHaveLength(1);
});

test('a redirect of the site goes before the original', async () => {
  const { client, organizationId } = sites.platform;
  const params = { organizationId, siteId };
  const { items } = await client.call(operations.listSiteSpaces, { params });
  const destination = { kind: 'site-space', siteSpaceId: items[1]?.id ?? '' } as const;
  await client.call(operations.createRedirect, { params, body: { source: '/de/deep/c', destination } });
  await waitFor(async () => (await sites.get('/s/acme/docs/de/deep/c')).statusCode === 301);
});
