import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchAnswer } from '../../src/sites/views/site-page.ts';
import { insertSection, newId, refreshKnownWords, tables } from '../../src/store/index.ts';
import { provideTrigrams } from '../../src/store/provide-trigrams.ts';
import { openPool } from '../support/database.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let guideSpace: string;
let oldSpace: string;
let apiSpace: string;
/** Of another site. */
let otherSpace: string;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaces = {
    guide: await platform.createSpace('Guide'),
    api: await platform.createSpace('API'),
    old: await platform.createSpace('Old guide'),
  };
  for (const [name, files] of [
    [
      'guide',
      {
        'README.md': '# Welcome\n\nThis is the guide.\n',
        'install.md':
          '# Installing\n\n## On Linux\n\nUse the `zypper` package manager.\n\n## 在 Windows 上\n\n请运行安装程序。\n\n## 日本語\n\nインストーラを実行します。\n\n## 한국어\n\n서버를 시작합니다.\n',
        'hidden.md': '---\nhidden: true\n---\n\n# Unlisted\n\nThe zypper that nobody finds.\n',
        'SUMMARY.md':
          '# Summary\n\n* [Welcome](README.md)\n* [Installing](install.md)\n* [Unlisted](hidden.md)\n',
      },
    ],
    ['old', { 'install.md': '# Installing\n\n## On Linux\n\nThe zypper of old.\n' }],
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
  apiSpace = (await sites.addSpace(site, spaces.api, { sectionId: sections[1]?.id ?? null, path: 'v1' })).id;
  oldSpace = (await sites.addSpace(site, spaces.old, { sectionId: sections[0]?.id ?? null, path: 'old' })).id;
  otherSpace = (await sites.addSpace(await sites.createSite('other'), spaces.old)).id;
});
afterAll(() => sites.close());

async function find(query: string, parameters = ''): Promise<SearchAnswer['results']> {
  return (await answerTo(query, parameters)).results;
}

async function answerTo(query: string, parameters = ''): Promise<SearchAnswer> {
  const path = `/s/acme/docs/~/search?q=${encodeURIComponent(query)}${parameters}`;
  const { statusCode, body } = await sites.get(path, { accept: 'application/json' });
  expect(statusCode).toBe(200);
  return JSON.parse(body) as SearchAnswer;
}

