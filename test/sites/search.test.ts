import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchAnswer } from '../../src/sites/views/site-page.ts';
import { insertSection, newId } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let guideSpace: string;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaces = { guide: await platform.createSpace('Guide'), api: await platform.createSpace('API') };
  for (const [name, files] of [
    [
      'guide',
      {
        'README.md': '# Welcome\n\nThis is the guide.\n',
        'install.md':
          '# Installing\n\n## On Linux\n\nUse the `zypper` package manager.\n\n## 在 Windows 上\n\n请运行安装程序。\n',
        'hidden.md': '---\nhidden: true\n---\n\n# Unlisted\n\nThe zypper that nobody finds.\n',
        'SUMMARY.md':
          '# Summary\n\n* [Welcome](README.md)\n* [Installing](install.md)\n* [Unlisted](hidden.md)\n',
      },
    ],
    ['api', { 'README.md': '# Reference\n\nCall zypper over HTTP.\n' }],
  ] as const) {
    const { repo, url } = await platform.createRepo(name);
    await repo.commit(files);
    await platform.importBranch(spaces[name], { url, ref: 'refs/heads/main' });
  }
  const { db } = platform.deps;
  const site = await sites.createSite('docs');
  const sections = [];
  for (const title of ['Guide', 'API']) {
    const section = {
      id: newId(),
      siteId: site.id,
      groupId: null,
      title,
      path: title.toLowerCase(),
      icon: null,
    };
    sections.push(await insertSection(db, section));
  }
  guideSpace = (await sites.addSpace(site, spaces.guide, { sectionId: sections[0]?.id ?? null, path: 'v1' }))
    .id;
  await sites.addSpace(site, spaces.api, { sectionId: sections[1]?.id ?? null, path: 'v1' });
});
afterAll(() => sites.close());

async function find(query: string, parameters = ''): Promise<SearchAnswer['results']> {
  const path = `/s/acme/docs/~/search?q=${encodeURIComponent(query)}${parameters}`;
  const { statusCode, body } = await sites.get(path, { accept: 'application/json' });
  expect(statusCode).toBe(200);
  return (JSON.parse(body) as SearchAnswer).results;
}

describe('a search over a site', () => {
  test('finds sections of all its sections, with their addresses, and no hidden pages', async () => {
    const results = await find('zypper');
    expect(results.map(({ title, href, trail }) => [title, href, trail])).toEqual(
      expect.arrayContaining([
        ['On Linux', '/s/acme/docs/install#on-linux', ['Guide', 'Installing']],
        ['Reference', '/s/acme/docs/api', ['API']],
      ]),
    );
    expect(results).toHaveLength(2);
    for (const { href } of results) expect((await sites.get(href.replace(/#.*/, ''))).statusCode).toBe(200);
  });

  test('marks what matches', async () => {
    const [result] = await find('zypp', `&in=${guideSpace}`);
    expect(result?.excerpt).toContainEqual({ text: 'zypp', isMatch: true });
    expect(result?.excerpt.map(({ text }) => text).join('')).toBe('Use the zypper package manager.');
  });

  test('finds words of languages without spaces', async () => {
    expect((await find('安装程序')).map(({ href }) => href)).toEqual([
      '/s/acme/docs/install#%E5%9C%A8-windows-%E4%B8%8A',
    ]);
  });

  test.each(['', ' ', '"', '-x', '\u0000', '\\', '%', "'&|!<->", 'x'.repeat(5_000)])(
    'of %j answers',
    async (query) => {
      expect(Array.isArray(await find(query))).toBe(true);
    },
  );

  test('has a page for who has no script', async () => {
    const { statusCode, headers, body } = await sites.get('/s/acme/docs/~/search?q=zypper%20%3Cx%3E');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('href="/s/acme/docs/install#on-linux"');
    expect(body).toContain('<mark>zypper</mark>');
    expect(body).toContain('value="zypper &#60;x&#62;"');
    expect(body).toContain('content="noindex"');
    expect(headers['cache-control']).toMatch(/^private/);
  });
});

test('more searches than can be answered soon are refused with a time to come back, as a page and as JSON', async () => {
  const path = '/s/acme/docs/~/search?q=zypper';
  const statuses: number[] = [];
  const search = async (accept: string) => {
    const answer = await sites.get(path, { accept });
    statuses.push(answer.statusCode);
    return answer;
  };
  const { db } = sites.platform.deps;
  const underWay = await db.transaction(async (tx) => {
    // Nothing that searches comes to its end while this holds.
    await tx.execute(sql`lock table sections in access exclusive mode`);
    const searches = Array.from({ length: 40 }, () => search('application/json'));
    await waitFor(() => statuses.length === 8);
    const page = await search('text/html');
    expect([page.statusCode, page.headers['retry-after']]).toEqual([429, '2']);
    expect(page.body).toContain('Many people are searching at this moment.');
    const answer = await search('application/json');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '2']);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(JSON.parse(answer.body)).toEqual({
      error: { code: 429, message: expect.stringContaining('Search again in 2 seconds') },
    });
    return searches;
  });
  await Promise.all(underWay);
  expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  expect(await find('zypper')).toHaveLength(2);
});
