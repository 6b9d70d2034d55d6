/** Two people who changed the same line, in a real browser: one side is taken, and the change request is merged. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMember } from '../platform/create-member.ts';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser, openWindow } from './open-browser.ts';

describeInBrowser('conflicts of a change request in a browser', () => {
  let pages: TestPages;
  let browser: Browser;

  beforeAll(async () => {
    [pages, browser] = await Promise.all([startPages(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  test('are shown with both sides, decided, and merged', async () => {
    const { api, createSpace } = pages.platform;
    const spaceId = await createSpace('Handbook');
    const place = `/spaces/${spaceId}/change-requests`;
    const write = async (subject: string, text: string) => {
      const { body } = await api('POST', place, { body: { subject } });
      const changes = [{ type: 'write', path: 'README.md', text }];
      await api('POST', `${place}/${body.id}/content`, { body: { changes } });
      return body;
    };
    const merge = async ({ id }: { readonly id: string }) =>
      expect((await api('POST', `${place}/${id}/merge`)).status).toBe(200);
    await merge(await write('Begin', '# Lamps\n\nThe glass is warm.\n'));
    const mine = await write('Warn about the glass', '# Lamps\n\nThe glass is hot.\n');
    await merge(await write('Say less', '# Lamps\n\nThe glass is fine.\n'));

    const { token } = await createMember(pages.platform, 'Rita', { role: 'review' });
    const { context, page, complaints } = await openWindow(browser);
    const [name, value] = (await pages.signIn(token)).split('=');
    await context.addCookies([{ name: name ?? '', value: value ?? '', url: pages.url }]);
    await page.goto(`${pages.url}${place}/${mine.number}`);
    await page.getByText('Not ready to merge').waitFor();
    await page.getByRole('link', { name: 'Decide about 1 file' }).click();
    await page.getByRole('heading', { name: '1 file changed on both sides' }).waitFor();
    for (const side of ['The glass is fine.', 'The glass is hot.'])
      await page.locator('.conflict .sides', { hasText: side }).waitFor();
    await expectNoObstacles(page, 'conflicts');
    await page.locator('input[type=radio][value=change-request]').check();
    await page.getByRole('button', { name: 'Update the change request' }).click();
    await page.getByRole('heading', { name: 'Ready to merge', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('It was merged: readers see it now.').waitFor();
    await page.goto(`${pages.url}/spaces/${spaceId}/content`);
    await page.getByRole('link', { name: 'Lamps' }).first().click();
    await page.locator('article.content > p', { hasText: 'The glass is hot.' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
