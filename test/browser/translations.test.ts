/** The pages of a translation that was run, in a real browser: for every eye, in every size and colour. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openModel, startPlatformJobs } from '../../src/platform/index.ts';
import { openAi, type StandIn, startTranslator } from '../platform/translations/stand-in-translator.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { waitFor } from '../support/wait-for.ts';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { findObstacles } from './inspect-page.ts';
import { describeInBrowser, inEveryLook, openBrowser, openSignedIn, takePicture } from './open-browser.ts';

const readme =
  '---\ndescription: Where everything begins\n---\n\n# Home\n\nRead [the guide](guide.md) before you start.\n\n```sh\nnpm start\n```\n';

describeInBrowser('the pages of a translation in a browser', () => {
  let pages: TestPages;
  let translator: StandIn;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let translation: string;

  beforeAll(async () => {
    translator = await startTranslator(openAi, 'sk-secret');
    [pages, browser] = await Promise.all([startPages({ withJobs: false }), openBrowser()]);
    const { platform } = pages;
    Object.assign(platform.deps, {
      translators: { maxWords: 10_000, requestsPerMinute: 10_000 },
      model: openModel(platform.deps.db, {
        url: `${translator.url}/v1`,
        key: 'sk-secret',
        model: 'm',
        tokensPerDay: 10_000_000,
        timeoutMs: PATIENCE_MS,
      }),
    });
    await startPlatformJobs(platform.deps);
    const { repo, url } = await platform.createRepo('translated');
    await repo.commit({ 'README.md': readme, 'guide.md': '# Guide\n\nThe end.\n' });
    const space = await platform.createSpace('Handbook');
    await platform.importBranch(space, { url });
    const created = await platform.api('POST', `${org()}/translations`, {
      body: { source: { space }, language: 'de', provider: 'openai' },
    });
    translation = `${org('/translations')}/${created.body.id}`;
    await platform.api('POST', `${translation}/run`);
    await waitFor(
      async () => (await platform.api('GET', translation)).body.status === 'completed',
      () => platform.log.join('\n'),
    );
    ({ page, complaints } = await openSignedIn(browser, pages));
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.platform.deps.model?.close();
    await pages?.close();
    await translator?.close();
  });

  const org = (part = '') => `/orgs/${pages.platform.organizationId}${part}`;

  test('no page stands in anybody’s way, in any size and colour', { timeout: 900_000 }, async () => {
    const found: string[] = [];
    const inspect = async (name: string) => {
      await inEveryLook(page, async (look) => {
        await takePicture(page, `translations ${name} ${look}`);
        for (const obstacle of await findObstacles(page)) found.push(`${name} ${look}: ${obstacle}`);
      });
    };
    const source = `${translation}/page?path=README.md`;
    for (const [name, path] of [
      ['list', org('/translations')],
      ['new', org('/translations/new')],
      ['one', translation],
      ['none of its pages', `${translation}?state=missing`],
      ['texts', source],
    ] as const) {
      await page.goto(`${pages.url}${path}`);
      await inspect(name);
    }
    await page.locator('a[href*="&edit="]').first().click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    await inspect('correction');
    expect(found).toEqual([]);
    expect(complaints.filter((line) => !line.includes('favicon'))).toEqual([]);
  });
});
