import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import { layOutEverything, loadPictures } from './inspect-page.ts';
import { describeInBrowser, inEveryLook, openBrowser, openWindow, takePicture } from './open-browser.ts';
import { type SiteServer, startSiteServer } from './site-server.ts';

const PICTURE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='640' height='320'%3E%3Crect width='640' height='320' fill='%237a8fc9'/%3E%3C/svg%3E";

const LOOKS = [
  { name: 'light', language: 'en', width: 1280, colorScheme: 'light' },
  { name: 'dark', language: 'en', width: 1280, colorScheme: 'dark' },
  { name: 'dark-phone', language: 'en', width: 390, colorScheme: 'dark' },
  { name: 'rtl', language: 'ar', width: 1280, colorScheme: 'light' },
  { name: 'rtl-phone', language: 'he', width: 390, colorScheme: 'light' },
  { name: 'tablet', language: 'de', width: 1024, colorScheme: 'light' },
] as const;

/** How far things moved by themselves while the page was loaded, as browsers count it: 0, or a line within a block where the
 * parser paused in it. */
const MOVED = `new Promise((resolve) => {
  let moved = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) moved += entry.value;
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved)));
})`;

describeInBrowser('a published site in a browser', () => {
  let server: SiteServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startSiteServer(PICTURE), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    await page.goto(server.url);
    return page;
  }

  test.each(LOOKS)(
    '$name: nothing stands in the way, and nothing moves',
    async ({ name, language, width, colorScheme }) => {
      const { page, complaints, context } = await openWindow(browser, { width });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${server.url}?lang=${language}`);
      await page.waitForLoadState('load');
      expect(await page.evaluate(MOVED)).toBeLessThan(0.005);
      await layOutEverything(page);
      await loadPictures(page);
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await takePicture(page, `site-${name}`);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  test.each(LOOKS)(
    '$name: a refusal looks like the product',
    async ({ name, language, width, colorScheme }) => {
      const { page, complaints, context } = await openWindow(browser, { width });
      await page.emulateMedia({ colorScheme });
      await page.goto(new URL(`refused?lang=${language}`, server.url).href);
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).fontFamily')).toContain(
        'system-ui',
      );
      await takePicture(page, `refusal-${name}`);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  test('the keyboard reaches the text, the search and what it finds', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('docloom-main');
    await page.keyboard.press('/');
    const finder = page.getByRole('dialog', { name: 'Search' });
    await finder.getByRole('combobox').fill('nothing');
    await finder.getByText('Nothing found for “nothing”.').waitFor();
    await finder.getByRole('combobox').fill('globs');
    await finder.getByRole('option', { name: /Second/ }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await finder.getByRole('radio', { name: 'Everything' }).focus();
    await page.keyboard.press('ArrowRight');
    await finder.getByText('In the guide: 2').waitFor();
    await page.keyboard.press('Escape');
    await finder.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.id')).toBe('docloom-main');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/patterns?found=Second');
    await page.context().close();
  });

  test('an answer comes below its sections, is announced, and every sentence leads to what says it', async () => {
    const page = await open();
    await page.keyboard.press('Control+k');
    const finder = page.getByRole('dialog', { name: 'Search' });
    const input = finder.getByRole('combobox');
    await input.fill('how do globs work');
    await finder.getByRole('button', { name: 'Answer this question' }).click();
    const answer = finder.getByRole('region', { name: 'Answer' });
    await answer.getByText('nothing here is markup').waitFor();
    expect(await answer.locator('b').count()).toBe(0);
    expect(await answer.locator('xpath=..').getAttribute('aria-live')).toBe('polite');
    await expect.poll(() => finder.locator('output').textContent()).toBe('A model composed this.');
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);
    await inEveryLook(
      page,
      async (look) => {
        expect(await findViolations(page)).toEqual([]);
        await takePicture(page, `answer-live-${look}`);
      },
      { withDarkPhone: true },
    );
    await page.setViewportSize({ width: 1280, height: 900 });
    await answer.getByRole('link', { name: '[2]' }).click();
    await page.waitForURL('**/patterns?found=Second');

    await page.keyboard.press('Control+k');
    await input.fill('how do globs fail');
    await finder.getByRole('button', { name: 'Answer this question' }).click();
    await finder.getByText('The search failed.').waitFor();
    await input.fill('globs');
    await finder.getByRole('button', { name: 'Answer this question' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('the page of an answer stands in nobody’s way', async () => {
    const page = await open();
    await page.goto(server.url.replace('patterns', 'answer'));
    await inEveryLook(
      page,
      async (look) => {
        expect(await findViolations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
        await takePicture(page, `answer-page-${look}`);
      },
      { withDarkPhone: true },
    );
    await page.context().close();
  });

  test('what an input method puts together is searched when it is complete', async () => {
    const page = await open();
    const keyboard = await page.context().newCDPSession(page);
    const compose = async (text: string) =>
      await keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    const asked: (string | null)[] = [];
    const queryIn = (request: { url(): string }) => {
      const { pathname, searchParams } = new URL(request.url());
      return pathname.endsWith('/search') ? searchParams.get('q') : null;
    };
    page.on('request', (request) => {
      if (queryIn(request) !== null) asked.push(queryIn(request));
    });
    const commit = async (text: string, query: string) => {
      const sent = page.waitForRequest((request) => queryIn(request) === query);
      await keyboard.send('Input.insertText', { text });
      await sent;
    };
    // Where the header has it first, and in the dialog.
    await page.getByRole('searchbox').focus();
    for (const text of ['け', 'けん', 'けんさく']) await compose(text);
    const finder = page.getByRole('dialog', { name: 'Search' });
    expect(await finder.isVisible()).toBe(false);
    await commit('検索', '検索');
    const input = finder.getByRole('combobox');
    expect(await input.inputValue()).toBe('検索');
    await compose('ち');
    // The keys choose among characters, not among results.
    for (const key of ['ArrowDown', 'Enter', 'Escape'])
      await input.dispatchEvent('keydown', { key, isComposing: true });
    expect(await finder.isVisible()).toBe(true);
    await compose('ちゅう');
    await commit('中', '検索中');
    expect(asked).toEqual(['検索', '検索中']);
    await page.context().close();
  });

  test('menus close with Escape and give the focus back', async () => {
    const page = await open();
    const menu = page.getByRole('navigation', { name: 'Version' });
    const button = menu.locator('summary');
    await button.focus();
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: /v1/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await menu.getByRole('link', { name: /v1/ }).waitFor({ state: 'hidden' });
    expect(
      await page.evaluate("document.activeElement === document.querySelector('.variants summary')"),
    ).toBe(true);
    await page.context().close();
  });

  test('on a phone the navigation opens at the current page', async () => {
    const page = await open({ viewport: { width: 390, height: 600 } });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    const current = pages.locator('[aria-current="page"]');
    await current.waitFor();
    expect(await current.textContent()).toBe('Patterns');
    expect(await findViolations(page)).toEqual([]);
    await takePicture(page, 'site-drawer');
    await page.keyboard.press('Escape');
    await pages.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Open navigation');
    await page.context().close();
  });

  test('tabs with the same title open together, and stay open', async () => {
    const page = await open();
    const titles = page.locator('.tab[name] > summary').filter({ hasText: /^B$/ });
    const count = await titles.count();
    expect(count).toBeGreaterThan(1);
    const opened = () => page.locator('.tab[name][open] > summary').filter({ hasText: /^B$/ }).count();
    await titles.first().click();
    expect(await opened()).toBe(count);
    await titles.first().click();
    expect(await opened()).toBe(count);
    await page.reload();
    expect(await opened()).toBe(count);
    expect(await page.evaluate(MOVED)).toBeLessThan(0.005);
    await page.context().close();
  });

  test('the chosen theme is there before anything is shown', async () => {
    const page = await open({ colorScheme: 'light' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    const button = page.getByRole('button', { name: 'Dark theme' });
    await button.click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    // What the head says when the body begins is what is shown first.
    await page.context().addInitScript(`
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        window.firstTheme = document.documentElement.dataset.theme;
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.reload();
    expect(await page.evaluate('window.firstTheme')).toBe('dark');
    expect(await ground()).toBe(dark);
    await page.context().close();
  });

  test('code and the page can be copied', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    // The keyboard stays where it is when the button comes, and reaches it next.
    const code = page.locator('.content pre').first();
    await code.focus();
    await page.locator('.code-box > pre').first().waitFor();
    expect(await code.evaluate((pre) => pre === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Copy code' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await copied()).toBe(
      await page
        .locator('.content pre')
        .first()
        .textContent()
        .then((text) => text?.trimEnd()),
    );
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.locator('.copy-page[data-copied]').waitFor();
    expect(await copied()).toBe('# Patterns\n');
    await page.context().close();
  });

  test('what stands beside code comes when the code does', async () => {
    const page = await open();
    const far = page.locator('.content > pre, .content > .code-box > pre').last();
    expect(await far.evaluate((pre) => pre.parentElement?.className)).not.toBe('code-box');
    await far.scrollIntoViewIfNeeded();
    await page.locator('.content > .code-box').last().waitFor();
    expect(await far.evaluate((pre) => pre.parentElement?.className)).toBe('code-box');
    await page.context().close();
  });

  test('a video asks nothing of its host before it is pressed', async () => {
    const page = await open();
    const asked: string[] = [];
    await page.context().route(/^https:/, (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'text/html', body: '<title>Player</title>' });
    });
    await page.reload({ waitUntil: 'networkidle' });
    const link = page.locator('a[data-player]').first();
    const address = await link.getAttribute('data-player');
    expect(asked).toEqual([]);
    await link.focus();
    await page.keyboard.press('Enter');
    const player = page.locator('.video > iframe').first();
    await player.waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
    await page.frameLocator('.video > iframe').first().locator('title').waitFor({ state: 'attached' });
    expect(asked).toEqual([address]);
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  test('diagrams are drawn as pictures, again for the other theme, and stay sources where they are none', async () => {
    const { page, complaints, context } = await openWindow(browser);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(new URL('diagrams', server.url).href);
    const drawn = page.locator('figure.diagram > img');
    await drawn.nth(1).waitFor();
    const light = await drawn.first().getAttribute('src');
    expect(light).toMatch(/^data:image\/svg\+xml,/);
    expect(await drawn.nth(1).getAttribute('alt')).toBe('Who asks whom');
    expect(
      await page.evaluate(
        'document.querySelector("figure.diagram > img").decode().then(() => document.querySelector("figure.diagram > img").naturalWidth > 50)',
      ),
    ).toBe(true);
    await page.locator('figure.diagram summary').first().click();
    expect(await page.locator('figure.diagram pre').first().isVisible()).toBe(true);
    expect(await page.locator('article > .code-box pre, article > pre').last().textContent()).toContain(
      'no diagram',
    );
    expect(await findViolations(page)).toEqual([]);
    await takePicture(page, 'site-diagrams');
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.locator('figure.diagram > img[data-theme="dark"]').first().waitFor();
    expect(await drawn.first().getAttribute('src')).not.toBe(light);
    await takePicture(page, 'site-diagrams-dark');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('pages in one document are good to read and to print', async () => {
    const { page, complaints, context } = await openWindow(browser, { width: 390 });
    await page.goto(new URL('print', server.url).href);
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.evaluate('window.print = () => { document.title = "printed"; }');
    await page.getByRole('button', { name: 'Print' }).click();
    expect(await page.title()).toBe('printed');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('navigation', { name: 'Contents' }).isVisible()).toBe(true);
    await takePicture(page, 'site-print');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each(LOOKS)('$name: a home page with a hero', async ({ name, language, width, colorScheme }) => {
    const { page, complaints, context } = await openWindow(browser, { width });
    await page.emulateMedia({ colorScheme });
    await page.goto(new URL(`hero?lang=${language}`, server.url).href);
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await takePicture(page, `hero-${name}`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('the heading that is read is marked', async () => {
    const page = await open();
    const marked = page.locator('.outline [aria-current]');
    await page.locator('.outline a').nth(2).click();
    const title = await page.locator('.outline a').nth(2).textContent();
    await page
      .locator('.outline [aria-current]')
      .filter({ hasText: title ?? '' })
      .waitFor();
    expect(await marked.count()).toBe(1);
    await page.context().close();
  });

  test.each([390, 1280])(
    'at %i: what is below the screen is laid out later, and links and printers meet it',
    async (width) => {
      const page = await open({ viewport: { width, height: 900 } });
      const countSkipped = () =>
        page
          .locator('.content > * > *')
          .evaluateAll(
            (all) =>
              all.filter(
                (one) => one.checkVisibility() && !one.checkVisibility({ contentVisibilityAuto: true }),
              ).length,
          );
      expect(await countSkipped()).toBeGreaterThan(10);
      // The link is followed past blocks whose heights are only estimated.
      const { top, room } = await page.evaluate<{ readonly top: number; readonly room: number }>(
        `new Promise((resolve) => {
          const last = [...document.querySelectorAll('.content > :is(h2, h3, h4)')].at(-1);
          const room = innerHeight;
          addEventListener('scrollend', () => requestAnimationFrame(() => resolve({ top: last.getBoundingClientRect().top, room })), { once: true });
          location.hash = last.id;
        })`,
      );
      expect(top).toBeGreaterThan(0);
      expect(top).toBeLessThan(room / 4);
      await page.emulateMedia({ media: 'print' });
      expect(await countSkipped()).toBe(0);
      await page.context().close();
    },
  );

  test('without scripts everything is there but what needs them', async () => {
    const page = await open({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    expect(await page.locator('.theme-button').isVisible()).toBe(false);
    expect(await page.locator('.copy-page').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Patterns' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('navigation', { name: 'On this page' }).locator('summary').click();
    await page.locator('.outline a').first().waitFor();
    await page.locator('.tab[name] + .tab[name] > summary').first().click();
    await page.locator('.tab[name] + .tab[name][open] > :not(summary)').first().waitFor();
    await page.getByRole('search').getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/docs/search?q=&from=here');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(server.url);
    await page.getByRole('searchbox').fill('globs');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/search?q=globs**');
    await page.context().close();
  });
});
