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
import { describeInBrowser, openBrowser } from './open-browser.ts';

describeInBrowser('signing in by OpenID Connect in a browser', () => {
  let served: Served;
  let store: Store;
  let browser: Browser;
  let provider: ServedOidcProvider;
  let start: string;
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
    const { organization } = await createToken(store.db, { name: 'test', role: 'admin' });
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
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(start);
    expect(new URL(page.url()).hostname).toBe('localhost');
    await page.getByRole('button', { name: 'Agree' }).click();
    await page.waitForURL(`${served.url}/status`);
    expect(await page.locator('.who').textContent()).toBe('Ada Lovelace');
    const cookies = await context.cookies(served.url);
    expect(cookies.find(({ name }) => name === 'docloom-oidc')).toMatchObject({
      sameSite: 'Lax',
      httpOnly: true,
    });
    await context.close();

    accountId = 'mallory';
    const other = await browser.newContext({ javaScriptEnabled: false });
    const refused = await other.newPage();
    await refused.goto(start);
    await refused.getByRole('button', { name: 'Agree' }).click();
    await refused.getByRole('heading', { name: 'Not signed in' }).waitFor();
    expect(await refused.locator('main').textContent()).toContain('elsewhere.example');
    await refused.goto(`${served.url}/status`);
    expect(new URL(refused.url()).pathname).toBe('/login');
    await other.close();
  });
});
