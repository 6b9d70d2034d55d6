import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { hashToken } from '../../src/identity/index.ts';
import { deleteSession, insertSession, newId, tables } from '../../src/store/index.ts';
import { createMember } from '../platform/create-member.ts';
import { startSites, type TestSites } from './start-sites.ts';

const HOST = 'acme.docs.example';
const OTHER_HOST = 'other.docs.example';

interface Cookie {
  readonly name: string;
  readonly value: string;
}

let sites: TestSites;

beforeAll(async () => {
  sites = await startSites({ sitesUrl: 'http://*.docs.example' });
  const spaceId = await sites.platform.createSpace('Guide');
  const { repo, url } = await sites.platform.createRepo('guide');
  await repo.commit({ 'README.md': '# A shy quokka\n' });
  await sites.platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  await sites.addSpace(await sites.createSite('docs', { publishedAt: null }), spaceId);
});
afterAll(() => sites.close());

async function startSession(userId: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const session = { id: newId(), hash: hashToken(secret), userId, provider: 'password', displayName: 'Ada' };
  await insertSession(sites.platform.deps.db, session, new Date());
  return secret;
}

const member = async (role: string | null) =>
  (await createMember(sites.platform, `a member ${newId()}`, { role })).userId;

/** What the host sends the browser to, and the cookie that it keeps. */
async function askAt(host: string, to = '/docs') {
  const { statusCode, headers, cookies } = await sites.get(`/~/sign-in?to=${encodeURIComponent(to)}`, {
    host,
  });
  expect(statusCode).toBe(303);
  const { searchParams, pathname } = new URL(String(headers.location));
  expect(pathname).toBe('/site-sign-in');
  const [asking] = cookies;
  const ask = {
    host: searchParams.get('host') ?? '',
    browserHash: searchParams.get('browser') ?? '',
    returnTo: searchParams.get('to') ?? '',
  };
  return { ask, cookie: `${asking?.name}=${asking?.value}` };
}

async function enter(address: string, cookie: string) {
  const { host, pathname, search } = new URL(address);
  const { statusCode, headers, cookies } = await sites.get(pathname + search, { host, cookie });
  const reader = (cookies as readonly Cookie[]).find(({ name }) => name === 'docloom-reader');
  return {
    status: statusCode,
    location: headers.location,
    reader: `${reader?.name}=${reader?.value}`,
    cookies,
  };
}

const read = async (cookie: string, host = HOST) => (await sites.get('/docs', { host, cookie })).statusCode;

/** The cookie of somebody who went all the way. */
async function readerOf(secret: string): Promise<string> {
  const { ask, cookie } = await askAt(HOST);
  const address = await sites.readers.handOver(`dls_${secret}`, ask);
  return (await enter(address ?? '', cookie)).reader;
}

test('a member reads what is not published, until the session ends', async () => {
  expect((await sites.get('/docs', { host: HOST, accept: 'text/html' })).body).toContain(
    'href="/~/sign-in?to=%2Fdocs"',
  );
  const secret = await startSession(await member('read'));
  const { ask, cookie } = await askAt(HOST);
  const address = (await sites.readers.handOver(`dls_${secret}`, ask)) ?? '';
  expect(address).toMatch(/^http:\/\/acme\.docs\.example\/~\/sign-in\?ticket=[\w-]{43}$/);
  const entered = await enter(address, cookie);
  expect([entered.status, entered.location]).toEqual([303, '/docs']);
  const set = (entered.cookies as readonly Cookie[]).find(({ name }) => name === 'docloom-reader');
  expect(set).toMatchObject({ path: '/', httpOnly: true, sameSite: 'Lax' });
  expect(set).not.toHaveProperty('domain');
  const page = await sites.get('/docs', { host: HOST, cookie: entered.reader });
  expect(page.body).toContain('quokka');
  expect(page.headers['cache-control']).toBe('private, no-store');
  expect(page.headers['x-robots-tag']).toContain('noindex');
  await deleteSession(sites.platform.deps.db, hashToken(secret), new Date());
  expect(await read(entered.reader)).toBe(404);
});

