import { inflateRawSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSamlSignIn, hashToken, newTokenText } from '../../src/identity/index.ts';
import {
  countLoginSearch,
  countRefusedAnswer,
  countSignInStart,
  uncountSignInStart,
} from '../../src/identity/sign-in/attempts.ts';
import { createToken } from '../../src/platform/index.ts';
import {
  claimEmailDomain,
  deleteEmailDomain,
  ensureMember,
  ensureUser,
  findUserByEmail,
  insertIdentityProvider,
  insertOrganization,
  insertSignInRequest,
  insertToken,
  loadIdentityProvider,
  loadMember,
  newId,
  openStore,
  type Store,
  setEmailDomainProved,
  tables,
  updateIdentityProvider,
} from '../../src/store/index.ts';
import { casesAtLength, testAtLength } from '../support/describe-at-length.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { listForgeries } from '../support/saml/forgeries.ts';
import { type Answer, createIdentityProvider, encode, idOf } from '../support/saml/identity-provider.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Browsing, type Served, startServe } from './start-serve.ts';

let served: Served;
let store: Store;
let organizationId: string;
let token: string;
let providerId: string;
const idp = createIdentityProvider();

beforeAll(async () => {
  served = await startServe();
  store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] });
  const created = await createToken(store.db, { name: 'test', role: 'admin' });
  token = created.token;
  organizationId = created.organization.id;
  await prove('corp.example');
});
afterAll(async () => {
  await store?.close();
  await served?.close();
});
beforeEach(async () => {
  providerId = await addProvider();
  // All tests come from the same network address.
  await store.db.delete(tables.signInFailures);
});

/** Those of this database that wait for a lock. */
const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

async function prove(domain: string): Promise<void> {
  await proveDomain(store.db, organizationId, domain);
}

async function addProvider(fields: object = {}): Promise<string> {
  const { id } = await insertIdentityProvider(store.db, {
    id: newId(),
    organizationId,
    kind: 'saml',
    label: 'Okta',
    entityId: idp.entityId,
    ssoUrl: 'https://idp.example/sso?tenant=1',
    certificates: [idp.certificate],
    defaultRole: 'read',
    ...fields,
  });
  return id;
}

/** Begins a sign-in in this browser; returns what the identity provider needs for its answer. */
async function begin(browser: Browsing, next = '/', provider = providerId) {
  const started = await browser.get(`/saml/${provider}/start?next=${encodeURIComponent(next)}`);
  expect(started.status).toBe(303);
  const url = new URL(started.headers.get('location') ?? '');
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const base = `${served.url}/saml/${provider}`;
  return {
    url,
    request,
    started,
    relayState: url.searchParams.get('RelayState') ?? '',
    to: {
      acsURL: `${base}/acs`,
      entityID: `${base}/metadata`,
      requestId: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
      now: new Date(),
    },
  };
}

function answerTo({ to }: Awaited<ReturnType<typeof begin>>, changes: Partial<Answer> = {}): string {
  const xml = idp.write(to, changes);
  return encode(idp.sign(xml, idOf(xml, 'Assertion')));
}

const post = (browser: Browsing, path: string, form: string, relayState: string) =>
  browser.post(path, { SAMLResponse: form, RelayState: relayState }, { origin: 'https://idp.example' });

/** Signs in as somebody new; returns the answer of the ACS. */
async function signIn(browser: Browsing, changes: Partial<Answer> = {}, next = '/') {
  const begun = await begin(browser, next);
  return await post(browser, `/saml/${providerId}/acs`, answerTo(begun, changes), begun.relayState);
}

const person = (name: string): Partial<Answer> => ({
  nameId: `${name}-${newId()}`,
  attributes: { email: `${name}@corp.example`, displayName: `${name} of Corp` },
});

async function auditLog(): Promise<{ action: string; outcome: string; reason?: string; after?: object }[]> {
  const response = await fetch(`${served.url}/v1/orgs/${organizationId}/audit?limit=20`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { items: [] }).items;
}

