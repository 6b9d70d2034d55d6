import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, revokeToken } from '../../src/platform/index.ts';
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
    expect(cookie).toMatch(/^docloom=v1\.[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(pages.platform.token);
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

  test('signing out deletes the cookie', async () => {
    const cookie = await pages.signIn();
    const answer = await pages.post('/logout', {}, { cookie });
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^docloom=; .*Expires=Thu, 01 Jan 1970/);
  });

  test('a forged, foreign or expired cookie signs nobody in', async () => {
    const cookie = await pages.signIn();
    const forged = [
      `${cookie.slice(0, -2)}AA`,
      'docloom=x',
      `docloom=${encodeURIComponent(JSON.stringify({ token: pages.platform.token, at: Date.now() }))}`,
      `docloom=${pages.platform.deps.sealer.seal('no session')}`,
      `docloom=${pages.platform.deps.sealer.seal('{"at":1}')}`,
    ];
    for (const one of forged) {
      expect((await pages.get('/spaces/abc', { cookie: one })).status).toBe(303);
    }
    const before = pages.time;
    pages.time = new Date(before.getTime() + 30 * 24 * 60 * 60 * 1000);
    expect((await pages.get('/spaces/abc', { cookie })).status).toBe(303);
    pages.time = before;
    expect((await pages.get('/spaces/abc', { cookie })).status).toBe(404);
  });

  test('a revoked token signs the user out', async () => {
    const made = await createToken(pages.platform.deps.db, { name: 'short', role: 'read' });
    const cookie = await pages.signIn(made.token);
    await revokeToken(pages.platform.deps.db, made.id);
    const answer = await pages.get('/spaces/abc', { cookie });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/login?next=%2Fspaces%2Fabc');
    expect(answer.headers.getSetCookie()[0]).toMatch(/^docloom=; /);
  });
});

test('over https the cookie is for https only', async () => {
  const secure = await startPages({ publicUrl: 'https://docs.example' });
  try {
    const answer = await secure.post('/login', { token: secure.platform.token });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-docloom=v1\.[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  } finally {
    await secure.close();
  }
});
