/** A Starlight site, whose languages have folders in one space: what one lacks is shown in the default language. */
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { SearchAnswer } from '../../src/sites/views/site-page.ts';
import { newId, type SiteRow, tables, updateSite } from '../../src/store/index.ts';
import type { TestRepo } from '../support/git-repo.ts';
import { waitFor } from '../support/wait-for.ts';
import { followSite } from './follow-links.ts';
import { startSites, type TestSites } from './start-sites.ts';

const CONFIG = `import starlight from '@astrojs/starlight';
export default {
  integrations: [
    starlight({
      title: 'Guide',
      defaultLocale: 'root',
      locales: {
        root: { label: 'English', lang: 'en' },
        'pt-br': { label: 'Português', lang: 'pt-BR' },
        ar: { label: 'العربية' },
        fr: { label: 'Français' },
      },
      sidebar: ['start', { label: 'Guides', items: ['guides/one', 'guides/two'] }, 'last'],
    }),
  ],
};
`;
const VISITOR_KEY = 'a-key-of-the-site-0123456789abcdef';
const page = (title: string, text = '') => `---\ntitle: ${title}\n---\n\n${text}\n`;
const ONE = `${page('One', '## First part\n\nSee [two](/guides/two/#deep), [start](/start/) and [last](/last/#end).')}
## Second part

The quokka.
`;

let sites: TestSites;
let site: SiteRow;
let spaceId: string;
let repo: TestRepo;
let url: string;

const at = (path: string) => `src/content/docs/${path}`;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  spaceId = await platform.createSpace('Guide');
  ({ repo, url } = await platform.createRepo('guide'));
  await repo.commit({
    'astro.config.mjs': CONFIG,
    'package.json': '{ "dependencies": { "@astrojs/starlight": "^0.36.0" } }\n',
    [at('index.md')]: page('Home'),
    [at('start.md')]: page('Start'),
    [at('guides/one.md')]: ONE,
    [at('guides/two.md')]: page('Two', '## Deep\n\nText.'),
    [at('last.md')]: page('Last', '## End\n\nText.'),
    [at('secret.md')]: page('Secret'),
    [at('pt-br/index.md')]: page('Início'),
    [at('pt-br/start.md')]: page('Começo', 'Start: veja [um](/pt-br/guides/one/) e [two](/guides/two/).'),
    [at('pt-br/guides/two.md')]: page('Dois', '## Fundo\n\nTexto.'),
    [at('ar/start.md')]: page('البداية'),
  });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  site = await sites.createSite('docs');
  await sites.addSpace(site, spaceId);
});
afterAll(() => sites.close());

const below = (path: string) => `/s/acme/docs${path}`;
const get = (path: string, headers?: Readonly<Record<string, string>>) => sites.get(below(path), headers);
const mainOf = (body: string) => /<main .*<\/main>/s.exec(body)?.[0] ?? '';
const linksIn = (html: string) => [...html.matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, href]) => href);