/** Nobody waits longer for a guess than a quarter of a second, in which a busy machine may make none: it is asked again. */
const correctionOf = async (query: string) => (await answerTo(query)).corrected;

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

  test('reaches as far as one chooses, from what one reads', async () => {
    const places = async (parameters: string) => {
      const { results, scopes } = await answerTo('zypper', parameters);
      return [results.map(({ href }) => href), scopes.map(({ label, isChosen }) => [label, isChosen])];
    };
    const inGuide = '/s/acme/docs/install#on-linux';
    const inOld = '/s/acme/docs/old/install#on-linux';
    const inApi = '/s/acme/docs/api';
    const choices = (...chosen: readonly boolean[]) => [
      ['Everything', chosen[0]],
      ['Guide', chosen[1]],
      ['Guide › Old guide', chosen[2]],
    ];
    const sorted = ([hrefs, scopes]: Awaited<ReturnType<typeof places>>) => [hrefs?.toSorted(), scopes];
    const from = `&from=${oldSpace}`;
    expect(sorted(await places(from))).toEqual([[inApi, inOld], choices(true, false, false)]);
    expect(sorted(await places(`${from}&scope=section`))).toEqual([
      [inGuide, inOld],
      choices(false, true, false),
    ]);
    expect(await places(`${from}&scope=variant`)).toEqual([[inOld], choices(false, false, true)]);
    // The section of the reference has no other variant.
    const [, ofApi] = await places(`&from=${apiSpace}`);
    expect(ofApi).toEqual([
      ['Everything', true],
      ['API', false],
    ]);
    for (const unknown of ['&from=nothing', '&scope=nothing', `&from=${otherSpace}`, '&from=a&from=b'])
      expect([unknown, sorted(await places(unknown))[0]]).toEqual([unknown, [inApi, inGuide]]);
    const { body } = await sites.get(`/s/acme/docs/~/search?q=zypper${from}&scope=variant`);
    expect(body).toContain('<input type="radio" name="scope" value="variant" checked> Guide › Old guide');
    expect(body).toContain(`<input type="hidden" name="from" value="${oldSpace}">`);
    expect((await sites.get('/s/acme/docs/api')).body).toContain(`name="from" value="${apiSpace}"`);
  });

  test('marks what matches', async () => {
    const [result] = await find('zypp', `&from=${guideSpace}&scope=variant`);
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

  test.each([
    ['安装', 1],
    ['请运行', 1],
    ['程序', 1],
    ['装', 1],
    ['windows 上', 1],
    ['安装 运行', 1],
    ['序安', 0],
    ['インストーラ', 1],
    ['ストーラ', 1],
    ['서버', 1],
    ['서버를 시작', 1],
  ])('finds %s in texts without spaces, and with them', async (query, count) => {
    expect(await find(query)).toHaveLength(count);
  });

  describe('whose words are misspelt', () => {
    test.each([
      ['zyppr', 'zypper', 2],
      ['zpyper', 'zypper', 2],
      ['pakage zyper', 'package zypper', 1],
      ['linux instaling', 'linux installing', 1],
      ['Welcom zzypper', null, 0],
    ])('%s: shows %s', async (query, corrected, count) => {
      if (corrected === null) return expect(await correctionOf(query)).toBeNull();
      const answer = await waitFor(async () => {
        const given = await answerTo(query);
        return given.corrected !== null && given;
      });
      expect(answer).toMatchObject({
        corrected,
        said: `Nothing for “${query}”; showing “${corrected}”. Results: ${count}`,
      });
      expect(answer.results).toHaveLength(count);
    });

    test('says so on the page without scripts, and to language models', async () => {
      const page = async () => (await sites.get('/s/acme/docs/~/search?q=zyppr')).body;
      await expect
        .poll(page)
        .toContain('<p role="status">Nothing for “zyppr”; showing “zypper”. Results: 2</p>');
      const call = { name: 'search', arguments: { query: 'zyppr' } };
      const asked = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
      const answer = async () =>
        (await sites.post('/s/acme/docs/~/mcp', asked, { 'content-type': 'application/json' })).body;
      await expect.poll(answer).toContain('Nothing was found for “zyppr”; these match “zypper”.');
    });

    test.each([
      ['what matches as it is written', 'zypp'],
      ['what begins a word, or is inside of one', 'ypper'],
      ['a phrase', '"zyppr"'],
      ['a word that is to be left out', 'welcome -zyppr'],
      ['a number', '2027'],
      ['a word that no one of these pages has', 'aardvark'],
      ['one that only a hidden page has', 'unlistd'],
    ])('corrects nothing: %s', async (_name, query) => {
      expect((await answerTo(query)).corrected).toBeNull();
    });

    test('finds what is inside of words, of what readers see, with and without an index of words', async () => {
      const { db } = sites.platform.deps;
      const inside = () =>
        Promise.all(
          ['ypper', 'ypper stalli', 'ardvar', 'YPPER -linux'].map(
            async (query) => (await find(query)).length > 0,
          ),
        );
      expect(await inside()).toEqual([true, true, false, true]);
      await db.execute(sql`drop index known_words_by_trigrams`);
      expect(await inside()).toEqual([true, true, false, true]);
      await provideTrigrams((db as unknown as { $client: pg.Pool }).$client, () => {});
    });

    test('does so with what this site has, and not with what others have', async () => {
      const { platform } = sites;
      const { repo, url } = await platform.createRepo('others');
      await repo.commit({ 'README.md': '# Aardvarks\n\nA zyppers and an aardvarq.\n' });
      const other = await platform.createSpace('Others');
      await platform.importBranch(other, { url, ref: 'refs/heads/main' });
      await expect.poll(() => correctionOf('zyppr')).toBe('zypper');
      expect(await answerTo('aardvarqs')).toMatchObject({
        results: [],
        corrected: null,
        said: 'Nothing found for “aardvarqs”.',
      });
    });

    test('does not where the server cannot, and does again where it can', async () => {
      const { db } = sites.platform.deps;
      await db.execute(sql`drop extension pg_trgm cascade`);
      expect((await answerTo('zyppr')).said).toBe('Nothing found for “zyppr”.');
      expect(await find('zypper')).toHaveLength(2);
      const said: string[] = [];
      const pool = (db as unknown as { $client: pg.Pool }).$client;
      const role = `reader_${randomBytes(4).toString('hex')}`;
      await pool.query(`create role ${role}`);
      const limited = openPool(pool.options.connectionString ?? '', { options: `-c role=${role}` });
      await provideTrigrams(limited, (line) => void said.push(line));
      expect(said.splice(0)).toEqual([expect.stringContaining('the database has no pg_trgm')]);
      await limited.end();
      await pool.query(`drop role ${role}`);
      await provideTrigrams(pool, (line) => void said.push(line));
      expect(said).toEqual([]);
      await expect.poll(() => correctionOf('zyppr')).toBe('zypper');
    });

    test('makes nobody wait for a guess', async () => {
      const { db } = sites.platform.deps;
      await expect.poll(() => correctionOf('zyppr')).toBe('zypper');
      await db.transaction(async (tx) => {
        // Who looks for similar words waits until this ends.
        await tx.execute(sql`lock table ${tables.knownWords} in access exclusive mode`);
        expect(await answerTo('zyppr')).toMatchObject({ corrected: null, results: [] });
        expect(await find('zypper')).toHaveLength(2);
      });
      await expect.poll(() => correctionOf('zyppr')).toBe('zypper');
    });

    test('keeps the words that sections have, and writes those of earlier sections', async () => {
      const { db } = sites.platform.deps;
      const words = async () =>
        (await db.select().from(tables.knownWords)).map(({ word }) => word).toSorted();
      const before = await words();
      expect(before).toContain('zypper');
      expect(before).not.toContain('安装');
      await db.insert(tables.knownWords).values({ word: 'forgotten', checkedAt: new Date(0) });
      await db.update(tables.knownWords).set({ checkedAt: new Date(0) });
      expect(await refreshKnownWords(db, AbortSignal.timeout(PATIENCE_MS))).toBe(1);
      expect(await words()).toEqual(before);
      await db.delete(tables.knownWords);
      await refreshKnownWords(db, AbortSignal.timeout(PATIENCE_MS));
      expect(await words()).toEqual(before.filter((word) => /^[a-z]+$/.test(word)));
    });
  });

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
    // The form has what was asked; the navigation of the site would take more than a search that is refused may.
    expect(page.body).toContain('value="zypper"');
    expect(page.body).not.toContain('<nav');
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
