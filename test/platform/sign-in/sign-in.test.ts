import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, openMailer } from '../../../src/identity/index.ts';
import { recheckDomains } from '../../../src/platform/index.ts';
import {
  claimEmailDomain,
  deleteIdentityProvider,
  forgetProviderAccounts,
  insertIdentityProvider,
  insertSession,
  lockCredentials,
  newId,
  setEmailDomainProved,
  tables,
  updateIdentityProvider,
} from '../../../src/store/index.ts';
import { createSigningKey } from '../../support/saml/certificate.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let base: string;
/** TXT records by name; an error is an outage of the DNS. */
const dns = new Map<string, readonly string[] | Error>();

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  base = `/orgs/${platform.organizationId}`;
  Object.assign(platform.deps, {
    async resolveTxt(name: string) {
      const found = dns.get(name) ?? null;
      if (found instanceof Error) throw found;
      return found;
    },
  });
});
afterAll(() => platform?.close());

const call = async (method: string, path: string, body?: unknown) =>
  await platform.api(method, path, body === undefined ? {} : { body });
const actions = async () =>
  (await call('GET', `${base}/audit?limit=100`)).body.items.map(({ action }: { action: string }) => action);

describe('a SAML provider', () => {
  const [current, next] = [createSigningKey(), createSigningKey()];

  it('has the addresses to enter at the provider before anything of it is known', async () => {
    const { status, body } = await call('POST', `${base}/saml`, { label: ' Okta ' });
    expect(status).toBe(201);
    const service = `http://docs.example/saml/${body.id}`;
    expect(body).toMatchObject({
      object: 'saml-provider',
      label: 'Okta',
      ssoURL: 'about:blank',
      entityID: '',
      certificate: '',
      defaultRole: null,
      status: 'pending',
      service: { acsURL: `${service}/acs`, startURL: `${service}/start`, entityID: `${service}/metadata` },
    });
    expect((await call('GET', `${base}/sso`)).body.items).toEqual([
      { id: body.id, label: 'Okta', startURL: `${service}/start` },
    ]);
  });

  it('has addresses that every provider takes: Okta refuses underscores', async () => {
    const addresses = [];
    for (let count = 0; count < 20; count++) {
      const { body } = await call('POST', `${base}/saml`, { label: `Okta ${count}` });
      addresses.push(body.service.acsURL);
      await call('DELETE', `${base}/saml/${body.id}`);
    }
    expect(addresses.filter((address) => address.includes('_'))).toEqual([]);
  });

  it('exchanges its certificate with two that are valid meanwhile', async () => {
    const team = (await call('PUT', `${base}/teams`, { title: 'Everybody' })).body;
    const { body: created } = await call('POST', `${base}/saml`, {
      label: 'Entra',
      entityID: 'https://idp.example',
      ssoURL: 'https://idp.example/sso',
      certificate: current.certificate.replace(/-----[A-Z ]+-----/g, ''),
      defaultRole: 'read',
      defaultTeam: team.id,
    });
    expect(created).toMatchObject({ certificate: current.certificate, defaultTeam: { id: team.id } });
    const path = `${base}/saml/${created.id}`;
    const both = await call('PATCH', path, { nextCertificate: next.certificate });
    expect(both.body).toMatchObject({ certificate: current.certificate, nextCertificate: next.certificate });
    const after = await call('PATCH', path, { certificate: next.certificate, nextCertificate: null });
    expect(after.body.certificate).toBe(next.certificate);
    expect(after.body.nextCertificate).toBeUndefined();
    expect((await call('GET', path)).body).toEqual(after.body);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect(await actions()).toEqual(
      expect.arrayContaining([
        'identity-provider.create',
        'identity-provider.update',
        'identity-provider.delete',
      ]),
    );
  });

  it.each([
    [
      'a certificate that is none',
      { certificate: 'hello' },
      'certificate of the body must be a certificate in PEM',
    ],
    ['an empty certificate', { certificate: ' ' }, 'certificate of the body must be a certificate in PEM'],
    [
      'a second certificate alone',
      { nextCertificate: next.certificate },
      'must be there before the next one',
    ],
    ['a team that is not there', { defaultTeam: 'nothing' }, 'defaultTeam of the body is not a team'],
    ['an address of another scheme', { ssoURL: 'javascript:alert(1)' }, 'must be an http or https URL'],
    ['a role above all', { defaultRole: 'owner' }, 'defaultRole'],
    ['a label that is too long', { label: 'x'.repeat(31) }, 'label'],
  ])('is refused with %s', async (_, fields, message) => {
    const { status, body } = await call('POST', `${base}/saml`, { label: 'Bad', ...fields });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('of another organization is not there', async () => {
    const other = (await call('POST', '/orgs', { title: 'Other' })).body.id;
    const { id } = (await call('POST', `/orgs/${other}/saml`, { label: 'Other' })).body;
    for (const method of ['GET', 'PATCH']) {
      const answer = await call(method, `${base}/saml/${id}`, method === 'PATCH' ? {} : undefined);
      expect(answer.status).toBe(404);
    }
    expect((await call('DELETE', `${base}/saml/${id}`)).status).toBe(204);
    expect((await call('GET', `/orgs/${other}/saml/${id}`)).status).toBe(200);
  });
});

describe('an OpenID Connect provider', () => {
  it('has the address to enter at the provider, and never shows its secret', async () => {
    const { status, body } = await call('POST', `${base}/oidc`, { label: ' Google ' });
    expect(status).toBe(201);
    const service = `http://docs.example/oidc/${body.id}`;
    expect(body).toMatchObject({
      object: 'oidc-provider',
      label: 'Google',
      issuer: '',
      clientID: '',
      hasClientSecret: false,
      scopes: ['openid', 'email', 'profile'],
      defaultRole: null,
      status: 'pending',
      service: { redirectURL: `${service}/callback`, startURL: `${service}/start` },
    });
    expect((await call('GET', `${base}/sso`)).body.items).toContainEqual({
      id: body.id,
      label: 'Google',
      startURL: `${service}/start`,
    });
    const path = `${base}/oidc/${body.id}`;
    const changed = await call('PATCH', path, {
      issuer: 'https://accounts.google.com',
      clientID: 'docs',
      clientSecret: 'hush-hush-hush',
      scopes: ['email'],
      defaultRole: 'read',
    });
    expect(changed.body).toMatchObject({ hasClientSecret: true, scopes: ['openid', 'email'] });
    const seen = [changed, await call('GET', path), await call('GET', `${base}/oidc`)];
    const { db } = platform.deps;
    const rows = await db.select().from(tables.identityProviders);
    const log = await call('GET', `${base}/audit?target=${body.id}`);
    for (const text of [...seen.map(({ body: seenBody }) => seenBody), rows, log.body].map((value) =>
      JSON.stringify(value),
    ))
      expect(text).not.toContain('hush');
    expect(log.body.items[0]).toMatchObject({
      action: 'identity-provider.update',
      before: { hasClientSecret: false, issuer: null },
      after: { hasClientSecret: true, clientSecret: 'changed', issuer: 'https://accounts.google.com' },
    });
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
  });

  it('forgets its secret and who signed in there when its issuer becomes another', async () => {
    const { db } = platform.deps;
    const { body } = await call('POST', `${base}/oidc`, {
      label: 'One',
      issuer: 'https://one.example',
      clientID: 'docs',
      clientSecret: 'hush-hush-hush',
    });
    const { userId } = await createMember(platform, 'Linked', { role: 'read' });
    const identity = { id: newId(), userId, providerId: body.id, kind: 'oidc', subject: '1001' };
    await db.insert(tables.userIdentities).values(identity);
    await updateIdentityProvider(db, body.id, { status: 'active' });
    const path = `${base}/oidc/${body.id}`;
    expect((await call('PATCH', path, { clientID: 'other' })).body.status).toBe('active');
    expect((await call('PATCH', path, { issuer: 'https://two.example' })).body).toMatchObject({
      status: 'pending',
      hasClientSecret: false,
    });
    const left = await db.select().from(tables.userIdentities);
    expect(left.filter(({ providerId }) => providerId === body.id)).toEqual([]);
    expect((await call('DELETE', path)).status).toBe(204);
  });

  it.each([
    ['an issuer with a query', { issuer: 'https://idp.example/?a=b' }, 'issuer'],
    ['an issuer of another scheme', { issuer: 'file:///etc/passwd' }, 'issuer'],
    ['a scope of two words', { scopes: ['email profile'] }, 'must be one word'],
    ['a secret of two lines', { clientSecret: 'a\nb' }, 'must have ASCII characters only'],
    ['a team that is not there', { defaultTeam: 'nothing' }, 'is not a team'],
  ])('is refused with %s', async (_, fields, message) => {
    const { status, body } = await call('POST', `${base}/oidc`, { label: 'Bad', ...fields });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is no SAML provider, and is not there in another organization', async () => {
    const other = (await call('POST', '/orgs', { title: 'Other' })).body.id;
    const { id } = (await call('POST', `/orgs/${other}/oidc`, { label: 'Other' })).body;
    for (const path of [`${base}/oidc/${id}`, `/orgs/${other}/saml/${id}`]) {
      expect((await call('GET', path)).status).toBe(404);
      expect((await call('PATCH', path, {})).status).toBe(404);
      expect((await call('DELETE', path)).status).toBe(204);
    }
    expect((await call('GET', `/orgs/${other}/oidc/${id}`)).status).toBe(200);
  });
});

it('a session of a provider opens only its organization, and ends with the accounts when another provider takes its place', async () => {
  const { db } = platform.deps;
  const elsewhere = platform.organizationId;
  const organizationId = (await call('POST', '/orgs', { title: 'Provided' })).body.id;
  const { userId } = await createMember(platform, 'Both', { role: 'admin' });
  await db.insert(tables.members).values({ organizationId, userId, role: 'read' });
  const saml = `/orgs/${organizationId}/saml`;
  const { id: providerId } = (await call('POST', saml, { label: 'Okta', entityID: 'https://one.example' }))
    .body;
  await db
    .insert(tables.userIdentities)
    .values({ id: newId(), userId, providerId, kind: 'saml', subject: '1001' });
  const secret = newId().padEnd(43, 'x');
  const session = { id: newId(), hash: hashToken(secret), userId, provider: 'saml', providerId };
  await insertSession(db, { ...session, displayName: 'Both', ssoOrganizationId: organizationId }, new Date());
  const statusOf = async (id: string) =>
    (await platform.api('GET', `/orgs/${id}`, { token: `dls_${secret}` })).status;
  expect([await statusOf(organizationId), await statusOf(elsewhere)]).toEqual([200, 404]);

  // Tokens that are made in it, with such a token, and in a session that was begun with one, end as well.
  const expiresAt = new Date(Date.now() + 60 * 60 * 1000).toISOString();
  const create = async (token: string) =>
    (await platform.api('POST', '/user/tokens', { token, body: { name: 'Mine', role: 'read', expiresAt } }))
      .body;
  const first = await create(`dls_${secret}`);
  const begun = newId().padEnd(43, 'y');
  const withToken = { id: newId(), hash: hashToken(begun), userId, provider: 'token', tokenId: first.id };
  await insertSession(
    db,
    { ...withToken, displayName: 'Both', ssoOrganizationId: organizationId },
    new Date(),
  );
  const tokens = [first.token, (await create(first.token)).token, (await create(`dls_${begun}`)).token];
  const statuses = async () =>
    await Promise.all(
      [...tokens, `dls_${begun}`].map(
        async (token) => (await platform.api('GET', `/orgs/${organizationId}`, { token })).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200]);

  const patched = await call('PATCH', `${saml}/${providerId}`, { entityID: 'https://two.example' });
  expect(patched.status).toBe(200);
  expect(await statusOf(organizationId)).toBe(401);
  expect(await statuses()).toEqual([401, 401, 401, 401]);
  expect(await db.select().from(tables.userIdentities)).toEqual([]);
  const [event] = (await call('GET', `/orgs/${organizationId}/audit?action=identity-provider.update`)).body
    .items;
  expect(event.before).toMatchObject({
    entityId: 'https://one.example',
    accounts: 1,
    users: [userId],
    tokens: 3,
  });
  const deleted = async () => {
    const path = `/orgs/${organizationId}/audit?action=identity-provider.delete`;
    return (await call('GET', path)).body.items[0].before;
  };
  await db.insert(tables.apiTokens).values({
    id: newId(),
    userId,
    name: 'Last',
    hash: newId(),
    expiresAt: new Date(expiresAt),
    createdBy: 'user',
    ssoProviderId: providerId,
  });
  expect((await call('DELETE', `${saml}/${providerId}`)).status).toBe(204);
  expect(await deleted()).toEqual({ accounts: 0, users: [], tokens: 1 });
});

it('a session of a provider neither sees nor ends what its user does elsewhere', async () => {
  const { db } = platform.deps;
  const organizationId = (await call('POST', '/orgs', { title: 'Nosy' })).body.id;
  const { userId } = await createMember(platform, 'Watched', { role: 'admin' });
  await db.insert(tables.members).values({ organizationId, userId, role: 'read' });
  const providerId = newId();
  await insertIdentityProvider(db, { id: providerId, organizationId, kind: 'saml', label: 'Okta' });
  const ssoOrganizationId = organizationId;
  const begin = async (id: string, how: object) => {
    const secret = newId().padEnd(43, 'z');
    const session = { id, hash: hashToken(secret), userId, provider: 'password', displayName: 'Watched' };
    await insertSession(db, { ...session, ...how }, new Date());
    return `dls_${secret}`;
  };
  const own = await begin('by-password', {});
  const token = await begin('by-provider', { provider: 'saml', providerId, ssoOrganizationId });
  await begin('by-code', { provider: 'recovery', ssoOrganizationId });
  const seenWith = async (bearer: string) =>
    (await platform.api('GET', '/user/sessions', { token: bearer })).body.items
      .map(({ id }: { id: string }) => id)
      .toSorted();
  expect(await seenWith(own)).toEqual(['by-code', 'by-password', 'by-provider']);
  expect(await seenWith(token)).toEqual(['by-code', 'by-provider']);
  await platform.api('DELETE', '/user/sessions/by-password', { token });
  await platform.api('DELETE', '/user/sessions', { token });
  expect(await seenWith(own)).toEqual(['by-password', 'by-provider']);
});

it('a token is not made by credentials that ended a moment before', async () => {
  const { db } = platform.deps;
  const { organizationId } = platform;
  const { userId } = await createMember(platform, 'Late', { role: 'read' });
  const providerId = newId();
  await insertIdentityProvider(db, { id: providerId, organizationId, kind: 'saml', label: 'Okta' });
  const session = { id: newId(), hash: newId(), userId, provider: 'saml', providerId };
  await insertSession(db, { ...session, displayName: 'L', ssoOrganizationId: organizationId }, new Date());
  const isThere = () => db.transaction((tx) => lockCredentials(tx, providerId, { sessionId: session.id }));
  expect(await isThere()).toBe(true);
  await db.transaction((tx) => forgetProviderAccounts(tx, providerId));
  expect(await isThere()).toBe(false);
  await db.transaction((tx) => deleteIdentityProvider(tx, providerId));
  expect(await isThere()).toBe(false);
});

describe('an e-mail domain', () => {
  it('is proved by a record in the DNS', async () => {
    const path = `${base}/email-domains/corp.example`;
    const { body: claimed } = await call('PUT', `${base}/email-domains/CORP.example`);
    expect(claimed).toMatchObject({
      domain: 'corp.example',
      status: 'pending',
      record: { type: 'TXT', name: '_docloom.corp.example' },
    });
    expect((await call('PUT', path)).body).toEqual(claimed);
    const { name, value } = claimed.record;

    const missing = await call('POST', `${path}/prove`);
    expect([missing.status, missing.body.error.reason]).toEqual([409, 'domain-not-proved']);
    expect(missing.body.error.message).toContain(`no TXT record ${name}`);
    dns.set(name, ['v=spf1 -all', 'docloom-domain=of-somebody-else']);
    expect((await call('POST', `${path}/prove`)).status).toBe(409);
    dns.set(name, new Error('no server answers'));
    expect((await call('POST', `${path}/prove`)).body.error.message).toContain('did not answer');
    dns.set(name, ['v=spf1 -all', value]);
    expect((await call('POST', `${path}/prove`)).body).toMatchObject({ status: 'proved' });

    expect((await call('GET', `${base}/email-domains`)).body.items).toMatchObject([
      { domain: 'corp.example' },
    ]);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('DELETE', path)).status).toBe(204);
    // A new claim needs a new proof.
    expect((await call('PUT', path)).body.record.value).not.toBe(value);
    expect(await actions()).toEqual(
      expect.arrayContaining(['email-domain.claim', 'email-domain.prove', 'email-domain.delete']),
    );
  });

  it('is looked for every day, and after a week without its record it is not proved any more', async () => {
    const { db } = platform.deps;
    const organizationId = (await call('POST', '/orgs', { title: 'Looked for' })).body.id;
    const admin = await createMember({ deps: platform.deps, organizationId }, 'Admin', { role: 'admin' });
    await db
      .update(tables.users)
      .set({ emailVerifiedAt: new Date() })
      .where(eq(tables.users.id, admin.userId));
    const path = `/orgs/${organizationId}/email-domains/lapse.example`;
    const { record } = (await call('PUT', path)).body;
    dns.set(record.name, [record.value]);
    expect((await call('POST', `${path}/prove`)).body.status).toBe('proved');

    const start = Date.now();
    const from = { name: 'Docs', address: 'docs@docs.example' };
    const smtp = { host: 'mail.example', port: 25, secure: false, login: null, from };
    const mailer = openMailer({ ...platform.deps, smtp });
    let asked = 0;
    const look = async (days: number, found: readonly string[] | Error | null) => {
      if (found === null) dns.delete(record.name);
      else dns.set(record.name, found);
      const resolveTxt = async (name: string) => {
        if (name === record.name) asked += 1;
        return (await platform.deps.resolveTxt?.(name)) ?? null;
      };
      const now = () => new Date(start + days * 24 * 60 * 60 * 1000 + 60_000);
      const deps = { db, mailer, publicUrl: 'http://docs.example', resolveTxt, now };
      // Two processes look at the same time.
      const { signal } = new AbortController();
      await Promise.all([recheckDomains(deps, signal), recheckDomains(deps, signal)]);
      const { items } = (await call('GET', `/orgs/${organizationId}/email-domains`)).body;
      return items[0].status;
    };
    const events = async () =>
      (await call('GET', `/orgs/${organizationId}/audit?action=email-domain`)).body.items.map(
        ({ action }: { action: string }) => action,
      );

    expect([await look(0, null), asked]).toEqual(['proved', 0]);
    expect([await look(1, null), asked]).toEqual(['proved', 1]);
    expect([await look(1.5, null), asked]).toEqual(['proved', 1]);
    // Found again, and no answer: neither counts.
    for (const days of [2, 3, 4, 5, 6, 7]) expect(await look(days, null)).toBe('proved');
    expect(await look(8, [record.value])).toBe('proved');
    expect(await look(9, ['docloom-domain=of-somebody-else'])).toBe('proved');
    for (const days of [10, 13, 15]) expect(await look(days, null)).toBe('proved');
    expect(await look(16, new Error('no server answers'))).toBe('proved');
    expect(await look(17, null)).toBe('pending');
    expect(await look(19, [record.value])).toBe('pending');
    expect(await events()).toEqual([
      'email-domain.lapse',
      'email-domain.miss',
      'email-domain.miss',
      'email-domain.prove',
      'email-domain.claim',
    ]);
    const mails = await db
      .select()
      .from(tables.mails)
      .where(eq(tables.mails.organizationId, organizationId))
      .orderBy(tables.mails.createdAt);
    expect(new Set(mails.map(({ template }) => template))).toEqual(new Set(['domain-missing']));
    const values = mails.map(
      ({ sealedValues }) => JSON.parse(platform.deps.sealer.unseal(sealedValues ?? '')).values,
    );
    expect(values).toEqual(
      [7, 7, null].map((days) => ({
        url: `http://docs.example/orgs/${organizationId}/sso`,
        domain: 'lapse.example',
        name: record.name,
        value: record.value,
        days,
      })),
    );
    // The claim stays, and is proved again by the same record.
    expect((await call('POST', `${path}/prove`)).body.status).toBe('proved');
  });

  it.each(['localhost', '10.0.0.1', 'a..b', '-a.example', '*.example.com', 'example.com.'])(
    'is refused as %s',
    async (domain) => {
      expect((await call('PUT', `${base}/email-domains/${encodeURIComponent(domain)}`)).status).toBe(400);
    },
  );
});

