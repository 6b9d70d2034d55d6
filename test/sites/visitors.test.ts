import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { hashToken } from '../../src/identity/index.ts';
import { insertSection, newId, type SiteRow, tables, updateSite } from '../../src/store/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { startSites, type TestSites } from './start-sites.ts';

const SHARE_KEY = 'a-key-of-a-share-link';
const VISITOR_KEY = 'a-key-of-the-site-0123456789abcdef';

let sites: TestSites;
let site: SiteRow;
let other: SiteRow;
let linkId: string;
/** What the browser kept, by name. */
let jar: Map<string, string>;

beforeAll(async () => {
  sites = await startSites();
  const { platform } = sites;
  const spaceId = await platform.createSpace('Guide');
  const { repo, url } = await platform.createRepo('guide');
  await repo.commit({ 'README.md': '# Secret handbook\n', 'a.md': '# Page\n' });
  await platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
  site = await sites.createSite('docs');
  other = await sites.createSite('other', { visibility: 'share-link' });
  for (const each of [site, other]) await sites.addSpace(each, spaceId);
  const { db, sealer } = platform.deps;
  linkId = newId();
  const link = { id: linkId, siteId: site.id, name: 'Friends', hash: hashToken(SHARE_KEY), prefix: 'a-key' };
  await db.insert(tables.siteShareLinks).values(link);
  await db
    .insert(tables.siteVisitorKeys)
    .values({ id: newId(), siteId: site.id, sealedKey: sealer.seal(VISITOR_KEY) });
});
afterAll(() => sites.close());
beforeEach(() => {
  jar = new Map();
  sites.isMember = false;
});

/** Calls as a browser does, with the cookies of the site, without following redirects. */
async function open(path: string) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await sites.get(path, cookie === '' ? {} : { cookie });
  for (const { name, value } of response.cookies) jar.set(name, encodeURIComponent(value));
  return response;
}

/** Changes the site, and waits until this process serves it so. */
async function change(fields: Partial<SiteRow>, isSo: () => Promise<boolean>): Promise<void> {
  sites.isMember = false;
  await updateSite(sites.platform.deps.db, site.id, fields);
  await waitFor(isSo);
}

const token = (claims: Record<string, unknown> = {}) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(VISITOR_KEY));

describe('a site by share link', () => {
  beforeAll(() =>
    change({ visibility: 'share-link' }, async () => (await sites.get('/s/acme/docs')).statusCode === 404),
  );

  test('is not there without the key, and with a wrong one', async () => {
    for (const path of ['/s/acme/docs', '/s/acme/docs?shareKey=wrong', '/s/acme/docs/a?shareKey=']) {
      expect((await open(path)).statusCode).toBe(404);
    }
  });

  test('opens at its address without the key, which a cookie keeps from scripts and from other sites', async () => {
    const opened = await open(`/s/acme/docs/a?shareKey=${SHARE_KEY}&x=1`);
    expect([opened.statusCode, opened.headers.location]).toEqual([302, '/s/acme/docs/a?x=1']);
    expect(opened.headers['set-cookie']).toMatch(/HttpOnly.*SameSite=Lax/);
    expect(opened.headers['set-cookie']).toContain('Path=/s/acme/docs');
    const page = await open('/s/acme/docs');
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect((await open('/s/acme/other')).statusCode).toBe(404);
    expect((await open(`/s/acme/other?shareKey=${SHARE_KEY}`)).statusCode).toBe(404);
  });

  test('is closed to everybody in it once the link is switched off', async () => {
    await open(`/s/acme/docs?shareKey=${SHARE_KEY}`);
    expect((await open('/s/acme/docs')).statusCode).toBe(200);
    const { db } = sites.platform.deps;
    await db.update(tables.siteShareLinks).set({ active: false });
    await waitFor(async () => (await open('/s/acme/docs')).statusCode === 404);
    await db.update(tables.siteShareLinks).set({ active: true });
    await waitFor(async () => (await open('/s/acme/docs')).statusCode === 200);
  });

  test('is open to members', async () => {
    sites.isMember = true;
    expect((await open('/s/acme/docs')).statusCode).toBe(200);
  });
});

describe('a site by visitor token', () => {
  beforeAll(() =>
    change(
      { visibility: 'visitor-auth', fallbackUrl: 'https://acme.example/sign-in?app=docs' },
      async () => (await sites.get('/s/acme/docs')).statusCode === 302,
    ),
  );

  test('sends visitors to sign in, with the way back', async () => {
    const { headers } = await open('/s/acme/docs/a');
    expect(headers.location).toMatch(
      /^https:\/\/acme\.example\/sign-in\?app=docs&location=http[^&]*%2Fs%2Facme%2Fdocs%2Fa$/,
    );
    expect(headers['cache-control']).toBe('private, no-store');
  });

  test('says why it does not open after several tries', async () => {
    const statuses = [];
    for (let nth = 0; nth < 5; nth += 1) statuses.push((await open('/s/acme/docs')).statusCode);
    expect(statuses).toEqual([302, 302, 302, 403, 403]);
    expect((await open('/s/acme/docs')).body).toContain('jwt_token');
  });

  test('opens with a token, and keeps it until it expires', async () => {
    const opened = await open(`/s/acme/docs/a?jwt_token=${await token()}`);
    expect([opened.statusCode, opened.headers.location]).toEqual([302, '/s/acme/docs/a']);
    const [cookie] = opened.cookies;
    expect(cookie?.['maxAge']).toBeGreaterThan(3_500);
    expect(cookie?.['maxAge']).toBeLessThanOrEqual(3_600);
    const page = await open('/s/acme/docs');
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'private, no-store']);
  });

  test('says why a token is refused, without sending its bearer anywhere', async () => {
    const { statusCode, body } = await open('/s/acme/docs?jwt_token=x.y.z');
    expect([statusCode, body]).toEqual([403, 'The sign-in token is not a signed JWT.\n']);
  });

  test('does not open by the key of a share link', async () => {
    expect((await open(`/s/acme/docs?shareKey=${SHARE_KEY}`)).statusCode).toBe(302);
    expect(jar.size).toBe(1);
    expect([...jar.keys()][0]).toContain('attempts');
  });

  test('does not open by a token in the cookie of another key', async () => {
    jar.set(`docloom-visitor-${site.id}`, 'x.y.z');
    expect((await open('/s/acme/docs')).statusCode).toBe(302);
  });
});

