/** Setting OpenID Connect up in the browser, and trying providers out, at a real one. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/store/index.ts';
import { createMember } from '../platform/create-member.ts';
import { agreeAtProvider } from '../support/oidc/agree-at-provider.ts';
import {
  OIDC_CLIENT,
  type ServedOidcProvider,
  serveOidcProvider,
} from '../support/oidc/serve-oidc-provider.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { startPages, type TestPages } from './start-pages.ts';

const PUBLIC_URL = 'http://docs.example';

let pages: TestPages;
let provider: ServedOidcProvider;
let admin: string;
let accountId = 'ada';

beforeAll(async () => {
  [pages, provider] = await Promise.all([
    startPages({ publicUrl: PUBLIC_URL }),
    serveOidcProvider({
      accountId: () => accountId,
      claimsOf: (id) => ({
        email: `${id}@corp.example`,
        email_verified: id !== 'unverified',
        name: `${id} <b>`,
      }),
    }),
  ]);
  admin = await pages.signIn();
  await proveDomain(db(), pages.platform.organizationId, 'corp.example');
});
afterAll(async () => {
  await provider?.close();
  await pages?.close();
});

const db = () => pages.platform.deps.db;
const sso = (part = '') => `/orgs/${pages.platform.organizationId}/sso${part}`;
const read = async (path: string, cookie = admin) => await (await pages.get(path, { cookie })).text();
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const rowOf = async (path: string) =>
  (
    await db()
      .select()
      .from(tables.identityProviders)
      .where(eq(tables.identityProviders.id, idOf(path)))
  )[0];

async function post(path: string, fields: Record<string, string>, cookie = admin) {
  const answer = await pages.post(path, fields, { cookie });
  return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
}

/** The path of a new provider's page. */
async function addProvider(label: string): Promise<string> {
  const { to } = await post(sso('/oidc'), { label });
  return to?.replace(/\?.*$/, '') ?? '';
}

const values = (changes: Record<string, string> = {}) => ({
  label: 'Corp',
  issuer: provider.issuer,
  ...OIDC_CLIENT,
  scopes: 'openid email profile',
  defaultRole: 'read',
  defaultTeam: '',
  ...changes,
});

