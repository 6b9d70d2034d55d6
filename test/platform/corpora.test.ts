/**
 * Real repositories go in and come out byte by byte: whatever their line ends, byte order marks, formats and stray
 * files, an edit of some pages is a commit of those pages alone. CI takes all of them, through both ways of git.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPlatform, type TestPlatform } from './start-platform.ts';

const corpora = resolve('../shared/corpora');
const bundles = existsSync(corpora) ? readdirSync(corpora).filter((name) => name.endsWith('.bundle')) : [];
if (bundles.length === 0)
  console.warn(`Left out the round trips of real repositories: there are none in ${corpora}.`);

const everything = process.env['CI'] !== undefined;
const some = ['argos-ci__docs.bundle'];
const taken = bundles.filter((name) => everything || some.includes(name));

describe.each(everything ? (['git', 'isomorphic-git'] as const) : (['git'] as const))('by %s', (program) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startPlatform({ git: { program } });
  });
  afterAll(() => platform.close());

  test.skipIf(taken.length === 0).each(taken.length === 0 ? ['real repositories'] : taken)(
    '%s',
    async (bundle) => {
      const { repo, url } = await platform.createRepo(`${program}-${bundle.replace('.bundle', '')}`);
      await repo.git(['fetch', '-q', join(corpora, bundle), 'main:main']);
      const spaceId = await platform.createSpace(bundle);
      expect(await platform.importBranch(spaceId, { url })).toMatchObject({ state: 'success' });

      const paths = spread(await pagePaths(platform, spaceId), 3);
      expect(paths).toHaveLength(3);
      const changes = paths.map((path) => ({
        type: 'write',
        path,
        text: `${show(repo.dir, path)}\nOne more line.\n`,
      }));
      const { body: request } = await platform.api('POST', `/spaces/${spaceId}/change-requests`, {
        body: {},
      });
      const place = `/spaces/${spaceId}/change-requests/${request.id}`;
      expect((await platform.api('POST', `${place}/content`, { body: { changes } })).status).toBe(200);
      expect((await platform.api('POST', `${place}/merge`)).status).toBe(200);

      const asked = { url, ref: 'refs/heads/main', commitMessage: 'One more line' };
      expect((await platform.api('POST', `/spaces/${spaceId}/git/export`, { body: asked })).status).toBe(204);
      const exported = await platform.waitForEnd(spaceId, ({ direction }) => direction === 'export');
      expect(exported).toMatchObject({ state: 'success', unchanged: false });
      const diff = await repo.git(['-c', 'core.quotepath=off', 'diff', '--name-only', 'main^', 'main']);
      expect(diff.split('\n').sort()).toEqual(paths.toSorted());
      for (const { path, text } of changes) expect(show(repo.dir, path)).toBe(text);

      const revision = (await platform.api('GET', `/spaces/${spaceId}/content`)).body.id;
      expect(await platform.importBranch(spaceId, { url })).toMatchObject({
        state: 'success',
        unchanged: true,
        revision,
      });
    },
  );
});

/** Where the pages of a space come from, in order. */
async function pagePaths(platform: TestPlatform, spaceId: string): Promise<string[]> {
  const { pages } = (await platform.api('GET', `/spaces/${spaceId}/content/pages`)).body;
  const paths = new Set<string>();
  const visit = (all: readonly { git?: { path: string }; pages?: [] }[]) => {
    for (const { git, pages: below = [] } of all) {
      if (git !== undefined) paths.add(git.path);
      visit(below);
    }
  };
  visit(pages);
  return [...paths].sort();
}

/** The first, the last, and some in between. */
function spread(all: readonly string[], count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => all[Math.round((at * (all.length - 1)) / (count - 1))] ?? '',
  );
}

function show(repository: string, path: string): string {
  return execFileSync('git', ['-C', repository, 'show', `main:${path}`], { maxBuffer: 100_000_000 }).toString(
    'utf8',
  );
}
