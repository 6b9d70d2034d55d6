/** Linking an account at an organization's provider to one's own, while signed in here with a password. */
import { inflateRawSync } from 'node:zlib';
import { eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/identity/passwords/hash-password.ts';
import {
  insertIdentityProvider,
  newId,
  tables,
  updateIdentityProvider,
  updateMember,
  upsertPassword,
} from '../../src/store/index.ts';
import { type Browsing, openBrowsing } from '../server/start-serve.ts';
import { type ForgingProvider, startForgingProvider } from '../support/oidc/forging-provider.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { type Answer, createIdentityProvider, encode, idOf } from '../support/saml/identity-provider.ts';
import { PASSWORD_COST, startPages, type TestPages } from './start-pages.ts';

const PUBLIC_URL = 'https://docs.example';
const PASSWORD = 'plum otter violin kettle';

let pages: TestPages;
let hash: string;
let oidc: ForgingProvider;
let organizationId: string;
const saml = createIdentityProvider();

beforeAll(async () => {
  [pages, oidc, hash] = await Promise.all([
    startPages({ publicUrl: PUBLIC_URL }),
    startForgingProvider(),
    hashPassword(PASSWORD, PASSWORD_COST),
  ]);
  ({ organizationId } = pages.platform);
  await proveDomain(db(), organizationId, 'corp.example');
});
afterAll(async () => {
  await oidc?.close();
  await pages?.close();
});
beforeEach(async () => {
  pages.time = new Date();
  await db().delete(tables.signInFailures);
});

const db = () => pages.platform.deps.db;
const eventsOf = async (action: string) =>
  await db().select().from(tables.auditEvents).where(eq(tables.auditEvents.action, action));
const identitiesOf = async (userId: string) =>
  await db().select().from(tables.userIdentities).where(eq(tables.userIdentities.userId, userId));
const emailOf = (name: string) => `${name}@corp.example`;

/** A member with a password and an address that nobody has confirmed, as without a mail server. */
async function createPerson(name: string, email = emailOf(name)) {
  const userId = newId();
  await db().insert(tables.users).values({ id: userId, displayName: name, email });
  await db().insert(tables.members).values({ organizationId, userId, role: 'edit' });
  await upsertPassword(db(), userId, hash, pages.time);
  return { userId, email };
}

async function signIn({ email }: { readonly email: string }, browser = openBrowsing(pages.url)) {
  const answer = await browser.post('/login/password', { email, password: PASSWORD, next: '/' });
  expect(answer.status).toBe(303);
  return browser;
}

async function addSaml(fields: object = {}): Promise<string> {
  const { id } = await insertIdentityProvider(db(), {
    id: newId(),
    organizationId,
    kind: 'saml',
    label: 'Okta',
    entityId: saml.entityId,
    ssoUrl: 'https://idp.example/sso',
    certificates: [saml.certificate],
    defaultRole: 'read',
    ...fields,
  });
  return id;
}

/** Begins at the page of the account; returns what the browser sends when the provider has signed somebody in. */
async function beginSaml(browser: Browsing, providerId: string) {
  const started = await browser.get(`/account/sso/saml/${providerId}/start`);
  expect(started.status).toBe(303);
  return readStart(started, providerId);
}

/** Writes answers to the request that a start redirects with. */
function readStart(started: Response, providerId: string) {
  const url = new URL(started.headers.get('location') ?? '');
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const service = `${PUBLIC_URL}/saml/${providerId}`;
  const to = {
    acsURL: `${service}/acs`,
    entityID: `${service}/metadata`,
    requestId: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
    now: pages.time,
  };
  return (name: string, changes: Partial<Answer> = {}) => {
    const attributes = { email: emailOf(name), displayName: name };
    const xml = saml.write(to, { nameId: `${name}-at-okta`, attributes, ...changes });
    return {
      SAMLResponse: encode(saml.sign(xml, idOf(xml, 'Assertion'))),
      RelayState: url.searchParams.get('RelayState') ?? '',
    };
  };
}

const answerSaml = (browser: Browsing, providerId: string, fields: Record<string, string>) =>
  browser.post(`/saml/${providerId}/acs`, fields, { origin: 'https://idp.example' });

describe('single sign-on is linked by whoever is signed in', () => {
  test('with a password and an address that was never confirmed, at a provider that nobody has used', async () => {
    const ada = await createPerson('ada');
    const providerId = await addSaml();
    const plainSignIn = async (browser: Browsing) => {
      const started = await browser.get(`/saml/${providerId}/start`);
      return await answerSaml(browser, providerId, readStart(started, providerId)('ada'));
    };
    const before = await plainSignIn(openBrowsing(pages.url));
    expect([before.status, await before.text()]).toEqual([
      403,
      expect.stringContaining('link Okta on the page of the account'),
    ]);

    const browser = await signIn(ada);
    expect(await (await browser.get('/account')).text()).toContain(`/account/sso/saml/${providerId}/start`);
    const answer = await beginSaml(browser, providerId);
    // The form of the provider's site brings no session along: whoever posts it is signed in as nobody new.
    const accepted = await answerSaml(browser, providerId, answer('ada'));
    const consent = `/account/sso/${providerId}`;
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, consent]);
    expect(accepted.headers.getSetCookie()).toEqual([]);
    expect(await identitiesOf(ada.userId)).toEqual([]);
    expect(await (await browser.get(consent)).text()).toContain(
      `Okta knows you as <strong>${ada.email}</strong>`,
    );
    const linked = await browser.post(consent, {});
    expect([linked.status, linked.headers.get('location')]).toEqual([303, '/account?done=sso']);
    expect(await (await browser.get('/account?done=sso')).text()).toContain(
      `Linked to <strong>${ada.email}</strong> at Okta`,
    );
    expect((await browser.post(consent, {})).status).toBe(404);

    const [user] = await db().select().from(tables.users).where(eq(tables.users.id, ada.userId));
    expect(user?.emailVerifiedAt).toBeInstanceOf(Date);
    const actor = { actorKind: 'user', actorId: ada.userId, organizationId, targetId: ada.userId };
    expect(await eventsOf('user.link-sso')).toMatchObject([
      { ...actor, after: { provider: 'Okta', account: ada.email } },
    ]);
    expect(await eventsOf('user.verify-email')).toMatchObject([
      { actorKind: 'provider', targetId: ada.userId },
    ]);
    // From then on she signs in there, and the provider counts as one that works.
    expect((await plainSignIn(openBrowsing(pages.url))).status).toBe(303);
    await signIn(ada);
  });

  test('at a provider of OpenID Connect', async () => {
    const grace = await createPerson('grace');
    const { id: providerId } = await insertIdentityProvider(db(), {
      id: newId(),
      organizationId,
      kind: 'oidc',
      label: 'Google',
      issuer: oidc.issuer,
      clientId: 'docs',
      defaultRole: 'read',
    });
    const browser = await signIn(grace);
    async function answer(email: string) {
      const started = await browser.get(`/account/sso/oidc/${providerId}/start`);
      const { searchParams } = new URL(started.headers.get('location') ?? '');
      const iat = Math.floor(Date.now() / 1000);
      oidc.forge('/token', async () => ({
        body: {
          access_token: 'access',
          token_type: 'Bearer',
          id_token: await oidc.sign({
            iss: oidc.issuer,
            aud: 'docs',
            sub: email,
            nonce: searchParams.get('nonce') ?? '',
            iat,
            exp: iat + 300,
            email,
            email_verified: true,
          }),
        },
      }));
      const query = new URLSearchParams({ code: 'abc', state: searchParams.get('state') ?? '' });
      return await browser.get(`/oidc/${providerId}/callback?${query}`);
    }
    const other = await answer('somebody@corp.example');
    expect([other.status, await other.text()]).toEqual([
      403,
      expect.stringContaining('knows you as somebody@corp.example, and this account has the address'),
    ]);
    const answered = await answer(grace.email);
    expect([answered.status, answered.headers.get('location')]).toEqual([303, `/account/sso/${providerId}`]);
    expect((await browser.post(`/account/sso/${providerId}`, {})).status).toBe(303);
    expect(await identitiesOf(grace.userId)).toMatchObject([{ kind: 'oidc', subject: grace.email }]);
  });
});

