import { sql } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, type SiteRow, tables, updateSite } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

const VISITOR_KEY = 'a-key-of-the-site-0123456789abcdef';

let sites: TestSites;
let site: SiteRow;
let cookie: string;
/** Below the site: the picture of the hidden page, as it is named for who sees it. */
let picture: string;
let form: string;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const { db, sealer } = platform.deps;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({
    '.gitbook.yaml': 'root: ./\n',
    'README.md':
      '# Welcome\n\nSee [more](pro/README.md).\n\n{% if visitor.claims.plan == "pro" %}\n## Wombats\n\nThey wombat.\n{% endif %}\n',
    'pro/README.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Insiders\n\nThe quokka is shy.\n',
    'pro/deep.md': '# Deeper\n\nAnother quokka.\n',
    'never.md': '---\nif: no ( expression\n---\n\n# Broken quokka\n',
    'long.md': `---\nif: ${'true || '.repeat(200)}true\n---\n\n# Endless quokka\n`,
    'SUMMARY.md':
      '# Summary\n\n* [Welcome](README.md)\n\n## For insiders\n\n* [Insiders](pro/README.md)\n  * [Deeper](pro/deep.md)\n\n## Rest\n\n* [Never](never.md)\n* [Endless](long.md)\n',
  });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  site = await sites.createSite('docs');
  await updateSite(db, site.id, {
    adaptiveContent: true,
    adaptiveSchema: { type: 'object', properties: { plan: { type: 'string' } } },
  });
  await sites.addSpace(site, spaceId);
  const sealedKey = sealer.seal(VISITOR_KEY);
  await db.insert(tables.siteVisitorKeys).values({ id: newId(), siteId: site.id, sealedKey });
  const token = await new SignJWT({ plan: 'pro' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(VISITOR_KEY));
  cookie = `docloom-visitor-${site.id}=${token}`;
  const { body } = await sites.get('/s/acme/docs/pro', { cookie });
  const [, space = '', page = ''] =
    /name="space" value="([^"]*)".*name="page" value="([^"]*)"/.exec(body) ?? [];
  picture = `/~/social/${space}/${page}/abcdefghijkl.png`;
  form = `space=${space}&page=${page}&helpful=yes`;
});
afterAll(() => sites.close());

const MCP = { 'content-type': 'application/json' };
const call = (name: string, values: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } });

describe('a page whose condition is not true for a visitor', () => {
  test.each([
    ['the navigation', '', 'Insiders'],
    ['llms.txt', '/llms.txt', 'Insiders'],
    ['llms-full.txt', '/llms-full.txt', 'quokka'],
    ['the feed', '/feed.xml', 'Deeper'],
    ['search', '/~/search?q=quokka', 'Insiders'],
  ])('is not in %s', async (_name, path, text) => {
    for (const [headers, isThere] of [
      [{}, false],
      [{ cookie }, true],
    ] as const) {
      const { statusCode, body } = await sites.get(`/s/acme/docs${path}`, headers);
      expect(statusCode).toBe(200);
      expect(body.includes(text), body).toBe(isThere);
      if (path === '') expect(body.includes('For insiders')).toBe(isThere);
      expect(body.includes('"/s/acme/docs/pro')).toBe(isThere && /search|^$/.test(path));
      expect(body).not.toMatch(/Never|Broken quokka|Endless|Rest/);
    }
  });

  test.each(['/pro', '/pro/deep', '/pro.md', '/pro/deep.md', () => picture])(
    'is not at %s, nor is what is below it',
    async (path) => {
      const address = `/s/acme/docs${typeof path === 'string' ? path : path()}`;
      expect((await sites.get(address)).statusCode).toBe(404);
      expect((await sites.get(address, { cookie })).statusCode).toBe(200);
    },
  );

  test('is not found by search either where it is a part of a page', async () => {
    for (const query of ['wombat', 'where do the wombats live']) {
      const { body } = await sites.get(`/s/acme/docs/~/search?q=${encodeURIComponent(query)}`);
      expect(body).not.toMatch(/They wombat|>Wombats/);
    }
  });

  test('answers no question', async () => {
    const asked = call('ask', { question: 'is the quokka shy' });
    expect((await sites.post('/s/acme/docs/~/mcp', asked, MCP)).body).toContain('not in these docs');
    expect((await sites.post('/s/acme/docs/~/mcp', asked, { ...MCP, cookie })).body).toContain(
      'quokka is shy',
    );
  });

  test('is not for language models, and takes no feedback', async () => {
    const asked = call('getPage', { address: 'pro' });
    expect((await sites.post('/s/acme/docs/~/mcp', asked, MCP)).body).toContain('There is no page');
    expect((await sites.post('/s/acme/docs/~/mcp', asked, { ...MCP, cookie })).body).toContain('quokka');
    const sent = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await sites.post('/s/acme/docs/~/feedback', form, sent)).statusCode).toBe(404);
    expect((await sites.post('/s/acme/docs/~/feedback', form, { ...sent, cookie })).statusCode).toBe(200);
  });

  test('is there for nobody where nothing is known of visitors', async () => {
    await updateSite(sites.platform.deps.db, site.id, { adaptiveContent: false });
    await waitFor(async () => (await sites.get('/s/acme/docs/pro', { cookie })).statusCode === 404);
    expect((await sites.get('/s/acme/docs/~/search?q=quokka', { cookie })).body).not.toContain('Insiders');
  });
});

test('what an older release stored for the search is not shown where some of the page is hidden', async () => {
  const { platform } = sites;
  const { db } = platform.deps;
  const spaceId = await platform.createSpace('Former');
  const { repo, url } = await platform.createRepo('former');
  await repo.commit({
    '.gitbook.yaml': 'root: ./\n',
    'README.md': '# Former\n\nA numbat.\n\n{% if visitor.claims.plan %}\nhidden\n{% endif %}\n',
    'plain.md': '# Plain\n\nAnother numbat.\n',
  });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  // Its names of sections are others.
  const { rows } = await db.execute<{ set: string }>(sql`
    update ${tables.sections} set set_id = set_id || '-2', body = body || ' Of old.'
    where body like '%numbat.' returning set_id as set`);
  expect(rows).toHaveLength(2);
  await db.execute(sql`
    update ${tables.pages} set sections_id = sections_id || '-2'
    where exists (select from ${tables.sections} s where s.set_id = sections_id || '-2')`);
  const former = await sites.createSite('former');
  await sites.addSpace(former, spaceId);
  for (const query of ['numbat', 'is another one a numbat']) {
    const { body } = await sites.get(`/s/acme/former/~/search?q=${encodeURIComponent(query)}`);
    expect(body).toContain('Of old.');
    expect(body).not.toMatch(/A (<mark>)?numbat/);
  }
});