describe('a sign-in by SAML', () => {
  it('makes a user with the default role, signs them in, and activates the provider', async () => {
    const browser = served.browse();
    const begun = await begin(browser, '/search?q=x');
    expect(begun.url.origin + begun.url.pathname).toBe('https://idp.example/sso');
    expect(begun.url.searchParams.get('tenant')).toBe('1');
    expect(begun.request).toContain(`AssertionConsumerServiceURL="${begun.to.acsURL}"`);
    expect(begun.started.headers.getSetCookie().join()).toMatch(/HttpOnly; Secure; SameSite=None/);

    const ended = await post(
      browser,
      `/saml/${providerId}/acs`,
      answerTo(begun, person('grace')),
      begun.relayState,
    );
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/search?q=x']);
    expect(await (await browser.get('/')).text()).toContain('grace of Corp');

    const user = await findUserByEmail(store.db, 'grace@corp.example');
    expect(user?.emailVerifiedAt).toBeInstanceOf(Date);
    expect((await loadMember(store.db, organizationId, user?.id ?? ''))?.member.role).toBe('read');
    expect((await loadIdentityProvider(store.db, providerId))?.status).toBe('active');
    expect(await auditLog()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'session.start', outcome: 'success' }),
        expect.objectContaining({ action: 'user.create' }),
      ]),
    );
  });

  it('knows a user by provider and NameID, whatever address comes later', async () => {
    const first = person('hedy');
    expect((await signIn(served.browse(), first)).status).toBe(303);
    const user = await findUserByEmail(store.db, 'hedy@corp.example');
    const browser = served.browse();
    await signIn(browser, { ...first, attributes: { email: 'other@elsewhere.example' } });
    expect(await (await browser.get('/')).text()).toContain('hedy of Corp');
    expect(await findUserByEmail(store.db, 'other@elsewhere.example')).toBeNull();
    // The same NameID from another provider is somebody else.
    providerId = await addProvider();
    const other = await signIn(served.browse(), { ...first, attributes: {} });
    expect([other.status, await other.text()]).toEqual([403, expect.stringContaining('e-mail address')]);
    expect(user).not.toBeNull();
  });

  it('keeps the address of a user, whatever comes later, and confirms it where it is the same', async () => {
    const first = person('marie');
    expect((await signIn(served.browse(), first)).status).toBe(303);
    const user = await findUserByEmail(store.db, 'marie@corp.example');
    const isUser = eq(tables.users.id, user?.id ?? '');
    await store.db.update(tables.users).set({ emailVerifiedAt: null }).where(isUser);
    const again = async (email: string) => {
      expect((await signIn(served.browse(), { ...first, attributes: { email } })).status).toBe(303);
      const [row] = await store.db.select().from(tables.users).where(isUser);
      return [row?.email, row?.emailVerifiedAt === null];
    };
    expect(await again('curie@corp.example')).toEqual(['marie@corp.example', true]);
    expect(await findUserByEmail(store.db, 'curie@corp.example')).toBeNull();
    expect(await again('Marie@corp.example')).toEqual(['marie@corp.example', false]);
  });

  it('gives nobody the account of whoever had their address before', async () => {
    expect((await signIn(served.browse(), person('emmy'))).status).toBe(303);
    const refused = await signIn(served.browse(), person('emmy'));
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('signs in with another account of Okta'),
    ]);
    // At another provider of the organization it is the same person.
    providerId = await addProvider();
    expect((await signIn(served.browse(), person('emmy'))).status).toBe(303);
  });

  it('links a user without a verified address if there is no other way into the account', async () => {
    const { id } = await ensureUser(store.db, {
      id: newId(),
      displayName: 'Ada',
      email: 'ada@corp.example',
    });
    await ensureMember(store.db, { organizationId, userId: id, role: 'edit' });
    const soon = new Date(Date.now() + 60_000);
    const long = new Date(Date.now() - 60_000);
    const other = await addProvider({ label: 'Elsewhere' });
    const { db } = store;
    const added = { id: newId(), userId: id };
    const ways = {
      async password() {
        await db.insert(tables.passwords).values({ userId: id, hash: 'x' });
        return () => db.delete(tables.passwords).where(eq(tables.passwords.userId, id));
      },
      async token() {
        await db.insert(tables.apiTokens).values({ ...added, name: 'x', hash: newId(), expiresAt: soon });
        return () =>
          db.update(tables.apiTokens).set({ expiresAt: long }).where(eq(tables.apiTokens.userId, id));
      },
      async session() {
        const session = { ...added, hash: newId(), provider: 'mail', displayName: 'Ada', expiresAt: soon };
        await db.insert(tables.sessions).values(session);
        return () => db.delete(tables.sessions).where(eq(tables.sessions.userId, id));
      },
      async identity() {
        await db
          .insert(tables.userIdentities)
          .values({ ...added, providerId: other, kind: 'saml', subject: 'x' });
        return () => db.delete(tables.userIdentities).where(eq(tables.userIdentities.userId, id));
      },
      async code() {
        await db.insert(tables.recoveryCodes).values({ hash: newId(), organizationId, userId: id });
        return () => db.delete(tables.recoveryCodes).where(eq(tables.recoveryCodes.userId, id));
      },
    };
    for (const [name, add] of Object.entries(ways)) {
      const remove = await add();
      const refused = await signIn(served.browse(), person('ada'));
      expect([name, refused.status, await refused.text()]).toEqual([
        name,
        403,
        expect.stringContaining('has not confirmed it'),
      ]);
      await remove();
    }
    const browser = served.browse();
    expect((await signIn(browser, person('ada'))).status).toBe(303);
    expect(await (await browser.get('/')).text()).toContain('Ada');
    expect((await findUserByEmail(db, 'ada@corp.example'))?.emailVerifiedAt).toBeInstanceOf(Date);
    expect((await loadMember(db, organizationId, id))?.member.role).toBe('edit');
    expect(await auditLog()).toContainEqual(expect.objectContaining({ action: 'user.verify-email' }));
  });

  it('links an existing user whose address is verified', async () => {
    const { id } = await ensureUser(store.db, { id: newId(), displayName: 'Ida', email: 'ida@corp.example' });
    await ensureMember(store.db, { organizationId, userId: id, role: 'admin' });
    await store.db.update(tables.users).set({ emailVerifiedAt: new Date() }).where(eq(tables.users.id, id));
    const browser = served.browse();
    expect((await signIn(browser, person('ida'))).status).toBe(303);
    expect(await (await browser.get('/')).text()).toContain('Ida');
    expect((await loadMember(store.db, organizationId, id))?.member.role).toBe('admin');
  });

  it('refuses addresses of domains that the organization has not proved, and disabled members', async () => {
    const refused = await signIn(served.browse(), {
      nameId: newId(),
      attributes: { email: 'x@other.example' },
    });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('has not proved that the domain other.example is its own'),
    ]);
    const joan = person('joan');
    expect((await signIn(served.browse(), joan)).status).toBe(303);
    const user = await findUserByEmail(store.db, 'joan@corp.example');
    await store.db
      .update(tables.members)
      .set({ disabledAt: new Date() })
      .where(eq(tables.members.userId, user?.id ?? ''));
    const disabled = await signIn(served.browse(), joan);
    expect([disabled.status, await disabled.text()]).toEqual([403, expect.stringContaining('is disabled')]);
  });

  it('ends with the e-mail domain for everybody of it, and comes back with it', async () => {
    await prove('gone.example');
    const gone = { nameId: newId(), attributes: { email: 'lise@gone.example' } };
    expect((await signIn(served.browse(), gone)).status).toBe(303);
    await deleteEmailDomain(store.db, organizationId, 'gone.example');
    for (const somebody of [gone, { nameId: newId(), attributes: { email: 'otto@gone.example' } }]) {
      const refused = await signIn(served.browse(), somebody);
      expect([refused.status, await refused.text()]).toEqual([
        403,
        expect.stringContaining('has not proved that the domain gone.example is its own'),
      ]);
    }
    // A claim alone is no proof.
    await claimEmailDomain(store.db, { organizationId, domain: 'gone.example', challenge: 'x' });
    expect((await signIn(served.browse(), gone)).status).toBe(403);
    await setEmailDomainProved(store.db, organizationId, 'gone.example');
    expect((await signIn(served.browse(), gone)).status).toBe(303);
  });

  it('is passed by a token that was made in it, also where the token is pasted', async () => {
    const browser = served.browse();
    expect((await signIn(browser, person('rosalind'))).status).toBe(303);
    const user = await findUserByEmail(store.db, 'rosalind@corp.example');
    const make = async (ssoProviderId: string | null) => {
      const text = newTokenText();
      await insertToken(store.db, {
        id: newId(),
        userId: user?.id ?? '',
        name: 'Mine',
        hash: hashToken(text),
        createdBy: 'user',
        expiresAt: new Date(Date.now() + 60 * 60 * 1000),
        ssoOrganizationId: ssoProviderId === null ? null : organizationId,
        ssoProviderId,
      });
      return text;
    };
    const isOrganization = eq(tables.organizations.id, organizationId);
    await store.db.update(tables.organizations).set({ sso: true }).where(isOrganization);
    const opens = async (pasted: string) => {
      const other = served.browse();
      expect((await other.post('/login', { token: pasted })).status).toBe(303);
      return (await other.get(`/orgs/${organizationId}`)).status;
    };
    try {
      expect([await opens(await make(providerId)), await opens(await make(null))]).toEqual([200, 403]);
    } finally {
      await store.db.update(tables.organizations).set({ sso: false }).where(isOrganization);
    }
  });

  it('uses a request and an assertion once, also in another process', async () => {
    const other = await served.startAnother();
    const browser = served.browse();
    const begun = await begin(browser);
    const form = answerTo(begun, person('katherine'));
    const acs = `/saml/${providerId}/acs`;
    // The cookies belong to the first process's address, as they would to the one address of both.
    const cookie = begun.started.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const send = async (url: string) =>
      await fetch(`${url}${acs}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams({ SAMLResponse: form, RelayState: begun.relayState }),
      });
    const statuses = (
      await Promise.all([send(served.url), send(other.url), send(served.url), send(other.url)])
    ).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 403, 403, 403]);
    expect((await auditLog()).filter(({ outcome }) => outcome === 'refused')[0]).toMatchObject({
      after: { refusal: 'request-used' },
    });
    // The same assertion in answer to another request names the first one.
    const second = await begin(browser);
    expect((await post(browser, acs, form, second.relayState)).status).toBe(403);
    expect((await auditLog())[0]).toMatchObject({ after: { refusal: 'in-response-to' } });
  });

  it('refuses an assertion id that signed somebody in before', async () => {
    const mary = { ...person('mary'), assertionId: `_a${newId().replace(/\W/g, '')}` };
    expect((await signIn(served.browse(), mary)).status).toBe(303);
    expect((await signIn(served.browse(), mary)).status).toBe(403);
    expect((await auditLog())[0]).toMatchObject({ outcome: 'refused', after: { refusal: 'replay' } });
  });

  it('refuses what this browser did not begin, and what nobody began', async () => {
    const begun = await begin(served.browse());
    const acs = `/saml/${providerId}/acs`;
    const form = answerTo(begun, person('ruth'));
    expect((await post(served.browse(), acs, form, begun.relayState)).status).toBe(403);
    expect((await auditLog())[0]).toMatchObject({ after: { refusal: 'other-browser' } });
    for (const relayState of ['', '/spaces', 'x'.repeat(43)]) {
      expect((await post(served.browse(), acs, form, relayState)).status).toBe(403);
      expect((await auditLog())[0]).toMatchObject({ after: { refusal: 'not-requested' } });
    }
    // Of another provider of the same server, which may belong to another organization.
    const browser = served.browse();
    const mine = await begin(browser);
    const other = await addProvider();
    expect((await post(browser, `/saml/${other}/acs`, answerTo(mine), mine.relayState)).status).toBe(403);
    expect((await auditLog())[0]).toMatchObject({ after: { refusal: 'other-provider' } });
  });

  it('returns to paths of this server only', async () => {
    const sophie = person('sophie');
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect((await signIn(served.browse(), sophie, next)).headers.get('location')).toBe('/');
  });

  it('is open in several tabs at once', async () => {
    const browser = served.browse();
    const tabs = person('tabs');
    const [first, second] = [await begin(browser, '/?tab=1'), await begin(browser, '/?tab=2')];
    for (const [begun, next] of [
      [first, '/?tab=1'],
      [second, '/?tab=2'],
    ] as const) {
      const ended = await post(browser, `/saml/${providerId}/acs`, answerTo(begun, tabs), begun.relayState);
      expect([ended.status, ended.headers.get('location')]).toEqual([303, next]);
    }
  });

  it('needs a provider that is set up, and describes this service to it', async () => {
    const browser = served.browse();
    for (const id of [
      'nothing',
      await addProvider({ certificates: [] }),
      await addProvider({ kind: 'oidc' }),
    ])
      expect((await browser.get(`/saml/${id}/start`)).status).toBe(404);
    const metadata = await browser.get(`/saml/${providerId}/metadata`);
    expect(metadata.headers.get('content-type')).toContain('application/samlmetadata+xml');
    const text = await metadata.text();
    expect(text).toContain(`entityID="${served.url}/saml/${providerId}/metadata"`);
    expect(text).toContain(`Location="${served.url}/saml/${providerId}/acs"`);
    expect((await browser.get('/saml/nothing/metadata')).status).toBe(404);
  });

  it('is over when the certificate of the answer is removed while it is checked', async () => {
    const browser = served.browse();
    const begun = await begin(browser);
    const form = answerTo(begun, { nameId: 'removed-1', attributes: { email: 'removed@corp.example' } });
    const answer = await store.db.transaction(async (tx) => {
      await updateIdentityProvider(tx, providerId, { certificates: [createIdentityProvider().certificate] });
      const sent = post(browser, `/saml/${providerId}/acs`, form, begun.relayState);
      await waitFor(
        async () => (await store.db.execute(waiting)).rows.length > 0,
        () => 'no sign-in waits for the provider',
      );
      // Not awaited before the transaction is complete.
      return { sent };
    });
    expect((await answer.sent).status).toBe(403);
    expect(await findUserByEmail(store.db, 'removed@corp.example')).toBeNull();
  });

  it('ends with the provider, in every process', async () => {
    const browser = served.browse();
    await signIn(browser, person('vera'));
    const api = (method: string, path: string) =>
      fetch(`${served.url}/v1/orgs/${organizationId}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
      });
    expect(await (await browser.get('/')).text()).toContain('vera of Corp');
    expect((await api('DELETE', `/saml/${providerId}`)).status).toBe(204);
    expect(await (await browser.get('/')).text()).not.toContain('vera of Corp');
  });
});