describe('OpenID Connect on the single sign-on page', () => {
  test('adds a provider, shows the address to enter there, and takes its values', async () => {
    expect(await read(sso())).toContain('There is no OpenID Connect provider yet.');
    const { status, to } = await post(sso('/oidc'), { label: ' Corp ' });
    expect(status).toBe(303);
    const path = to?.replace(/\?.*$/, '') ?? '';
    const page = await read(to ?? '');
    for (const address of [
      `${PUBLIC_URL}/oidc/${idOf(path)}/callback`,
      `${PUBLIC_URL}/oidc/${idOf(path)}/start`,
    ])
      expect(page).toContain(`<code class="copy">${address}</code>`);
    expect(page).toContain('The provider was added.');
    expect(page).toContain('Not set up');
    expect((await pages.get(`${path}/test/start`, { cookie: admin })).headers.get('location')).toBe(
      `${path}?done=incomplete`,
    );
    expect(await read(`${path}?done=incomplete`)).toContain('Enter the issuer and the client ID');

    const team = (
      await pages.platform.api('PUT', `/orgs/${pages.platform.organizationId}/teams`, {
        body: { title: 'Writers' },
      })
    ).body as { readonly id: string };
    const entered = values({ scopes: ' groups,email ', defaultRole: 'edit', defaultTeam: team.id });
    expect((await post(path, entered)).to).toBe(`${path}?done=saved`);
    expect(await rowOf(path)).toMatchObject({
      issuer: provider.issuer,
      clientId: OIDC_CLIENT.clientID,
      scopes: ['openid', 'groups', 'email'],
      defaultTeamId: team.id,
    });
    const saved = await read(path);
    expect(saved).toContain(`value="${provider.issuer}"`);
    expect(saved).toContain('value="openid groups email"');
    expect(saved).toContain(`<option value="${team.id}" selected>Writers</option>`);
    expect(saved).toContain('<option value="edit" selected>');
    expect(saved).toContain('the client secret is forgotten');
    expect(await read(sso())).toContain('Not used yet');
  });

  test('keeps the client secret until another one is entered, it is removed, or the issuer is another', async () => {
    const path = await addProvider('Secret');
    const secretOf = async () => (await rowOf(path))?.sealedClientSecret ?? null;
    expect(await read(path)).not.toContain('Remove the client secret');
    await post(path, values({ label: 'Secret' }));
    const first = await secretOf();
    expect(first).toBeTypeOf('string');
    expect(await read(path)).not.toContain(OIDC_CLIENT.clientSecret);
    await post(path, values({ label: 'Secrets', clientSecret: ' ' }));
    expect(await secretOf()).toBe(first);
    await post(path, values({ clientSecret: 'another-one' }));
    const second = await secretOf();
    expect(second).not.toBe(first);

    const both = await post(path, values({ clientSecret: 'a-third-one', removeSecret: 'on' }));
    expect(both.status).toBe(400);
    expect(both.text).toContain('or remove the one that is there, not both.');
    expect(both.text).toMatch(/name="removeSecret" value="on" checked/);
    expect(both.text).not.toContain('a-third-one');
    expect(await secretOf()).toBe(second);
    expect((await post(path, values({ clientSecret: '', removeSecret: 'on' }))).to).toContain('done=saved');
    expect(await secretOf()).toBeNull();
    expect(await read(path)).not.toContain('Remove the client secret');

    await post(path, values({ clientSecret: 'a-fourth-one' }));
    await db()
      .update(tables.identityProviders)
      .set({ status: 'active' })
      .where(eq(tables.identityProviders.id, idOf(path)));
    expect(await read(path)).toContain('>Active<');
    await post(path, values({ issuer: 'https://other.example', clientSecret: '' }));
    expect(await rowOf(path)).toMatchObject({ sealedClientSecret: null, status: 'pending' });
    await post(path, values({ clientSecret: 'with-it' }));
    expect(await secretOf()).toBeTypeOf('string');
  });

  test('says at the field what is wrong with a value, and keeps what was entered but the secret', async () => {
    const path = await addProvider('Wrong');
    for (const [changes, sentence] of [
      [{ issuer: 'javascript:alert(1)' }, 'The issuer must be an http or https URL without a query.'],
      [{ issuer: `${provider.issuer}?x=1` }, 'The issuer must be an http or https URL without a query.'],
      [{ clientID: 'dócs' }, 'The client ID must have ASCII characters only.'],
      [{ clientSecret: 'sécret' }, 'The client secret must have ASCII characters only.'],
      [{ scopes: 'openid "x"' }, 'Each scope must be one word.'],
    ] as const) {
      const refused = await post(path, values({ defaultRole: 'guest', ...changes }));
      expect([sentence, refused.status]).toEqual([sentence, 400]);
      expect(refused.text).toContain(sentence);
      expect(refused.text).toContain('<option value="guest" selected>');
      expect(refused.text).not.toContain(values(changes).clientSecret);
    }
    expect((await post(sso('/oidc'), { label: ' ' })).text).toContain(
      'Enter a name of at most 30 characters for the provider.',
    );
  });

  test('removes a provider after asking', async () => {
    const path = await addProvider('Gone');
    expect(await read(`${path}/remove`)).toContain('Nobody signs in through Gone any more');
    expect((await post(`${path}/remove`, {})).to).toBe(`${sso()}?done=removed`);
    expect((await pages.get(path, { cookie: admin })).status).toBe(404);
  });

  test('is there for administrators only, and takes no forms of other sites', async () => {
    const path = await addProvider('Closed');
    const { token } = await createMember(pages.platform, 'An editor', { role: 'edit' });
    const editor = await pages.signIn(token);
    for (const page of [path, `${path}/test`, `${path}/test/start`, `${path}/remove`])
      expect([page, (await pages.get(page, { cookie: editor })).status]).toEqual([page, 404]);
    const foreign = { cookie: admin, 'sec-fetch-site': 'cross-site' };
    for (const form of [sso('/oidc'), path, `${path}/remove`]) {
      expect([form, (await post(form, {}, editor)).status]).toEqual([form, 404]);
      expect([form, (await pages.post(form, {}, foreign)).status]).toEqual([form, 403]);
    }
  });
});

