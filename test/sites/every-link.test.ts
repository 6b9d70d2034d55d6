import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { casesAtLength } from '../support/describe-at-length.ts';
import { followSite } from './follow-links.ts';
import { startSites, type TestSites } from './start-sites.ts';

interface Repository {
  readonly format: string;
  readonly files: Readonly<Record<string, string>>;
}

/** A repository whose spaces are on one site. */
interface PublishedRepository {
  readonly name: string;
  readonly title: string;
  /** The folders of the spaces, the default one first. */
  readonly spaces: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Links that a page has, by the path of the page. */
  readonly links: Readonly<Record<string, readonly string[]>>;
}

const repositories = readCases<Repository>('content/incremental/repositories.yaml');
const published = readCases<PublishedRepository>('sites/repositories.yaml');

let sites: TestSites;

beforeAll(async () => {
  sites = await startSites();
});
afterAll(() => sites.close());

const isCommon = ({ format }: Repository) => ['github', 'gitbook', 'starlight'].includes(format);

test.each(
  casesAtLength(
    'every link on sites of Docusaurus, mdBook, VitePress and MkDocs',
    repositories.filter(isCommon),
    repositories.filter((repository) => !isCommon(repository)),
  ),
)('every page and link on a site of $format is there', async ({ format, files }) => {
  const home = await publish(format, { spaces: [''], files });
  const follow = followSite(sites, home);
  const { dead, pages } = await follow.links();
  expect([...dead, ...(await follow.markdown())]).toEqual([]);
  expect([...pages]).toEqual(expect.arrayContaining([...(await pagesOf(home))]));
});

test.each(published)('$title', async ({ name, spaces, files, links }) => {
  const home = await publish(name, { spaces, files });
  const follow = followSite(sites, home);
  const { dead } = await follow.links();
  expect([...dead, ...(await follow.markdown())]).toEqual([]);
  for (const [page, expected] of Object.entries(links)) {
    const { body } = await sites.get(`${home}${page}`);
    for (const link of expected) expect(body).toContain(`href="${link.startsWith('/') ? home : ''}${link}"`);
  }
});

/** Makes a site of a repository, and answers its path. */
async function publish(
  basename: string,
  { spaces, files }: { readonly spaces: readonly string[]; readonly files: Readonly<Record<string, string>> },
): Promise<string> {
  const { platform } = sites;
  const { repo, url } = await platform.createRepo(basename);
  await repo.commit(files);
  const site = await sites.createSite(basename);
  for (const directory of spaces) {
    const spaceId = await platform.createSpace(`${basename} ${directory}`);
    await platform.importBranch(spaceId, {
      url,
      repoProjectDirectory: directory,
      repoTreeURL: `https://forge.example/acme/${basename}/blob/main/`,
      gitInfo: { provider: 'github', url: `https://forge.example/acme/${basename}` },
    });
    await sites.addSpace(site, spaceId, { path: directory.split('/').at(-1) || 'docs' });
  }
  return `/s/acme/${basename}`;
}

/** The addresses of the pages with a text that the sitemaps of a site name. */
async function pagesOf(home: string): Promise<readonly string[]> {
  const read = async (path: string) => {
    const { body } = await sites.get(path);
    return [...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
  };
  const pages = await Promise.all((await read(`${home}/sitemap.xml`)).map(read));
  return pages.flat();
}

function readCases<Case>(file: string): readonly Case[] {
  return parse(readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8'));
}
