import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let params: { readonly organizationId: string; readonly siteId: string };
let siteSpaceId: string;
let startId: string;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({ 'README.md': '# Welcome\n', 'start.md': '# Start\n', 'old/a.md': '# Old A\n' });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  const site = await sites.createSite('docs');
  siteSpaceId = (await sites.addSpace(site, spaceId)).id;
  params = { organizationId: platform.organizationId, siteId: site.id };
  const { pages } = await platform.client.call(operations.listPages, { params: { spaceId } });
  startId = pages.find(({ path }) => path === 'start')?.id ?? '';
});
afterAll(() => sites.close());

test('what is chosen of the look is on the pages', async () => {
  const { client } = sites.platform;
  const look = await client.call(operations.getSiteCustomization, { params });
  await client.call(operations.updateSiteCustomization, {
    params,
    body: {
      ...look,
      title: 'Chosen title',
      styling: {
        ...look.styling,
        primaryColor: { light: '#aa0000', dark: '#ffaaaa' },
        corners: 'straight',
        font: 'Merriweather',
      },
      header: {
        preset: 'default',
        logo: { light: 'https://cdn.example/logo.svg', dark: 'https://cdn.example/dark.svg' },
        links: [
          { title: 'Shop', to: { kind: 'url', url: 'https://shop.example/' }, links: [] },
          { title: 'Begin', to: { kind: 'page', page: startId }, links: [] },
          {
            title: 'Insiders',
            to: { kind: 'url', url: 'https://x.example/' },
            links: [],
            condition: 'visitor.claims.beta',
          },
        ],
      },
      footer: { groups: [], copyright: '© Acme' },
      announcement: { enabled: true, message: 'Version 2 is out', style: 'info' },
      themes: { default: 'dark', toggeable: false },
      git: { showEditLink: false },
    },
  });
  await waitFor(async () => (await sites.get('/s/acme/docs')).body.includes('Chosen title'));
  const { body, headers } = await sites.get('/s/acme/docs');
  for (const text of ['https://shop.example/', '© Acme', 'Version 2 is out', 'data-theme="dark"', 'logo.svg'])
    expect(body).toContain(text);
  expect(body).toMatch(/href="\/s\/acme\/docs\/start"[^>]*>(?:<[^>]*>)*Begin/);
  expect(body).not.toContain('Insiders');
  expect(headers['content-security-policy']).toContain("img-src 'self' https://cdn.example data:");
  expect(body).toMatch(
    /<style>.*:root\{--fill:light-dark\(#aa0000,#ffaaaa\);.*--radius:0rem;--sans:"Merriweather",[^;]*,serif\}/s,
  );
  expect(body).not.toContain('@font-face');
  const { body: printed } = await sites.get(`/s/acme/docs/~/print/${siteSpaceId}`);
  const styles = /href="([^"]*~\/styles\/[^"]*)"/.exec(printed)?.[1] ?? '';
  const answer = await sites.get(styles);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  expect(answer.body).toContain('--fill:light-dark(#aa0000,#ffaaaa)');
});

test('redirects of the site lead to its pages, but none stands before a page', async () => {
  const { client } = sites.platform;
  const destination = { kind: 'site-page', siteSpaceId, pageId: startId } as const;
  for (const source of ['/gone', '/old/*']) {
    await client.call(operations.createRedirect, { params, body: { source, destination } });
  }
  for (const path of ['/gone', '/old/b', '/old/b/c']) {
    await waitFor(async () => (await sites.get(`/s/acme/docs${path}`)).statusCode === 301);
    const { headers } = await sites.get(`/s/acme/docs${path}`);
    expect(headers.location).toBe('/s/acme/docs/start');
    expect(headers['x-redirect-by']).toBe(`Docloom (site redirect ${path === '/gone' ? path : '/old/*'})`);
  }
  expect((await sites.get('/s/acme/docs/old/a')).statusCode).toBe(200);
  const queries = vi.spyOn(sites.platform.database.store.pool, 'query');
  for (const path of ['/other', '/old/d', '/nothing/at/all'])
    expect((await sites.get(`/s/acme/docs${path}`)).statusCode).toBe(path === '/old/d' ? 301 : 404);
  const asked = queries.mock.calls.map(([query]) => JSON.stringify(query));
  queries.mockRestore();
  expect(asked.filter((query) => query.includes('site_redirects'))).toEqual([]);
  const { items } = await client.call(operations.listRedirects, { params });
  const siteRedirectId = items.find(({ source }) => source === '/gone')?.id ?? '';
  await client.call(operations.deleteRedirect, { params: { ...params, siteRedirectId } });
  await waitFor(async () => (await sites.get('/s/acme/docs/gone')).statusCode === 404);
});

test('pages offer what was chosen to do with them', async () => {
  const { client } = sites.platform;
  const offered = async () => {
    const { body } = await sites.get('/s/acme/docs/start');
    return [...(/<div class="actions">.*?<\/div>/s.exec(body)?.[0] ?? '').matchAll(/href="([^"]*)"/g)].map(
      ([, href]) => href?.replace(/\?.*|(?<=print\/).*/, ''),
    );
  };
  expect(await offered()).toEqual([
    '/s/acme/docs/start.md',
    '/s/acme/docs/~/mcp',
    '/s/acme/docs/~/print/',
    'https://chatgpt.com/',
    'https://claude.ai/new',
  ]);
  const look = await client.call(operations.getSiteCustomization, { params });
  const pageActions = { markdown: false, mcp: true, externalAI: false };
  await client.call(operations.updateSiteCustomization, {
    params,
    body: { ...look, pageActions, pdf: { enabled: false } },
  });
  await waitFor(async () => (await offered()).length === 1);
  expect(await offered()).toEqual(['/s/acme/docs/~/mcp']);
  expect((await sites.get('/s/acme/docs/start')).body).not.toContain('class="copy-page');
});
