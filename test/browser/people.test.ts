/** People of an organization as an administrator and a newcomer meet them: invited, joined, in a team, granted, removed. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPages, type TestPages } from '../web/start-pages.ts';
import { expectNoObstacles } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser, openWindow } from './open-browser.ts';

describeInBrowser('people in a browser', () => {
  let pages: TestPages;
  let browser: Browser;

  beforeAll(async () => {
    [pages, browser] = await Promise.all([startPages(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.close();
  });

  test('somebody is invited, joins, gets into a team, is granted a role, and is removed', async () => {
    const { platform } = pages;
    const { organizationId } = platform;
    const space = await platform.api('POST', `/orgs/${organizationId}/spaces`, {
      body: { title: 'Handbook' },
    });
    const [admin, newcomer] = [await openWindow(browser), await openWindow(browser)];
    const inspect = ({ page }: typeof admin, title: string) => expectNoObstacles(page, `people-${title}`);
    const { page } = admin;
    const section = (name: string) =>
      page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name }).click();
    const button = (name: string, within = page) => within.getByRole('button', { name, exact: true }).click();

    await page.goto(`${pages.url}/login`);
    await page.getByLabel('API token').fill(platform.token);
    await button('Sign in');
    await page.getByRole('link', { name: 'people and settings' }).click();
    await page.getByText('the highest of these counts').waitFor();
    await inspect(admin, 'overview');
    await section('Settings');
    await page.getByLabel('Links with which people join').check();
    await button('Save');
    await page.getByText('The settings were saved.').waitFor();
    await inspect(admin, 'settings');

    await section('Invitations');
    await page.getByLabel('E-mail addresses').fill('nobody');
    await button('Invite');
    await page.getByRole('alert').waitFor();
    await inspect(admin, 'invitations-refused');
    expect(admin.complaints.splice(0).filter((one) => !one.includes('400'))).toEqual([]);
    await page.getByLabel('E-mail addresses').fill('grace@people.example, alan@people.example');
    await page.getByLabel('Role').first().selectOption('edit');
    await button('Invite');
    await page.getByRole('heading', { name: '2 invitations' }).waitFor();
    await inspect(admin, 'invited');
    const address = await page.getByLabel('grace@people.example').inputValue();
    await page.getByRole('link', { name: 'Done' }).click();
    await button('Make a link');
    const link = await page.getByLabel('A link to join').inputValue();
    await page.getByRole('link', { name: 'Done' }).click();
    await inspect(admin, 'invitations');

    await newcomer.page.goto(`${pages.url}${new URL(link).pathname}`);
    await newcomer.page.getByText('This server sends no mails').waitFor();
    await inspect(newcomer, 'link');
    await newcomer.page.goto(`${pages.url}${new URL(address).pathname}`);
    await newcomer.page.getByRole('heading', { name: 'Create your account' }).waitFor();
    expect(newcomer.page.url()).toBe(`${pages.url}/invite`);
    await inspect(newcomer, 'invite');
    await newcomer.page.getByLabel('Name').fill('Grace Hopper');
    await newcomer.page.getByLabel('New password').fill('plum otter violin kettle');
    await button('Create the account and join', newcomer.page);
    await newcomer.page.getByText('You are a member now.').waitFor();
    await newcomer.page.goto(`${pages.url}${new URL(link).pathname}`);
    await newcomer.page.getByText('You are a member already.').waitFor();
    await inspect(newcomer, 'member-already');

    await section('Members');
    await inspect(admin, 'members');
    await page.getByRole('main').getByRole('searchbox').fill('grace');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Grace Hopper' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('guest');
    await button('Change the role');
    await page.getByText('The role was changed.').waitFor();
    await inspect(admin, 'member');

    await section('Teams');
    await page.getByRole('textbox', { name: 'Name' }).fill('Writers');
    await button('Create the team');
    await page.getByText('The team was created.').waitFor();
    await page
      .getByLabel('Member', { exact: true })
      .selectOption({ label: 'Grace Hopper (grace@people.example)' });
    await button('Add to the team');
    await page.getByText('They are in the team now.').waitFor();
    await inspect(admin, 'team');
    await section('Teams');
    await inspect(admin, 'teams');

    await page.goto(`${pages.url}/spaces/${space.body.id}`);
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByLabel('Member or team').selectOption({ label: 'Writers' });
    await page.getByLabel('Role', { exact: true }).selectOption('comment');
    await button('Grant');
    await page.getByText('The role was granted.').waitFor();
    await inspect(admin, 'access');
    await page.getByRole('link', { name: 'Why Grace Hopper' }).click();
    await page.getByText('Granted to the team “Writers” in this space.').waitFor();
    await inspect(admin, 'why');

    await newcomer.page.goto(`${pages.url}/spaces/${space.body.id}`);
    await newcomer.page.getByRole('heading', { name: 'Handbook' }).waitFor();
    await page.getByRole('link', { name: 'Remove…' }).click();
    await page.getByText('loses all access').waitFor();
    await inspect(admin, 'remove');
    await button('Remove');
    await page.getByText('They were removed').waitFor();
    await newcomer.page.goto(`${pages.url}/spaces/${space.body.id}`);
    await newcomer.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect([...admin.complaints, ...newcomer.complaints]).toEqual([]);
    await Promise.all([admin.context.close(), newcomer.context.close()]);
  });
});
