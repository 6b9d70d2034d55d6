import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createOidcSignIn,
  type OidcSignIn,
  SignInFailed,
  TooManyAttempts,
} from '../../../src/identity/index.ts';
import { createAddressGuard, createHttp, type Http } from '../../../src/net/index.ts';
import {
  deleteIdentityProvider,
  findUserByEmail,
  forgetProviderAccounts,
  insertIdentityProvider,
  newId,
  openSealer,
  tables,
  updateIdentityProvider,
} from '../../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { type IdClaims, listForgeries } from '../../support/oidc/forgeries.ts';
import { type ForgingProvider, startForgingProvider } from '../../support/oidc/forging-provider.ts';
import { proveDomain } from '../../support/prove-domain.ts';

const SECRET = 'hush-hush-hush-hush-hush-hush-hush';
const publicUrl = 'https://docs.example';
/** Each from an address of its own: refused answers of one are limited. */
let visits = 0;
const visit = () => ({
  address: `198.51.${visits >> 8}.${visits++ & 255}`,
  userAgent: 'test',
  requestId: 'r',
});
const sealer = openSealer({ secretKey: 'x'.repeat(40), dataDir: '/nowhere' });

let database: TestDatabase;
let provider: ForgingProvider;
let organizationId: string;
let providerId: string;
const opened: Http[] = [];

beforeAll(async () => {
  [database, provider] = await Promise.all([openTestDatabase(), startForgingProvider()]);
  organizationId = newId();
  await database.store.db.insert(tables.organizations).values({ id: organizationId, title: 'Corp' });
  await proveDomain(database.store.db, organizationId, 'corp.example');
});
afterAll(async () => {
  await Promise.all(opened.map((http) => http.close()));
  await provider?.close();
  await database?.close();
});
beforeEach(async () => {
  providerId = await addProvider();
});
afterEach(() => provider.reset());

async function addProvider(fields: object = {}): Promise<string> {
  const { id } = await insertIdentityProvider(database.store.db, {
    id: newId(),
    organizationId,
    kind: 'oidc',
    label: 'Corp',
    issuer: provider.issuer,
    clientId: 'docs',
    sealedClientSecret: sealer.seal(SECRET),
    defaultRole: 'read',
    ...fields,
  });
  return id;
}

/** The sign-in of one process. */
function openSignIn(
  options: {
    readonly allowHosts?: readonly string[];
    readonly totalMs?: number;
    readonly now?: () => Date;
  } = {},
): OidcSignIn {
  const { allowHosts = [new URL(provider.issuer).host], totalMs = 10_000, now } = options;
  const http = createHttp({
    userAgent: 'test',
    guard: createAddressGuard({ allowHosts }),
    timeouts: { totalMs },
    backoffMs: 1,
  });
  opened.push(http);
  return createOidcSignIn({ db: database.store.db, sealer, http, publicUrl, ...(now && { now }) });
}

async function begin(signIn: OidcSignIn, id = providerId) {
  const begun = await signIn.begin({ providerId: id, returnTo: '/spaces', origin: visit() });
  if (begun === null) throw new Error('There is no such provider.');
  const { searchParams } = new URL(begun.url);
  const iat = Math.floor(Date.now() / 1000);
  const claims: IdClaims = {
    iss: provider.issuer,
    aud: 'docs',
    sub: `subject-${newId()}`,
    nonce: searchParams.get('nonce') ?? '',
    iat,
    exp: iat + 300,
    email: 'ada@corp.example',
    email_verified: true,
  };
  const query = new URLSearchParams({ code: 'abc', state: searchParams.get('state') ?? '' });
  return { ...begun, claims, query };
}

const finish = (
  signIn: OidcSignIn,
  { query, browserSecret }: { readonly query: URLSearchParams; readonly browserSecret: string },
  id = providerId,
) => signIn.finish({ providerId: id, query: `?${query}`, browserSecrets: [browserSecret], origin: visit() });

function answerWith(claims: object): void {
  provider.forge('/token', async () => ({
    body: { access_token: 'access', token_type: 'Bearer', id_token: await provider.sign({ ...claims }) },
  }));
}

/** Signs somebody in; returns what the person is told when that fails. */
async function attempt(signIn: OidcSignIn, changes: object): Promise<string | null> {
  const begun = await begin(signIn);
  answerWith({ ...begun.claims, ...changes });
  return await refusalOf(finish(signIn, begun));
}

