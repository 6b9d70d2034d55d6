/** A change request from its first word to the repository and back, as its people do it in a browser without script. */
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNarrator } from '../../src/cli/demo/narrator.ts';
import { openStage, type Stage } from '../../src/cli/demo/open-stage.ts';
import { type Played, playStory } from '../../src/cli/demo/play-story.ts';
import { createClient, operations, type PlatformClient } from '../../src/client/index.ts';
import { createHttp } from '../../src/net/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { createMember, type TestMember } from '../platform/create-member.ts';
import { WorkTree } from '../sandbox/support/open-sandbox.ts';
import { createMigratedDatabase } from '../support/database.ts';
import { pickStagePorts } from '../support/pick-port.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { describeInBrowser, inEveryLook, openBrowser, takePicture } from './open-browser.ts';

describeInBrowser('a change request in a browser', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  let stage: Stage;
  let played: Played;
  let browser: Browser;
  let store: Store;
  let client: PlatformClient;
  let spaceId: string;
  let writer: TestMember;
  let reviewer: TestMember;
  let octokit: Octokit;

  beforeAll(async () => {
    const signal = AbortSignal.timeout(280_000);
    database = await createMigratedDatabase();
    const env = {
      DATABASE_URL: database.url,
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      SYNC_SECONDS: '2',
    };
    [stage, browser] = await Promise.all([
      openStage({ signal, env, ports: await pickStagePorts() }),
      openBrowser(),
    ]);
    played = await playStory(stage, createNarrator({ write: () => true }), signal);
    const http = createHttp({ userAgent: 'docloom-test' });
    client = createClient({ baseUrl: stage.url, token: played.platformToken, http });
    octokit = new Octokit({ auth: played.userToken, baseUrl: stage.forge.apiUrl });
    store = await openStore({ dataDir: join(stage.folder, 'data'), databaseUrl: stage.env['DATABASE_URL'] });
    const [organization] = (await client.call(operations.listOrganizations, {})).items;
    const organizationId = organization?.id ?? '';
    const host = { deps: { db: store.db } as never, organizationId };
    writer = await createMember(host, 'Wanda Writer', { role: 'edit' });
    reviewer = await createMember(host, 'Rita Reviewer', { role: 'review' });
    const { items } = await client.call(operations.listSpaces, { params: { organizationId } });
    spaceId = items.find(({ title }) => title === 'Lantern Guide')?.id ?? '';
    await exportToo();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await store?.close();
    await stage?.close();
    await database?.drop();
  });

  /** The repository asks for what is merged on the platform. */
  async function exportToo(): Promise<void> {
    const tree = new WorkTree(join(stage.folder, 'theirs'), played.cloneUrl, played.userToken);
    await tree.git('clone', '--quiet', tree.remote, '.');
    await tree.commit({
      '.github/docloom.yml':
        'spaces:\n  - directory: guide\n    title: Lantern Guide\n    direction: both\n  - directory: reference\n    title: Lantern Reference\n',
    });
    const oid = (await tree.git('rev-parse', 'HEAD')).trim();
    await tree.push('HEAD:refs/heads/main');
    await until(async () => {
      const { items } = await client.call(operations.listGitOperations, { params: { spaceId } });
      return items.some(({ commit, state }) => commit === oid && state === 'success');
    });
  }

  const until = (isSo: () => Promise<boolean>): Promise<void> => waitFor(isSo).then(() => {});

  async function openAs({ token }: TestMember): Promise<Page> {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 1280, height: 900 },
    });
    const page = await context.newPage();
    await page.goto(`${stage.url}/login`);
    const details = page.locator('details.sign-in-more');
    if ((await details.count()) > 0) await details.locator('summary').click();
    await page.getByLabel('API token').fill(token);
    await page
      .locator('form', { has: page.getByLabel('API token') })
      .getByRole('button')
      .click();
    return page;
  }

  test('is written, reviewed, mended, approved, merged, and reaches the repository', async () => {
    const writing = await openAs(writer);
    await writing.goto(`${stage.url}/spaces/${spaceId}/change-requests`);
    await writing.getByLabel('What it changes, in a few words').fill('Warn about the hot glass');
    await writing.getByRole('button', { name: 'Create a draft' }).click();
    const address = writing.url().split('?')[0] ?? '';
    const number = address.split('/').at(-1) ?? '';
    const write = async (text: string) => {
      await writing.goto(`${stage.url}/spaces/${spaceId}/edit?path=guide/alerts.md&cr=${number}`);
      await writing.getByLabel('Text in Markdown').fill(text);
      await writing.getByRole('button', { name: 'Save', exact: true }).click();
      await writing.getByText('Saved').first().waitFor();
    };
    await write('# Alerts\n\nThe glass is hot. [More](nowhere.md)\n');
    await writing.goto(address);
    await writing.locator('#docloom-add > summary').click();
    await writing.locator('select[name="subject"]').selectOption(`user:${reviewer.userId}`);
    await writing.getByRole('button', { name: 'Request', exact: true }).click();
    await writing.getByText('The review was requested.').waitFor();

    const reviewing = await openAs(reviewer);
    await reviewing.goto(`${stage.url}/spaces/${spaceId}/change-requests?mine=review`);
    await inEveryLook(reviewing, async (look) => takePicture(reviewing, `change-requests-${look}`));
    await reviewing.getByRole('link', { name: 'Warn about the hot glass' }).click();
    await reviewing.getByText('Links that it breaks').waitFor();
    await reviewing.getByRole('link', { name: 'Comment on “The glass is hot. More”' }).click();
    const here = reviewing.locator('form#docloom-comment-here');
    await here.getByLabel('Your comment on this block').fill('How **hot**?');
    await here.getByRole('button', { name: 'Comment' }).click();
    const thread = (page: Page) => page.locator('p:has-text("The glass is") + .block-comments .thread');
    await thread(reviewing).getByText('How hot?').waitFor();
    await reviewing.getByLabel('Request changes').check();
    await reviewing.getByLabel('Comment (optional)').fill('The link leads nowhere.');
    await reviewing.getByRole('button', { name: 'Submit the review' }).click();
    await reviewing.getByText('Wants changes').waitFor();

    await writing.goto(address);
    await writing.getByText('The link leads nowhere.').waitFor();
    await write('# Alerts\n\nThe glass is hot: 200 °C.\n');
    // The comment has moved with its text, in the difference and in the preview.
    await writing.goto(address);
    const answered = thread(writing);
    await answered.locator('summary', { hasText: 'Reply' }).click();
    await answered.getByLabel('Your reply').fill('Says it now.');
    await answered.getByRole('button', { name: 'Reply' }).click();
    await answered.getByText('Says it now.').waitFor();
    await writing.getByRole('link', { name: 'Read it as it would be' }).click();
    await writing.getByRole('link', { name: 'Alerts', exact: true }).first().click();
    await thread(writing).getByText('How hot?').waitFor();
    await writing.getByRole('link', { name: `change request #${number}` }).waitFor();

    const looking = await openEyes(reviewer);
    await looking.goto(address);
    await looking.getByRole('link', { name: 'Comment on “Alerts”' }).click();
    await looking.getByLabel('Your comment on this block').fill('Kept while the form moves.');
    await looking.getByRole('link', { name: /Comment on “The glass/ }).click();
    expect(await looking.getByLabel('Your comment on this block').inputValue()).toContain('Kept');
    await expectNoObstacles(looking, 'review-comment');
    await looking.getByRole('link', { name: 'Cancel' }).click();
    expect(await looking.locator('form#docloom-comment-here').count()).toBe(0);

    await reviewing.goto(address);
    await thread(reviewing)
      .getByRole('button', { name: /^Resolve/ })
      .click();
    await reviewing.getByText('No open comments').or(reviewing.getByText('1 open comment')).first().waitFor();
    await reviewing.getByLabel('Approve').check();
    await reviewing.getByRole('button', { name: 'Submit the review' }).click();
    await reviewing.getByText('Ready to merge').waitFor();
    await reviewing.getByRole('button', { name: 'Merge' }).click();
    await reviewing.getByText('It was merged: readers see it now.').waitFor();

    const eyes = await openEyes(reviewer);
    for (const [name, path] of [
      ['list', `/spaces/${spaceId}/change-requests?status=all`],
      ['request', `/spaces/${spaceId}/change-requests/${number}`],
      ['source', `/spaces/${spaceId}/change-requests/${number}?as=source`],
    ] as const) {
      await eyes.goto(`${stage.url}${path}`);
      await expectNoObstacles(eyes, `review-${name}`);
    }

    const before = (await client.call(operations.getSpace, { params: { spaceId } })).revision;
    const { owner, repo } = played.repository;
    await until(async () => {
      const { data } = await octokit.pulls.list({ owner, repo, state: 'open' });
      return data.some(({ head }) => head.ref.startsWith('docloom/'));
    });
    const { data: pulls } = await octokit.pulls.list({ owner, repo, state: 'open' });
    const pull = pulls.find(({ head }) => head.ref.startsWith('docloom/'));
    expect(pull?.title).toContain('Warn about the hot glass');
    const { data: merged } = await octokit.pulls.merge({ owner, repo, pull_number: pull?.number ?? 0 });
    await until(async () => {
      const { items } = await client.call(operations.listGitOperations, { params: { spaceId } });
      return items.some(
        ({ commit, state, unchanged }) => commit === merged.sha && state === 'success' && unchanged === true,
      );
    });
    expect((await client.call(operations.getSpace, { params: { spaceId } })).revision).toBe(before);
  }, 240_000);

  /** A window with script, in which pages are looked at. */
  async function openEyes({ token }: TestMember): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${stage.url}/login`);
    const details = page.locator('details.sign-in-more');
    if ((await details.count()) > 0) await details.locator('summary').click();
    await page.getByLabel('API token').fill(token);
    await page
      .locator('form', { has: page.getByLabel('API token') })
      .getByRole('button')
      .click();
    await page.waitForURL((url) => url.pathname !== '/login');
    return page;
  }
});
