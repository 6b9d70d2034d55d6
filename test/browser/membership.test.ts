/**
 * The people of an organization, as they themselves see it, in a browser without script: from the set-up address that the
 * server prints to the removal of a member.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type Store, setEmailDomainProved } from '../../src/store/index.ts';
import { type MailSink, openMailSink } from '../identity/mail-sink.ts';
import { type Served, startServe } from '../server/start-serve.ts';
import { type Answer, createIdentityProvider } from '../support/saml/identity-provider.ts';
import { serveIdentityProvider } from '../support/saml/serve-identity-provider.ts';
import { expectNoObstaclesWithScript } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser } from './open-browser.ts';

const ADA = { name: 'Ada Lovelace', email: 'ada@corp.example', password: 'plum otter violin kettle' };
const BOB = { name: 'Bob Frankston', email: 'bob@corp.example', password: 'seven quiet lamps humming' };

describeInBrowser('the people of an organization, without script', () => {
  let served: Served;
  let store: Store;
  let browser: Browser;
  let sink: MailSink;
  let provider: Awaited<ReturnType<typeof serveIdentityProvider>>;
  const idp = createIdentityProvider();
  /** Whom the identity provider signs in, and with what mistakes. */
  let answer: Partial<Answer> = {};

  beforeAll(async () => {
    sink = await openMailSink();
    [served, browser, provider] = await Promise.all([
      startServe({ SMTP_URL: sink.url, SMTP_FROM: 'docs@corp.example' }),
      openBrowser(),
      serveIdentityProvider(idp, () => answer),
    ]);
    store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] });
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await provider?.close();
    await store?.close();
    await served?.close();
    await sink?.close();
  });

  const open = (): Promise<BrowserContext> =>
    browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
  const sees = (page: Page, heading: string) =>
    page.getByRole('heading', { name: heading }).first().waitFor();
  const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  const inspect = (page: Page, title: string) =>
    expectNoObstaclesWithScript(browser, page, `membership-${title}`);

  /** The address in the newest mail to somebody. */
  async function addressIn(email: string): Promise<string> {
    const { text } = await sink.mailTo(email);
    return /http:\/\/127\.0\.0\.1\S+/.exec(text)?.[0] ?? '';
  }

  async function signIn(page: Page, { email, password }: typeof ADA): Promise<void> {
    await page.goto(`${served.url}/login?next=/account`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    await sees(page, 'Your account');
  }

  test('join, are granted a space, sign in at their provider, which is required then, and are out at once when removed', async () => {
    const ada = await (await open()).newPage();
    const line = served.log.find((one) => typeof one['setup'] === 'string');
    await ada.goto(String(line?.['setup']));
    await ada.getByLabel('Name').fill(ADA.name);
    await ada.getByLabel('E-mail address').fill(ADA.email);
    await ada.getByLabel('New password').fill(ADA.password);
    await press(ada, 'Create the account');
    await sees(ada, 'Create your GitHub App');

    // A token of hers makes the spaces, as a program would.
    await ada.goto(`${served.url}/account/tokens`);
    await ada.getByLabel('Name').fill('Spaces');
    await ada.getByLabel('Role').selectOption('admin');
    await press(ada, 'Create the token');
    const token = await ada.getByLabel('Token', { exact: true }).inputValue();
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${served.url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
      return (await response.json()) as { id: string; items: { id: string }[] };
    };
    const organizationId = (await call('GET', '/orgs')).items[0]?.id ?? '';
    const organization = `${served.url}/orgs/${organizationId}`;
    const handbook = (await call('POST', `/orgs/${organizationId}/spaces`, { title: 'Handbook' })).id;
    await call('POST', `/orgs/${organizationId}/spaces`, { title: 'Plans' });

    // Bob is invited, and joins.
    await ada.goto(organization);
    await follow(ada, 'Invitations');
    await ada.getByLabel('E-mail addresses').fill(BOB.email);
    await ada.getByLabel('Role').first().selectOption('guest');
    await press(ada, 'Invite');
    const bob = await (await open()).newPage();
    await bob.goto(await addressIn(BOB.email));
    await sees(bob, 'Create your account');
    await bob.getByLabel('Name').fill(BOB.name);
    await bob.getByLabel('New password').fill(BOB.password);
    await press(bob, 'Create the account and join');
    await says(bob, 'You are a member now.');
    await bob.goto(served.url);
    expect(await bob.getByRole('link', { name: 'Handbook' }).count()).toBe(0);

    // He gets into a team, and the team one space.
    await ada.goto(organization);
    await follow(ada, 'Teams');
    await ada.getByLabel('Name').last().fill('Writers');
    await press(ada, 'Create the team');
    const candidate = await ada.locator('option', { hasText: BOB.name }).getAttribute('value');
    await ada.getByLabel('Member', { exact: true }).selectOption(candidate);
    await press(ada, 'Add to the team');
    await says(ada, '1 member');
    await ada.goto(`${served.url}/spaces/${handbook}`);
    await follow(ada, 'Access');
    await ada.getByLabel('Member or team').selectOption({ label: 'Writers' });
    await ada.getByLabel('Role', { exact: true }).selectOption('edit');
    await ada.getByRole('button', { name: 'Grant', exact: true }).click();
    await ada.getByRole('button', { name: 'Remove (Writers)' }).waitFor();
    await bob.goto(served.url);
    await bob.getByRole('link', { name: 'Handbook' }).waitFor();
    expect(await bob.getByRole('link', { name: 'Plans' }).count()).toBe(0);

    // Single sign-on is set up, and tried out.
    await ada.goto(organization);
    await follow(ada, 'Single sign-on');
    await inspect(ada, 'sso-empty');
    await ada.getByLabel('Name of the SAML provider').fill('Corp');
    await press(ada, 'Add a SAML provider');
    await sees(ada, '1. Enter these at the provider');
    const start = await ada.locator('dd code', { hasText: '/start' }).textContent();
    await ada.getByLabel('Entity ID of the provider').fill(idp.entityId);
    await ada.getByLabel('Single sign-on URL').fill(provider.ssoUrl);
    await ada.getByLabel('Certificate', { exact: true }).fill('MIIB');
    await press(ada, 'Save');
    await says(ada, 'The certificate must be a certificate in PEM.');
    await ada.getByLabel('Certificate', { exact: true }).fill(idp.certificate);
    await ada.getByLabel('Role of people').selectOption('read');
    await press(ada, 'Save');
    await says(ada, 'The values were saved.');
    await inspect(ada, 'provider');

    answer = { audience: 'https://other.example/metadata' };
    await ada.getByRole('link', { name: 'Test', exact: true }).click();
    expect(new URL(ada.url()).hostname).toBe('localhost');
    await press(ada, 'Agree');
    await says(ada, 'The assertion is meant for another service');
    await inspect(ada, 'test-refused');
    answer = { nameId: 'ada-1', attributes: { email: ADA.email, displayName: ADA.name } };
    await follow(ada, 'Test again');
    await press(ada, 'Agree');
    await says(ada, /has not proved that the domain corp\.example is its own/);

    await ada.goto(`${organization}/sso`);
    await ada.getByLabel('Domain').fill('corp.example');
    await press(ada, 'Add the domain');
    await says(ada, '_docloom.corp.example');
    // Nobody here can publish the record.
    await setEmailDomainProved(store.db, organizationId, 'corp.example');
    answer = { nameId: 'bob-1', attributes: { email: BOB.email, displayName: BOB.name } };
    await follow(ada, 'Open Corp');
    await follow(ada, 'Test');
    await press(ada, 'Agree');
    await says(ada, `${BOB.name} (${BOB.email}) would be signed in as a guest.`);
    await inspect(ada, 'test-good');
    expect(await ada.locator('.who').textContent()).toBe(ADA.name);

    // Bob signs in there.
    await bob.getByRole('navigation', { name: 'Account' }).locator('summary').click();
    await press(bob, 'Sign out');
    await bob.goto(`${start}?next=/account`);
    await press(bob, 'Agree');
    await sees(bob, 'Your account');
    await follow(bob, 'Sessions');
    await says(bob, 'SAML');

    // The provider gets a token that keeps people up to date, until it is revoked.
    await ada.goto(`${organization}/sso`);
    await ada.getByLabel('Name of the token').fill('Corp provisions');
    await ada.getByLabel('Expires').selectOption({ label: 'in 30 days' });
    await press(ada, 'Create the token');
    const provisioning = await ada.getByLabel('Token', { exact: true }).inputValue();
    const baseURL = (await ada.locator('dd code', { hasText: '/scim/v2/' }).textContent()) ?? '';
    const provisions = async () => {
      const headers = { authorization: `Bearer ${provisioning}` };
      return (await fetch(`${baseURL}/Users`, { headers })).status;
    };
    expect(await provisions()).toBe(200);
    await follow(ada, 'Done');
    await inspect(ada, 'sso');
    expect(await ada.getByText(provisioning).count()).toBe(0);
    await follow(ada, 'Revoke… Corp provisions');
    await sees(ada, 'Revoke Corp provisions');
    await inspect(ada, 'revoke');
    await follow(ada, 'Cancel');
    expect(await provisions()).toBe(200);
    await follow(ada, 'Revoke… Corp provisions');
    await press(ada, 'Revoke');
    await says(ada, 'The token was revoked.');
    expect(await provisions()).toBe(401);

    // It is required, once Ada has another way in.
    await ada.goto(`${organization}/sso`);
    await press(ada, 'Require single sign-on');
    await says(ada, 'You would lock yourself out');
    await ada.goto(`${served.url}/account`);
    await press(ada, 'Make new codes for Documentation');
    const code = (await ada.locator('.recovery-codes code').first().textContent()) ?? '';
    await ada.goto(`${organization}/sso`);
    await press(ada, 'Require single sign-on');
    await ada.goto(organization);
    await sees(ada, 'Single sign-on needed');
    const late = await (await open()).newPage();
    await signIn(late, BOB);
    await late.goto(organization);
    await sees(late, 'Single sign-on needed');
    await follow(late, 'Sign in with it');
    await late.getByLabel('E-mail address').fill(BOB.email);
    await press(late, 'Continue');
    await late.getByRole('link', { name: 'Corp' }).click();
    await press(late, 'Agree');
    await late.goto(organization);
    await sees(late, 'Documentation');
    await bob.goto(`${served.url}/spaces/${handbook}`);
    await sees(bob, 'Handbook');
    await ada.getByRole('navigation', { name: 'Account' }).locator('summary').click();
    await press(ada, 'Sign out');
    await ada.goto(`${served.url}/login/recovery`);
    await ada.getByLabel('E-mail address').fill(ADA.email);
    await ada.getByLabel('Recovery code').fill(code);
    await press(ada, 'Sign in');
    await ada.goto(organization);

    // Bob is removed; the page that he has open is over.
    await follow(ada, 'Members');
    await follow(ada, BOB.name);
    await follow(ada, 'Remove…');
    await says(ada, 'The next sign-in at Corp makes them a member again');
    await inspect(ada, 'remove');
    await ada.getByRole('button', { name: 'Remove', exact: true }).click();
    await says(ada, 'They were removed');
    await bob.reload();
    expect(new URL(bob.url()).pathname).toBe('/login');

    await follow(ada, 'Audit log');
    await says(ada, 'member.remove');
    await inspect(ada, 'audit');
    await ada.getByLabel('Action').fill('identity-provider.test');
    await press(ada, 'Filter');
    await says(ada, 'The assertion is meant for another service');
    expect(await ada.getByText('member.remove', { exact: true }).count()).toBe(0);
  });
});