async function refusalOf(promise: Promise<unknown>): Promise<string | null> {
  try {
    await promise;
    return null;
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error;
    return error.message;
  }
}

async function lastEvent() {
  const events = await database.store.db.select().from(tables.auditEvents);
  const { action, outcome, reason, after } = events.toSorted((a, b) => Number(b.id - a.id))[0] ?? {};
  return { action, outcome, reason, after };
}

const refused = (refusal: string) => ({
  action: 'session.start',
  outcome: 'refused',
  reason: expect.stringMatching(/[.)]$/),
  after: { provider: 'oidc', refusal },
});

describe('a sign-in by OpenID Connect', () => {
  it('asks with a state, a nonce and a challenge, and proves itself to the provider', async () => {
    const signIn = openSignIn();
    const begun = await begin(signIn);
    const asked = Object.fromEntries(new URL(begun.url).searchParams);
    expect(asked).toEqual({
      client_id: 'docs',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${publicUrl}/oidc/${providerId}/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const rows = JSON.stringify(await database.store.db.select().from(tables.signInRequests));
    for (const secret of [asked['state'], asked['nonce'], begun.browserSecret])
      expect(rows).not.toContain(secret);
    answerWith(begun.claims);
    expect(await finish(signIn, begun)).toMatchObject({ returnTo: '/spaces' });
    const { form } = provider.tokenRequests.at(-1) ?? { form: new URLSearchParams() };
    expect(Object.fromEntries(form)).toMatchObject({
      grant_type: 'authorization_code',
      code: 'abc',
      client_id: 'docs',
      client_secret: SECRET,
      redirect_uri: asked['redirect_uri'],
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await lastEvent()).toMatchObject({ outcome: 'success', after: { provider: 'oidc' } });
  });

  it('sends the secret in the header to providers that take it nowhere else', async () => {
    const signIn = openSignIn();
    provider.forge('/.well-known/openid-configuration', () => ({
      body: { ...provider.metadata, token_endpoint_auth_methods_supported: undefined },
    }));
    expect(await attempt(signIn, {})).toBeNull();
    const { form, authorization } = provider.tokenRequests.at(-1) ?? {};
    expect(form?.get('client_secret')).toBeNull();
    expect(authorization).toMatch(/^Basic /);
  });

  it('is refused for each forged answer, with its reason in the audit log and the same sentence for people', async () => {
    const signIn = openSignIn();
    const sentences = new Set<string | null>();
    for (const { name, reason, query, token, others = {} } of listForgeries(provider)) {
      provider.reset();
      const begun = await begin(signIn);
      query?.(begun.query);
      if (token === undefined) answerWith(begun.claims);
      else provider.forge('/token', () => token(begun.claims));
      for (const [path, answer] of Object.entries(others)) provider.forge(path, answer);
      const sentence = await refusalOf(finish(signIn, begun));
      expect([name, sentence]).toEqual([name, expect.any(String)]);
      sentences.add(sentence);
      expect([name, await lastEvent()]).toEqual([name, refused(reason)]);
    }
    expect([...sentences]).toEqual([expect.stringMatching(/^Corp did not sign you in here; /)]);
    const log = JSON.stringify(
      (await database.store.db.select().from(tables.auditEvents)).map(({ id: _, ...event }) => event),
    );
    expect(log).not.toContain('555-0100');
    expect(log).not.toContain(SECRET);
  });

  it('is refused for what nobody began, another browser began, or another provider was asked', async () => {
    const signIn = openSignIn();
    const begun = await begin(signIn);
    answerWith(begun.claims);
    for (const state of ['', 'x'.repeat(43)]) {
      const query = new URLSearchParams({ code: 'abc', state });
      expect(await refusalOf(finish(signIn, { ...begun, query }))).not.toBeNull();
      expect(await lastEvent()).toEqual(refused('not-requested'));
    }
    expect(await refusalOf(finish(signIn, { ...begun, browserSecret: 'x'.repeat(43) }))).not.toBeNull();
    expect(await lastEvent()).toEqual(refused('other-browser'));
    const other = await addProvider();
    expect(await refusalOf(finish(signIn, begun, other))).not.toBeNull();
    expect(await lastEvent()).toEqual(refused('other-provider'));
    // None of that used the request up.
    expect(await refusalOf(finish(signIn, begun))).toBeNull();
  });

  it('uses an answer once, in whatever process', async () => {
    const processes = [openSignIn(), openSignIn()] as const;
    const begun = await begin(processes[0]);
    answerWith(begun.claims);
    const results = await Promise.all(
      [...processes, ...processes].map((signIn) => refusalOf(finish(signIn, begun))),
    );
    expect(results.filter((sentence) => sentence === null)).toHaveLength(1);
    expect(await refusalOf(finish(processes[1], begun))).not.toBeNull();
    expect(await lastEvent()).toEqual(refused('request-used'));
  });

  testAtLength('is limited by network address: what nobody began, and begins that do not end', async () => {
    // Attempts are counted in windows of the clock: one that ends meanwhile would count the rest anew.
    const inWindow = new Date('2026-03-02T10:05:00Z');
    const signIn = openSignIn({ now: () => inWindow });
    const origin = visit();
    const { browserSecret } = await begin(signIn);
    const forged = () =>
      signIn.finish({
        providerId,
        query: '?code=abc&state=forged',
        browserSecrets: [browserSecret],
        origin,
      });
    for (let count = 0; count < 20; count++) await expect(forged()).rejects.toThrow(SignInFailed);
    await expect(forged()).rejects.toThrow(TooManyAttempts);
    const busy = visit();
    const starts = Array.from({ length: 501 }, () =>
      signIn.begin({ providerId, returnTo: '/', origin: busy }),
    );
    const refusals = (await Promise.allSettled(starts)).filter(({ status }) => status === 'rejected');
    expect(refusals).toHaveLength(1);
  });

  it('is over after ten minutes', async () => {
    const signIn = openSignIn();
    const begun = await begin(signIn);
    answerWith(begun.claims);
    await database.store.db
      .update(tables.signInRequests)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(tables.signInRequests.providerId, providerId));
    expect(await refusalOf(finish(signIn, begun))).not.toBeNull();
    expect(await lastEvent()).toEqual(refused('request-used'));
  });

  it('signs several people in at once, the first ones included', async () => {
    const signIn = openSignIn();
    const all = await Promise.all(Array.from({ length: 4 }, () => begin(signIn)));
    const byNonce = new Map(all.map(({ claims }) => [claims.nonce, claims]));
    const nonces = [...byNonce.keys()];
    let next = 0;
    provider.forge('/token', async () => {
      const claims = byNonce.get(nonces[next++] ?? '');
      return {
        body: { access_token: 'a', token_type: 'Bearer', id_token: await provider.sign({ ...claims }) },
      };
    });
    // Each has an address of its own, and the provider is still pending.
    for (const [index, { claims }] of all.entries())
      byNonce.set(claims.nonce, { ...claims, email: `many${index}@corp.example` });
    const results: (string | null)[] = [];
    for (const begun of all) results.push(await refusalOf(finish(signIn, begun)));
    expect(results).toEqual([null, null, null, null]);
  });
});

describe('who somebody is', () => {
  it('follows from provider and subject, whatever address comes later', async () => {
    const signIn = openSignIn();
    const sub = newId();
    expect(await attempt(signIn, { sub, email: 'hedy@corp.example', name: 'Hedy' })).toBeNull();
    const user = await findUserByEmail(database.store.db, 'hedy@corp.example');
    expect(await attempt(signIn, { sub, email: 'ceo@corp.example' })).toBeNull();
    expect(await findUserByEmail(database.store.db, 'ceo@corp.example')).toBeNull();
    // The same subject at another provider is somebody else.
    providerId = await addProvider();
    expect(await attempt(signIn, { sub, email: 'other@corp.example' })).toBeNull();
    const other = await findUserByEmail(database.store.db, 'other@corp.example');
    expect(other?.id).not.toBe(user?.id);
  });

  it('is not taken from an address that is not verified, nor of a domain that is not proved', async () => {
    const signIn = openSignIn();
    const before = await findUserByEmail(database.store.db, 'grace@corp.example');
    expect(before).toBeNull();
    const sub = newId();
    // Who does not say it in the ID token is asked once more.
    provider.forge('/userinfo', () => ({ body: { sub } }));
    for (const email_verified of [false, 'false', undefined, null, 0, 'yes'])
      expect(await attempt(signIn, { sub, email: 'grace@corp.example', email_verified })).toContain(
        'does not say that your address grace@corp.example is verified',
      );
    expect(await attempt(signIn, { email: 'x@other.example' })).toContain(
      'has not proved that the domain other.example is its own',
    );
    for (const email of [
      'a@corp.example@evil.example',
      '"x"@corp.example',
      'corp.example',
      '<a@corp.example>',
    ])
      expect([email, await attempt(signIn, { email })]).toEqual([email, expect.any(String)]);
    expect(await findUserByEmail(database.store.db, 'grace@corp.example')).toBeNull();
  });

  it('has no identifier and no address that a database cannot store, and is shown without such characters', async () => {
    const signIn = openSignIn();
    for (const sub of ['mary\0', 'mary\ud800'])
      expect(await attempt(signIn, { sub })).toContain('an identifier with control characters');
    for (const email of ['\0mary@corp.example', 'mary\udc00@corp.example'])
      expect([email, await attempt(signIn, { email })]).toEqual([email, expect.any(String)]);
    const email = 'mary@corp.example';
    expect(await attempt(signIn, { email, email_verified: false, preferred_username: 'm\0' })).toContain(
      email,
    );
    expect(await attempt(signIn, { email, name: 'Mary\0Somerville', preferred_username: 'm\0' })).toBeNull();
    expect((await findUserByEmail(database.store.db, email))?.displayName).toBe('Mary Somerville');
  });

  it('puts people into the default team, unless provisioning says who is in it', async () => {
    const { db } = database.store;
    const teamsOf = async (email: string, team: { provisionedAt?: Date }) => {
      const defaultTeamId = newId();
      await db.insert(tables.teams).values({ id: defaultTeamId, organizationId, title: 'Docs', ...team });
      providerId = await addProvider({ defaultTeamId });
      expect(await attempt(openSignIn(), { email })).toBeNull();
      const rows = await db.select().from(tables.teamMembers);
      return rows.filter(({ teamId }) => teamId === defaultTeamId).length;
    };
    expect(await teamsOf('ina@corp.example', {})).toBe(1);
    expect(await teamsOf('ivy@corp.example', { provisionedAt: new Date() })).toBe(0);
  });

  it('takes over no account that somebody uses whose address was never verified here', async () => {
    const signIn = openSignIn();
    const userId = newId();
    await database.store.db
      .insert(tables.users)
      .values({ id: userId, email: 'squatter@corp.example', displayName: 'Squatter' });
    await database.store.db.insert(tables.passwords).values({ userId, hash: 'x' });
    expect(await attempt(signIn, { email: 'squatter@corp.example' })).toContain('has not confirmed it');
  });

  it('is asked of userinfo when the ID token does not say it', async () => {
    const signIn = openSignIn();
    const sub = newId();
    provider.forge('/userinfo', () => ({
      body: { sub, email: 'ida@corp.example', email_verified: true, name: 'Ida' },
    }));
    expect(await attempt(signIn, { sub, email: undefined, email_verified: undefined })).toBeNull();
    expect(await findUserByEmail(database.store.db, 'ida@corp.example')).toMatchObject({
      displayName: 'Ida',
    });
  });

  it('is nobody when the provider became another, or was removed, meanwhile', async () => {
    const { db } = database.store;
    const signIn = openSignIn();
    const meanwhile = async (change: () => Promise<unknown>) => {
      const begun = await begin(signIn);
      provider.forge('/token', async () => {
        await change();
        return {
          body: {
            access_token: 'a',
            token_type: 'Bearer',
            id_token: await provider.sign({ ...begun.claims, email: 'late@corp.example' }),
          },
        };
      });
      expect(await refusalOf(finish(signIn, begun))).not.toBeNull();
      expect(await lastEvent()).toEqual(refused('other-provider'));
    };
    await meanwhile(async () => {
      await forgetProviderAccounts(db, providerId);
      await updateIdentityProvider(db, providerId, { issuer: 'https://two.example' });
    });
    await updateIdentityProvider(db, providerId, { issuer: provider.issuer });
    await meanwhile(() => updateIdentityProvider(db, providerId, { clientId: 'another' }));
    await updateIdentityProvider(db, providerId, { clientId: 'docs' });
    await meanwhile(() => deleteIdentityProvider(db, providerId));
    expect(await findUserByEmail(db, 'late@corp.example')).toBeNull();
  });
});

describe('a provider', () => {
  const startOf = async (signIn: OidcSignIn, fields: object = {}) => {
    const id = await addProvider(fields);
    return await refusalOf(signIn.begin({ providerId: id, returnTo: '/', origin: visit() }));
  };

  it('that is not set up has no sign-in', async () => {
    const signIn = openSignIn();
    for (const fields of [
      { issuer: null },
      { clientId: null },
      { kind: 'saml' },
      { sealedClientSecret: 'x' },
    ]) {
      const id = await addProvider(fields);
      expect(await signIn.begin({ providerId: id, returnTo: '/', origin: visit() })).toBeNull();
    }
  });

  it('in a private network is not reached, by its issuer or by what that names', async () => {
    const signIn = openSignIn({ allowHosts: [] });
    for (const issuer of [
      provider.issuer,
      provider.issuer.replace('http:', 'https:'),
      'https://10.0.0.1',
      'https://[::1]',
      'https://169.254.169.254/latest',
      'http://example.com',
    ]) {
      expect(await startOf(signIn, { issuer })).toContain('did not sign you in');
      expect(await lastEvent()).toMatchObject(refused('unreachable'));
    }
    expect(provider.requests.filter((path) => path.includes('secret'))).toEqual([]);

    // The issuer may be reached; what it names is somewhere else.
    const inside = await startForgingProvider();
    const allowed = openSignIn();
    inside.forge('/token', () => ({ body: {} }));
    for (const name of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const) {
      provider.reset();
      provider.forge('/.well-known/openid-configuration', () => ({
        body: { ...provider.metadata, [name]: `${inside.issuer}/${name}` },
      }));
      providerId = await addProvider();
      expect(await attempt(allowed, { email: undefined })).toContain('did not sign you in');
      expect(await lastEvent()).toMatchObject(refused('unreachable'));
    }
    expect(inside.requests).toEqual([]);
    await inside.close();
  });

  it('that is slow, or sends too much, is refused within the limits, and asked once for many people', async () => {
    const signIn = openSignIn({ totalMs: 300 });
    provider.forge('/.well-known/openid-configuration', () => new Promise(() => {}));
    const id = await addProvider();
    const before = provider.requests.length;
    const events = async () => (await database.store.db.select().from(tables.auditEvents)).length;
    const count = await events();
    const results = await Promise.all(
      Array.from({ length: 5 }, () =>
        refusalOf(signIn.begin({ providerId: id, returnTo: '/', origin: visit() })),
      ),
    );
    expect(results).toEqual(Array.from({ length: 5 }, () => expect.stringContaining('did not sign you in')));
    expect(provider.requests.length - before).toBe(1);
    expect((await events()) - count).toBe(1);
    expect(await lastEvent()).toMatchObject(refused('unreachable'));

    const patient = openSignIn();
    for (const path of ['/.well-known/openid-configuration', '/jwks']) {
      provider.reset();
      provider.forge(path, () => ({ body: { keys: [], padding: 'x'.repeat(2_000_000) } }));
      providerId = await addProvider();
      expect(
        await refusalOf(
          begin(patient).then(async (begun) => {
            answerWith(begun.claims);
            return await finish(patient, begun);
          }),
        ),
      ).toContain('did not sign you in');
      expect(await lastEvent()).toMatchObject(refused('unreachable'));
      expect((await lastEvent()).reason).toContain('more than 262144 bytes');
    }
  });

  it.each([
    ['has no description', { status: 404, body: {} }, 'discovery'],
    ['has a page as its description', { type: 'text/html', body: '<!doctype html>' }, 'discovery'],
    ['redirects', { status: 302, body: '' }, 'discovery'],
    ['calls itself otherwise', { body: { issuer: 'https://other.example' } }, 'other-issuer'],
    ['is of many tenants', { body: { issuer: 'https://login.example/{tenantid}/v2.0' } }, 'other-issuer'],
    ['has no address for sign-ins', { body: {} }, 'discovery'],
  ])('that %s is refused', async (_, answer, reason) => {
    const signIn = openSignIn();
    provider.forge('/.well-known/openid-configuration', () => ({
      ...answer,
      body:
        typeof answer.body === 'string' || 'status' in answer
          ? answer.body
          : { issuer: provider.issuer, ...answer.body },
    }));
    expect(await startOf(signIn)).toContain('did not sign you in');
    expect(await lastEvent()).toMatchObject(refused(reason));
  });
});
