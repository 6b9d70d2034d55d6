import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finding, report } from '../github/pull-request/fixture-report.ts';
import { sampleScheduled } from '../web/sample-scheduled.ts';
import { createSampleStatus } from '../web/sample-status.ts';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { renderBlockGallery } from './block-gallery.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { findViolations } from './find-violations.ts';
import { findOwnObstacles, loadPictures } from './inspect-page.ts';
import {
  describeInBrowser,
  inEveryLook,
  openBrowser,
  openWindow,
  takePicture,
  type Watched,
} from './open-browser.ts';

const sample = 'fixtures/demo';

const sampleReport = report({
  introduced: [
    finding({ file: 'guide/first-watch.md', line: 11, suggestion: '../reference/commands.md#lantern-watch' }),
    finding({ file: 'guide/alerts.md', line: 11, touched: true }),
  ],
  fixed: [finding({ target: 'watching-over-ssh.md' })],
  existing: [finding({ target: 'ancient.md' })],
  moved: [
    {
      path: 'reference/cli.md',
      to: 'reference/commands.md',
      linkedFrom: ['guide/first-watch.md', 'guide/patterns.md'],
    },
  ],
});

/** An element of the page, where there is no DOM to compile against. */
interface Sized {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

const badPage = `<main>
<h1 id="a">One</h1>
<h1 id="a">Two</h1>
<h4>Four</h4>
<input name="x">
<img src="data:image/png;base64,AAAA">
<a href="/x"></a>
<div><table><thead><tr><th>Cell</th></tr></thead></table></div>
<nav></nav>
<p style="width: 900px">Wide</p>
<p style="color: #ccc; background: #fff">Pale</p>
</main>`;

describeInBrowser('the pages in a browser', () => {
  let pages: TestPages;
  let browser: Browser;
  let guide: string;

  beforeAll(async () => {
    [pages, browser] = await Promise.all([startPages(), openBrowser()]);
    const { repo, url } = await pages.platform.createRepo('lantern');
    const files = readdirSync(sample, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    await repo.commit(
      Object.fromEntries(
        files.map((entry) => {
          const path = join(entry.parentPath, entry.name);
          return [path.slice(sample.length + 1), readFileSync(path)];
        }),
      ),
    );
    const gitInfo = { provider: 'github', url: 'https://forge.example/acme/lantern' };
    guide = await pages.platform.createSpace('Lantern Guide');
    await pages.platform.importBranch(guide, { url, gitInfo, repoProjectDirectory: 'guide' });
    pages.scheduled.set(guide, sampleScheduled);
    const reference = await pages.platform.createSpace('Reference');
    await pages.platform.importBranch(reference, { url, gitInfo, repoProjectDirectory: 'reference' });
    await pages.platform.importBranch(reference, { url, gitInfo, ref: 'refs/heads/absent' });
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  async function signIn({ page }: Watched): Promise<void> {
    await page.goto(`${pages.url}/`);
    await page.getByLabel('API token').fill(pages.platform.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Spaces', level: 1 }).waitFor();
  }

  test('a person signs in, reads, follows links, and signs out', async () => {
    const watched = await openWindow(browser);
    const { page, complaints, context } = watched;
    await page.goto(`${pages.url}/spaces/${guide}`);
    await page.getByLabel('API token').fill('dl_mistyped');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert').textContent()).resolves.toContain('This token is not known here.');
    await page.getByLabel('API token').fill(pages.platform.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lantern Guide', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/spaces/${guide}`);

    await page.getByRole('link', { name: 'Read the pages' }).click();
    const picture = page.getByRole('img', { name: 'A lantern above three lines of a log file' });
    await picture.waitFor();
    await loadPictures(page);
    expect(await page.evaluate("document.querySelector('article img').naturalWidth")).toBeGreaterThan(0);
    await page.getByRole('article').getByRole('link', { name: 'the configuration', exact: true }).click();
    await page.getByRole('heading', { name: 'Configuration', level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toBe('#environment-variables');
    expect(await page.evaluate("document.querySelector(':target')?.textContent")).toBe(
      'Environment variables',
    );
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();

    await page.getByRole('navigation', { name: 'Account' }).locator('summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(complaints.filter((one) => !one.includes('401'))).toEqual([]);
    await context.close();
  });

  test('the inspection finds what is wrong', async () => {
    const { page, context } = await openWindow(browser, { width: 390 });
    await page.setContent(badPage);
    await loadPictures(page);
    expect((await findOwnObstacles(page)).map((one) => one.split(/[:#]/)[0]?.trim())).toEqual([
      '2 of h1',
      '0 of header.top',
      '0 of footer.bottom',
      '0 of html[lang]',
      'no title',
      'two elements',
      'skips a level',
      'no label',
      'no alternative text',
      'broken picture',
      'no name',
      'no scope',
      'no name',
      'scrolls sideways',
      'contrast 1.61',
    ]);
    await context.close();
  });

  test('the keyboard reaches the content first', async () => {
    const watched = await openWindow(browser);
    await signIn(watched);
    const { page, context } = watched;
    await page.goto(`${pages.url}/spaces/${guide}`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement?.id')).toBe('docloom-main');
    await context.close();
  });

  async function openGallery({ page }: Watched): Promise<void> {
    await page.goto(`${pages.url}/login`);
    const icon = await page.locator('link[rel=icon]').getAttribute('href');
    await page.setContent(await renderBlockGallery(icon ?? ''));
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  }

  test('axe finds nothing in any kind of block, in no look', async () => {
    const watched = await openWindow(browser);
    await openGallery(watched);
    const { page, context } = watched;
    await inEveryLook(page, async (look) => {
      await loadPictures(page);
      await takePicture(page, `blocks-${look}`);
      expect({ look, violations: await findViolations(page) }).toEqual({ look, violations: [] });
    });
    await context.close();
  });

  test('links stay in their lines and lists stay lists in any kind of block', async () => {
    const watched = await openWindow(browser);
    await openGallery(watched);
    const { page, context } = watched;
    const strays = await page.evaluate<string[]>(`(() => {
      const all = (selector) => [...document.querySelectorAll('article.content ' + selector)];
      const isOut = (display) => (element) => getComputedStyle(element).display !== display;
      return [
        ...all('p a:not(.button)').filter(isOut('inline')),
        ...all('ul:not([class])').filter(isOut('block')),
        ...all('ul:not([class]) > li').filter(isOut('list-item')),
      ].map(({ outerHTML }) => outerHTML);
    })()`);
    expect(strays).toEqual([]);
    await context.close();
  });

  test('axe finds what is wrong', async () => {
    const { page, context } = await openWindow(browser);
    await page.setContent(badPage);
    const rules = (await findViolations(page)).map((one) => one.split(':')[0]);
    expect(rules).toEqual(
      expect.arrayContaining(['color-contrast', 'heading-order', 'html-has-lang', 'label', 'link-name']),
    );
    await context.close();
  });

  test('axe looks again at what changes in a document that it has seen', async () => {
    const { page, context } = await openWindow(browser);
    await page.setContent(
      '<html lang="en"><title>A</title><style></style><h1>A</h1><main>A text<button hidden></button></main>',
    );
    const rulesAfter = async (change: string) => {
      await page.evaluate(change);
      return (await findViolations(page)).map((one) => one.split(':')[0]);
    };
    const rulesStyled = (style: string) => rulesAfter(`document.styleSheets[0].insertRule('${style}')`);
    expect(await rulesAfter('')).toEqual(['region']);
    await page.evaluate("document.querySelector('main').prepend(document.querySelector('h1'))");
    expect(await rulesAfter('')).toEqual([]);
    expect(await rulesStyled('main { color: #eee }')).toEqual(['color-contrast']);
    expect(await rulesStyled('main { color: #000 !important }')).toEqual([]);
    expect(await rulesStyled('button { display: block !important }')).toEqual(['button-name']);
    expect(await rulesAfter("document.documentElement.lang = ''")).toEqual(['button-name', 'html-has-lang']);
    await context.close();
  });

  test('the reasons of broken links are in sight at every width', async () => {
    const watched = await openWindow(browser);
    await signIn(watched);
    const { page, context } = watched;
    await page.getByRole('link', { name: 'Reference', exact: true }).click();
    const table = page.locator('section:has(> #docloom-broken) .scroll');
    await table.getByText('There is no page').waitFor();
    for (const width of [320, 390, 600, 768, 928, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const { scrollWidth, clientWidth } = await table.evaluate((one: Sized) => ({
        scrollWidth: one.scrollWidth,
        clientWidth: one.clientWidth,
      }));
      expect([width, scrollWidth]).toEqual([width, clientWidth]);
    }
    await context.close();
  });

  test('nothing stands in the way of anybody, in no look', async () => {
    const watched = await openWindow(browser);
    const { page, context, complaints } = watched;
    const inspect = (title: string) => expectNoObstacles(page, title, { prepare: () => loadPictures(page) });
    await page.goto(`${pages.url}/`);
    await inspect('welcome');
    await page.goto(`${pages.url}/login`);
    await inspect('sign-in');
    await signIn(watched);
    await inspect('home');
    for (const space of ['Lantern Guide', 'Reference']) {
      await page.goto(`${pages.url}/`);
      await page.getByRole('link', { name: space, exact: true }).click();
      await inspect(`space-${space.split(' ')[0]?.toLowerCase()}`);
      await page.getByRole('searchbox').fill('configuration');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Results for “configuration”' }).waitFor();
      await inspect(`search-${space.split(' ')[0]?.toLowerCase()}`);
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: space }).click();
      await page.getByRole('link', { name: 'Read the pages' }).click();
      const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
      const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
      for (const [at, address] of addresses.entries()) {
        await page.goto(`${pages.url}${address}`);
        await inspect(`page-${space.split(' ')[0]?.toLowerCase()}-${at}`);
      }
    }
    pages.repositories.push(
      await createSampleStatus(pages.platform, { spaceId: guide, liveOid: 'a'.repeat(40) }),
    );
    await page.goto(`${pages.url}/status`);
    await page.getByRole('heading', { name: 'Translations' }).waitFor();
    await inspect('status');
    pages.reports.set('sample-report-0001', sampleReport);
    await page.goto(`${pages.url}/reports/sample-report-0001`);
    await page.locator('summary').click();
    await inspect('report');
    expect(complaints).toEqual([]);
    await page.goto(`${pages.url}/nothing`);
    await inspect('not-found');
    await context.close();
  });
});
