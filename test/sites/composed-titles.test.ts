/** Titles and descriptions of GitBook's format that are made of variables. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SiteRow } from '../../src/store/index.ts';
import type { TestRepo } from '../support/git-repo.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

const VALUE = '<code class="expression">space.vars.version</code>';

let sites: TestSites;
let site: SiteRow;
let spaceId: string;
let repo: TestRepo;
let url: string;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  spaceId = await platform.createSpace('Lantern');
  ({ repo, url } = await platform.createRepo('lantern'));
  await repo.commit({
    '.gitbook.yaml': 'root: ./\n',
    '.gitbook/vars.yaml': 'version: "2 & 3"\n',
    'README.md': `---\ndescription: What is new in ${VALUE} of {{ space.title }}\n---\n\n# Welcome\n`,
    'news.md': '---\nvars:\n  month: May\ndescription: Of {{ page.vars.month }}\n---\n\n# News\n',
    'for-you.md': '# For {{ visitor.claims.name }}\n',
    'code.md': '# `{{ space.vars.version }}`\n',
    'SUMMARY.md': `# Summary\n\n* [Welcome](README.md)\n* [News of {{ space.vars.version }}](news.md)\n* [Since {{ space.vars.version }}](for-you.md)\n* [Code](code.md)\n`,
  });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  site = await sites.createSite('docs');
  await sites.addSpace(site, spaceId);
});
afterAll(() => sites.close());

const get = async (path: string) => (await sites.get(`/s/acme/docs${path}`)).body;
const navigationOf = (body: string) =>
  [...(/<nav class="pages".*?<\/nav>/s.exec(body)?.[0] ?? '').matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(
    ([, title]) => title,
  );

test('have the values of their variables', async () => {
  const home = await get('');
  expect(home).toContain('<meta name="description" content="What is new in 2 &#38; 3 of Lantern">');
  expect(home).toContain('<p class="description">What is new in 2 &#38; 3 of Lantern</p>');
  expect(navigationOf(home)).toEqual(['Welcome', 'News of 2 &#38; 3', 'Since 2 &#38; 3', 'Code']);
  expect(await get('/news')).toContain('<p class="description">Of May</p>');
  expect(await get('/llms.txt')).toContain('What is new in 2 & 3 of Lantern');
});

test('follow a new value', async () => {
  await repo.commit({ '.gitbook/vars.yaml': 'version: "4"\n' });
  await sites.platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  await waitFor(async () => navigationOf(await get('')).includes('Since 4'));
});