/**
 * The last moments of this window of ten minutes and the next one, in which attempts are counted: what was too much there
 * stays refused for some seconds more, so until the end of the window, however long a test takes to come so far.
 */
function windowEnds(): readonly Date[] {
  const ms = 10 * 60_000;
  const window = Math.floor(Date.now() / ms);
  return [window + 1, window + 2].map((end) => new Date(end * ms - 1));
}

describe('the sign-in page', () => {
  it('leads to the providers of the organizations that proved the domain of an address, whoever has it', async () => {
    const adminId = (await ensureUser(store.db, { id: newId(), displayName: 'A', email: 'a@found.example' }))
      .id;
    const own = (await insertOrganization(store.db, { id: newId(), title: 'Found', adminId })).id;
    const other = (await insertOrganization(store.db, { id: newId(), title: 'Other', adminId })).id;
    await claimEmailDomain(store.db, { organizationId: own, domain: 'found.example', challenge: 'x' });
    await claimEmailDomain(store.db, { organizationId: other, domain: 'found.example', challenge: 'y' });
    const working = await addProvider({ organizationId: own, status: 'active', label: 'Works' });
    await addProvider({ organizationId: own, label: 'Pending' });
    await addProvider({
      organizationId: own,
      status: 'active',
      label: 'Without a certificate',
      certificates: [],
    });
    await addProvider({ organizationId: other, status: 'active', label: 'Not proved' });
    const browser = served.browse();
    const search = (email: string, next = '/') => browser.post('/login/sso', { email, next });
    const NONE = 'No organization here has a single sign-on for addresses of this domain.';

    const early = await search('a@found.example');
    expect([early.status, await early.text()]).toEqual([404, expect.stringContaining(NONE)]);
    await setEmailDomainProved(store.db, own, 'found.example');
    expect(await (await browser.get('/login?next=/x')).text()).toContain('action="/login/sso"');
    expect(await (await browser.get('/login/sso?next=/x')).text()).toContain('name="next" value="/x"');
    const known = await (await search(' A@Found.example ', '/spaces/1?a=b')).text();
    expect(known).toContain(`href="/saml/${working}/start?next=%2Fspaces%2F1%3Fa%3Db"`);
    for (const label of ['Pending', 'Without a certificate', 'Not proved'])
      expect(known).not.toContain(label);
    expect(await (await search('nobody@found.example', '/spaces/1?a=b')).text()).toBe(known);
    for (const elsewhere of ['a@sub.found.example', 'a@found.example.evil.example', 'a@example'])
      expect((await search(elsewhere)).status).toBe(404);
    for (const none of ['', 'found.example', 'a@b@found.example', '<b>@found.example'])
      expect((await search(none)).status).toBe(400);
    const foreign = await browser.post(
      '/login/sso',
      { email: 'a@found.example' },
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    expect(await (await search('a@found.example', '//evil.example')).text()).toContain(
      `href="/saml/${working}/start"`,
    );
  });

  testAtLength('is asked at most 500 times in ten minutes from one network address', async () => {
    for (const end of windowEnds()) {
      const search = () => countLoginSearch(store.db, '127.0.0.1', end);
      await Promise.all(Array.from({ length: 500 }, search));
    }
    const answer = await served.browse().post('/login/sso', { email: 'a@corp.example' });
    expect([answer.status, await answer.text()]).toEqual([429, expect.stringContaining('too many attempts')]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a network address with many attempts', () => {
  const refusals = async () =>
    (
      await store.db
        .select({ id: tables.auditEvents.id })
        .from(tables.auditEvents)
        .where(eq(tables.auditEvents.targetId, providerId))
    ).length;

  it('posts no more than 20 refused answers into the audit log, and keeps nobody from signing in', async () => {
    const acs = `/saml/${providerId}/acs`;
    const stranger = served.browse();
    let tooMany: Response;
    let sent = 0;
    // Each hour counts anew, and this test may see the end of one.
    do tooMany = await post(stranger, acs, 'x', '');
    while (tooMany.status === 403 && ++sent < 40);
    expect(sent).toBeGreaterThanOrEqual(20);
    expect([tooMany.status, await tooMany.text()]).toEqual([
      429,
      expect.stringContaining('There were too many attempts. Try again in'),
    ]);
    expect(Number(tooMany.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refusals()).toBe(sent);
    // Whom the provider signs in is told more, and others come in, from the same address.
    const refused = await signIn(served.browse(), {
      nameId: newId(),
      attributes: { email: 'x@other.example' },
    });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('other.example')]);
    expect(await refusals()).toBe(sent + 1);
    expect((await signIn(served.browse(), person('dorothy'))).status).toBe(303);
  });

  it('fills no provider’s audit log together with others', async () => {
    const at = new Date();
    const post = async (address: string) =>
      await createSamlSignIn({ db: store.db, publicUrl: served.url, now: () => at })
        .finish({
          providerId,
          form: '',
          relayState: '',
          browserSecrets: [],
          origin: { address, userAgent: null, requestId: null },
        })
        .catch((error: Error) => error.name);
    const others = Array.from({ length: 198 }, (_, n) => ({ providerId, address: `203.0.113.${n}` }));
    await Promise.all(others.map((from) => countRefusedAnswer(store.db, from, at)));
    for (let n = 0; n < 5; n++) expect(await post(`198.51.100.${n}`)).toBe('SignInFailed');
    // Two answers, and that there were more.
    expect(await refusals()).toBe(3);
    expect((await auditLog())[0]?.reason).toContain('not recorded until the next hour');
    // Nothing that strangers send hides whom the provider signed in.
    const eve = { nameId: newId(), attributes: { email: 'eve@other.example' } };
    expect((await signIn(served.browse(), eve)).status).toBe(403);
    expect((await auditLog())[0]?.reason).toContain('other.example');
  });

  testAtLength('begins 500 sign-ins that it does not end, and more as soon as one ended', async () => {
    const at = new Date();
    const saml = createSamlSignIn({ db: store.db, publicUrl: served.url, now: () => at });
    const from = (address: string) => saml.begin({ providerId, returnTo: '/', address });
    await from('2001:db8::1');
    const count = (times: number, address: string, then: Date) =>
      Promise.all(Array.from({ length: times }, () => countSignInStart(store.db, address, then)));
    await count(499, '2001:db8::1', at);
    await expect(from('2001:db8::2')).rejects.toThrow(/too many attempts/);
    expect(await from('2001:db8:0:1::1')).not.toBeNull();
    await uncountSignInStart(store.db, '2001:db8::1', at);
    expect(await from('2001:db8::2')).not.toBeNull();

    // The same of a browser.
    for (const end of windowEnds()) await count(500, '127.0.0.1', end);
    const answer = await served.browse().get(`/saml/${providerId}/start`);
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await answer.text()).toContain('There were too many attempts.');
  });

  it('leaves no requests behind that nobody answers', async () => {
    const { db } = store;
    const request = (hash: string, age: number, more: object = {}) =>
      insertSignInRequest(
        db,
        {
          hash,
          kind: 'saml',
          providerId,
          browserHash: 'x',
          createdAt: new Date(Date.now() - age),
          expiresAt: new Date(Date.now() + 10 * 60_000 - age),
          ...more,
        },
        3,
      );
    const minute = 60_000;
    await request('long over', 71 * minute, { usedAt: new Date() });
    await request('answered', 60 * minute, { usedAt: new Date() });
    for (const age of [3, 2, 1, 0]) await request(`begun ${age} minutes ago`, age * minute);
    const rows = await db
      .select({ hash: tables.signInRequests.hash })
      .from(tables.signInRequests)
      .where(eq(tables.signInRequests.providerId, providerId));
    expect(rows.map(({ hash }) => hash).toSorted()).toEqual([
      'answered',
      'begun 0 minutes ago',
      'begun 1 minutes ago',
      'begun 2 minutes ago',
    ]);
  });
});

describe('forged answers', () => {
  it('are each refused with their reason in the audit log and the same sentence for people', async () => {
    const browser = served.browse();
    const begun = await begin(browser);
    const sentences = new Set<string>();
    // Which of them are refused the check of answers decides; here, that a refusal is recorded and says nothing.
    const forgeries = listForgeries(idp, begun.to);
    const tried = casesAtLength(
      'every forged answer of SAML at the server',
      forgeries.filter((_, at) => at % 6 === 0),
      forgeries.filter((_, at) => at % 6 !== 0),
    );
    for (const { name, reason, form } of tried) {
      // Each is the first answer to the request.
      await store.db
        .update(tables.signInRequests)
        .set({ usedAt: null })
        .where(eq(tables.signInRequests.requestId, begun.to.requestId));
      await store.db.delete(tables.signInFailures);
      const answer = await post(browser, `/saml/${providerId}/acs`, form, begun.relayState);
      expect([name, answer.status]).toEqual([name, 403]);
      sentences.add(
        /<p[^>]*>([^<]*did not sign you in[^<]*)</.exec(await answer.text())?.[1] ?? `none for ${name}`,
      );
      const [event] = await auditLog();
      expect([name, event]).toEqual([
        name,
        expect.objectContaining({
          action: 'session.start',
          outcome: 'refused',
          reason: expect.stringMatching(/\.$|\)$/),
          after: expect.objectContaining({ refusal: reason }),
        }),
      ]);
    }
    expect([...sentences]).toHaveLength(1);
    expect(await (await browser.get('/')).text()).not.toContain('of Corp');
  });

  it('of 1 MB are not even read', async () => {
    const browser = served.browse();
    const begun = await begin(browser);
    const answer = await post(browser, `/saml/${providerId}/acs`, 'A'.repeat(1_000_000), begun.relayState);
    expect(answer.status).toBe(413);
  });
});
