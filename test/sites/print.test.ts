import { parse } from 'parse5';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateSite } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

let sites: TestSites;
let siteId: string;
let guide: string;
let reference: string;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const fill = async (title: string, files: Readonly<Record<string, string>>) => {
    const spaceId = await platform.createSpace(title);
    const { repo, url } = await platform.createRepo(title.toLowerCase());
    await repo.commit(files);
    await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
    return spaceId;
  };
  const many = Object.fromEntries(
    Array.from({ length: 101 }, (_page, at) => [
      `p${String(at).padStart(3, '0')}.md`,
      `# Page ${at}\n\n## Same\n`,
    ]),
  );
  const guideSpace = await fill('Guide', {
    'README.md': '# Welcome\n\n## Same\n\nSee [below](#same) and [the start](guide/start.md#same).\n',
    'guide/start.md': '# Start\n\n## Same\n\n```mermaid\ngraph TD; A-->B\n```\n',
    'secret.md': '---\nhidden: true\n---\n\n# Hidden away\n',
    'SUMMARY.md':
      '# Summary\n\n* [Welcome](README.md)\n\n## Basics\n\n* [Start](guide/start.md)\n* [Hidden away](secret.md)\n',
  });
  const referenceSpace = await fill('Reference', { 'README.md': '# All\n', ...many });
  const site = await sites.createSite('docs');
  siteId = site.id;
  guide = (await sites.addSpace(site, guideSpace, { path: 'guide' })).id;
  reference = (await sites.addSpace(site, referenceSpace, { path: 'reference' })).id;
});
afterAll(() => sites.close());

const print = (rest: string) => sites.get(`/s/acme/docs/~/print/${rest}`);

test('the pages of a section are one document, with their contents and links inside of it', async () => {
  const { statusCode, headers, body } = await print(guide);
  expect(statusCode).toBe(200);
  expect(headers['x-robots-tag']).toBe('noindex');
  expect(headers['content-security-policy']).toMatch(/; frame-src 'self'$/);
  expect(body).toContain('<li><a href="#p1">Welcome</a></li>');
  expect(body).toMatch(/<li><span>Basics<\/span><ul><li><a href="#p2">Start<\/a><\/li>/);
  expect(body).toContain('<a href="#p1-same">below</a>');
  expect(body).toContain('<a href="#p2-same">the start</a>');
  expect(body).not.toContain('Hidden away');
  const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const fragments = [...body.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => decodeURIComponent(id ?? ''));
  expect(fragments.filter((id) => !ids.includes(id))).toEqual([]);
  expect(() => parse(body, { onParseError: (error) => expect(error).toBeNull() })).not.toThrow();
});

test('the whole site is, too, in parts', async () => {
  const first = await print('site');
  expect(first.body).toMatch(/<h3>Guide<\/h3>.*<h3>Reference<\/h3>/s);
  expect(first.body).toContain('<a href="/s/acme/docs/~/print/site" aria-current="page">Part 1 of 2</a>');
  const second = await print('site/2');
  expect(second.statusCode).toBe(200);
  expect(second.body).toContain('Page 100</h1>');
  expect(second.body).not.toContain('<h3>Guide</h3>');
  for (const rest of ['site/1', 'site/3', 'site/02', 'site/2/x', 'nothing', '', `${reference}/3`])
    expect([rest, (await print(rest)).statusCode]).toEqual([rest, 404]);
});

test('pages lead to it where the site offers it', async () => {
  const page = () => sites.get('/s/acme/docs');
  expect((await page()).body).toContain(`/~/print/${guide}">Print this section</a>`);
  expect((await page()).body).toContain('/~/print/site">Print the whole site</a>');
  await updateSite(sites.platform.deps.db, siteId, { customization: { pdf: { enabled: false } } });
  await waitFor(async () => (await print(guide)).statusCode === 404);
  expect((await page()).body).not.toContain('/~/print/');
});
