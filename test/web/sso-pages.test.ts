/** Setting single sign-on up in the browser, and trying providers out. */
import { inflateRawSync } from 'node:zlib';
import { eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, removeOldRows, setEmailDomainProved, tables } from '../../src/store/index.ts';
import { createMember } from '../platform/create-member.ts';
import { casesAtLength, testAtLength } from '../support/describe-at-length.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { listForgeries } from '../support/saml/forgeries.ts';
import { type Answer, createIdentityProvider, encode, idOf } from '../support/saml/identity-provider.ts';
import { startPages, type TestPages } from './start-pages.ts';

const PUBLIC_URL = 'https://docs.example';

let pages: TestPages;
let admin: string;
const idp = createIdentityProvider();
beforeAll(async () => {
  pages = await startPages({ publicUrl: PUBLIC_URL });
  admin = await pages.signIn();
});
afterAll(() => pages?.close());

const db = () => pages.platform.deps.db;
const sso = (part = '') => `/orgs/${pages.platform.organizationId}/sso${part}`;
const read = async (path: string, cookie = admin) => await (await pages.get(path, { cookie })).text();

async function post(path: string, fields: Record<string, string>, cookie = admin) {
  const answer = await pages.post(path, fields, { cookie });
  return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
}

/** The path of a new provider's page. */
async function addProvider(label: string): Promise<string> {
  const { to } = await post(sso('/saml'), { label });
  return to?.replace(/\?.*$/, '') ?? '';
}

const values = (changes: Record<string, string> = {}) => ({
  label: 'Okta',
  entityID: idp.entityId,
  ssoURL: 'https://idp.example/sso',
  certificate: idp.certificate,
  nextCertificate: '',
  defaultRole: 'read',
  defaultTeam: '',
  ...changes,
});

/** Somebody else of the organization, signed in. */
async function signInWithRole(role: 'edit' | 'admin'): Promise<string> {
  return await pages.signIn((await createMember(pages.platform, `An ${role}`, { role })).token);
}

