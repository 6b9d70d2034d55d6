/** Signing in at an identity provider of another site, as a person does it, without script. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/identity/passwords/hash-password.ts';
import { createToken } from '../../src/platform/index.ts';
import {
  insertIdentityProvider,
  newId,
  openStore,
  type Store,
  tables,
  upsertPassword,
} from '../../src/store/index.ts';
import { type Served, startServe } from '../server/start-serve.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { type Answer, createIdentityProvider } from '../support/saml/identity-provider.ts';
import { serveIdentityProvider } from '../support/saml/serve-identity-provider.ts';
import { expectNoObstaclesWithScript } from './expect-no-obstacles.ts';
import { describeInBrowser, openBrowser } from './open-browser.ts';
import { agreeAtProvider, expectRefusal, expectSignIn } from './sign-in-at-provider.ts';

describeInBrowser('signing in by SAML in a browser', () => {
  let served: Served;
  let store: Store;
  let browser: Browser;
  let provider: Awaited<ReturnType<typeof serveIdentityProvider>>;
  let start: string;
  let answer: Partial<Answer> = {};

  beforeAll(async () => {
    const idp = createIdentityProvider();
    [served, browser, provider] = await Promise.all([
      startServe(),
      openBrowser(),
      serveIdentityProvider(idp, () => answer),
    ]);
    store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] });
    const { organization } = await createToken(store.db, { name: 'test', role: 'admin' });
    await proveDomain(store.db, organization.id, 'corp.example');
    const { id } = await insertIdentityProvider(store.db, {
      id: newId(),
      organizationId: organization.id,
      kind: 'saml',
      label: 'Corp',
      entityId: idp.entityId,
      ssoUrl: provider.ssoUrl,
      certificates: [idp.certificate],
      defaultRole: 'read',
    });
    start = `${served.url}/saml/${id}/start?next=/status`;
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await provider?.close();
    await store?.close();
    await served?.close();
  });

  test('a person signs in at the provider, comes back to where they were, and is refused with a forged answer', async () => {
    const cookies = await expectSignIn(browser, served, start, 'Ada Lovelace');
    expect(cookies.find(({ name }) => name === 'docloom-saml')).toMatchObject({
      sameSite: 'None',
      secure: true,
      httpOnly: true,
    });
    answer = { audience: 'https://other.example/metadata' };
    await expectRefusal(browser, served, start, 'Corp did not sign you in here');
  });

  test('somebody with a password links single sign-on to their account, and signs in with it', async () => {
    const { db } = store;
    const [userId, email, password] = [newId(), 'grace@corp.example', 'plum otter violin kettle'];
    await db.insert(tables.users).values({ id: userId, displayName: 'Grace Hopper', email });
    await upsertPassword(db, userId, await hashPassword(password), new Date());
    answer = { nameId: 'grace-7', attributes: { email, displayName: 'Grace' } };

    const { context, page } = await agreeAtProvider(browser, start);
    await page.getByText('link Corp on the page of the account').waitFor();
    await page.goto(`${served.url}/login?next=/account`);
    const form = page.locator('form', { has: page.getByLabel('Password', { exact: true }) });
    await form.getByLabel('E-mail address').fill(email);
    await form.getByLabel('Password', { exact: true }).fill(password);
    await form.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Link single sign-on with Corp' }).click();
    expect(new URL(page.url()).hostname).toBe('localhost');
    await page.getByRole('button', { name: 'Agree' }).click();
    await page.getByText(`Corp knows you as ${email}.`).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/account\/sso\/[^/]+$/);
    await expectNoObstaclesWithScript(browser, page, 'saml-consent');
    await page.getByRole('button', { name: 'Link it' }).click();
    await page.getByText(`Linked to ${email} at Corp`).waitFor();
    await expectNoObstaclesWithScript(browser, page, 'saml-linked');
    await context.close();

    await expectSignIn(browser, served, start, 'Grace Hopper');
  });
});