describe('single sign-on alone', () => {
  it('is taken only when a provider works and the administrator can get in', async () => {
    const { db } = platform.deps;
    const organizationId = (await call('POST', '/orgs', { title: 'Strict' })).body.id;
    const path = `/orgs/${organizationId}`;
    const admin = await createMember({ deps: platform.deps, organizationId }, 'Admin', { role: 'admin' });
    const asAdmin = (method: string, to: string, body?: unknown) =>
      platform.api(method, to, { token: admin.token, ...(body === undefined ? {} : { body }) });
    const provider = (await asAdmin('POST', `${path}/saml`, { label: 'Okta' })).body;
    const { certificate } = createSigningKey();
    const values = { entityID: 'https://idp.example', ssoURL: 'https://idp.example/sso', certificate };
    const switchOn = () => asAdmin('PATCH', path, { sso: true });

    expect((await switchOn()).body.error).toMatchObject({
      reason: 'sso-not-ready',
      message: expect.stringContaining('has signed anybody in'),
    });
    await updateIdentityProvider(db, provider.id, { status: 'active' });
    // Whatever it was before, without its values nobody signs in there.
    expect((await switchOn()).body.error.reason).toBe('sso-not-ready');
    await asAdmin('PATCH', `${path}/saml/${provider.id}`, values);
    await updateIdentityProvider(db, provider.id, { status: 'active' });
    expect((await switchOn()).body.error.message).toContain('lock yourself out');
    await db.insert(tables.recoveryCodes).values({ hash: newId(), organizationId, userId: admin.userId });
    expect((await switchOn()).body).toMatchObject({ sso: true });
    // From now on the token, which did not pass it, opens nothing here.
    expect((await asAdmin('GET', path)).body.error.reason).toBe('sso-required');
    // But it says where to sign in, to whoever belongs to the organization.
    expect((await asAdmin('GET', `${path}/sso`)).body.items).toMatchObject([
      { id: provider.id, label: 'Okta' },
    ]);
    const stranger = await createMember(platform, 'Stranger', { role: 'admin' });
    expect((await platform.api('GET', `${path}/sso`, { token: stranger.token })).status).toBe(404);
    // The operator's token still does.
    expect((await call('DELETE', `${path}/saml/${provider.id}`)).body.error.reason).toBe('last-provider');
    expect((await call('PATCH', path, { sso: false })).status).toBe(200);
    expect((await call('DELETE', `${path}/saml/${provider.id}`)).status).toBe(204);
  });

  it('of one member is taken as that of all is', async () => {
    const { db } = platform.deps;
    const organizationId = (await call('POST', '/orgs', { title: 'Partly strict' })).body.id;
    const path = `/orgs/${organizationId}`;
    const make = (name: string, role: string) =>
      createMember({ deps: platform.deps, organizationId }, name, { role });
    const [admin, other] = [await make('Admin', 'admin'), await make('Other', 'read')];
    // Made the organization, and leaves it to the administrator.
    const maker = (await call('GET', '/user')).body.id;
    const as = (token: string) => async (method: string, to: string, body?: object) =>
      await platform.api(method, to, { token, ...(body === undefined ? {} : { body }) });
    const asAdmin = as(admin.token);
    const { certificate } = createSigningKey();
    const values = { entityID: 'https://idp.example', ssoURL: 'https://idp.example/sso', certificate };
    const provider = (await asAdmin('POST', `${path}/saml`, { label: 'Okta', ...values })).body;
    const one = `${path}/members/${other.userId}`;

    for (const answer of [await asAdmin('POST', `${one}/sso`), await asAdmin('PATCH', one, { sso: true })])
      expect(answer.body.error).toMatchObject({ code: 409, reason: 'sso-not-ready' });
    await updateIdentityProvider(db, provider.id, { status: 'active' });
    expect((await asAdmin('POST', `${one}/sso`)).body).toMatchObject({ sso: true });
    // Their provider stays as long as they need it.
    const last = await asAdmin('DELETE', `${path}/saml/${provider.id}`);
    expect(last.body.error).toMatchObject({
      reason: 'last-provider',
      message: expect.stringContaining('Some members'),
    });
    for (const entityID of ['', 'https://other.example'])
      expect((await asAdmin('PATCH', `${path}/saml/${provider.id}`, { entityID })).status).toBe(409);
    expect((await asAdmin('PATCH', `${path}/saml/${provider.id}`, { certificate: '' })).status).toBe(400);

    const own = `${path}/members/${admin.userId}`;
    expect((await asAdmin('POST', `${own}/sso`)).body.error.message).toContain('lock yourself out');
    expect((await call('DELETE', `${path}/members/${maker}`)).status).toBe(204);
    const operator = await createMember(platform, 'Operator of another organization', {});
    await db.insert(tables.members).values({ organizationId, userId: operator.userId, role: 'create' });
    await db
      .insert(tables.grants)
      .values({ id: newId(), organizationId, userId: operator.userId, role: 'admin' });
    const asOperator = as(operator.token);
    expect((await asOperator('POST', `${own}/sso`)).body.error.message).toContain('The last administrator');
    const identity = {
      id: newId(),
      userId: admin.userId,
      providerId: provider.id,
      kind: 'saml',
      subject: 'admin',
    };
    await db.insert(tables.userIdentities).values(identity);
    expect((await asOperator('POST', `${own}/sso`)).body).toMatchObject({ sso: true });
    for (const to of [one, own]) expect((await asOperator('PATCH', to, { sso: false })).status).toBe(200);
    expect((await asOperator('DELETE', `${path}/saml/${provider.id}`)).status).toBe(204);
  });
});

