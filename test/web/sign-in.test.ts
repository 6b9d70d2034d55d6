import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createToken, revokeToken } from '../../src/platform/index.ts';
import { ensureMember, removeOldRows, tables } from '../../src/store/index.ts';
import { createMember } from '../platform/create-member.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

describe('signing in', () => {
  test('people who are not signed in see a welcome page, and are redirected to the form from all others', async () => {
    const home = await pages.get('/');
    expect(home.status).toBe(200);
    expect(await home.text()).toContain('<label for="docloom-token">API token</label>');
    const space = await pages.get('/spaces/abc?broken=x');
    expect(space.status).toBe(303);
    expect(space.headers.get('location')).toBe('/login?next=%2Fspaces%2Fabc%3Fbroken%3Dx');
    expect(await (await pages.get('/login?next=%2Fspaces%2Fabc')).text()).toContain(
      'name="next" value="/spaces/abc"',
    );
  });

  test('a token that the platform knows opens the pages', async () => {
    const answer = await pages.post('/login', { token: ` ${pages.platform.token}\n`, next: '/spaces/abc' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/spaces/abc');
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^docloom-session=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/);
    const home = await pages.get('/', { cookie: cookie.split(';')[0] ?? '' });
    expect(await home.text()).toContain('<h1>Spaces</h1>');
  });

  test.each([
    ['unknown', 'dl_unknown', 401, 'This token is not known here.'],
    ['not of this world', 'dl_\u{1f41b}', 401, 'This token is not known here.'],
    ['empty', '  ', 400, 'Paste an API token to sign in.'],
    ['endless', 'x'.repeat(2000), 400, 'Paste an API token to sign in.'],
  ])('a token that is %s is refused with a sentence', async (_, token, status, sentence) => {
    const answer = await pages.post('/login', { token });
    expect(answer.status).toBe(status);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const text = await answer.text();
    expect(text).toContain(sentence);
    expect(text).toContain('aria-invalid="true"');
    expect(text).not.toContain(`value="${token}"`);
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/login',
    '/logout',
    'javascript:alert(1)',
    '',
  ])('nobody is redirected to %j', async (next) => {
    const answer = await pages.post('/login', { token: pages.platform.token, next });
    expect(answer.headers.get('location')).toBe('/');
  });

  test('a form that another site sends does nothing', async () => {
    const cookie = await pages.signIn();
    const fields = { token: pages.platform.token };
    for (const [path, headers] of [
      ['/login', { 'sec-fetch-site': 'cross-site' }],
      ['/login', { origin: 'https://evil.example' }],
      ['/login', { origin: 'null' }],
      ['/logout', { cookie, 'sec-fetch-site': 'same-site' }],
    ] as const) {
      const answer = await pages.post(path, fields, headers);
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await answer.text()).toContain('This form came from another site');
    }
    const own: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { origin: pages.url },
      { origin: 'http://docs.example' },
    ];
    for (const headers of own) {
      expect((await pages.post('/login', fields, headers)).status).toBe(303);
    }
  });

  test('signing out deletes the cookie, and ends the session for whoever copied it', async () => {
    const cookie = await pages.signIn();
    const other = await pages.signIn();
    const answer = await pages.post('/logout', {}, { cookie });
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^docloom-session=; .*Expires=Thu, 01 Jan 1970/),
      expect.stringMatching(/^docloom=; .*Expires=Thu, 01 Jan 1970/),
    ]);
    expect((await pages.get('/spaces/abc', { cookie })).status).toBe(303);
    expect((await pages.get('/spaces/abc', { cookie: other })).status).toBe(404);
  });

  test('signing in again ends the session that the browser had', async () => {
    const cookie = await pages.signIn();
    const answer = await pages.post('/login', { token: pages.platform.token }, { cookie });
    const [renewed = ''] = answer.headers.getSetCookie();
    expect(renewed.split(';')[0]).not.toBe(cookie);
    expect((await pages.get('/spaces/abc', { cookie })).status).toBe(303);
  });

  test('the database has neither the secret nor the token in readable form', async () => {
    const cookie = await pages.signIn();
    const rows = await pages.platform.deps.db.select().from(tables.sessions);
    expect(rows.length).toBeGreaterThan(0);
    const text = JSON.stringify(rows);
    expect(text).not.toContain(cookie.split('=')[1]);
    expect(text).not.toContain(pages.platform.token);
  });

  test('a forged, foreign or expired cookie signs nobody in', async () => {
    const cookie = await pages.signIn();
    const forged = [
      `${cookie.slice(0, -2)}AA`,
      'docloom-session=x',
      `docloom-session=${'A'.repeat(43)}`,
      `docloom-session=${pages.platform.token}`,
      `docloom=${cookie.split('=')[1]}`,
    ];
    for (const one of forged) {
      expect((await pages.get('/spaces/abc', { cookie: one })).status).toBe(303);
    }
  });

  describe('over time', () => {
    const start = new Date();
    const daysLater = (days: number) => new Date(start.getTime() + days * 24 * 60 * 60 * 1000);
    const open = async (cookie: string, days: number) => {
      pages.time = daysLater(days);
      return (await pages.get('/spaces/abc', { cookie })).status;
    };
    beforeEach(() => {
      pages.time = start;
    });
    afterEach(() => {
      pages.time = start;
    });

    test('a session ends after seven days without use', async () => {
      const cookie = await pages.signIn();
      expect(await open(cookie, 6.9)).toBe(404);
      expect(await open(cookie, 13.8)).toBe(404);
      expect(await open(cookie, 20.9)).toBe(303);
    });

    test('a session ends after thirty days however much it is used', async () => {
      const cookie = await pages.signIn();
      for (const day of [5, 10, 15, 20, 25, 29.9]) expect(await open(cookie, day)).toBe(404);
      expect(await open(cookie, 30.1)).toBe(303);
    });

    test('what is over is deleted, and nothing else', async () => {
      const { db } = pages.platform.deps;
      const ids = async () => (await db.select({ id: tables.sessions.id }).from(tables.sessions)).length;
      await pages.signIn();
      const before = await ids();
      pages.time = daysLater(-8);
      await pages.signIn();
      expect(await ids()).toBe(before + 1);
      await removeOldRows(db, AbortSignal.timeout(PATIENCE_MS));
      expect(await ids()).toBe(before);
    });
  });

  test('a token that is revoked or expires, and a membership that ends, sign the user out', async () => {
    const { db } = pages.platform.deps;
    const tests = {
      revoked: async (id: string) => void (await revokeToken(db, id)),
      expired: async (id: string) =>
        void (await db
          .update(tables.apiTokens)
          .set({ expiresAt: new Date(Date.now() - 1) })
          .where(eq(tables.apiTokens.id, id))),
    };
    for (const end of Object.values(tests)) {
      const made = await createToken(db, { name: 'short', role: 'read' });
      const cookie = await pages.signIn(made.token);
      expect((await pages.get('/spaces/abc', { cookie })).status).toBe(404);
      await end(made.id);
      const answer = await pages.get('/spaces/abc', { cookie });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe('/login?next=%2Fspaces%2Fabc');
      expect((await pages.post('/login', { token: made.token })).status).toBe(401);
    }
    const member = await createMember(pages.platform, 'Leaver', { role: 'edit' });
    const cookie = await pages.signIn(member.token);
    expect((await pages.get('/spaces/abc', { cookie })).status).toBe(404);
    const path = `/orgs/${pages.platform.organizationId}/members/${member.userId}`;
    expect((await pages.platform.api('DELETE', path)).status).toBe(204);
    expect((await pages.get('/spaces/abc', { cookie })).status).toBe(303);
    // Who becomes a member again gets new tokens.
    await ensureMember(db, {
      organizationId: pages.platform.organizationId,
      userId: member.userId,
      role: 'edit',
    });
    expect((await pages.get('/spaces/abc', { cookie })).status).toBe(303);
    expect((await pages.post('/login', { token: member.token })).status).toBe(401);
  });
});

test('over https the cookie is for https only', async () => {
  const secure = await startPages({ publicUrl: 'https://docs.example' });
  try {
    const answer = await secure.post('/login', { token: secure.platform.token });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-docloom-session=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; Secure; SameSite=Lax$/,
    );
  } finally {
    await secure.close();
  }
});