describe('a page that is not translated', () => {
  let body: string;
  beforeAll(async () => {
    const answer = await get('/pt-br/guides/one');
    expect(answer.statusCode).toBe(200);
    body = answer.body;
  });

  test('is its original, in the frame of the reader’s language, and says so', () => {
    expect(body).toContain('<html lang="pt-BR" dir="ltr"');
    expect(body).toContain('Esta página ainda não foi traduzida.');
    expect(body).toContain(`<a href="${below('/guides/one')}">Ler o original</a>`);
    expect(body).toMatch(/<article [^>]*lang="en" dir="ltr"/);
    expect(body).toMatch(/<div class="title" lang="en" dir="ltr"><h1>One<\/h1>/);
    expect(body).toMatch(/<ul lang="en" dir="ltr"><li><a href="#first-part">/);
    expect(body).toContain('The quokka.');
  });

  test('asks the database once what may be at its address instead', async () => {
    const queries = vi.spyOn(sites.platform.database.store.pool, 'query');
    // With a query, an answer is not simply repeated.
    for (const nth of [1, 2]) {
      const answer = await sites.get(`${below('/pt-br/guides/one')}?again=${nth}`);
      expect(answer.statusCode).toBe(200);
    }
    const asked = queries.mock.calls.map(([query]) => JSON.stringify(query));
    queries.mockRestore();
    expect(asked.filter((query) => query.includes('moved_pages'))).toEqual([]);
  });

  test('is known to search engines as the original alone', async () => {
    const { publicUrl } = sites.platform.deps;
    expect(body).toContain(`<link rel="canonical" href="${publicUrl}${below('/guides/one')}">`);
    expect(body).not.toContain('rel="alternate" hreflang=');
    expect(body).not.toContain('application/ld+json');
    const index = await get('/sitemap.xml');
    const [, sitemap = ''] = /<loc>([^<]*)<\/loc>/.exec(index.body) ?? [];
    const listed = await sites.get(new URL(sitemap).pathname);
    expect(listed.body).toContain(`${below('/guides/one')}</loc>`);
    expect(listed.body).not.toContain(below('/pt-br/guides/one'));
    expect((await get('/llms.txt')).body).not.toContain(below('/pt-br/guides/one'));
  });

  test('stands between its neighbours of that language, at its place in the navigation', () => {
    expect(body).toContain(
      `<a rel="prev" href="${below('/pt-br/start')}"><small>Anterior</small> <span>Começo`,
    );
    expect(body).toMatch(new RegExp(`<a rel="next" href="${below('/pt-br/guides/two')}">.*<span>Dois`));
    expect(body).toMatch(new RegExp(`href="${below('/pt-br/guides/one')}" aria-current="page"`));
    const trail = /<nav class="trail".*?<\/nav>/s.exec(body)?.[0] ?? '';
    expect(trail).toContain('Guides');
    expect(trail).not.toMatch(/Português|Início/);
  });

  test('leads to translations, and stays in the language where there are none', () => {
    const article = /<article.*<\/article>/s.exec(body)?.[0] ?? '';
    const links = linksIn(article).filter((href) => href?.startsWith('/'));
    expect(links).toEqual(['/pt-br/guides/two', '/pt-br/start', '/pt-br/last#end'].map(below));
  });

  test('has one address', async () => {
    for (const path of ['/pt-br/guides/one/', '/pt-br/guides/one.html', '/pt-br/guides/one/index.html']) {
      const { statusCode, headers } = await get(path);
      expect([statusCode, headers.location]).toEqual([301, below('/pt-br/guides/one')]);
    }
  });

  test('is Markdown for programs, with what it is', async () => {
    const markdown = await get('/pt-br/guides/one.md');
    expect(markdown.statusCode).toBe(200);
    expect(markdown.body).toMatch(
      new RegExp(
        `^> Esta página ainda não foi traduzida\\. \\[Ler o original\\]\\(${below('/guides/one')}\\.md\\)\n\n# One\n`,
      ),
    );
    expect(markdown.body).toContain(`[two](${below('/pt-br/guides/two.md')})`);
    expect(markdown.body).toContain(`[last](${below('/pt-br/last.md')}#end)`);
    expect((await get('/guides/one.md')).body).toMatch(/^# One\n/);
    expect((await get('/pt-br/guides/one', { accept: 'text/markdown' })).body).toBe(markdown.body);
    const payload = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'getPage',
        arguments: { address: `${sites.platform.deps.publicUrl}${below('/pt-br/guides/one')}` },
      },
    });
    const answer = await sites.post(below('/~/mcp'), payload, { 'content-type': 'application/json' });
    expect(answer.json().result.content[0].text).toBe(markdown.body);
  });

  test('is found once', async () => {
    const { body: found } = await get('/~/search?q=quokka', { accept: 'application/json' });
    expect(JSON.parse(found).results).toHaveLength(1);
  });
});

test('the text keeps its direction in a language that is written the other way', async () => {
  const { body } = await get('/ar/guides/one');
  expect(body).toContain('<html lang="ar" dir="rtl"');
  expect(body).toMatch(/<article [^>]*lang="en" dir="ltr"/);
  expect(body).toContain('لم تُترجم هذه الصفحة بعد.');
});

test('translated pages are in their language, lead to what is not translated, and stay theirs', async () => {
  const { body } = await get('/pt-br/start');
  expect(body).toContain('<html lang="pt-BR" dir="ltr"');
  expect(body).toMatch(/<article class="content" id="docloom-text">/);
  expect(body).not.toContain('não foi traduzida');
  expect(linksIn(mainOf(body))).toEqual(
    expect.arrayContaining(['/pt-br/guides/one', '/guides/two'].map(below)),
  );
  expect(body).toMatch(new RegExp(`<a rel="next" href="${below('/pt-br/guides/one')}">`));
});