test.each([
  ['a guest without a grant', null, 404],
  ['a reader', 'read', 200],
  ['an administrator', 'admin', 200],
])('%s', async (_name, role, expected) => {
  expect(await read(await readerOf(await startSession(await member(role))))).toBe(expected);
});

test('who is no member any more reads nothing', async () => {
  const userId = await member('read');
  const reader = await readerOf(await startSession(userId));
  expect(await read(reader)).toBe(200);
  await sites.platform.deps.db.execute(
    sql`update ${tables.members} set disabled_at = now() where user_id = ${userId}`,
  );
  expect(await read(reader)).toBe(404);
});

describe('a ticket is of no use', () => {
  const ticketFor = async () => {
    const { ask, cookie } = await askAt(HOST);
    const address = await sites.readers.handOver(`dls_${await startSession(await member('read'))}`, ask);
    return { address: address ?? '', cookie };
  };

  it('twice', async () => {
    const { address, cookie } = await ticketFor();
    expect((await enter(address, cookie)).status).toBe(303);
    expect((await enter(address, cookie)).status).toBe(403);
  });

  it('in a browser that did not ask for it', async () => {
    const { address } = await ticketFor();
    const { cookie } = await askAt(HOST);
    expect((await enter(address, '')).status).toBe(403);
    expect((await enter(address, cookie)).status).toBe(403);
  });

  it('at another host', async () => {
    const { address, cookie } = await ticketFor();
    expect((await enter(address.replace(HOST, OTHER_HOST), cookie)).status).toBe(403);
  });

  it('after a minute', async () => {
    const { address, cookie } = await ticketFor();
    const { db } = sites.platform.deps;
    await db.update(tables.signInRequests).set({ expiresAt: new Date(Date.now() - 1) });
    expect((await enter(address, cookie)).status).toBe(403);
  });

  it('when it is made up', async () => {
    const { cookie } = await askAt(HOST);
    const made = `http://${HOST}/~/sign-in?ticket=${'x'.repeat(43)}`;
    expect((await enter(made, cookie)).status).toBe(403);
  });
});

test('tickets are stored as hashes', async () => {
  const { ask } = await askAt(HOST);
  const address = await sites.readers.handOver(`dls_${await startSession(await member('read'))}`, ask);
  const ticket = new URL(address ?? '').searchParams.get('ticket') ?? 'none';
  const rows = await sites.platform.deps.db.select().from(tables.signInRequests);
  expect(JSON.stringify(rows)).not.toContain(ticket);
  expect(rows.map(({ hash }) => hash)).toContain(hashToken(ticket));
});

test.each([
  ['a host that is not served', { host: 'evil.example' }],
  ['an organization that is not there', { host: 'nobody.docs.example' }],
])('no session is handed over to %s', async (_name, change) => {
  const { ask } = await askAt(HOST);
  const secret = await startSession(await member('read'));
  expect(await sites.readers.handOver(`dls_${secret}`, { ...ask, ...change })).toBeNull();
});

test('without a session there is no ticket', async () => {
  const { ask } = await askAt(HOST);
  expect(await sites.readers.handOver(`dls_${'x'.repeat(43)}`, ask)).toBeNull();
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'docs',
  '/..//evil.example',
])('the way back is on the same host: %s', async (to) => {
  const { ask, cookie } = await askAt(HOST, to);
  const secret = await startSession(await member('read'));
  const address = await sites.readers.handOver(`dls_${secret}`, { ...ask, returnTo: to });
  expect((await enter(address ?? '', cookie)).location).toBe('/');
});

test('the cookie of a host opens nothing elsewhere', async () => {
  const reader = await readerOf(await startSession(await member('read')));
  expect(await read(reader, OTHER_HOST)).toBe(404);
  const forged = `docloom-reader=${sites.platform.deps.sealer.seal(JSON.stringify({ kind: 'site-ticket' }))}`;
  expect(await read(forged)).toBe(404);
  expect(await read('docloom-reader=x')).toBe(404);
});
