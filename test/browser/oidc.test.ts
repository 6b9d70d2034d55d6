/** Signing in at an OpenID Connect provider of another site, as a person does it, without script. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oidcServiceOf } from '../../src/identity/index.ts';
import { createToken } from '../../src/platform/index.ts';
import { insertIdentityProvider, newId, openSealer, openStore, type Store } from '../../src/store/index.ts';
import { type Served, startServe } from '../server/start-serve.ts';
import {
  OIDC_CLIENT,
  type ServedOidcProvider,
  serveOidcProvider,
} from '../support/oidc/serve-oidc-provider.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { expectNoObstaclesWithScript } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser } from './open-browser.ts';
import { expectRefusal, expectSignIn } from './sign-in-at-provider.ts';

describeInBrowser('signing in by OpenID Connect in a browser', () => {
  let served: Served;
  let store: Store;
  let browser: Browser;
  let provider: ServedOidcProvider;
  let start: string;
  let token: string;
  let organizationId: string;
  let accountId = 'ada';

  beforeAll(async () => {
    [served, browser, provider] = await Promise.all([
      startServe({ ALLOWED_HOSTS: 'localhost' }),
      openBrowser(),
      serveOidcProvider({
        accountId: () => accountId,
        claimsOf: (id) => ({
          email: `${id}@${id === 'mallory' ? 'elsewhere' : 'corp'}.example`,
          email_verified: true,
          name: 'Ada Lovelace',
        }),
      }),
    ]);
    const dataDir = served.env['DATA_DIR'] ?? '';
    store = await openStore({ dataDir, databaseUrl: served.env['DATABASE_URL'] });
    const created = await createToken(store.db, { name: 'test', role: 'admin' });
    const { organization } = created;
    token = created.token;
    organizationId = organization.id;
    await proveDomain(store.db, organization.id, 'corp.example');
    const { id } = await insertIdentityProvider(store.db, {
      id: newId(),
      organizationId: organization.id,
      kind: 'oidc',
      label: 'Corp',
      issuer: provider.issuer,
      clientId: OIDC_CLIENT.clientID,
      sealedClientSecret: openSealer({ dataDir }).seal(OIDC_CLIENT.clientSecret),
      defaultRole: 'read',
    });
    const service = oidcServiceOf(served.url, id);
    provider.register(service.redirectURL);
    start = `${service.startURL}?next=/status`;
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await provider?.close();
    await store?.close();
    await served?.close();
  });

  test('a person signs in at the provider and comes back to where they were; a stranger is told why not', async () => {
    const cookies = await expectSignIn(browser, served, start, 'Ada Lovelace');
    expect(cookies.find(({ name }) => name === 'docloom-oidc')).toMatchObject({
      sameSite: 'Lax',
      httpOnly: true,
    });
    accountId = 'mallory';
    await expectRefusal(browser, served, start, 'elsewhere.example');
  });

  test('an administrator sets a provider up and tries it out, and nobody is signed in by that', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
    const says = (text: string) => page.getByText(text).first().waitFor();
    await page.goto(`${served.url}/login?next=/orgs/${organizationId}`);
    await page.getByText('Sign in with an API token').click();
    await page.getByLabel('API token').fill(token);
    await page
      .locator('form', { has: page.getByLabel('API token') })
      .getByRole('button')
      .click();
    await follow('Single sign-on');
    await page.getByLabel('Name of the OpenID Connect provider').fill('Tried');
    await press('Add an OpenID Connect provider');
    await says('The provider was added.');
    const redirectURL = await page.locator('dd code', { hasText: '/callback' }).textContent();
    provider.register(redirectURL ?? '');
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client ID').fill(OIDC_CLIENT.clientID);
    await page.getByLabel('Client secret').fill('not-the-secret');
    await page.getByLabel('Scopes').fill('openid "email"');
    await press('Save');
    await says('Each scope must be one word.');
    await page.getByLabel('Scopes').fill('');
    await page.getByLabel('Client secret').fill('not-the-secret');
    await page.getByLabel('Role of people').selectOption('read');
    await press('Save');
    await says('The values were saved.');
    await expectNoObstaclesWithScript(browser, page, 'oidc-provider');

    accountId = 'grace';
    await follow('Test');
    await page.getByRole('button', { name: 'Agree' }).click();
    await says('The provider did not accept the client');
    await expectNoObstaclesWithScript(browser, page, 'oidc-test-refused');
    await follow('Back to Tried');
    await page.getByLabel('New client secret').fill(OIDC_CLIENT.clientSecret);
    await press('Save');
    // The provider knows her by now.
    await follow('Test');
    await says('(grace@corp.example) would be signed in as a new user, with the role read.');
    await says('Claims of userinfo');
    await expectNoObstaclesWithScript(browser, page, 'oidc-test-good');
    await follow('Back to Tried');
    await says('Not used yet');
    await page.getByLabel('Remove the client secret').check();
    await press('Save');
    await says('Stored encrypted and never shown again.');
    await follow('Single sign-on');
    await expectNoObstaclesWithScript(browser, page, 'oidc-sso');
    await page.getByRole('link', { name: 'Open Tried' }).click();
    await follow('Remove Tried…');
    await press('Remove');
    await says('The provider was removed');
    expect(await page.getByRole('link', { name: 'Open Tried' }).count()).toBe(0);
    await context.close();
  });
});