test('search engines know in which languages a page is there', async () => {
  const { publicUrl } = sites.platform.deps;
  const alternatesOf = async (path: string) =>
    [...(await get(path)).body.matchAll(/ hreflang="([^"]*)" href="([^"]*)"/g)].map(([, language, href]) => [
      language,
      href?.slice(`${publicUrl}${below('')}`.length),
    ]);
  const ofStart = [
    ['en', '/start'],
    ['ar', '/ar/start'],
    ['pt-BR', '/pt-br/start'],
  ];
  expect(await alternatesOf('/start')).toEqual(ofStart);
  expect(await alternatesOf('/ar/start')).toEqual(ofStart);
  expect(await alternatesOf('/guides/two')).toEqual([
    ['en', '/guides/two'],
    ['pt-BR', '/pt-br/guides/two'],
  ]);
  expect(await alternatesOf('/last')).toEqual([]);
});

test('the switch between versions keeps the page and the language of what is not translated', async () => {
  const versions = await sites.createSite('versions');
  await sites.addSpace(versions, spaceId);
  const old = await sites.platform.createSpace('Old guide');
  await sites.platform.importBranch(old, { url, ref: 'refs/heads/main' });
  await sites.addSpace(versions, old, { path: 'old' });
  const { body } = await sites.get('/s/acme/versions/pt-br/guides/one');
  const [, variants = ''] = /<nav class="variants"(.*?)<\/nav>/s.exec(body) ?? [];
  expect(linksIn(variants)).toEqual(
    ['/pt-br/guides/one', '/old/pt-br/guides/one'].map((path) => `/s/acme/versions${path}`),
  );
  expect(variants).not.toContain('<small>');
});

describe('the languages', () => {
  const switchOf = (body: string) =>
    /<nav class="variants" aria-label="[^"]*">(.*?)<\/nav>/s.exec(body)?.[1] ?? '';

  test('can be switched, and keep the page, also where it is not translated', async () => {
    const { body } = await get('/guides/one');
    expect(linksIn(switchOf(body))).toEqual(
      ['/guides/one', '/ar/guides/one', '/pt-br/guides/one'].map(below),
    );
    expect(switchOf(body)).toMatch(
      /<summary>English<\/summary>.*aria-current="true" lang="en"[^>]*>English</s,
    );
    expect(switchOf(body)).toMatch(/lang="ar"[^>]*>العربية<.*lang="pt-BR"[^>]*>Português</s);
    expect(switchOf(body)).not.toContain('<small>');
  });

  test('lead to the home page where another one has neither the page nor its original', async () => {
    const page404 = await get('/pt-br/nowhere/at-all', { accept: 'text/html' });
    expect(switchOf(page404.body)).toContain('<summary>Português</summary>');
    expect(linksIn(switchOf(page404.body))).toEqual(['', '/ar', '/pt-br'].map(below));
  });

  test.each([
    ['/guides/one', ['/start', '/guides/one', '/guides/two', '/last'], '/pt-br'],
    ['/pt-br/start', ['/pt-br', '/pt-br/start', '/pt-br/guides/two', '/pt-br/last'], '/ar'],
  ])('have a navigation each: %s', async (path, own, other) => {
    const { body } = await get(path);
    const [pages = ''] = /<nav class="pages".*?<\/nav>/s.exec(body) ?? [];
    expect(linksIn(pages)).toEqual(expect.arrayContaining(own.map(below)));
    expect(linksIn(pages).filter((href) => href?.startsWith(below(other)))).toEqual([]);
  });
});

test('the last page of the default language is not followed by the first one of another', async () => {
  const { body } = await get('/last');
  expect(body).toContain(`<a rel="prev" href="${below('/guides/two')}">`);
  expect(body).not.toContain('<a rel="next"');
});

test.each(['/pt-br/nothing', '/fr/guides/one', '/pt-br/pt-br/start', '/de/guides/one', '/pt-br/ar/start'])(
  '%s is not there',
  async (path) => {
    expect((await get(path)).statusCode).toBe(404);
    expect((await get(`${path}.md`)).statusCode).toBe(404);
  },
);

test('every link of the site leads to a page', async () => {
  const { dead, pages } = await followSite(sites, below('')).links();
  expect(dead).toEqual([]);
  expect([...pages]).toEqual(expect.arrayContaining(['/pt-br/guides/one', '/ar/last'].map(below)));
});