describe('a test of an OpenID Connect provider', () => {
  async function addCompleteProvider(label: string, changes: Record<string, string> = {}): Promise<string> {
    const path = await addProvider(label);
    provider.register(`${PUBLIC_URL}/oidc/${idOf(path)}/callback`);
    await post(path, values({ label, ...changes }));
    return path;
  }

  /** Begins a test in a browser that somebody signed in to. */
  async function begin(path: string) {
    const started = await pages.get(`${path}/test/start`, { cookie: admin });
    const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { status: started.status, to: started.headers.get('location') ?? '', cookie };
  }

  /** Tries a provider out to the end. */
  async function tryOut(path: string, account = 'ada') {
    accountId = account;
    const { to, cookie } = await begin(path);
    const back = new URL(await agreeAtProvider(to, PUBLIC_URL));
    const send = async () => {
      const answer = await pages.get(`${back.pathname}${back.search}`, { cookie });
      return {
        status: answer.status,
        to: answer.headers.get('location'),
        cookies: answer.headers.getSetCookie(),
      };
    };
    return { answered: await send(), send };
  }

  const countRows = async () =>
    await Promise.all(
      [tables.users, tables.members, tables.sessions, tables.userIdentities].map((table) =>
        db().$count(table),
      ),
    );

  test('shows what a pending provider sent and who would come in, and makes no account and no session', async () => {
    const path = await addCompleteProvider('Tested');
    expect(await read(`${path}/test`)).toContain('You began no test of Tested');
    const before = await countRows();
    expect((await begin(path)).to).toContain(provider.issuer);
    expect(await read(`${path}/test`)).toContain('Tested has not answered');
    pages.time = new Date(pages.time.getTime() + 1);
    const { answered, send } = await tryOut(path);
    expect(answered).toEqual({ status: 303, to: `${path}/test`, cookies: [] });
    expect(await countRows()).toEqual(before);
    const shown = await pages.get(`${path}/test`, { cookie: admin });
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const page = await shown.text();
    expect(page).toContain(
      'ada &#60;b&#62; (ada@corp.example) would be signed in as a new user, with the role read.',
    );
    for (const part of ['Claims of the ID token', 'Claims of userinfo', 'email_verified', 'RS256'])
      expect(page).toContain(part);
    expect(page).not.toMatch(/eyJ|access_token|nonce/);
    expect((await rowOf(path))?.status).toBe('pending');
    // The browser loads the page of the answer again.
    expect(await send()).toEqual(answered);
    expect(await read(`${path}/test`)).toContain('It works.');
  });

  test('says why somebody may not come in, and what is wrong with the client or the provider', async () => {
    const path = await addCompleteProvider('Refusing');
    await tryOut(path, 'unverified');
    const unverified = await read(`${path}/test`);
    expect(unverified).toContain('does not say that your address unverified@corp.example is verified');
    expect(unverified).toMatch(/email_verified<\/code><\/th><td>false/);

    const next = () => {
      pages.time = new Date(pages.time.getTime() + 1);
    };
    next();
    await post(path, values({ clientSecret: 'not-the-secret-of-the-client-at-all' }));
    await tryOut(path);
    const client = await read(`${path}/test`);
    expect(client).toContain('Reason: <code>client</code>');
    expect(client).toContain('invalid_client');
    expect(client).toContain('Enter the client ID and the client secret again');
    expect(client).not.toContain('not-the-secret-of-the-client-at-all');

    next();
    await post(path, values({ issuer: `${provider.issuer}/realms/nobody` }));
    expect((await begin(path)).to).toBe(`${path}/test`);
    const description = await read(`${path}/test`);
    expect(description).toContain('Reason: <code>discovery</code>');
    expect(description).toContain('/.well-known/openid-configuration in a browser');
  });

  test('is seen by who began it alone, and ends in their browser', async () => {
    const path = await addCompleteProvider('Own');
    accountId = 'ada';
    const { to, cookie } = await begin(path);
    const back = new URL(await agreeAtProvider(to, PUBLIC_URL));
    const at = `${back.pathname}${back.search}`;
    expect((await pages.get(at)).status).toBe(403);
    expect(await read(`${path}/test`)).toContain('Own has not answered');
    expect((await pages.get(at, { cookie })).headers.get('location')).toBe(`${path}/test`);
    expect(await read(`${path}/test`)).toContain('It works.');
    const other = await createMember(pages.platform, 'Another administrator', { role: 'admin' });
    expect(await read(`${path}/test`, await pages.signIn(other.token))).toContain('You began no test of Own');
    pages.time = new Date(Date.now() + 61 * 60_000);
    expect(await read(`${path}/test`)).toContain('You began no test of Own');
    pages.time = new Date();
  });
});
