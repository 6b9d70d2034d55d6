/** From a search that finds nothing to a page in a change request, as people do it in a browser without script. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNarrator } from '../../src/cli/demo/narrator.ts';
import { openStage, type Stage } from '../../src/cli/demo/open-stage.ts';
import { type Played, playStory } from '../../src/cli/demo/play-story.ts';
import { createClient, operations, type PlatformClient } from '../../src/client/index.ts';
import { createHttp } from '../../src/net/index.ts';
import { createMigratedDatabase } from '../support/database.ts';
import { pickStagePorts } from '../support/pick-port.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectNoObstaclesWithScript } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser } from './open-browser.ts';

describeInBrowser('what people ask, in a browser', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  let stage: Stage;
  let played: Played;
  let browser: Browser;
  let client: PlatformClient;
  let organizationId: string;
  let page: Page;

  beforeAll(async () => {
    const signal = AbortSignal.timeout(280_000);
    database = await createMigratedDatabase();
    const env = { DATABASE_URL: database.url, NODE_OPTIONS: process.env['NODE_OPTIONS'] };
    [stage, browser] = await Promise.all([
      openStage({ signal, env, ports: await pickStagePorts() }),
      openBrowser(),
    ]);
    played = await playStory(stage, createNarrator({ write: () => true }), signal);
    const http = createHttp({ userAgent: 'docloom-test' });
    client = createClient({ baseUrl: stage.url, token: played.platformToken, http });
    const [organization] = (await client.call(operations.listOrganizations, {})).items;
    organizationId = organization?.id ?? '';
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 1280, height: 900 },
    });
    page = await context.newPage();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
    await database?.drop();
  });

  async function signIn(): Promise<void> {
    await page.goto(`${stage.url}/login`);
    const details = page.locator('details.sign-in-more');
    if ((await details.count()) > 0) await details.locator('summary').click();
    await page.getByLabel('API token').fill(played.platformToken);
    await page
      .locator('form', { has: page.getByLabel('API token') })
      .getByRole('button')
      .click();
  }

  /** Looks at the open page in every size and colour, with a picture of each. */
  async function inspect(name: string): Promise<void> {
    await expectNoObstaclesWithScript(browser, page, name, { withDarkPhone: true });
  }

  test('a search that finds nothing becomes a group, and that a page in a change request', async () => {
    const [site] = (await client.call(operations.listSites, { params: { organizationId } })).items;
    const address = site?.urls.published ?? '';
    for (const query of ['kerosene refill', 'refill kerosene lamps', 'kerosene smell refill']) {
      await page.goto(`${address.replace(/\/$/, '')}/~/search?q=${encodeURIComponent(query)}`);
      await page
        .getByText(/nothing|no page/i)
        .first()
        .waitFor();
    }
    await waitFor(async () => {
      const { items } = await client.call(operations.listIssuesClusters, { params: { organizationId } });
      return items.some(({ stats }) => stats.issues === 3);
    });

    await signIn();
    await page.goto(`${stage.url}/orgs/${organizationId}`);
    await page.getByRole('link', { name: 'What people ask' }).click();
    await inspect('groups');
    await page
      .getByRole('link', { name: /kerosene|refill/i })
      .first()
      .click();
    await page.getByText('Asked', { exact: true }).waitFor();
    await inspect('group');
    await page.getByLabel('Title').fill('Refill a kerosene lamp');
    await page.getByRole('button', { name: 'Write the page' }).click();
    await page.waitForURL(/\/edit\?path=.*refill-a-kerosene-lamp\.md&cr=\d+/);
    expect(await page.locator('textarea').first().inputValue()).toMatch(
      /^# Refill a kerosene lamp\n\nPeople ask:\n\n- .*kerosene/i,
    );
    const { items } = await client.call(operations.listOrganizationChangeRequests, {
      params: { organizationId },
      query: {},
    });
    expect(items.map(({ subject }) => subject)).toContain('Write “Refill a kerosene lamp”');
  });

  test('conversations and instructions stand in nobody’s way', async () => {
    await page.goto(`${stage.url}/orgs/${organizationId}/conversations/all`);
    await inspect('conversations');
    await page
      .getByRole('link', { name: /kerosene/ })
      .first()
      .click();
    await inspect('conversation');
    await page.goto(`${stage.url}/orgs/${organizationId}/instructions`);
    await page.getByLabel('Instructions').fill('Say “lamp”, not “lantern”.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The instructions were saved.').waitFor();
    await page.getByText(/Version 1, by/).waitFor();
    await inspect('instructions');
  });
});