test('whoever may not read the original is told that there is no page', async () => {
  const { db, sealer } = sites.platform.deps;
  await db
    .insert(tables.siteVisitorKeys)
    .values({ id: newId(), siteId: site.id, sealedKey: sealer.seal(VISITOR_KEY) });
  const other = await sites.createSite('adaptive', { adaptiveContent: true });
  await db
    .insert(tables.siteVisitorKeys)
    .values({ id: newId(), siteId: other.id, sealedKey: sealer.seal(VISITOR_KEY) });
  const secret = await sites.platform.createSpace('Secret');
  await sites.platform.importBranch(secret, { url, ref: 'refs/heads/main' });
  await sites.platform.deps.db.execute(
    `update pages set settings = '{"condition":"visitor.claims.plan == \\"pro\\""}' where path = 'secret' and history_id in (select history_id from revisions where space_id = '${secret}')`,
  );
  await sites.addSpace(other, secret);
  await updateSite(db, other.id, {
    adaptiveSchema: { type: 'object', properties: { plan: { type: 'string' } } },
  });
  const token = await new SignJWT({ plan: 'pro' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(VISITOR_KEY));
  const cookie = `docloom-visitor-${other.id}=${token}`;
  for (const path of ['/secret', '/pt-br/secret', '/pt-br/secret.md']) {
    expect((await sites.get(`/s/acme/adaptive${path}`)).statusCode).toBe(404);
    expect((await sites.get(`/s/acme/adaptive${path}`, { cookie })).statusCode).toBe(200);
  }
  const { body } = await sites.get('/s/acme/adaptive/pt-br/secret', { accept: 'text/html' });
  expect(body).toContain('<html lang="pt-BR"');
});

describe('a search', () => {
  const fromOf = async (path: string) =>
    /name="from" value="([^"]*)"/.exec((await get(path)).body)?.[1] ?? '';
  const find = async (query: string, from?: string) => {
    const parameters = new URLSearchParams({ q: query, ...(from !== undefined && { from }) });
    const { body } = await get(`/~/search?${parameters}`, { accept: 'application/json' });
    return (JSON.parse(body) as SearchAnswer).results.map(({ href }) => href.slice(below('').length));
  };

  test.each<[string, string, string, readonly string[]]>([
    ['the default language', '/start', 'start', ['/start', '/guides/one#first-part']],
    ['another one', '/pt-br/start', 'start', ['/pt-br/start']],
    ['another one, from a page that is not translated', '/pt-br/guides/one', 'start', ['/pt-br/start']],
    ['one whose pages do not say it, in all', '/pt-br/start', 'quokka', ['/guides/one#second-part']],
    ['the default language, which does not say it, in all', '/start', 'fundo', ['/pt-br/guides/two#fundo']],
  ])('in %s', async (_name, path, query, expected) => {
    expect(await find(query, await fromOf(path))).toEqual(expected);
  });

  test.each([
    ['the default language', '/start', 'seeing', '/guides/one#first-part'],
    ['another one', '/pt-br/start', 'fundando', '/pt-br/guides/two#fundo'],
  ])('finds other forms of a word of %s', async (_name, path, query, expected) => {
    expect(await find(query, await fromOf(path))).toContain(expected);
  });

  test.each(['nothing/de', '/', 'nothing', `${'x/'.repeat(50)}`])(
    'from %s is one from the start page',
    async (from) => {
      expect(await find('start', from)).toEqual(['/start', '/guides/one#first-part']);
    },
  );

  test('shows its results in the language that is read', async () => {
    const from = await fromOf('/pt-br/start');
    const { body } = await get(`/~/search?q=quokka&from=${encodeURIComponent(from)}`, {
      accept: 'text/html',
    });
    expect(body).toContain('<html lang="pt-BR"');
    expect(body).toContain(`<input type="hidden" name="from" value="${from}">`);
    expect((await get('/pt-br/nowhere/at-all', { accept: 'text/html' })).body).toContain(`value="${from}"`);
  });
});

test('a push to the default language renews what stands in for it, until it is translated or gone', async () => {
  const push = async (files: Readonly<Record<string, string | null>>) => {
    await repo.commit(files);
    await sites.platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  };
  const becomes = async (test: (answer: Awaited<ReturnType<typeof get>>) => boolean) =>
    await waitFor(async () => test(await get('/pt-br/guides/one')));
  await push({ [at('guides/one.md')]: page('One', 'The wombat.') });
  await becomes(({ body }) => body.includes('The wombat.'));
  expect((await get('/pt-br/guides/one.md')).body).toContain('The wombat.');
  await push({ [at('pt-br/guides/one.md')]: page('Um', 'O vombate.') });
  await becomes(({ body }) => body.includes('O vombate.') && !body.includes('não foi traduzida'));
  await push({ [at('pt-br/guides/one.md')]: null });
  await becomes(({ body }) => body.includes('The wombat.') && body.includes('não foi traduzida'));
  await push({ [at('guides/one.md')]: null });
  await becomes(({ statusCode }) => statusCode === 404);
});
