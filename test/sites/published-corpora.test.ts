/**
 * Real repositories become sites: a reader who follows every link of every page, and a program that follows those of their
 * Markdown, of `llms.txt`, of the sitemaps and of the feed, meet nothing that is not there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { detectSpaces, spacesAmong, type TreeEntry } from '../../src/content/index.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { followSite } from './follow-links.ts';
import { startSites, type TestSites } from './start-sites.ts';

const wished = process.env['PUBLISHED_CORPORA'];
const corpora = resolve(wished ?? '../shared/corpora');
const bundles = existsSync(corpora)
  ? readdirSync(corpora).flatMap((file) => /^(.*)\.bundle$/.exec(file)?.[1] ?? [])
  : [];

/** Anchors that only the builder makes: by components of pages, and by a command that is run. */
const GENERATED = /\/(?:vuejs-docs\/(?:examples|api)|mkdocs-mkdocs\/user-guide\/cli)#\S+ has no anchor$/;

/** The largest has 2,600 pages. In milliseconds. */
const PATIENCE = 1_800_000;

describeAtLength('every page and link of published repositories', wished !== undefined, () => {
  let sites: TestSites;
  beforeAll(async () => {
    sites = await startSites({ git: { program: 'git' } });
  });
  afterAll(() => sites.close());

  test.skipIf(bundles.length === 0).each(bundles.length === 0 ? ['real repositories'] : bundles)(
    '%s',
    async (bundle) => {
      const basename = bundle.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      const { repo, url } = await sites.platform.createRepo(basename);
      await repo.git(['fetch', '-q', join(corpora, `${bundle}.bundle`), 'main:main']);
      const site = await sites.createSite(basename);
      for (const directory of await directoriesOf(repo.dir)) {
        const spaceId = await sites.platform.createSpace(directory === '' ? bundle : directory);
        const imported = await sites.platform.importBranch(spaceId, {
          url,
          repoProjectDirectory: directory,
          repoTreeURL: `https://forge.example/acme/${basename}/blob/main/`,
          gitInfo: { provider: 'github', url: `https://forge.example/acme/${basename}` },
        });
        expect(imported).toMatchObject({ state: 'success' });
        const path = directory.toLowerCase().replace(/[^a-z0-9]+/g, '-') || 'docs';
        await sites.addSpace(site, spaceId, { path });
      }
      const home = `/s/acme/${basename}`;
      const follow = followSite(sites, home);
      const { dead, pages } = await follow.links();
      const listed = await follow.addresses();
      const missing = dead.filter((line) => !GENERATED.test(line));
      expect([...missing, ...(await follow.markdown()), ...listed.dead]).toEqual([]);
      expect(pages.size).toBeGreaterThan(10);
      expect([...listed.pages].filter((page) => !pages.has(page))).toEqual([]);
    },
    PATIENCE,
  );
});

/** The folders of the spaces that are found in a repository. */
async function directoriesOf(dir: string): Promise<readonly string[]> {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8', maxBuffer: 100_000_000 });
  const tree = git('ls-tree', '-r', '-z', 'main')
    .split('\0')
    .filter((line) => line !== '')
    .map((line): TreeEntry => {
      const [, mode = '', oid = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return { path, oid, mode: mode === '120000' ? 'symlink' : 'file' };
    });
  async function* read(entries: readonly TreeEntry[]) {
    for (const { oid } of entries)
      yield { oid, bytes: new TextEncoder().encode(git('cat-file', 'blob', oid)) };
  }
  return spacesAmong(await detectSpaces({ tree, read })).map(({ directory }) => directory);
}
