/** The status page shows changes without being loaded again, and is the same page without scripts. */
import { sql } from 'drizzle-orm';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatusRepository } from '../../src/web/status-pages.ts';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { describeInBrowser, openBrowser, openWindow } from './open-browser.ts';

describeInBrowser('the status in a browser', () => {
  let pages: TestPages;
  let browser: Browser;

  beforeAll(async () => {
    [pages, browser] = await Promise.all([startPages(), openBrowser()]);
    spaceId = await pages.platform.createSpace();
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  let spaceId = '';
  const repository = (name: string, disconnected: string | null = null): StatusRepository => ({
    id: name.length,
    name,
    url: `https://forge.example/${name}`,
    defaultBranch: 'main',
    disconnected,
    configError: null,
    conversationsError: null,
    mirrorError: null,
    site: null,
    bindings: [
      {
        title: 'Guide',
        branch: 'main',
        directory: 'guide',
        spaceId,
        liveOid: null,
        error: null,
        disconnected: null,
        removedAt: null,
        importing: false,
        updatedAt: '2026-01-01T00:00:00.000Z',
        exported: null,
        linksOutside: null,
      },
    ],
    specifications: [],
    translations: [],
    lastDelivery: null,
    linksOutsideNext: null,
    jobs: [],
    rateLimit: null,
  });

  const change = () =>
    pages.platform.deps.db.execute(sql`update bindings set updated_at = now() where false`);

  test('what changes is there at once, and nothing is taken from under a keyboard', async () => {
    const cookie = await pages.signIn();
    const [name = '', value = ''] = cookie.split('=');
    const { page, context, complaints } = await openWindow(browser);
    await context.addCookies([{ name, value, url: pages.url }]);
    pages.repositories.push(repository('acme/one'), repository('acme/lantern'));
    await page.goto(`${pages.url}/status`);
    await page.evaluate('window.isSame = true');
    const card = (text: string) => page.locator('section.repository', { hasText: text });
    await card('acme/lantern').getByRole('link', { name: 'acme/lantern' }).focus();
    pages.repositories.splice(
      0,
      2,
      repository('acme/one', 'It was archived.'),
      repository('acme/lantern', 'It was archived, too.'),
      repository('acme/third-one'),
    );
    // The browser may not listen yet.
    await expect
      .poll(async () => {
        await change();
        return await card('acme/one').textContent();
      })
      .toContain('It was archived.');
    await card('acme/third-one').waitFor();
    expect(await card('acme/lantern').textContent()).not.toContain('archived');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('acme/lantern');
    await page.locator('#docloom-find').focus();
    await card('acme/lantern').getByText('It was archived, too.').waitFor();
    pages.repositories.splice(1, 2);
    await change();
    await card('acme/third-one').waitFor({ state: 'detached' });
    expect(await page.evaluate('window.isSame')).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();

    const plain = await browser.newContext({ javaScriptEnabled: false });
    await plain.addCookies([{ name, value, url: pages.url }]);
    const still = await plain.newPage();
    await still.goto(`${pages.url}/status`);
    expect(await still.locator('section.repository').count()).toBe(1);
    await plain.close();
  });
});