test('what the API makes opens a site: a share link, and the key for tokens', async () => {
  const { client, organizationId } = sites.platform;
  const params = { organizationId, siteId: other.id };
  const link = await client.call(operations.createShareLink, { params, body: { name: 'Partners' } });
  const address = new URL(link.urls.published ?? '');
  await waitFor(async () => (await open(address.pathname + address.search)).statusCode === 302);
  expect((await open('/s/acme/other')).statusCode).toBe(200);
  const { id: shareLinkId } = link;
  await client.call(operations.updateShareLink, {
    params: { ...params, shareLinkId },
    body: { active: false },
  });
  await waitFor(async () => (await open('/s/acme/other')).statusCode === 404);

  await client.call(operations.updateSite, { params, body: { visibility: 'visitor-auth' } });
  const { privateKey: first } = await client.call(operations.getPublishingAuth, { params });
  const { privateKey: second } = await client.call(operations.regeneratePublishingAuth, { params });
  expect(second).not.toBe(first);
  for (const key of [first, second]) {
    const signed = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(key));
    jar.clear();
    await waitFor(async () => (await open(`/s/acme/other?jwt_token=${signed}`)).statusCode === 302);
    expect((await open('/s/acme/other')).statusCode).toBe(200);
  }
});

describe('a site whose parts have conditions', () => {
  const shown = async (path = '/s/acme/docs') => {
    const { statusCode, body } = await open(path);
    return statusCode === 200
      ? [...body.matchAll(/aria-label="Sections">.*?<\/nav>/gs)].join('')
      : statusCode;
  };

  beforeAll(async () => {
    const { db } = sites.platform.deps;
    const spaceId = await sites.platform.createSpace('Extra');
    const { repo, url } = await sites.platform.createRepo('extra');
    await repo.commit({ 'README.md': '# For customers\n' });
    await sites.platform.importBranch(spaceId, { url, ref: 'refs/heads/main' });
    await db.delete(tables.siteSpaces).where(eq(tables.siteSpaces.siteId, site.id));
    for (const [title, condition] of [
      ['Everybody', null],
      ['Pro', 'visitor.claims.plan == "pro"'],
      ['Beta', 'visitor.claims.unsigned.beta'],
    ] as const) {
      const section = {
        id: newId(),
        siteId: site.id,
        groupId: null,
        title,
        path: title.toLowerCase(),
        icon: null,
      };
      await insertSection(db, section);
      await db.update(tables.siteSections).set({ condition }).where(eq(tables.siteSections.id, section.id));
      await sites.addSpace(site, spaceId, { sectionId: section.id, path: 'now' });
    }
    const boolean = { type: 'boolean' };
    await change(
      {
        visibility: 'public',
        fallbackUrl: null,
        adaptiveContent: true,
        adaptiveSchema: {
          type: 'object',
          properties: {
            plan: { type: 'string', enum: ['free', 'pro'] },
            unsigned: { type: 'object', properties: { beta: boolean } },
          },
        },
      },
      async () => (await sites.get('/s/acme/docs')).statusCode === 200,
    );
  });

  test('shows what is for everybody to who says nothing, and no cache keeps it', async () => {
    expect(await shown('/s/acme/docs/pro')).toBe(404);
    expect(await shown('/s/acme/docs/beta')).toBe(404);
    const { statusCode, headers, body } = await open('/s/acme/docs');
    expect([statusCode, headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(body).not.toMatch(/Pro<|Beta</);
  });

  test('shows more to a visitor whose token says so, on every surface', async () => {
    await open(`/s/acme/docs?jwt_token=${await token({ plan: 'pro' })}`);
    expect(await shown()).toMatch(/Everybody.*Pro/s);
    expect((await open('/s/acme/docs/pro')).statusCode).toBe(200);
    for (const path of ['/llms.txt', '/sitemap.xml', '/feed.xml']) {
      jar.clear();
      expect((await open(`/s/acme/docs${path}`)).body).not.toContain('/pro');
    }
  });

  test('takes an unsigned claim from the address, and drops claims that the schema does not know', async () => {
    const opened = await open('/s/acme/docs?visitor.beta=true&visitor.plan=pro&q=1');
    expect([opened.statusCode, opened.headers.location]).toEqual([302, '/s/acme/docs?q=1']);
    expect(await shown()).toMatch(/Everybody.*Beta/s);
    expect(await shown('/s/acme/docs/pro')).toBe(404);
    await open(`/s/acme/docs?jwt_token=${await token({ plan: 'everything' })}`);
    expect(await shown('/s/acme/docs/pro')).toBe(404);
  });
});
