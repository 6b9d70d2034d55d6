/** The stand-in's pages, looked at by a person's browser. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actionOf } from '../../src/github/pull-request/offer-fixes.ts';
import { writeSummary, writeTitle } from '../../src/github/pull-request/summary.ts';
import { finding, report } from '../github/pull-request/fixture-report.ts';
import { openSandbox, type Sandbox, WorkTree } from '../sandbox/support/open-sandbox.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser, openWindow } from './open-browser.ts';

const at = { owner: 'writer', repo: 'docs' };

const sampleReport = report({
  introduced: [
    finding({ file: 'guide/README.md', line: 11, target: 'patterns.md' }),
    finding({ file: 'guide/first-watch.md', line: 15, target: 'patterns.md#trying-a-pattern' }),
  ],
  fixed: [finding({ target: 'old.md' })],
  existing: [finding({ target: 'ancient.md' })],
  moved: [{ path: 'guide/patterns.md', to: null, linkedFrom: ['guide/README.md', 'guide/first-watch.md'] }],
});

describeInBrowser('the pages of the sandbox in a browser', () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let head: string;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([openSandbox(), openBrowser()]);
    const { token } = sandbox.forge.createUser('writer');
    const { cloneUrl } = await sandbox.forge.createRepository({ owner: 'writer', name: 'docs' });
    await sandbox.forge.createRepository({ owner: 'writer', name: 'empty' });
    const { installationId } = sandbox.forge.installApp({ owner: 'writer', repositories: 'all' });
    const tree = new WorkTree(join(sandbox.folder, 'work'), cloneUrl, token);
    const first = await tree.commit({ 'notes.txt': 'one\n' });
    cpSync('fixtures/demo', join(sandbox.folder, 'work'), { recursive: true });
    const live = await tree.commit({ 'notes.txt': 'two\n' });
    await tree.push('main');
    await tree.git('checkout', '--quiet', '-b', 'tidy-up');
    await tree.git('rm', '--quiet', 'guide/patterns.md');
    head = await tree.commit({ 'guide/a name with spaces.md': '# New\n' });
    await tree.push('tidy-up');
    const user = sandbox.octokit(token).rest;
    await user.pulls.create({ ...at, title: 'Remove the patterns', head: 'tidy-up', base: 'main' });
    const app = sandbox.octokit(await sandbox.installationToken(installationId)).rest;
    for (const [sha, state, description] of [
      [first, 'failure', '.github/docloom.yml, line 3: a space needs a title'],
      [live, 'success', 'Live: 7 pages, 28 links, 0 broken'],
    ] as const) {
      const status = { state, description, context: 'docloom/Lantern Guide' };
      await app.repos.createCommitStatus({
        ...at,
        sha,
        ...status,
        target_url: 'http://127.0.0.1:9/spaces/x',
      });
    }
    const offer = { kind: 'commit', count: 2, redirects: 0, branch: 'tidy-up' } as const;
    await app.pulls.createReview({
      ...at,
      pull_number: 1,
      event: 'COMMENT',
      body: 'These links lead nowhere as they are.',
      comments: [{ path: 'guide/a name with spaces.md', line: 1, body: '```suggestion\n# Newer\n```' }],
    });
    await app.checks.create({
      ...at,
      actions: [actionOf(offer)],
      name: 'Docloom links',
      head_sha: head,
      conclusion: 'failure',
      details_url: 'http://127.0.0.1:9/reports/x',
      output: {
        title: writeTitle(sampleReport),
        summary: writeSummary(sampleReport, 'http://127.0.0.1:9/reports/x', offer),
        annotations: [
          ['guide/README.md', 11],
          ['guide/first-watch.md', 15],
          ['guide/gone.md', 1],
        ].map(([path, line]) => ({
          path: String(path),
          start_line: Number(line),
          end_line: Number(line),
          annotation_level: 'failure' as const,
          title: 'Page not found',
          message: 'There is no page guide/patterns.md in the repository.',
        })),
      },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  test('a person finds the broken line of a pull request', async () => {
    const { page, context, complaints } = await openWindow(browser);
    await page.goto(sandbox.forge.url);
    await page.getByRole('link', { name: 'writer/docs' }).click();
    await page.getByRole('link', { name: 'Remove the patterns' }).click();
    await page.getByRole('heading', { name: 'Docloom links' }).waitFor();
    await page.getByRole('heading', { level: 4 }).getByRole('link', { name: 'guide/first-watch.md' }).click();
    await page.getByRole('heading', { name: 'first-watch.md', level: 1 }).waitFor();
    expect(await page.evaluate("document.querySelector(':target')?.textContent")).toContain('patterns.md');
    const path = page.getByRole('navigation', { name: 'Path' });
    await path.getByRole('link', { name: 'guide' }).click();
    await page.getByRole('link', { name: 'a name with spaces.md' }).click();
    await page.getByRole('heading', { name: 'a name with spaces.md', level: 1 }).waitFor();
    await path.getByRole('link', { name: 'writer/docs' }).click();
    await page.getByRole('link', { name: 'tidy-up', exact: true }).click();
    await page.getByRole('link', { name: 'guide/' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a person presses the button of a check', async () => {
    const { page, context, complaints } = await openWindow(browser);
    await page.goto(`${sandbox.forge.url}/writer/docs/pull/1`);
    await page.getByRole('button', { name: 'Fix links' }).click();
    await page.getByRole('heading', { name: 'Remove the patterns' }).waitFor();
    await sandbox.forge.waitForIdle();
    expect(sandbox.received.at(-1)?.payload).toMatchObject({
      action: 'requested_action',
      requested_action: { identifier: 'fix-links' },
      check_run: { head_sha: head },
      sender: { login: 'writer' },
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('nothing stands in the way of anybody, in no look', async () => {
    const { page, context, complaints } = await openWindow(browser);
    const visit = async (title: string, path: string) => {
      await page.goto(sandbox.forge.url + path);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await expectNoObstacles(page, `sandbox-${title}`);
    };
    await visit('home', '/');
    await visit('repository', '/writer/docs');
    await visit('empty', '/writer/empty');
    await visit('pull', '/writer/docs/pull/1');
    await visit('commit', '/writer/docs/commit/main');
    await visit('app', '/apps/docloom');
    await visit('folder', '/writer/docs/tree/main/guide');
    await visit('file', '/writer/docs/blob/main/guide/alerts.md');
    expect(complaints).toEqual([]);
    await visit('not-found', '/nothing');
    await context.close();
  });
});
