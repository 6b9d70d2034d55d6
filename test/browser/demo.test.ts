/** The demo, as somebody new walks through it in a browser: everything that it shows can be pressed. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNarrator } from '../../src/cli/demo/narrator.ts';
import { openStage, type Stage } from '../../src/cli/demo/open-stage.ts';
import { type Played, playStory } from '../../src/cli/demo/play-story.ts';
import { WorkTree } from '../sandbox/support/open-sandbox.ts';
import { pickStagePorts } from '../support/pick-port.ts';
import { describeInBrowser, openBrowser, openWindow, takePicture } from './open-browser.ts';

describeInBrowser('the demo in a browser', () => {
  let stage: Stage;
  let played: Played;
  let browser: Browser;
  let tree: WorkTree;

  beforeAll(async () => {
    const signal = AbortSignal.timeout(240_000);
    [stage, browser] = await Promise.all([
      openStage({
        signal,
        ports: await pickStagePorts(),
        env: { NODE_OPTIONS: process.env['NODE_OPTIONS'] },
      }),
      openBrowser(),
    ]);
    played = await playStory(stage, createNarrator({ write: () => true }), signal);
    tree = new WorkTree(join(stage.folder, 'mine'), played.cloneUrl, played.userToken);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  async function openRepository(page: Page): Promise<void> {
    const { owner, repo } = played.repository;
    await page.goto(`${stage.forge.url}/${owner}/${repo}`);
  }

  async function openPull(page: Page, branch: string, title: string): Promise<void> {
    await openRepository(page);
    await page.getByText('Open a pull request').click();
    await page.getByLabel('Branch').selectOption(branch);
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Open pull request' }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  }

  test('a pull request is opened, closed, opened again and merged, and each page comes back with its result', async () => {
    const { page, context, complaints } = await openWindow(browser);
    await tree.git('clone', '--quiet', tree.remote, '.');
    await tree.commit({ 'guide/extra.md': '# Extra\n\n[Gone](nowhere.md)\n' });
    await tree.push('HEAD:refs/heads/break');
    await openPull(page, 'break', 'Break a link');
    // The page comes back with the result: nobody reloads it here.
    await page.getByText('1 link broken by this pull request').first().waitFor();
    await takePicture(page, 'demo-pull');

    // Twice the same is refused in words.
    await openRepository(page);
    await page.getByText('Open a pull request').click();
    await page.getByLabel('Branch').selectOption('break');
    await page.getByLabel('Title').fill('Again');
    await page.getByRole('button', { name: 'Open pull request' }).click();
    await page.getByRole('alert').getByText('already exists').waitFor();
    expect(complaints.splice(0).filter((one) => !one.includes('422'))).toEqual([]);

    await openRepository(page);
    await page.getByRole('link', { name: 'Break a link' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByText('merged', { exact: true }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await takePicture(page, 'demo-merged');
    await openRepository(page);
    await page.getByText('Merge pull request').first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('the user of the demo may use what it shows', async () => {
    const { page, context, complaints } = await openWindow(browser);
    await page.goto(`${stage.url}/status`);
    await page.getByLabel('API token').fill(played.platformToken);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sync now (lantern/docs)' }).click();
    await page.getByRole('status').waitFor();
    await takePicture(page, 'demo-status');
    await page.getByRole('link', { name: 'GitHub App' }).click();
    await page.waitForURL('**/setup');
    // The App was installed just now.
    await page.getByRole('heading', { level: 1, name: /^Connected to / }).waitFor();
    await takePicture(page, 'demo-setup');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