describe('accounts with an unconfirmed address of a proved domain', () => {
  it('are shown to the organization unless they are members, and released', async () => {
    const { db } = platform.deps;
    await claimEmailDomain(db, {
      organizationId: platform.organizationId,
      domain: 'late.example',
      challenge: 'x',
    });
    const make = async (
      name: string,
      options: { password?: boolean; verified?: boolean; member?: boolean } = {},
    ) => {
      const id = newId();
      const emailVerifiedAt = options.verified ? new Date() : null;
      await db
        .insert(tables.users)
        .values({ id, displayName: `${name} of old`, email: `${name}@late.example`, emailVerifiedAt });
      if (options.password !== false) await db.insert(tables.passwords).values({ userId: id, hash: 'x' });
      if (options.member)
        await db
          .insert(tables.members)
          .values({ organizationId: platform.organizationId, userId: id, role: null });
      return id;
    };
    const squatter = await make('squatter');
    await make('unused', { password: false });
    await make('verified', { verified: true });
    const member = await make('member', { member: true });
    const list = async () => (await call('GET', `${base}/unconfirmed-accounts`)).body;
    expect(await list()).toMatchObject({ items: [], count: 0 });
    await setEmailDomainProved(db, platform.organizationId, 'late.example');
    expect(await list()).toMatchObject({
      items: [{ object: 'unconfirmed-account', id: squatter, email: 'squatter@late.example' }],
      count: 1,
    });

    for (const id of [member, squatter, squatter, 'no-such-user'])
      expect((await call('DELETE', `${base}/unconfirmed-accounts/${id}`)).status).toBe(204);
    expect(await list()).toMatchObject({ items: [], count: 0 });
    const left = await db.select({ userId: tables.passwords.userId }).from(tables.passwords);
    expect(left.map(({ userId }) => userId).filter((id) => [member, squatter].includes(id))).toEqual([
      member,
    ]);
    expect((await actions()).filter((action: string) => action === 'user.release')).toHaveLength(1);
    const [released] = await db.select().from(tables.users).where(eq(tables.users.id, squatter));
    expect(released?.displayName).toBe('squatter');
  });
});
