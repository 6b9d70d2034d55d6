import { brotliCompressSync, constants } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildEditor } from '../../src/build-editor.ts';
import { waitFor } from '../support/wait-for.ts';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser, openWindow, takePicture, type Watched } from './open-browser.ts';

const guide = '\uFEFF# Guide\r\n\r\n## Set up\n\r\nOne\r\nTwo [home](README.md)\r\n';

describeInBrowser('the editor in a browser', () => {
  let pages: TestPages;
  let browser: Browser;
  let spaceId: string;
  let cookie: { name: string; value: string; url: string };

  beforeAll(async () => {
    await buildEditor();
    [pages, browser] = await Promise.all([startPages(), openBrowser()]);
    const { repo, url } = await pages.platform.createRepo('written');
    await repo.commit({
      'SUMMARY.md':
        '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Parts](parts/README.md)\n  * [Deep](parts/deep.md)\n',
      'README.md': '# Home\n\nSee the [Guide](guide.md#set-up).\n',
      'guide.md': guide,
      'parts/README.md': '# Parts\n',
      'parts/deep.md': '# Deep\n\n## Deeper still\n\n[Guide](../guide.md)\n',
    });
    spaceId = await pages.platform.createSpace('Written');
    await pages.platform.importBranch(spaceId, { url });
    const [name = '', value = ''] = (await pages.signIn()).split('=');
    cookie = { name, value, url: pages.url };
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  async function open(path: string, width = 1280): Promise<Watched> {
    const watched = await openWindow(browser, { width });
    await watched.context.addCookies([cookie]);
    await watched.page.goto(`${pages.url}${path}`);
    return watched;
  }

  const edit = (path: string, cr = 'new') =>
    `/spaces/${spaceId}/edit?path=${encodeURIComponent(path)}&cr=${cr}`;
  const checked = (page: Page, times: number) =>
    waitFor(() =>
      page.evaluate<boolean>(
        `Number(document.getElementById('docloom-editor').dataset.checked ?? 0) >= ${times}`,
      ),
    );
  const sourceOf = async (path: string, cr: string) =>
    (
      await pages.platform.api(
        'GET',
        `/spaces/${spaceId}/editing/source?path=${encodeURIComponent(path)}&changeRequest=${cr}`,
      )
    ).body.text;

  test('weighs at most 200 KB with its styles', async () => {
    const { page, context } = await open(edit('guide.md'));
    const names = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/assets/'))`,
    );
    let bytes = 0;
    for (const name of names) {
      // Node decodes bodies by itself, so the length on the wire is asked of a raw request.
      const answer = await fetch(name, { headers: { 'accept-encoding': 'identity' } });
      bytes += brotliCompressSync(Buffer.from(await answer.arrayBuffer()), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
      }).length;
    }
    expect(names.some((name) => name.includes('editor'))).toBe(true);
    expect(bytes).toBeLessThan(200 * 1024);
    await context.close();
  });

  test('marks a broken link, offers the right one, and saves only what was touched', async () => {
    const { page, context, complaints } = await open(edit('README.md'));
    const content = page.locator('.cm-content');
    await content.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nThe [steps](guide.md#setup) are there.');
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await page.locator('[data-preview] h2').textContent()).toBe('Home');
    await expect.poll(() => page.locator('[data-links]').textContent()).toContain('guide.md#set-up');
    // Verdicts that arrive meanwhile close what F8 shows.
    const mark = page.locator('.cm-lintRange-error');
    await waitFor(async () => {
      if ((await mark.count()) === 0) return true;
      await page.keyboard.press('F8');
      const offer = page.locator('.cm-diagnosticAction');
      await offer.click({ timeout: 1_000 }).catch(() => {});
      return false;
    });
    expect(await content.textContent()).toContain('(guide.md#set-up) are there');
    await page.keyboard.press('Control+s');
    await page.locator('[data-state][data-kind=saved]').waitFor();
    const cr = new URL(page.url()).searchParams.get('cr') ?? '';
    expect(await sourceOf('README.md', cr)).toBe(
      '# Home\n\nSee the [Guide](guide.md#set-up).\n\nThe [steps](guide.md#set-up) are there.',
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('keeps line ends, tabs and the byte order mark of a file', async () => {
    const { page, context } = await open(edit('guide.md'));
    await page.locator('.cm-line', { hasText: 'One' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.locator('.editor-save').click();
    await page.locator('[data-state][data-kind=saved]').waitFor();
    const cr = new URL(page.url()).searchParams.get('cr') ?? '';
    expect(await sourceOf('guide.md', cr)).toBe(guide.replace('One', 'One!'));
    await context.close();
  });

  test('completes links by title, and headings of the page that a link leads to', async () => {
    const { page, context, complaints } = await open(edit('README.md'));
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n[x](dee');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'Deep' }).waitFor();
    await takePicture(page, 'editor-completion');
    // A choice is not taken in the moment in which it appears, or in which what was typed changes it.
    const choose = async (label: string, line: string) => {
      const written = page.locator('.cm-line', { hasText: line });
      const choice = page.locator('.cm-tooltip-autocomplete li', { hasText: label });
      await waitFor(async () => {
        if ((await written.count()) > 0) return true;
        await choice.click({ timeout: 1_000 }).catch(() => {});
        return false;
      });
    };
    await choose('Deep', '[x](parts/deep.md');
    await page.keyboard.type('#still');
    await choose('Deeper still', '[x](parts/deep.md#deeper-still');
    expect(complaints).toEqual([]);
    page.on('dialog', (dialog) => dialog.accept());
    await context.close();
  });

  test('takes a pasted picture', async () => {
    const { page, context, complaints } = await open(edit('parts/deep.md'));
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.evaluate(`(() => {
      const canvas = document.createElement('canvas');
      canvas.width = 4; canvas.height = 4;
      return new Promise((done) => canvas.toBlob((blob) => {
        const data = new DataTransfer();
        data.items.add(new File([blob], 'image.png', { type: 'image/png' }));
        document.querySelector('.cm-content').dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        done();
      }));
    })()`);
    await page.locator('.cm-line', { hasText: '![pasted' }).waitFor();
    await page.locator('[data-preview] img').waitFor();
    expect(
      await page.evaluate(
        `document.querySelector('[data-preview] img').decode().then(() => true, () => false)`,
      ),
    ).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('offers the text that a crash left unsaved', async () => {
    const { page, context } = await open(edit('parts/README.md'));
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Unsaved words');
    // The policy of the page forbids what waitForFunction does between two looks.
    await waitFor(() =>
      page.evaluate<boolean>(`Object.keys(localStorage).some((key) => key.startsWith('docloom-edit:'))`),
    );
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByRole('button', { name: 'Restore it' }).click();
    expect(await page.locator('.cm-content').textContent()).toContain('Unsaved words');
    await context.close();
  });

  test('keeps the text when a review is asked for and nobody is signed in, or the server is away', async () => {
    const { page, context } = await open(edit('parts/deep.md'));
    const ask = page.getByRole('button', { name: 'Save and ask for review' });
    const state = page.locator('[data-state][data-kind=bad]');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Typed for an hour.');
    await context.clearCookies();
    await ask.click();
    await state.filter({ hasText: 'You are signed out.' }).waitFor();
    await page.locator('[data-links]', { hasText: 'You are signed out.' }).waitFor();
    await context.setOffline(true);
    await ask.click();
    await state.filter({ hasText: 'The server does not answer.' }).waitFor();
    await context.setOffline(false);
    await context.addCookies([cookie]);
    await Promise.all([page.waitForURL(/\/change-requests\/\d+\?done=asked/), ask.dblclick()]);
    const cr = /\/change-requests\/(\d+)/.exec(page.url())?.[1] ?? '';
    expect(await sourceOf('parts/deep.md', cr)).toContain('Typed for an hour.');
    await context.close();
  });

  test('renames a page, shows what changes, and asks for review of it', async () => {
    const { page, context, complaints } = await open(`/spaces/${spaceId}/edit/tree?cr=new`);
    await page.locator('[data-path="guide.md"]').getByText('Move or delete').click();
    await expectNoObstacles(page, 'editor-tree');
    await page.getByLabel('New path').fill('parts/manual.md');
    await page.getByRole('button', { name: 'See what changes' }).first().click();
    const plan = await page.locator('.plan-changes').textContent();
    expect(plan).toContain('guide.md#set-up parts/manual.md#set-up');
    await expectNoObstacles(page, 'editor-plan');
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('Moved, with the links to it').waitFor();
    const cr = new URL(page.url()).searchParams.get('cr') ?? '';
    expect(await sourceOf('README.md', cr)).toContain('](parts/manual.md#set-up)');
    await page.locator('[data-path="README.md"] a').first().click();
    await page.locator('.cm-content').waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('More.');
    await Promise.all([
      page.waitForURL(/\/change-requests\/\d+\?done=asked/),
      page.getByRole('button', { name: 'Save and ask for review' }).click(),
    ]);
    const { body } = await pages.platform.api('GET', `/spaces/${spaceId}/change-requests/${cr}`);
    expect(body.status).toBe('open');
    expect(await sourceOf('README.md', cr)).toContain('More.');
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
    await context.close();
  });

  test('is good to use in every size and colour', async () => {
    const { page, context } = await open(edit('README.md'));
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n- [none](nothing.md)\n');
    await page.locator('.cm-lintRange-error').waitFor();
    await checked(page, 2);
    await expectNoObstacles(page, 'editor');
    page.on('dialog', (dialog) => dialog.accept());
    await context.close();
  });
});
