/** Killed with SIGKILL at the worst moments, the server finishes the work once after its restart. */
import { expect, it } from 'vitest';
import { waitForStatuses } from '../../src/cli/demo/observe.ts';
import { operations } from '../../src/client/index.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createAuthor } from './support/author.ts';
import { findSpace, listOperations, openPlatform } from './support/platform.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

async function killAndRestart(): Promise<void> {
  await stage().docloom().kill();
  await stage().restart();
}

async function expectDoneOnce(title: string, fullName: string, oid: string): Promise<void> {
  const platform = await openPlatform(stage());
  const space = await findSpace(platform, title);
  const done = await listOperations(platform, space.id);
  expect(done.map(({ state, commit }) => ({ state, commit }))).toEqual([{ state: 'success', commit: oid }]);
  const content = await platform.client.call(operations.getContent, { params: { spaceId: space.id } });
  expect(content).toMatchObject({ id: done[0]?.revision, git: { oid } });
  const final = stage()
    .forge.statuses(fullName, oid)
    .filter(({ state }) => state !== 'pending');
  expect(final.map(({ state }) => state)).toEqual(['success']);
}

it('right after the 202', async () => {
  const author = await createAuthor(stage(), { owner: 'early', repo: 'early-docs' });
  const oid = await author.publish({ 'README.md': '# Early\n', 'more.md': '# More\n' });
  await expect
    .poll(
      () =>
        stage()
          .forge.deliveries.find((one) => one.event === 'push' && one.body.includes(oid))
          ?.attempts.at(-1)?.statusCode,
      { interval: 1, timeout: PATIENCE_MS },
    )
    .toBe(202);
  await killAndRestart();
  await waitForStatuses(author.octokit, author, oid, 1);
  await expectDoneOnce('early-docs', author.fullName, oid);
});

it('in the middle of an import', async () => {
  const author = await createAuthor(stage(), { owner: 'midway', repo: 'midway-docs' });
  // The import hangs in its fetch, so the moment of the kill is certain.
  const slow = stage().forge.faults.set({
    on: 'git',
    kind: 'slow',
    slowMs: 60_000,
    path: /midway-docs\.git\/git-upload-pack/,
  });
  // Declared spaces need no look into the repository: the import is the first to fetch.
  const oid = await author.publish({
    '.github/docloom.yml': 'spaces:\n  - directory: .\n    title: midway-docs\n',
    'README.md': '# Midway\n',
    'more.md': '# More\n',
  });
  const platform = await openPlatform(stage());
  await expect
    .poll(
      async () => {
        const space = await findSpace(platform, 'midway-docs').catch(() => null);
        return space && (await listOperations(platform, space.id))[0]?.state;
      },
      { interval: 50, timeout: PATIENCE_MS },
    )
    .toBe('running');
  await expect.poll(() => slow.struck, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  slow.clear();
  await killAndRestart();
  await waitForStatuses(author.octokit, author, oid, 1);
  await expectDoneOnce('midway-docs', author.fullName, oid);
});
