/** Signing in by OpenID Connect at a real provider, through the pages and operations of a server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createToken } from '../../src/platform/index.ts';
import {
  ensureMember,
  findUserByEmail,
  insertVerifiedUser,
  loadMember,
  newId,
  openStore,
  type Store,
  tables,
} from '../../src/store/index.ts';
import { agreeAtProvider } from '../support/oidc/agree-at-provider.ts';
import { OIDC_CLIENT, serveOidcProvider } from '../support/oidc/serve-oidc-provider.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { type Browsing, type Served, startServe } from './start-serve.ts';

let served: Served;
let store: Store;
let provider: Awaited<ReturnType<typeof serveOidcProvider>>;
let organizationId: string;
let token: string;
let oidc: {
  readonly id: string;
  readonly service: { readonly redirectURL: string; readonly startURL: string };
};
let accountId = '';

beforeAll(async () => {
  provider = await serveOidcProvider({
    accountId: () => accountId,
    claimsOf: (id) => ({
      email: `${id}@corp.example`,
      email_verified: id !== 'unverified',
      name: `${id} of Corp`,
    }),
  });
  served = await startServe({ ALLOWED_HOSTS: 'localhost' });
  store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] });
  const created = await createToken(store.db, { name: 'test', role: 'admin' });
  token = created.token;
  organizationId = created.organization.id;
  await proveDomain(store.db, organizationId, 'corp.example');
});
afterAll(async () => {
  await store?.close();
  await served?.close();
  await provider?.close();
});
beforeEach(async () => {
  oidc = await api('POST', '/oidc', {
    label: 'Corp',
    issuer: provider.issuer,
    ...OIDC_CLIENT,
    defaultRole: 'read',
  });
  provider.register(oidc.service.redirectURL);
});

async function api(method: string, path: string, body?: object, bearer = token) {
  const response = await fetch(`${served.url}/v1/orgs/${organizationId}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

const agree = (authorizationUrl: string) => agreeAtProvider(authorizationUrl, served.url);

async function signIn(browser: Browsing, account: string, next = '/'): Promise<Response> {
  accountId = account;
  const started = await browser.get(`${oidc.service.startURL}?next=${encodeURIComponent(next)}`);
  expect(started.status).toBe(303);
  return await browser.get(await agree(started.headers.get('location') ?? ''));
}

const home = async (browser: Browsing) => await (await browser.get('/')).text();

describe('a sign-in by OpenID Connect', () => {
  it('makes a user with the default role, signs them in, and activates the provider', async () => {
    const browser = served.browse();
    const started = await browser.get(`${oidc.service.startURL}?next=/search`);
    expect(started.headers.getSetCookie().join()).toMatch(/^docloom-oidc=.*HttpOnly; SameSite=Lax/);
    expect(started.headers.get('cache-control')).toBe('no-store');
    const ended = await signIn(browser, 'grace', '/search?q=x');
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/search?q=x']);
    expect(await home(browser)).toContain('grace of Corp');
    const user = await findUserByEmail(store.db, 'grace@corp.example');
    expect(user?.emailVerifiedAt).toBeInstanceOf(Date);
    expect((await loadMember(store.db, organizationId, user?.id ?? ''))?.member.role).toBe('read');
    expect((await api('GET', `/oidc/${oidc.id}`)).status).toBe('active');
    expect((await api('GET', '/audit?limit=5')).items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'session.start', after: { provider: 'oidc' } }),
        expect.objectContaining({ action: 'user.create' }),
      ]),
    );
  });

  it('links a user whose address is verified, keeps their role, and refuses the disabled and the unverified', async () => {
    const id = newId();
    await insertVerifiedUser(store.db, { id, displayName: 'Ida', email: 'ida@corp.example' });
    await ensureMember(store.db, { organizationId, userId: id, role: 'admin' });
    const browser = served.browse();
    expect((await signIn(browser, 'ida')).status).toBe(303);
    expect(await home(browser)).toContain('Ida');
    expect((await loadMember(store.db, organizationId, id))?.member.role).toBe('admin');

    await signIn(served.browse(), 'joan');
    const joan = await findUserByEmail(store.db, 'joan@corp.example');
    await api('PATCH', `/members/${joan?.id}`, { disabled: true });
    const disabled = await signIn(served.browse(), 'joan');
    expect([disabled.status, await disabled.text()]).toEqual([403, expect.stringContaining('is disabled')]);
    const unverified = await signIn(served.browse(), 'unverified');
    expect([unverified.status, await unverified.text()]).toEqual([
      403,
      expect.stringContaining('does not say that your address'),
    ]);
  });

  it('ends in the browser that began it, once, whichever process answers', async () => {
    const other = await served.startAnother();
    const browser = served.browse();
    accountId = 'katherine';
    const started = await browser.get(oidc.service.startURL);
    const back = await agree(started.headers.get('location') ?? '');
    // Somebody else’s browser, which was sent this address, is not signed in as Katherine.
    const victim = await served.browse().get(back);
    expect([victim.status, victim.headers.getSetCookie()]).toEqual([403, []]);
    const cookie = started.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const send = (url: string) =>
      fetch(back.replace(served.url, url), { redirect: 'manual', headers: { cookie } });
    const statuses = (await Promise.all([send(served.url), send(other.url), send(other.url)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([303, 403, 403]);
    await other.close();
  });

  it('returns to paths of this server only', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/logout'])
      expect((await signIn(served.browse(), 'sophie', next)).headers.get('location')).toBe('/');
  });

  it('is open in several tabs at once, and refused at addresses where there is none', async () => {
    const browser = served.browse();
    accountId = 'tabs';
    const starts = [];
    for (const tab of [1, 2])
      starts.push((await browser.get(`${oidc.service.startURL}?next=/?tab=${tab}`)).headers.get('location'));
    for (const [index, start] of starts.entries()) {
      const ended = await browser.get(await agree(start ?? ''));
      expect(ended.headers.get('location')).toBe(`/?tab=${index + 1}`);
    }
    expect((await browser.get('/oidc/nothing/start')).status).toBe(404);
    expect((await browser.get('/oidc/nothing/callback?code=a&state=b')).status).toBe(403);
    expect((await browser.get(`/oidc/${oidc.id}/callback`)).status).toBe(403);
  });

  it('counts as single sign-on: it may be required, and ends with its provider', async () => {
    const id = newId();
    await insertVerifiedUser(store.db, { id, displayName: 'Vera', email: 'vera@corp.example' });
    await ensureMember(store.db, { organizationId, userId: id, role: 'admin' });
    const browser = served.browse();
    await signIn(browser, 'vera');
    await store.db.update(tables.organizations).set({ sso: true });
    for (const { id: each } of (await api('GET', '/oidc?limit=100')).items)
      if (each !== oidc.id) await api('DELETE', `/oidc/${each}`);
    expect((await api('DELETE', `/oidc/${oidc.id}`)).error.reason).toBe('last-provider');
    expect((await browser.get('/')).status).toBe(200);
    expect(await home(browser)).toContain('Vera');
    expect((await api('PATCH', '', { sso: false })).sso).toBe(false);
    expect(await api('DELETE', `/oidc/${oidc.id}`)).toBeNull();
    expect(await home(browser)).not.toContain('Vera');
  });
});
