/** Signing in with GitHub, at the stand-in for an enterprise server on another site, as a person does it, without script. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forge, startForge } from '../../src/sandbox/index.ts';
import { insertVerifiedUser, newId, openStore, type Store } from '../../src/store/index.ts';
import { type Served, startServe } from '../server/start-serve.ts';
import { offerSignIn, signInSettings } from '../support/github/offer-sign-in.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser } from './open-browser.ts';

describeInBrowser('signing in with GitHub in a browser', () => {
  let forge: Forge;
  let served: Served;
  let store: Store;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docloom-github-'));
    [forge, browser] = await Promise.all([startForge({ dataDir: folder }), openBrowser()]);
    // For a browser another site than 127.0.0.1, as GitHub is.
    const host = new URL(forge.url).host.replace('127.0.0.1', 'localhost');
    served = await startServe(signInSettings(host));
    offerSignIn(forge, served.url);
    for (const login of ['ada', 'mallory'])
      forge.setEmails(login, [{ email: `${login}@example.com`, primary: true, verified: true }]);
    store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] });
    await insertVerifiedUser(store.db, {
      id: newId(),
      displayName: 'Ada Lovelace',
      email: 'ada@example.com',
    });
  }, 240_000);
  afterAll(async () => {
    expect(forge?.unexpected ?? []).toEqual([]);
    await browser?.close();
    await store?.close();
    await served?.close();
    await forge?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  async function signInAs(page: Page, login: string): Promise<void> {
    await page.goto(`${served.url}/login?next=/account`);
    await page.getByRole('link', { name: 'Sign in with GitHub' }).click();
    expect(new URL(page.url()).hostname).toBe('localhost');
    await page.getByRole('button', { name: `Authorize as ${login}`, exact: true }).click();
  }

  test('a person presses the button, chooses the account, and comes back to where they were; a stranger is told what to do', async () => {
    const eyes = await browser.newPage();
    await eyes.goto(`${served.url}/login`);
    await expectNoObstacles(eyes, 'github-login');
    await eyes.close();

    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await signInAs(page, 'ada');
    await page.waitForURL(`${served.url}/account`);
    expect(await page.locator('.who').textContent()).toBe('Ada Lovelace');
    const cookies = await context.cookies(served.url);
    expect(cookies.find(({ name }) => name === 'docloom-github')).toMatchObject({
      sameSite: 'Lax',
      httpOnly: true,
    });
    await context.close();

    const other = await browser.newContext({ javaScriptEnabled: false });
    const refused = await other.newPage();
    await signInAs(refused, 'mallory');
    await refused.getByRole('heading', { name: 'Not signed in' }).waitFor();
    expect(await refused.locator('main').textContent()).toContain('ask an administrator for an invitation');
    await refused.goto(`${served.url}/account`);
    expect(new URL(refused.url()).pathname).toBe('/login');
    await other.close();
  });
});
