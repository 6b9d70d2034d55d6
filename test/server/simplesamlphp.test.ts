/** Signing in at an identity provider that somebody else wrote: Debian's package of SimpleSAMLphp. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceOf } from '../../src/identity/index.ts';
import { createToken } from '../../src/platform/index.ts';
import {
  findUserByEmail,
  insertIdentityProvider,
  loadIdentityProvider,
  loadMember,
  newId,
  openStore,
  type Store,
} from '../../src/store/index.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { hasSimpleSamlPhp, type RunningProvider, startSimpleSamlPhp } from '../support/saml/simplesamlphp.ts';
import { type Browsing, openBrowsing, readForm, type Served, startServe } from './start-serve.ts';

const where = hasSimpleSamlPhp ? '' : ' (skipped: install simplesamlphp, php-cli and php-xml)';

describe.skipIf(!hasSimpleSamlPhp)(`signing in at SimpleSAMLphp${where}`, () => {
  let served: Served;
  let store: Store;
  let provider: RunningProvider;
  let organizationId: string;
  let token: string;
  let providerId: string;
  let service: ReturnType<typeof serviceOf>;

  beforeAll(async () => {
    [served, provider] = await Promise.all([
      startServe(),
      startSimpleSamlPhp({
        name: 'grace',
        password: 'a password of hers',
        attributes: { email: 'grace@corp.example', displayName: 'Grace Hopper' },
      }),
    ]);
    store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] });
    const created = await createToken(store.db, { name: 'test', role: 'admin' });
    token = created.token;
    organizationId = created.organization.id;
    await proveDomain(store.db, organizationId, 'corp.example');
    ({ id: providerId } = await insertIdentityProvider(store.db, {
      id: newId(),
      organizationId,
      kind: 'saml',
      label: 'SimpleSAMLphp',
      entityId: provider.entityId,
      ssoUrl: provider.ssoUrl,
      certificates: [provider.certificate],
      defaultRole: 'read',
    }));
    service = serviceOf(served.url, providerId);
  });
  afterAll(async () => {
    await provider?.close();
    await store?.close();
    await served?.close();
  });

  /**
   * Goes from the start of a sign-in to the answer of the service, as a browser without script does. `as` is whom the
   * provider is told to sign in for, in place of the service.
   */
  async function signIn(browser: Browsing, as = service.entityID): Promise<Response> {
    const idp = openBrowsing(new URL(provider.entityId).origin);
    const started = await browser.get(`/saml/${providerId}/start?next=${encodeURIComponent('/search?q=x')}`);
    let address = renameService(started.headers.get('location') ?? '', as);
    let page = await idp.get(address);
    while (page.status === 302 || page.status === 303) {
      address = new URL(page.headers.get('location') ?? '', address).href;
      page = await idp.get(address);
    }
    const login = await page.text();
    const answered = await idp.post(new URL('?', address).href, {
      username: 'grace',
      password: 'a password of hers',
      AuthState: readForm(login, /name="AuthState" value="([^"]+)"/),
    });
    const form = await answered.text();
    expect(readForm(form, /<form method="post"\s+action="([^"]+)"/)).toBe(service.acsURL);
    return await browser.post(
      service.acsURL,
      {
        SAMLResponse: readForm(form, /name="SAMLResponse" value="([^"]+)"/),
        RelayState: readForm(form, /name="RelayState" value="([^"]+)"/),
      },
      { origin: new URL(provider.entityId).origin },
    );
  }

  function renameService(address: string, entityID: string): string {
    const url = new URL(address);
    const request = inflateRawSync(
      Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64'),
    ).toString();
    const renamed = request.replace(service.entityID, entityID);
    url.searchParams.set('SAMLRequest', deflateRawSync(renamed).toString('base64'));
    return url.href;
  }

  it('makes a member, who is the same at the next sign-in', async () => {
    await provider.trust(service);
    const browser = served.browse();
    const ended = await signIn(browser);
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/search?q=x']);
    expect(await (await browser.get('/')).text()).toContain('Grace Hopper');
    const user = await findUserByEmail(store.db, 'grace@corp.example');
    expect((await loadMember(store.db, organizationId, user?.id ?? ''))?.member.role).toBe('read');
    expect((await loadIdentityProvider(store.db, providerId))?.status).toBe('active');
    expect((await signIn(served.browse())).status).toBe(303);
    expect((await findUserByEmail(store.db, 'grace@corp.example'))?.id).toBe(user?.id);
  });

  it('is refused where the answer is for another audience', async () => {
    const entityID = 'https://other.example/metadata';
    await provider.trust({ ...service, entityID });
    const browser = served.browse();
    const refused = await signIn(browser, entityID);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('SimpleSAMLphp did not sign you in here');
    expect(await (await browser.get('/')).text()).not.toContain('Grace Hopper');
    const audit = await fetch(`${served.url}/v1/orgs/${organizationId}/audit`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { items } = (await audit.json()) as { items: { reason?: string }[] };
    expect(items.map(({ reason = '' }) => reason).join('\n')).toContain('meant for another service');
  });
});
