/** Webhooks are hints: twice, in the wrong order, or from a fork, they lead to one right result. */
import { expect, it } from 'vitest';
import { waitForCheck, waitForStatuses } from '../../src/cli/demo/observe.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { cloneAs, createAuthor } from './support/author.ts';
import { findSpace, listOperations, openPlatform } from './support/platform.ts';
import { useRunsDatabase, useStage } from './support/stage.ts';

const stage = useStage(useRunsDatabase());

async function liveTitles(title: string): Promise<readonly string[]> {
  const platform = await openPlatform(stage());
  const space = await findSpace(platform, title);
  const { operations } = await import('../../src/client/index.ts');
  const { pages } = await platform.client.call(operations.listPages, { params: { spaceId: space.id } });
  return pages.map((page) => page.title);
}

describeAtLength('a delivery sent twice', false, () => {
  it('is one delivery, one import and one final status', async () => {
    const author = await createAuthor(stage(), { owner: 'twice' });
    stage().forge.faults.set({ on: 'webhook', kind: 'duplicate' });
    const oid = await author.publish({ 'README.md': '# Said once\n' });
    await waitForStatuses(author.octokit, author, oid, 1);
    await stage().forge.waitForIdle();
    const again = stage().forge.deliveries.find((one) => one.event === 'push' && one.body.includes(oid));
    stage().forge.redeliver(again?.guid ?? '');
    await stage().forge.waitForIdle();
    expect(again?.attempts.map((attempt) => attempt.statusCode)).toEqual([202, 202, 202]);

    const platform = await openPlatform(stage());
    const space = await findSpace(platform, 'docs');
    expect((await listOperations(platform, space.id)).map(({ state }) => state)).toEqual(['success']);
    const states = stage()
      .forge.statuses(author.fullName, oid)
      .map(({ state }) => state);
    expect(states).toEqual(['pending', 'success']);
  });
});

describeAtLength('two deliveries in the wrong order', false, () => {
  it('leave the newest commit live, and every commit with an honest end', async () => {
    const author = await createAuthor(stage(), { owner: 'order', repo: 'order-docs' });
    const reorder = stage().forge.faults.set({
      on: 'webhook',
      kind: 'reorder',
      count: 2,
      match: ({ event }) => event === 'push',
    });
    await author.publish({ 'README.md': '# The older title\n' });
    const newest = await author.publish({ 'README.md': '# The newest title\n' });
    await waitForStatuses(author.octokit, author, newest, 1);
    await stage().forge.waitForIdle();
    expect(reorder.struck).toBeGreaterThan(0);
    const pushes = stage().forge.deliveries.filter(
      (one) => one.event === 'push' && one.body.includes('order-docs'),
    );
    await expect.poll(() => pushes.every((one) => one.attempts.at(-1)?.statusCode === 202)).toBe(true);
    expect(await liveTitles('order-docs')).toEqual(['The newest title']);
    const [status] = stage().forge.statuses(author.fullName, newest).slice(-1);
    expect(status).toMatchObject({ state: 'success' });
  });
});

describeAtLength('a pull request from a fork', false, () => {
  it('gets its check on the fork’s commit, read through the base repository', async () => {
    const author = await createAuthor(stage(), { owner: 'upstream', repo: 'handbook' });
    await author.publish({ 'README.md': '# Handbook\n\n[Setup](setup.md)\n', 'setup.md': '# Setup\n' });
    await stage().forge.fork({ source: author.fullName, owner: 'contributor' });
    const contributor = await cloneAs(stage(), 'contributor', 'contributor/handbook');
    const oid = await contributor.publish(
      { 'setup.md': null, 'guide.md': '# Guide\n\nSee [the start](README.md).\n' },
      'shorter',
    );
    await contributor.octokit.pulls.create({
      owner: 'upstream',
      repo: 'handbook',
      base: 'main',
      head: 'contributor:shorter',
      title: 'One page less',
    });
    const check = await waitForCheck(author.octokit, author, oid);
    expect(check.conclusion).toBe('failure');
    expect(check.annotations).toMatchObject([
      { path: 'README.md', start_line: 3, annotation_level: 'failure' },
    ]);
    expect(check.details_url).toMatch(/\/reports\/[\w-]{20}$/);
    const report = await fetch(check.details_url ?? '');
    expect(report.status).toBe(200);
    expect(await report.text()).toContain('setup.md');
  });
});

describeAtLength('an old broken link', false, () => {
  it('never fails a pull request that did not make it', async () => {
    const author = await createAuthor(stage(), { owner: 'debtor', repo: 'debts' });
    await author.publish({ 'README.md': '# Debts\n\n[Gone](gone.md)\n' });
    await author.git('switch', '--quiet', '--create', 'more');
    const oid = await author.publish({ 'more.md': '# More\n\n[Back](README.md#debts)\n' }, 'more');
    await author.octokit.pulls.create({
      owner: author.owner,
      repo: author.repo,
      base: 'main',
      head: 'more',
      title: 'More',
    });
    const check = await waitForCheck(author.octokit, author, oid);
    expect(check).toMatchObject({ conclusion: 'success', annotations: [] });
    expect(check.output.summary).toContain('1');
  });
});
