/** Trying a provider of OpenID Connect out: nobody is signed in, and everything but secrets is shown. */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOidcSignIn, type OidcSignIn, SignInFailed } from '../../../src/identity/index.ts';
import { oidcRefusalAdvice } from '../../../src/identity/oidc/refusal-advice.ts';
import { createAddressGuard, createHttp, type Http } from '../../../src/net/index.ts';
import {
  insertIdentityProvider,
  insertVerifiedUser,
  loadIdentityProvider,
  newId,
  openSealer,
  tables,
} from '../../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type IdClaims, listForgeries } from '../../support/oidc/forgeries.ts';
import { type ForgingProvider, startForgingProvider } from '../../support/oidc/forging-provider.ts';
import { proveDomain } from '../../support/prove-domain.ts';

const SECRET = 'hush-hush-hush-hush-hush-hush-hush';
const ACCESS = 'an-access-token-that-is-opaque';
const origin = { address: '198.51.100.7', userAgent: 'test', requestId: 'r' };
const sealer = openSealer({ secretKey: 'x'.repeat(40), dataDir: '/nowhere' });

let database: TestDatabase;
let provider: ForgingProvider;
let http: Http;
let signIn: OidcSignIn;
let organizationId: string;
let userId: string;
let providerId: string;

beforeAll(async () => {
  [database, provider] = await Promise.all([openTestDatabase(), startForgingProvider()]);
  http = createHttp({
    userAgent: 'test',
    guard: createAddressGuard({ allowHosts: [new URL(provider.issuer).host] }),
    backoffMs: 1,
  });
  const { db } = database.store;
  signIn = createOidcSignIn({ db, sealer, http, publicUrl: 'https://docs.example' });
  [organizationId, userId] = [newId(), newId()];
  await db.insert(tables.organizations).values({ id: organizationId, title: 'Corp' });
  await insertVerifiedUser(db, { id: userId, displayName: 'Admin', email: 'admin@elsewhere.example' });
  await proveDomain(db, organizationId, 'corp.example');
});
afterAll(async () => {
  await http?.close();
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

async function begin(id = providerId) {
  const begun = await signIn.begin({ providerId: id, returnTo: '/shown', testedBy: userId, origin });
  if (begun === null) throw new Error('There is no such provider.');
  const { searchParams } = new URL(begun.url, 'https://docs.example');
  const iat = Math.floor(Date.now() / 1000);
  const claims: IdClaims = {
    iss: provider.issuer,
    aud: 'docs',
    sub: 'ada-42',
    nonce: searchParams.get('nonce') ?? '',
    iat,
    exp: iat + 300,
    email: 'ada@corp.example',
    email_verified: true,
  };
  return {
    ...begun,
    claims,
    query: new URLSearchParams({ code: 'abc', state: searchParams.get('state') ?? '' }),
  };
}
type Begun = Awaited<ReturnType<typeof begin>>;

const finish = ({ query, browserSecret }: Begun, id = providerId) =>
  signIn.finish({ providerId: id, query: `?${query}`, browserSecrets: [browserSecret], origin });

const outcome = async (id = providerId) => (await signIn.readTest({ providerId: id, userId }))?.outcome;

function answerWith(claims: object): void {
  provider.forge('/token', async () => ({
    body: {
      access_token: ACCESS,
      refresh_token: 'refresh',
      token_type: 'Bearer',
      id_token: await provider.sign({ ...claims }),
    },
  }));
}

const countRows = () =>
  Promise.all(
    [tables.users, tables.members, tables.sessions, tables.userIdentities].map((table) =>
      database.store.db.$count(table),
    ),
  );

describe('a test of an OpenID Connect provider', () => {
  it('says what came and who would come in, makes nothing, and leaves the provider pending', async () => {
    const before = await countRows();
    const begun = await begin();
    expect(await signIn.readTest({ providerId, userId })).toMatchObject({ outcome: null });
    answerWith({
      ...begun.claims,
      name: 'Ada',
      groups: ['a', 'b'],
      at_hash: 'x',
      copy: ACCESS,
      said: SECRET,
    });
    expect(await finish(begun)).toEqual({ session: null, returnTo: '/shown' });
    expect(await countRows()).toEqual(before);
    const shown = await outcome();
    expect(shown).toMatchObject({
      refusal: null,
      user: { displayName: 'Ada', email: 'ada@corp.example', isNew: true, role: 'read' },
      answer: { issuer: provider.issuer, error: null, algorithm: 'RS256', keyId: 'one', userinfo: null },
    });
    expect(Object.fromEntries((shown?.answer?.claims ?? []).map(({ name, value }) => [name, value]))).toEqual(
      {
        iss: provider.issuer,
        aud: 'docs',
        sub: 'ada-42',
        iat: expect.any(String),
        exp: `${begun.claims.exp} (${new Date(begun.claims.exp * 1000).toISOString()})`,
        email: 'ada@corp.example',
        email_verified: 'true',
        name: 'Ada',
        groups: '["a","b"]',
        copy: '(not shown)',
        said: '(not shown)',
      },
    );
    expect((await loadIdentityProvider(database.store.db, providerId))?.status).toBe('pending');
    // The browser loads the page of the answer again.
    expect(await finish(begun)).toEqual({ session: null, returnTo: '/shown' });
    expect(await outcome()).toEqual(shown);
  });

  it('shows what userinfo says, and why somebody whom the provider vouches for may not come in', async () => {
    const begun = await begin();
    answerWith({ ...begun.claims, email: undefined, email_verified: undefined });
    provider.forge('/userinfo', () => ({
      body: { sub: 'ada-42', email: 'ada@other.example', email_verified: true },
    }));
    await finish(begun);
    expect(await outcome()).toMatchObject({
      refusal: { reason: 'admission', sentence: expect.stringContaining('other.example'), advice: null },
      user: null,
      answer: { userinfo: expect.arrayContaining([{ name: 'email', value: 'ada@other.example' }]) },
    });
  });

  it('is refused for each reason with advice, in its own words, with what came and without secrets', async () => {
    const before = await countRows();
    const seen = new Map<string, string>();
    const expectRefusal = async (name: string, reason: string, id = providerId) => {
      const shown = await outcome(id);
      expect([name, shown?.refusal]).toEqual([
        name,
        {
          reason,
          sentence: expect.stringMatching(/[.)]$/),
          advice: expect.stringMatching(/^[A-Z].{20,}\.$/),
        },
      ]);
      seen.set(reason, shown?.refusal?.advice ?? '');
      return shown?.answer;
    };

    for (const { name, reason, query, token, others = {} } of listForgeries(provider)) {
      provider.reset();
      providerId = await addProvider();
      const begun = await begin();
      query?.(begun.query);
      if (token === undefined) answerWith(begun.claims);
      else provider.forge('/token', () => token(begun.claims));
      for (const [path, answer] of Object.entries(others)) provider.forge(path, answer);
      expect([name, await finish(begun)]).toEqual([name, { session: null, returnTo: '/shown' }]);
      const answer = await expectRefusal(name, reason);
      if (['audience', 'nonce', 'signature', 'expired'].includes(reason))
        expect([name, answer?.claims]).toEqual([
          name,
          expect.arrayContaining([{ name: 'email', value: 'ada@corp.example' }]),
        ]);
      if (reason === 'denied')
        expect(answer).toMatchObject({
          error: 'access_denied',
          errorDescription: 'Call 555-0100 to fix your account',
        });
      if (reason === 'token-refused') expect(answer).toMatchObject({ error: 'invalid_grant' });
    }

    provider.reset();
    const describe = (body: object, status = 200) =>
      provider.forge('/.well-known/openid-configuration', () => ({ status, body }));
    for (const [reason, forge] of [
      ['discovery', () => describe({}, 404)],
      ['other-issuer', () => describe({ ...provider.metadata, issuer: 'https://other.example/\u0000' })],
      ['unreachable', () => describe({ padding: 'x'.repeat(1_000_000) })],
    ] as const) {
      forge();
      providerId = await addProvider();
      expect((await begin()).url).toBe('/shown');
      await expectRefusal(reason, reason);
    }

    provider.reset();
    const begun = await begin();
    answerWith(begun.claims);
    const other = await addProvider();
    await finish(begun, other);
    await expectRefusal('sent to another one', 'other-provider');
    const late = await begin();
    const lost = { ...late, query: new URLSearchParams({ code: 'abc' }) };
    await finish(lost);
    await expectRefusal('without a state', 'not-requested');
    await expect(finish({ ...late, browserSecret: 'x'.repeat(43) })).rejects.toThrow(SignInFailed);
    await expectRefusal('in another browser', 'not-requested');
    await database.store.db.update(tables.signInRequests).set({ usedAt: new Date(), outcome: null });
    await finish(late);
    await expectRefusal('once more', 'request-used');

    // Another browser’s answer is of no test.
    expect([...seen.keys(), 'other-browser'].toSorted()).toEqual(Object.keys(oidcRefusalAdvice).toSorted());
    expect(await countRows()).toEqual(before);
    const stored = JSON.stringify([
      await database.store.db.select().from(tables.signInRequests),
      (await database.store.db.select().from(tables.auditEvents)).map(({ id: _, ...event }) => event),
    ]);
    for (const secret of [SECRET, 'an-access-token', begun.claims.nonce, begun.browserSecret])
      expect(stored).not.toContain(secret);
    // No JSON Web Token: hashes and sealed texts may have its first letters by chance.
    expect(stored).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]*/);
  });

  it('keeps what came of it when an answer follows that names no request', async () => {
    provider.forge('/.well-known/openid-configuration', () => ({ status: 404, body: {} }));
    const begun = await begin();
    provider.reset();
    expect(await finish({ ...begun, query: new URLSearchParams({ code: 'abc', state: 'x' }) })).toEqual({
      session: null,
      returnTo: '/shown',
    });
    expect((await outcome())?.refusal?.reason).toBe('discovery');
  });

  it('asks the provider anew, also when it has just failed or was just right', async () => {
    provider.forge('/.well-known/openid-configuration', () => ({ status: 503, body: {} }));
    expect((await begin()).url).toBe('/shown');
    provider.reset();
    expect((await begin()).url).toContain(`${provider.issuer}/authorize?`);
  });

  it('is recorded in the audit log as what it is', async () => {
    const { db } = database.store;
    const begun = await begin();
    answerWith({ ...begun.claims, nonce: 'other' });
    await finish(begun);
    const events = await db
      .select()
      .from(tables.auditEvents)
      .where(eq(tables.auditEvents.targetId, providerId));
    expect(events).toMatchObject([
      {
        action: 'identity-provider.test',
        outcome: 'refused',
        actorId: userId,
        targetId: providerId,
        after: { refusal: 'nonce' },
      },
    ]);
  });
});
