/** The dashboard with script in a real browser: the palette by keyboard, and every page for every eye. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillWorlds, MARK, type World } from '../platform/fill-world.ts';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { pathsOfDashboard } from './dashboard-paths.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { findViolations } from './find-violations.ts';
import { findObstacles } from './inspect-page.ts';
import { describeInBrowser, inEveryLook, openBrowser, openSignedIn, takePicture } from './open-browser.ts';

describeInBrowser('the dashboard in a browser', () => {
  let pages: TestPages;
  let browser: Browser;
  let world: World;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    [pages, browser] = await Promise.all([startPages(), openBrowser()]);
    const { platform } = pages;
    world = await fillWorlds(platform).fillWorld(platform.organizationId, platform.token);
    ({ page, complaints } = await openSignedIn(browser, pages));
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  const org = (part = '') => `/orgs/${world.organizationId}${part}`;
  const space = (part = '') => `/spaces/${world.ids['spaceId']}${part}`;
  const open = (path: string) => page.goto(`${pages.url}${path}`);
  const palette = () => page.getByRole('combobox', { name: 'Find anything' });
  const chosen = () => page.locator('.palette [aria-selected="true"]');

  test('the palette finds by keyboard, from every page', async () => {
    await open(space('/links'));
    await page.keyboard.press('Control+k');
    await chosen().first().waitFor();
    await expect.poll(() => chosen().innerText()).toContain('Overview');
    await palette().fill('zanzibar team');
    await page.getByRole('option', { name: `${MARK} team`, exact: true }).waitFor();
    await expect.poll(() => chosen().innerText()).toContain(`${MARK} team`);
    expect(await palette().getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'));
    await expectNoObstacles(page, 'palette');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen().innerText()).toContain('Search everything');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${org(`/teams/${world.ids['teamId']}`)}`);
    await page.keyboard.press('Control+k');
    // Enter before the results are there goes to the first of them.
    await palette().fill('audit');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${org('/audit')}`);
    await page.getByRole('button', { name: 'Find anything' }).click();
    await page.keyboard.press('Escape');
    expect(await palette().count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('the palette leads to signing in again when the session is over', async () => {
    await open('/');
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.keyboard.press('Control+k');
    await page.waitForURL('**/login?next=*');
    await page.context().addCookies(cookies);
  });

  test('a double click creates one thing', async () => {
    await open(org('/spaces/new'));
    await page.getByLabel('Title', { exact: true }).fill('Clicked twice');
    await page.locator('main form').getByRole('button').last().dblclick();
    await page.waitForURL(/\/spaces\/[\w-]{20}/);
    const named = await pages.platform.api('GET', `${org('/spaces')}?title=Clicked%20twice`);
    expect(named.body.items.map(({ title }: { title: string }) => title)).toEqual(['Clicked twice']);
  });

  test('what is open in a navigation is in sight on a phone, with and without script', async () => {
    const paths = [`/spaces/${world.ids['spaceId']}/settings`, org('/audit')];
    const cookies = await page.context().cookies();
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ viewport: { width: 390, height: 900 }, javaScriptEnabled });
      await context.addCookies(cookies);
      const phone = await context.newPage();
      for (const path of paths) {
        await phone.goto(`${pages.url}${path}`);
        const here = await phone
          .locator('nav.tabs [aria-current], nav.sections [aria-current]')
          .boundingBox();
        expect(here?.x, path).toBeGreaterThanOrEqual(0);
        expect((here?.x ?? 0) + (here?.width ?? 0), path).toBeLessThanOrEqual(390);
      }
      await context.close();
    }
  });

  test('spaces are dragged into collections, and into another order there', async () => {
    const { api } = pages.platform;
    const [parent, inner] = [world.ids['collectionId'] ?? '', world.ids['otherCollectionId'] ?? ''];
    const made: string[] = [];
    for (const title of ['Dragged one', 'Dragged two'])
      made.push((await api('POST', `${org()}/spaces`, { body: { title, parent } })).body.id);
    const [first, second] = made;
    const row = (id: string | undefined) => page.locator(`[data-space="${id}"]`);
    const order = () =>
      page.locator('[data-space]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-space')));
    await open(`/collections/${parent}`);
    await expect.poll(order).toEqual([first, second]);
    await row(second).dragTo(row(first), { targetPosition: { x: 30, y: 4 } });
    await page.getByText('It was moved.').waitFor();
    await expect.poll(order).toEqual([second, first]);
    await row(second).getByRole('button', { name: 'Move Dragged two down' }).press('Enter');
    await page.getByText('It was moved.').waitFor();
    await expect.poll(order).toEqual([first, second]);
    await row(first).dragTo(page.locator(`[data-drop-into="${inner}"]`));
    await page.waitForURL(`**/collections/${inner}?done=moved`);
    await expect.poll(order).toEqual([first]);
    await page.locator(`[data-drop-into="${inner}"]`).dragTo(page.locator(`[data-drop-into="${parent}"]`));
    await page.waitForURL(`**/collections/${parent}?done=moved`);
    expect((await api('GET', `/collections/${inner}`)).body.parent).toBe(parent);
    expect(complaints).toEqual([]);
  });

  test('collections are dragged into another order, and moved by keyboard', async () => {
    const { api } = pages.platform;
    const parent = world.ids['collectionId'] ?? '';
    const made: string[] = [];
    for (const title of ['First shelf', 'Second shelf', 'Third shelf'])
      made.push((await api('POST', `${org()}/collections`, { body: { title, parent } })).body.id);
    const [first, second, third] = made;
    const link = (id: string | undefined) => page.locator(`[data-drop-into="${id}"]`);
    const order = async () => {
      const all = await page
        .locator('[data-drop-into]')
        .evaluateAll((links) => links.map((one) => one.getAttribute('data-drop-into') ?? ''));
      return all.filter((id) => made.includes(id));
    };
    await open(`/collections/${parent}`);
    await expect.poll(order).toEqual([first, second, third]);
    await link(third).dragTo(link(first), { targetPosition: { x: 20, y: 3 } });
    await page.getByText('It was moved.').waitFor();
    await expect.poll(order).toEqual([third, first, second]);
    await link(first).click();
    await page.getByRole('button', { name: 'Move First shelf up' }).press('Enter');
    await page.waitForURL(`**/collections/${first}?done=moved`);
    await expect.poll(order).toEqual([first, third, second]);
    await page.getByRole('button', { name: 'Move First shelf down' }).press('Enter');
    await page.getByText('It was moved.').waitFor();
    await expect.poll(order).toEqual([third, first, second]);
    expect(complaints).toEqual([]);
  });

  test('a look is shown while it is entered, before it is saved', async () => {
    const path = org(`/sites/${world.ids['siteId']}/look`);
    await open(path);
    const sample = () => page.locator('.look-frame:not(.is-coming)').contentFrame();
    await sample().getByRole('heading', { name: 'First steps' }).waitFor();
    const steps = await page.evaluate<number>('history.length');
    await page.getByLabel('Color in the light theme').fill('#ffcc00');
    await sample().getByText('text needs 4.5:1').waitFor();
    await page.getByLabel('Announcement', { exact: true }).fill('Soon there is more');
    await sample().getByText('Soon there is more').waitFor();
    await expectNoObstacles(page, 'look', {
      withDarkPhone: true,
      prepare: async (look) => {
        const theme = look.startsWith('dark') ? 'dark' : 'light';
        const choice = page.getByLabel('Theme of the preview');
        if ((await choice.inputValue()) !== theme) await choice.selectOption(theme);
        await sample().locator(`html[data-theme=${theme}]`).waitFor();
        // Browsers draw no frame that nobody has come near.
        await page.locator('.look-frame').scrollIntoViewIfNeeded();
      },
    });
    expect(await page.evaluate<number>('history.length')).toBe(steps);
    expect(complaints).toEqual([]);
    // Also right after the sample was shown.
    await page.getByLabel('Announcement', { exact: true }).fill('Soon there is even more');
    await sample().getByText('Soon there is even more').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The look was saved.').waitFor();
    expect(complaints).toEqual([]);
    // Where no script runs, axe does not either.
    for (const theme of ['light', 'dark']) {
      const answer = await page.request.get(`${pages.url}${path}/sample?shown=${theme}`);
      await page.goto('about:blank');
      await page.setContent(await answer.text());
      await inEveryLook(page, async (look) => {
        await takePicture(page, `look sample ${theme} ${look}`);
        expect([theme, look, await findViolations(page)]).toEqual([theme, look, []]);
      });
    }
  });

  test('no page stands in anybody’s way, in any size and colour', { timeout: 900_000 }, async () => {
    const paths = pathsOfDashboard(world);
    const found: string[] = [];
    for (const path of paths) {
      const answer = await open(path);
      if (answer?.status() !== 200) found.push(`${path} answers ${answer?.status()}`);
      await inEveryLook(page, async (look) => {
        await takePicture(page, `dashboard ${path.replaceAll(/[/?=]+|[\w-]{20}/g, ' ').trim()} ${look}`);
        for (const obstacle of await findObstacles(page)) found.push(`${path} ${look}: ${obstacle}`);
      });
    }
    expect(found).toEqual([]);
    expect(complaints.filter((line) => !line.includes('favicon'))).toEqual([]);
  });
});