describe('single sign-on is not linked', () => {
  /** A person whose provider has answered, and who has not agreed yet. */
  async function createAnswered(name: string) {
    const person = await createPerson(name);
    const providerId = await addSaml({ status: 'active' });
    const browser = await signIn(person);
    const answer = await beginSaml(browser, providerId);
    const fields = answer(name);
    expect((await answerSaml(browser, providerId, fields)).status).toBe(303);
    return { ...person, providerId, browser, fields, consent: `/account/sso/${providerId}` };
  }

  test('by an answer that is refused: of another browser, replayed, late, or about somebody else', async () => {
    const eve = await createPerson('eve');
    const providerId = await addSaml({ status: 'active' });
    const browser = await signIn(eve);
    const refused = async (fields: Record<string, string>, from = browser) => {
      const answer = await answerSaml(from, providerId, fields);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
      expect((await browser.get(`/account/sso/${providerId}`)).status).toBe(404);
      const text = await answer.text();
      expect(text).toContain('Nothing was linked');
      return text;
    };
    const begin = () => beginSaml(browser, providerId);
    await refused((await begin())('eve'), openBrowsing(pages.url));
    expect(await refused((await begin())('mallory'))).toContain('this account has the address eve@corp');
    const foreign = { attributes: { email: 'eve@other.example' } };
    expect(await refused((await begin())('eve', foreign))).toContain('has not proved');
    await refused((await begin())('eve', { audience: 'https://other.example' }));
    const late = (await begin())('eve');
    pages.time = new Date(Date.now() + 11 * 60_000);
    await refused(late);
    pages.time = new Date();
    const once = (await begin())('eve');
    expect((await answerSaml(browser, providerId, once)).status).toBe(303);
    expect((await answerSaml(browser, providerId, once)).status).toBe(403);
    expect(await identitiesOf(eve.userId)).toEqual([]);
  });

  test('to another person who is signed in meanwhile, nor by a form of another site, nor late', async () => {
    const { browser, consent, userId } = await createAnswered('fay');
    const bob = await createPerson('bob');
    expect((await browser.post(consent, {}, { origin: 'https://evil.example' })).status).toBe(403);
    const nobody = await openBrowsing(pages.url).post(consent, {});
    expect([nobody.status, nobody.headers.get('location')]).toEqual([303, expect.stringContaining('/login')]);
    await signIn(bob, browser);
    for (const answer of [await browser.get(consent), await browser.post(consent, {})])
      expect(answer.status).toBe(404);
    await signIn({ email: emailOf('fay') }, browser);
    expect((await browser.get(consent)).status).toBe(200);
    pages.time = new Date(Date.now() + 11 * 60_000);
    expect((await browser.post(consent, {})).status).toBe(404);
    expect([...(await identitiesOf(userId)), ...(await identitiesOf(bob.userId))]).toEqual([]);
  });

  test('where the provider became another, was removed, or the member was disabled meanwhile', async () => {
    const changed = await createAnswered('gil');
    await updateIdentityProvider(db(), changed.providerId, { entityId: 'https://other.example' });
    expect((await changed.browser.post(changed.consent, {})).status).toBe(404);

    const removed = await createAnswered('hal');
    await db().delete(tables.identityProviders).where(eq(tables.identityProviders.id, removed.providerId));
    expect((await removed.browser.post(removed.consent, {})).status).toBe(404);

    const disabled = await createAnswered('ida');
    // The only membership would take the session along.
    const elsewhere = newId();
    await db().insert(tables.organizations).values({ id: elsewhere, title: 'Elsewhere' });
    await db()
      .insert(tables.members)
      .values({ organizationId: elsewhere, userId: disabled.userId, role: 'read' });
    await updateMember(db(), { organizationId, userId: disabled.userId }, { disabledAt: new Date() });
    const answer = await disabled.browser.post(disabled.consent, {});
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('is disabled')]);
    for (const { userId } of [changed, removed, disabled]) expect(await identitiesOf(userId)).toEqual([]);
  });

  test('to a second user, nor a second account to one', async () => {
    const first = await createAnswered('jan');
    expect((await first.browser.post(first.consent, {})).status).toBe(303);
    // The address is another user's now, and the provider still knows its first owner by their own.
    await db()
      .update(tables.users)
      .set({ email: emailOf('jan2') })
      .where(eq(tables.users.id, first.userId));
    const second = await createPerson('second', emailOf('jan'));
    const browser = await signIn(second);
    const answer = await beginSaml(browser, first.providerId);
    const refused = await answerSaml(browser, first.providerId, answer('jan'));
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('is another user’s here'),
    ]);
    expect(await identitiesOf(second.userId)).toEqual([]);

    const again = await first.browser.get(`/account/sso/saml/${first.providerId}/start`);
    expect(again.status).toBe(404);
  });

  test('in a session that only speaks for somebody, nor at a provider that is not theirs', async () => {
    const { userId, browser } = await createAnswered('kim');
    const providerId = await addSaml({ status: 'active' });
    // The address of the token's owner is in the domain, too.
    await db()
      .update(tables.users)
      .set({ email: emailOf('owner') })
      .where(isNull(tables.users.email));
    const cookie = await pages.signIn();
    expect((await pages.get(`/account/sso/saml/${providerId}/start`, { cookie })).status).toBe(404);

    const other = newId();
    await db().insert(tables.organizations).values({ id: other, title: 'Other' });
    const foreign = await addSaml({ organizationId: other, status: 'active' });
    expect((await browser.get(`/account/sso/saml/${foreign}/start`)).status).toBe(404);
    expect(await (await browser.get('/account')).text()).not.toContain(foreign);
    expect(await identitiesOf(userId)).toEqual([]);

    // One that nobody has used yet is shown to members alone.
    const pending = await addSaml();
    await db().delete(tables.members).where(eq(tables.members.userId, userId));
    expect((await browser.get(`/account/sso/saml/${pending}/start`)).status).toBe(404);
    expect((await browser.get(`/account/sso/saml/${providerId}/start`)).status).toBe(303);
  });
});