describe('the single sign-on page of an organization', () => {
  testAtLength('adds a provider, shows the addresses to enter there, and takes its values', async () => {
    expect(await read(sso())).toContain('There is no SAML provider yet.');
    const { status, to } = await post(sso('/saml'), { label: ' Okta ' });
    expect(status).toBe(303);
    const path = to?.replace(/\?.*$/, '') ?? '';
    const id = path.split('/').at(-1);
    const page = await read(to ?? '');
    for (const address of [`${PUBLIC_URL}/saml/${id}/acs`, `${PUBLIC_URL}/saml/${id}/metadata`])
      expect(page).toContain(`<code class="copy">${address}</code>`);
    expect((await pages.get(`/saml/${id}/metadata`)).headers.get('content-disposition')).toContain(
      'docloom-metadata.xml',
    );
    expect((await pages.get(`${path}/test/start`, { cookie: admin })).headers.get('location')).toBe(
      `${path}?done=incomplete`,
    );
    expect((await post(path, values())).to).toBe(`${path}?done=saved`);
    const saved = await read(path);
    expect(saved).toContain(`value="${idp.entityId}"`);
    expect(saved).toMatch(/SHA-256: <code>([0-9A-F]{2}:){31}/);
    expect(await read(sso())).toContain('Not used yet');
    // What was not changed stays.
    expect((await post(path, values({ label: 'Corp' }))).status).toBe(303);
    expect(await read(path)).toContain(`value="${idp.entityId}"`);
  });

  test('says at the field what is wrong with a value, and keeps what was entered', async () => {
    const path = await addProvider('Wrong');
    const refused = await post(path, values({ certificate: 'not one', entityID: 'urn:x' }));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('The certificate must be a certificate in PEM.');
    expect(refused.text).toContain('value="urn:x"');
    expect(refused.text).toContain('not one</textarea>');
    expect((await post(path, values({ ssoURL: 'javascript:alert(1)' }))).text).toContain(
      'The single sign-on URL must be an http or https URL.',
    );
  });

  test('adds domains with their records, proves and removes them', async () => {
    expect((await post(sso('/domains'), { domain: ' Corp.Example ' })).to).toBe(`${sso()}?done=claimed`);
    const page = await read(sso());
    expect(page).toContain('<code class="copy">_docloom.corp.example</code>');
    expect(page).toMatch(/<code class="copy">docloom-domain=[0-9a-f]{40}<\/code>/);
    const early = await post(sso('/domains/prove'), { domain: 'corp.example' });
    expect([early.status, early.text]).toEqual([
      409,
      expect.stringMatching(/The DNS (has no TXT record|did not answer)/),
    ]);
    await setEmailDomainProved(db(), pages.platform.organizationId, 'corp.example');
    expect(await read(sso())).toContain('>Proved<');
    for (const domain of ['', '../x', 'a b'])
      expect((await post(sso('/domains'), { domain })).status).toBe(400);
    await post(sso('/domains'), { domain: 'other.example' });
    expect((await post(sso('/domains/remove'), { domain: 'other.example' })).to).toContain('done=withdrawn');
    expect(await read(sso())).not.toContain('other.example');
  });

  test('lists the accounts that keep an address of its domains, and releases one after asking', async () => {
    const id = newId();
    await proveDomain(db(), pages.platform.organizationId, 'kept.example');
    const add = (userId: string, name: string) =>
      db()
        .insert(tables.users)
        .values({ id: userId, displayName: name, email: `${name}@kept.example` });
    await add(id, 'stranger');
    await db().insert(tables.passwords).values({ userId: id, hash: 'x' });
    await add(newId(), 'imported');
    const page = await read(sso());
    expect(page).toContain('stranger@kept.example');
    expect(page).not.toContain('imported@kept.example');
    expect(await read(sso(`/accounts/${id}`))).toContain('Every way into the account stranger');
    expect((await post(sso('/accounts/release'), { id })).to).toBe(`${sso()}?done=released`);
    expect(await read(sso('?done=released'))).not.toContain('Addresses that nobody confirmed');
    expect((await pages.get(sso(`/accounts/${id}`), { cookie: admin })).status).toBe(404);
  });

  test('lists providers in parts', async () => {
    const { organizationId } = pages.platform;
    const added = Array.from({ length: 101 }, (_, at) => ({
      id: newId(),
      organizationId,
      kind: 'oidc',
      label: `Many ${at}`,
      createdAt: new Date(Date.now() + at),
    }));
    await db().insert(tables.identityProviders).values(added);
    const first = await read(sso());
    expect([first.includes('Many 99<'), first.includes('Many 100<')]).toEqual([true, false]);
    const next = /href="([^"]*[?&]oidc=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(await read(next)).toContain('Many 100<');
    await db().delete(tables.identityProviders).where(like(tables.identityProviders.label, 'Many %'));
  });

  test('requires single sign-on only when it works, and keeps the last provider that does', async () => {
    const path = await addProvider('Only');
    await post(path, values({ label: 'Only' }));
    const refused = await post(sso('/require'), { sso: 'on' });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('No provider of this organization has signed anybody in yet'),
    ]);
    const id = path.split('/').at(-1) ?? '';
    const set = (status: string) =>
      db().update(tables.identityProviders).set({ status }).where(eq(tables.identityProviders.id, id));
    await set('active');
    expect((await post(sso('/require'), { sso: 'on' })).text).toContain('You would lock yourself out');
    const require = (required: boolean) =>
      db()
        .update(tables.organizations)
        .set({ sso: required })
        .where(eq(tables.organizations.id, pages.platform.organizationId));
    await require(true);
    const last = await post(`${path}/remove`, {});
    expect([last.status, last.text]).toEqual([409, expect.stringContaining('its last provider that works')]);
    expect((await post(sso('/require'), { sso: 'off' })).to).toBe(`${sso()}?done=sso-off`);
    expect(await read(`${path}/remove`)).toContain('Remove Only');
    expect((await post(`${path}/remove`, {})).to).toBe(`${sso()}?done=removed`);
    expect((await pages.get(path, { cookie: admin })).status).toBe(404);
  });

  test('makes a token for provisioning, shows it once with the address, and revokes it after asking', async () => {
    const { organizationId } = pages.platform;
    const baseURL = `${PUBLIC_URL}/scim/v2/${organizationId}`;
    const before = await read(sso());
    expect(before).toContain('There is no token for provisioning yet.');
    expect(before).toContain(`<code class="copy">${baseURL}</code>`);
    const made = await pages.post(sso('/scim'), { name: 'Okta <b>', days: '90' }, { cookie: admin });
    const answer = await made.text();
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const token = /id="docloom-token"[^>]* value="([^"]+)"/.exec(answer)?.[1] ?? '';
    expect(answer).toContain(`<code class="copy">${baseURL}</code>`);
    const users = async () =>
      (
        await fetch(`${pages.platform.url}/scim/v2/${organizationId}/Users`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await users()).toBe(200);

    // A token for the API is bound to the organization, too, and is not for provisioning.
    await pages.platform.api('POST', '/user/tokens', {
      body: {
        name: 'Deploys',
        role: 'read',
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
        organization: organizationId,
      },
    });
    const list = await read(sso());
    expect(list).toContain('<th scope="row">Okta &#60;b&#62;</th>');
    expect(list).not.toContain(token);
    expect(list).not.toContain('Deploys');
    const [row] = await db().select().from(tables.apiTokens).where(eq(tables.apiTokens.name, 'Okta <b>'));
    expect(row).toMatchObject({ scope: 'scim', role: null, organizationId });
    expect(Math.round(((row?.expiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(90);

    const revoke = sso(`/scim/${row?.id}/revoke`);
    expect(list).toContain(`href="${revoke}"`);
    expect(await read(revoke)).toContain(
      'The provider that has the token Okta &#60;b&#62; provisions nobody',
    );
    expect(await users()).toBe(200);
    expect((await post(revoke, {})).to).toBe(`${sso()}?done=revoked`);
    expect(await users()).toBe(401);
    expect(await read(`${sso()}?done=revoked`)).toContain('The token was revoked.');
    expect((await pages.get(revoke, { cookie: admin })).status).toBe(404);
    const [other] = await db().select().from(tables.apiTokens).where(eq(tables.apiTokens.name, 'Deploys'));
    expect((await post(sso(`/scim/${other?.id}/revoke`), {})).status).toBe(404);
  });

  test('says at the field what is wrong with a token for provisioning', async () => {
    const refused = await post(sso('/scim'), { name: ' ', days: '30' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('The name of the token must be one line that is not blank.');
    expect(refused.text).toContain('<option value="30" selected>');
  });

  test('lists all tokens for provisioning, in parts', async () => {
    const { token } = await createMember(pages.platform, 'A maker', { role: 'admin' });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const path = `/orgs/${pages.platform.organizationId}/scim-tokens`;
    for (let number = 1; number <= 51; number += 1)
      expect(
        await pages.platform.api('POST', path, { token, body: { name: `Part ${number}`, expiresAt } }),
      ).toMatchObject({ status: 201 });
    const namesIn = (page: string) => page.match(/Part \d+(?=<\/th>)/g) ?? [];
    const first = await read(sso());
    const more = /href="([^"#]*tokens=[^"#]*)#docloom-scim"/.exec(first)?.[1] ?? '';
    const second = await read(more.replaceAll('&amp;', '&'));
    expect([namesIn(first).length, namesIn(second).length]).toEqual([50, 1]);
    expect(new Set([...namesIn(first), ...namesIn(second)]).size).toBe(51);
  });

  test('is there for administrators only, and takes no forms of other sites', async () => {
    const path = await addProvider('Closed');
    const editor = await signInWithRole('edit');
    const [provisioning] = await db()
      .select()
      .from(tables.apiTokens)
      .where(eq(tables.apiTokens.name, 'Part 1'));
    const revoke = sso(`/scim/${provisioning?.id}/revoke`);
    for (const page of [sso(), revoke, path, `${path}/test`, `${path}/test/start`, `${path}/remove`])
      expect([page, (await pages.get(page, { cookie: editor })).status]).toEqual([page, 404]);
    const foreign = { cookie: admin, 'sec-fetch-site': 'cross-site' };
    for (const form of [
      sso('/scim'),
      revoke,
      sso('/saml'),
      sso('/require'),
      sso('/domains'),
      path,
      `${path}/remove`,
    ]) {
      expect([form, (await post(form, {}, editor)).status]).toEqual([form, 404]);
      expect([form, (await pages.post(form, {}, foreign)).status]).toEqual([form, 403]);
    }
  });
});

/** Begins a test in a browser; returns what the identity provider gets. */
async function beginTest(path: string, cookie = admin) {
  const started = await pages.get(`${path}/test/start`, { cookie });
  expect(started.status).toBe(303);
  const url = new URL(started.headers.get('location') ?? '');
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const service = `${PUBLIC_URL}/saml/${path.split('/').at(-1)}`;
  return {
    path,
    relayState: url.searchParams.get('RelayState') ?? '',
    // The provider's form comes from its own site, with this cookie alone.
    cookie: started.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    to: {
      acsURL: `${service}/acs`,
      entityID: `${service}/metadata`,
      requestId: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
      now: new Date(),
    },
  };
}
type Begun = Awaited<ReturnType<typeof beginTest>>;

function answerTo({ to }: Begun, changes: Partial<Answer> = {}): string {
  const xml = idp.write(to, changes);
  return encode(idp.sign(xml, idOf(xml, 'Assertion'), { publicCert: idp.certificate }));
}

async function send(begun: Begun, form: string, relayState = begun.relayState) {
  const answer = await pages.post(
    `${new URL(begun.to.acsURL).pathname}`,
    { SAMLResponse: form, RelayState: relayState },
    { cookie: begun.cookie, origin: 'https://idp.example', 'sec-fetch-site': 'cross-site' },
  );
  return {
    status: answer.status,
    to: answer.headers.get('location'),
    cookies: answer.headers.getSetCookie(),
  };
}

const countRows = async () =>
  await Promise.all(
    [tables.users, tables.members, tables.sessions, tables.userIdentities].map((table) => db().$count(table)),
  );

describe('a test of a provider', () => {
  async function addCompleteProvider(label: string): Promise<string> {
    const path = await addProvider(label);
    await post(path, values({ label }));
    return path;
  }

  test('shows what a pending provider sent and who would come in, and makes no account and no session', async () => {
    const path = await addCompleteProvider('Tested');
    expect(await read(`${path}/test`)).toContain('You began no test of Tested');
    const before = await countRows();
    const begun = await beginTest(path);
    expect(await read(`${path}/test`)).toContain('Tested has not answered');
    const answered = await send(begun, answerTo(begun));
    expect(answered).toEqual({ status: 303, to: `${path}/test`, cookies: [] });
    expect(await countRows()).toEqual(before);
    const page = await read(`${path}/test`);
    expect(page).toContain(
      'Ada Lovelace (ada@corp.example) would be signed in as a new user, with the role read.',
    );
    for (const shown of [
      'ada-42',
      'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      'ada@corp.example',
      idp.entityId,
      begun.to.requestId,
      'rsa-sha256',
      'Entered here',
    ])
      expect(page).toContain(shown);
    const id = path.split('/').at(-1) ?? '';
    const [row] = await db()
      .select()
      .from(tables.identityProviders)
      .where(eq(tables.identityProviders.id, id));
    expect(row?.status).toBe('pending');
    const [event] = await db()
      .select()
      .from(tables.auditEvents)
      .where(eq(tables.auditEvents.action, 'identity-provider.test'));
    expect(event).toMatchObject({ outcome: 'success', targetId: id, actorKind: 'user' });
    // The form that the browser sends once more changes nothing.
    await send(begun, answerTo(begun));
    expect(await read(`${path}/test`)).toContain('It works.');
    const stored = JSON.stringify(await db().select().from(tables.signInRequests));
    expect(stored).not.toContain('SignatureValue');
    expect(stored).not.toContain(begun.relayState);
  });

  test('is seen by who began it, in this browser, for an hour', async () => {
    const path = await addCompleteProvider('Own');
    const begun = await beginTest(path);
    const form = answerTo(begun);
    const elsewhere = await send({ ...begun, cookie: '' }, form);
    expect(elsewhere.status).toBe(403);
    expect(await read(`${path}/test`)).toContain('Own has not answered');
    await send(begun, form);
    expect(await read(`${path}/test`)).toContain('It works.');
    expect(await read(`${path}/test`, await signInWithRole('admin'))).toContain('You began no test of Own');
    pages.time = new Date(Date.now() + 61 * 60_000);
    expect(await read(`${path}/test`)).toContain('You began no test of Own');
    pages.time = new Date();
    await db()
      .update(tables.signInRequests)
      .set({ createdAt: new Date(Date.now() - 61 * 60_000) });
    await removeOldRows(db(), AbortSignal.timeout(60_000));
    expect(await db().$count(tables.signInRequests)).toBe(0);
  });

  test('says for every reason why an answer is refused, and what to change', async () => {
    const path = await addCompleteProvider('Forged');
    const begun = await beginTest(path);
    const before = await countRows();
    // One for each reason: all of them are refused alike when people sign in.
    const forgeries = [
      ...new Map(listForgeries(idp, begun.to).map((forgery) => [forgery.reason, forgery])).values(),
    ];
    const tried = casesAtLength(
      'the advice for more reasons why an answer is refused',
      forgeries.slice(0, 4),
      forgeries.slice(4),
    );
    for (const { name, reason, form } of tried) {
      // Each is the first answer to the request.
      await db()
        .update(tables.signInRequests)
        .set({ usedAt: null, outcome: null })
        .where(eq(tables.signInRequests.requestId, begun.to.requestId));
      expect([name, await send(begun, form)]).toEqual([
        name,
        { status: 303, to: `${path}/test`, cookies: [] },
      ]);
      const page = await read(`${path}/test`);
      expect([name, /Reason: <code>([^<]+)/.exec(page)?.[1]]).toEqual([name, reason]);
      expect(page).toMatch(/<strong>Refused\.<\/strong> [^<]+<\/p>\s*<p>[^<]+\.<\/p>/);
    }
    expect(await countRows()).toEqual(before);
  });

  test('shows the message of a provider that refuses, also with characters that no database stores', async () => {
    const path = await addCompleteProvider('Refusing');
    const begun = await beginTest(path);
    const refused = idp.write(begun.to, { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' });
    const message = '<samlp:StatusMessage>not&#0;assigned&#xD800;</samlp:StatusMessage></samlp:Status>';
    const answered = await send(begun, encode(refused.replace('</samlp:Status>', message)));
    expect([answered.status, answered.to]).toEqual([303, `${path}/test`]);
    expect(await read(`${path}/test`)).toContain('not assigned');
  });

  test('says that RelayState was lost, that the address is of no proved domain, and which certificate came', async () => {
    const path = await addCompleteProvider('Lost');
    const begun = await beginTest(path);
    expect((await send(begun, answerTo(begun), '')).to).toBe(`${path}/test`);
    expect(await read(`${path}/test`)).toContain('Let the provider return RelayState');
    const stranger = { attributes: { email: 'eve@elsewhere.example' } };
    await send(begun, answerTo(begun, stranger));
    const page = await read(`${path}/test`);
    expect(page).toContain('has not proved that the domain elsewhere.example is its own');
    expect(page).toContain('eve@elsewhere.example');

    pages.time = new Date();
    const other = createIdentityProvider();
    const again = await beginTest(path);
    const xml = idp.write(again.to);
    const signing = { key: other.key, publicCert: other.certificate };
    await send(again, encode(idp.sign(xml, idOf(xml, 'Assertion'), signing)));
    const wrong = await read(`${path}/test`);
    expect(wrong).toContain('The answer came with a certificate that is not entered here');
    expect(wrong).toContain('Not entered here');
    expect(wrong).not.toContain('It should be');
    pages.time = new Date(pages.time.getTime() + 1);
    const third = await beginTest(path);
    await send(third, answerTo(third, { audience: 'urn:other' }));
    expect(await read(`${path}/test`)).toContain(`It should be ${third.to.entityID}`);
  });
});
