/** Setting up as a person does it: from the address in the log to the App's installation, in a browser. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkTree } from '../sandbox/support/open-sandbox.ts';
import { type Served, startServe } from '../server/start-serve.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser, openWindow } from './open-browser.ts';

describeInBrowser('setting up in a browser', () => {
  let served: Served;
  let browser: Browser;

  beforeAll(async () => {
    [served, browser] = await Promise.all([startServe(), openBrowser()]);
    const { cloneUrl } = await served.forge.createRepository({ owner: 'me', name: 'docs' });
    await served.forge.createRepository({ owner: 'me', name: 'empty' });
    const tree = new WorkTree(join(served.folder, 'work'), cloneUrl, served.forge.createUser('me').token);
    await tree.commit({ 'README.md': '# Docs\n\n[Gone](gone.md)\n' });
    await tree.push('main');
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  test('a person makes the App, installs it, and sees where it works', async () => {
    const { page, context, complaints } = await openWindow(browser);
    const inspect = (title: string) => expectNoObstacles(page, `setup-${title}`);
    await page.goto(`${served.url}/`);
    await inspect('welcome');
    await page.getByRole('link', { name: 'Set up' }).click();
    await page.getByRole('heading', { name: 'Set up Docloom' }).waitFor();
    await inspect('door');

    const line = served.log.find((one) => typeof one['setup'] === 'string');
    await page.goto(String(line?.['setup']));
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
    await inspect('account-empty');
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill('ada@docs.example');
    await page.getByLabel('New password').fill('password1234');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('alert').waitFor();
    await inspect('account-refused');
    expect(complaints.splice(0).filter((one) => !one.includes('400'))).toEqual([]);
    await page.getByLabel('New password').fill('plum otter violin kettle');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByRole('heading', { name: 'Create your GitHub App' }).waitFor();
    expect(page.url()).toBe(`${served.url}/setup`);
    await page.getByLabel('GitHub', { exact: true }).fill('github.com');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('alert').waitFor();
    await inspect('form');
    expect(complaints.splice(0).filter((one) => !one.includes('400'))).toEqual([]);
    await page.getByLabel('GitHub', { exact: true }).fill(served.forge.url);
    await page.getByLabel('Name of the App').fill('Docs of ours');
    await page.getByLabel('Read-only').check();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('heading', { name: 'will create' }).waitFor();
    await inspect('review');

    await page.getByRole('button', { name: 'Create the App' }).click();
    await page.getByRole('heading', { name: 'Create GitHub App' }).waitFor();
    await inspect('forge-create');
    await page.getByRole('button', { name: 'Create GitHub App' }).click();
    await page.getByRole('heading', { name: 'One step left' }).waitFor();
    await inspect('made');

    await page.getByRole('link', { name: 'Install Docs of ours' }).click();
    await page.getByRole('heading', { name: 'Install Docs of ours' }).waitFor();
    await inspect('forge-install');
    await page.getByRole('button', { name: 'Install on me' }).click();
    await page.getByRole('heading', { name: 'Connected to' }).waitFor();
    await page.getByText('Works', { exact: true }).waitFor();
    await inspect('connected');
    await page.getByText('Change its keys').click();
    await inspect('keys');
    await page.getByRole('link', { name: 'Remove the App…' }).click();
    await inspect('remove');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Connected to' }).waitFor();
    await expect
      .poll(() => served.forge.statuses('me/docs').at(-1)?.state, { timeout: PATIENCE_MS })
      .toBe('success');
    await page.getByRole('navigation', { name: 'Account' }).locator('summary').click();
    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await page.getByRole('heading', { name: 'me/docs' }).waitFor();
    await inspect('status');
    await page.getByRole('button', { name: 'Sync now (me/docs)' }).click();
    await page.getByText('is being synced').waitFor();

    await page.goto(`${served.url}/account`);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await inspect('account');
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('This browser', { exact: true }).waitFor();
    await inspect('account-sessions');
    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByRole('heading', { name: 'New token' }).waitFor();
    await inspect('account-tokens-empty');
    await page.getByLabel('Name').fill('Deploy of the docs');
    await page.getByLabel('Role').selectOption('edit');
    await page.getByLabel('Organization').selectOption({ label: 'Only Documentation' });
    await page.getByRole('button', { name: 'Create the token' }).click();
    await page.getByRole('heading', { name: 'The token Deploy of the docs' }).waitFor();
    await inspect('account-token-new');
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke Deploy of the docs' }).waitFor();
    await inspect('account-tokens');
    await page.getByRole('button', { name: 'Revoke Deploy of the docs' }).click();
    await page.getByText('The token was revoked.').waitFor();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByRole('button', { name: 'Make new codes for Documentation' }).click();
    await page.getByRole('heading', { name: 'Recovery codes for Documentation' }).waitFor();
    await inspect('recovery-codes');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as text' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('docloom-recovery-codes.txt');
    await page.getByRole('navigation', { name: 'Account' }).locator('summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await inspect('welcome-back');
    await page.goto(`${served.url}/login?next=/account`);
    await page.getByLabel('E-mail address').fill('ada@docs.example');
    await page.getByLabel('Password', { exact: true }).fill('a wrong password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    await page.getByRole('alert').waitFor();
    await inspect('login-refused');
    expect(complaints.splice(0).filter((one) => !one.includes('401'))).toEqual([]);
    await page.getByRole('link', { name: 'Forgot the password?' }).click();
    await inspect('forgot');
    await page.getByRole('link', { name: 'Use a recovery code' }).click();
    await inspect('recovery');
    await page.goto(`${served.url}/login?next=/account`);
    await page.getByLabel('E-mail address').fill('ada@docs.example');
    await page.getByLabel('Password', { exact: true }).fill('plum otter violin kettle');
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
