import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({
    'docusaurus.config.js': `module.exports = {
      baseUrl: '/project/',
      presets: [['classic', { docs: { routeBasePath: 'manual' }, blog: false }]],
      plugins: [['@docusaurus/plugin-client-redirects', { redirects: [
        { from: '/old', to: '/manual/start/install#linux' },
        { from: '/older', to: '/old' },
        { from: '/round', to: '/about' },
        { from: '/about', to: '/round' },
        { from: '/nowhere', to: '/manual/gone' },
        { from: '/away', to: 'https://example.com/a' },
      ] }]],
    };`,
    'static/_redirects': '/project/v1/*  /project/manual/:splat  301\n',
    'docs/01-home.md': '---\nslug: /\n---\n# Home\n\nSee [install](02-start/1-setup.md#linux).\n',
    'docs/02-start/1-setup.md': '---\nid: install\n---\n# Install\n\n## Linux\n\nUnusualword here.\n',
    'docs/02-start/2-more.md': '# More\n',
  });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  const site = await sites.createSite('docs');
  await sites.addSpace(site, spaceId);
});
afterAll(() => sites.close());

const BASE = '/s/acme/docs';
const at = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const { statusCode, headers: sent } = await sites.get(`${BASE}${path}`, headers);
  return sent.location === undefined ? String(statusCode) : `${statusCode} ${sent.location}`;
};

describe('a page is at the address that its builder gives it', () => {
  it.each([
    ['/manual', '200'],
    ['/manual/start/install', '200'],
    ['/manual/start/more', '200'],
    ['/manual/start/install.md', '200'],
    // The path of its file, in the ways in which people may write it.
    ['/docs/01-home', `301 ${BASE}/manual`],
    ['/docs/02-start/1-setup', `301 ${BASE}/manual/start/install`],
    ['/docs/02-start/1-setup.md', `301 ${BASE}/manual/start/install.md`],
    ['/docs/02-start/1-setup.html', `301 ${BASE}/manual/start/install`],
    ['/docs/missing', '404'],
    ['/docs/missing.md', '404'],
    // As hosts of built sites have it.
    ['/manual/start/install.html', `301 ${BASE}/manual/start/install`],
    ['/manual/start/install/index.html', `301 ${BASE}/manual/start/install`],
    ['/manual/start/more/', `301 ${BASE}/manual/start/more`],
    // Redirects of the builder and of its host.
    ['/old', `301 ${BASE}/manual/start/install#linux`],
    ['/old.html', `301 ${BASE}/manual/start/install#linux`],
    ['/older', `301 ${BASE}/manual/start/install#linux`],
    ['/v1/start/more', `301 ${BASE}/manual/start/more`],
    ['/v1/start/none', '404'],
    ['/v1', '404'],
    ['/away', '301 https://example.com/a'],
    ['/round', '404'],
    ['/nowhere', '404'],
  ])('%s', async (path, expected) => {
    expect(await at(path)).toBe(expected);
  });
});

test('everything that names a page has this address', async () => {
  const home = await sites.get(`${BASE}/manual`);
  expect(home.body).toContain(
    `rel="canonical" href="${new URL(home.body.match(/canonical" href="([^"]*)/)?.[1] ?? '').origin}${BASE}/manual"`,
  );
  // In the navigation and in the text.
  expect(home.body).toContain(`href="${BASE}/manual/start/install"`);
  expect(home.body).toContain(`href="${BASE}/manual/start/install#linux"`);
  const [siteMap = ''] = (await sites.get(`${BASE}/sitemap.xml`)).body.match(/\/~\/sitemap\/[^<]*/) ?? [];
  const lists = [
    (await sites.get(BASE + siteMap)).body,
    (await sites.get(`${BASE}/llms.txt`)).body,
    (await sites.get(`${BASE}/feed.xml`)).body,
    (await sites.get(`${BASE}/~/search?q=unusualword`, { accept: 'application/json' })).body,
  ];
  for (const list of lists) {
    expect(list).toContain(`${BASE}/manual/start/install`);
    expect(list).not.toContain('1-setup');
  }
});

test('links of Markdown lead to Markdown', async () => {
  const { body } = await sites.get(`${BASE}/manual.md`);
  expect(body).toContain(`[install](${BASE}/manual/start/install.md#linux)`);
  expect((await sites.get(`${BASE}/llms-full.txt`)).body).toContain(`${BASE}/manual/start/install.md#linux)`);
});

test('the API has pages at the same paths', async () => {
  const { platform } = sites;
  const [space] = (await platform.api('GET', `/orgs/${platform.organizationId}/spaces`)).body.items;
  for (const path of ['manual/start/install', 'older']) {
    const { body } = await platform.api(
      'GET',
      `/spaces/${space.id}/content/path/${encodeURIComponent(path)}`,
    );
    expect(body.path).toBe('manual/start/install');
  }
});
