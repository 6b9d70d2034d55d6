import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  listPublicSites,
  type SiteRow,
  tables,
  updateOrganization,
  updateSite,
} from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

const HOST = { host: 'acme.docs.example' };

let sites: TestSites;
let guide: SiteRow;

beforeAll(async () => {
  sites = await startSites({ sitesUrl: 'https://*.docs.example' });
  const spaceId = await sites.platform.createSpace('Guide');
  const { repo, url } = await sites.platform.createRepo('guide');
  await repo.commit({ 'README.md': '# Welcome\n' });
  await sites.platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  guide = await sites.createSite('guide', { title: 'Guide' });
  await sites.addSpace(guide, spaceId);
  await sites.createSite('secret', { title: 'Secret', visibility: 'unlisted' });
});
afterAll(() => sites.close());

describe('a proxy that asks for a host', () => {
  const ask = async (domain: string) =>
    (await sites.get(`/api/hosts?domain=${encodeURIComponent(domain)}`)).statusCode;

  test('learns that hosts of organizations and of this server are served here, and no others', async () => {
    expect(await ask('acme.docs.example')).toBe(200);
    expect(await ask('ACME.docs.example')).toBe(200);
    expect(await ask(new URL(sites.platform.deps.publicUrl).hostname)).toBe(200);
    for (const host of ['nobody.docs.example', 'a.acme.docs.example', 'evil.example', '.docs.example'])
      expect([host, await ask(host)]).toEqual([host, 404]);
    expect(await ask('')).toBe(400);
    expect(await ask('x'.repeat(300))).toBe(400);
    expect((await sites.get('/api/hosts?domain=a&domain=b')).statusCode).toBe(400);
  });

  test('is not asked for on the hosts of sites themselves', async () => {
    expect((await sites.get('/api/hosts?domain=acme.docs.example', HOST)).statusCode).toBe(404);
  });
});

describe('a host of a site’s own', () => {
  const own = { host: 'docs.acme.example' };

  test('is served as soon as its domain is proved, and no longer than it is', async () => {
    const { db } = sites.platform.deps;
    const { organizationId } = sites.platform;
    await updateSite(db, guide.id, { hostname: own.host });
    const isServed = async () =>
      (await sites.get('/', own)).statusCode === 200 &&
      (await sites.get(`/api/hosts?domain=${own.host}`)).statusCode === 200;
    expect(await isServed()).toBe(false);
    const proof = { organizationId, domain: 'acme.example', challenge: 'c', provedAt: new Date() };
    await db.insert(tables.emailDomains).values(proof);
    await waitFor(isServed);
    expect((await sites.get('/', own)).body).toContain(
      '<link rel="canonical" href="https://docs.acme.example/">',
    );
    expect((await sites.get('/robots.txt', own)).body).toContain('https://docs.acme.example/sitemap.xml');
    await db.delete(tables.emailDomains);
    await waitFor(async () => !(await isServed()));
    await updateSite(db, guide.id, { hostname: null });
  });
});

describe('the host of the pages of the team', () => {
  test('shows nothing of sites, whatever the audience, also to members and by the paths of other hosts', async () => {
    const draft = await sites.createSite('draft', { publishedAt: null });
    const { id } = await sites.addSpace(draft, await sites.platform.createSpace('Draft'));
    sites.isMember = true;
    for (const below of [
      '',
      '/',
      '/page.md',
      '/~/search?q=welcome',
      `/~/files/${id}/x`,
      '/~/preview/x',
      '/llms.txt',
    ])
      for (const name of ['guide', 'secret', 'draft'])
        for (const path of [
          `/s/acme/${name}${below}`,
          `/~sites/org/acme/${name}${below}`,
          `/%7Esites/org/acme/${name}${below}`,
          `/~site%73/org/acme/${name}${below}`,
          `http://elsewhere.example/~sites/org/acme/${name}${below}`,
          `//~sites/org/acme/${name}${below}`,
          `/~sites/host/docs.acme.example${below}`,
        ]) {
          const { statusCode, body } = await sites.get(path);
          expect([path, statusCode]).toEqual([path, 404]);
          expect(body).not.toMatch(/Welcome|Guide/);
        }
    sites.isMember = false;
  });
});

describe('the root of an organization', () => {
  test('leads to its only public site', async () => {
    const { statusCode, headers } = await sites.get('/', HOST);
    expect([statusCode, headers.location]).toEqual([302, 'https://acme.docs.example/guide/']);
    expect((await sites.get('/guide', HOST)).statusCode).toBe(200);
  });

  test('lists its public sites, or leads to the one that stands for it', async () => {
    const handbook = await sites.createSite('handbook', { title: 'A <handbook>' });
    const { body } = await waitFor(async () => {
      const answer = await sites.get('/', HOST);
      return answer.statusCode === 200 ? answer : null;
    });
    expect(
      [...body.matchAll(/<li><a href="([^"]*)">([^<]*)</g)].map(([, href, title]) => [href, title]),
    ).toEqual([
      ['https://acme.docs.example/handbook/', 'A &#60;handbook&#62;'],
      ['https://acme.docs.example/guide/', 'Guide'],
    ]);
    expect(body).not.toContain('Secret');
    expect(body).toContain('<link rel="canonical" href="https://acme.docs.example/">');
    const styles = /href="([^"]*\.css)"/.exec(body)?.[1] ?? '';
    expect((await sites.get(styles, HOST)).headers['content-type']).toContain('text/css');
    const { db } = sites.platform.deps;
    await updateOrganization(db, sites.platform.organizationId, { defaultSiteId: handbook.id });
    await waitFor(
      async () => (await sites.get('/', HOST)).headers.location === 'https://acme.docs.example/handbook/',
    );
  });

  test('tells search engines of the sitemaps of its public sites', async () => {
    const { statusCode, body } = await sites.get('/robots.txt', HOST);
    expect(statusCode).toBe(200);
    expect(body).toContain('Sitemap: https://acme.docs.example/guide/sitemap.xml\n');
    expect(body).not.toContain('secret');
  });

  test('is not there for an organization that is not, or that has nothing public', async () => {
    const nobody = { host: 'nobody.docs.example', accept: 'text/html' };
    const { statusCode, body } = await sites.get('/', nobody);
    expect(statusCode).toBe(404);
    expect((await sites.get('/robots.txt', nobody)).statusCode).toBe(404);
    const { db } = sites.platform.deps;
    await db.transaction(async (tx) => {
      for (const { id } of await listAll()) await updateSite(tx, id, { publishedAt: null });
    });
    await waitFor(async () => (await sites.get('/', { ...HOST, accept: 'text/html' })).statusCode === 404);
    expect((await sites.get('/', { ...HOST, accept: 'text/html' })).body).toBe(body);
    expect((await sites.get('/robots.txt', HOST)).body).toContain('Disallow: /\n');
  });
});

async function listAll(): Promise<readonly SiteRow[]> {
  return await listPublicSites(sites.platform.deps.db, sites.platform.organizationId);
}
