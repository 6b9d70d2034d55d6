/** The pages of what people ask and of the model, where a model named and quoted: they stand in nobody's way. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openModel } from '../../src/platform/models/open-model.ts';
import { insertFeedback, insertSite, newId } from '../../src/store/index.ts';
import { type StandInModel, startStandInModel } from '../platform/models/stand-in-model.ts';
import { waitFor } from '../support/wait-for.ts';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser, openSignedIn } from './open-browser.ts';

const LONG = 'https://desk.example/tickets/'.padEnd(300, 'averylongaddress');

describeInBrowser('what people ask, with a model, in a browser', () => {
  let pages: TestPages;
  let standIn: StandInModel;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let siteId: string;
  const org = (part = '') => `/orgs/${pages.platform.organizationId}${part}`;
  const api: TestPages['platform']['api'] = (...call) => pages.platform.api(...call);

  beforeAll(async () => {
    standIn = await startStandInModel(({ data }) => {
      const { messages = [] } = data as { messages?: { text: string }[] };
      const text = messages[0]?.text ?? '';
      const issue = { title: text.slice(0, 150), summary: text.slice(0, 400), quotes: [text.slice(0, 200)] };
      return { answer: { issues: [issue] }, tokens: 1_234 };
    });
    [pages, browser] = await Promise.all([startPages(), openBrowser()]);
    const { deps, organizationId } = pages.platform;
    Object.assign(deps, { model: openModel(deps.db, { ...standIn.settings, tokensPerDay: 100_000 }) });
    await api('PATCH', org(), { body: { ai: true } });
    const asked = (id: string, source: string, body: string) => ({
      id,
      metadata: { url: LONG, attributes: { source } },
      parts: [
        { type: 'message', role: 'user', body },
        { type: 'message', role: 'team-member', body: 'We are looking into it.' },
      ],
    });
    await api('POST', org('/conversations'), {
      body: [
        asked('1', 'zendesk', 'How do I rotate the signing token of a webhook without losing deliveries?'),
        asked('2', 'email', 'Rotating the signing token of our webhook lost deliveries. What went wrong?'),
        asked('3', 'zendesk', `Webhook signing token rotation: ${'x'.repeat(180)} deliveries`),
      ],
    });
    await waitFor(async () => {
      const { items } = (await api('GET', org('/conversations-clusters'))).body;
      return items[0]?.stats.issues >= 2;
    });
    const site = await insertSite(deps.db, {
      ...{ id: newId(), organizationId, title: 'Docs', basename: 'docs' },
      ...{ type: 'basic', visibility: 'public', publishedAt: new Date() },
    });
    siteId = site.id;
    const space = (await api('POST', org('/spaces'), { body: { title: 'Guide' } })).body.id;
    for (const [helpful, comment] of [
      [false, `It does not say where. ${'w'.repeat(400)}`],
      [true, null],
    ] as const)
      await insertFeedback(deps.db, {
        ...{ id: newId(), siteId, spaceId: space, pageId: newId(), path: 'install', title: 'Install' },
        ...{ helpful, comment },
      });
    ({ page, complaints } = await openSignedIn(browser, pages));
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.platform.deps.model?.close();
    await pages?.close();
    await standIn?.close();
  });

  async function inspect(path: string, name: string, shows: string): Promise<void> {
    await page.goto(`${pages.url}${path}`);
    await page.getByText(shows).first().waitFor();
    await expectNoObstacles(page, name, { withDarkPhone: true });
  }

  test('groups, a group with what people said, conversations, and one of them', async () => {
    const cluster = (await api('GET', org('/conversations-clusters'))).body.items[0];
    await inspect(org('/conversations'), 'groups', 'group');
    await inspect(org('/conversations?source=nowhere'), 'no group', 'Nothing was asked twice');
    await inspect(org(`/conversations/${cluster.id}`), 'group', 'What people asked');
    expect(await page.locator('.quotes q').count()).toBeGreaterThan(1);
    await inspect(org('/conversations/all'), 'conversations', '3 conversations');
    for (const { id } of (await api('GET', org('/conversations'))).body.items)
      await inspect(org(`/conversations/all/${id}`), 'conversation', 'The team');
    expect(complaints).toEqual([]);
  });

  test('what the model is told, what it used, and what readers said of pages', async () => {
    await inspect(org('/instructions'), 'instructions', 'What follows them');
    await inspect(org('/settings'), 'settings', 'token');
    await inspect(org(`/sites/${siteId}/feedback`), 'feedback', 'It does not say where.');
    expect(complaints).toEqual([]);
  });
});
