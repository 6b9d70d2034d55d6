/** Signing in with GitHub through the App, at the stand-in for an enterprise server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../src/platform/index.ts';
import { type Forge, startForge } from '../../src/sandbox/index.ts';
import {
  claimEmailDomain,
  findUserByEmail,
  insertVerifiedUser,
  newId,
  openStore,
  removeWaysIn,
  type Store,
  setEmailDomainProved,
  tables,
} from '../../src/store/index.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { CLIENT_SECRET, offerSignIn, signInSettings } from '../support/github/offer-sign-in.ts';
import { type Browsing, type Served, startServe } from './start-serve.ts';

const PASSWORD = 'unrelated words for a lock';

let forge: Forge;
let served: Served;
let store: Store;
let folder: string;
let organizationId: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docloom-github-'));
  forge = await startForge({ dataDir: folder });
  const { host } = new URL(forge.url);
  served = await startServe(signInSettings(host));
  offerSignIn(forge, served.url);
  store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] });
  const created = await createToken(store.db, { name: 'test', role: 'admin' });
  token = created.token;
  organizationId = created.organization.id;
});
afterAll(async () => {
  expect(forge?.unexpected ?? []).toEqual([]);
  await store?.close();
  await served?.close();
  await forge?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** What a person presses on GitHub’s page; returns where GitHub sends the browser. */
async function authorize(url: string, login: string): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ login }),
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`The stand-in refuses: ${await answer.text()}`);
  return location;
}

async function begin(browser: Browsing, path = '/login/github'): Promise<string> {
  const started = await browser.get(path);
  expect(started.status).toBe(303);
  return started.headers.get('location') ?? '';
}

async function signIn(login: string, { browser = served.browse(), path = '/login/github' } = {}) {
  const answer = await browser.get(await authorize(await begin(browser, path), login));
  return {
    browser,
    status: answer.status,
    location: answer.headers.get('location'),
    text: await answer.text(),
  };
}

function person(login: string, email = `${login}@example.com`, more: object = {}): void {
  forge.setEmails(login, [{ email, primary: true, verified: true, ...more }]);
}

async function verified(login: string): Promise<string> {
  const id = newId();
  await insertVerifiedUser(store.db, { id, displayName: `${login} of old`, email: `${login}@example.com` });
  return id;
}

const home = async (browser: Browsing) => await (await browser.get('/')).text();

async function lastEvent() {
  const events = await store.db.select().from(tables.auditEvents);
  return events.toSorted((a, b) => Number(b.id - a.id))[0];
}

/** Invites over the API; returns the path of the invitation's address. */
async function invite(path: string, body: object): Promise<string> {
  const call = (method: string, at: string, sent: object) =>
    fetch(`${served.url}/v1/orgs/${organizationId}${at}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
  await call('PATCH', '', { inviteLinks: true });
  const made = JSON.stringify(await (await call('POST', path, body)).json());
  const [, secret] = /\/invite\/([\w-]{43})/.exec(made) ?? [];
  if (secret === undefined) throw new Error(`There is no address in ${made}`);
  return `/invite/${secret}`;
}

describe('a sign-in with GitHub', () => {
  it('is a button of the sign-in page, which returns to where people were', async () => {
    const page = await (await served.browse().get('/login?next=/search')).text();
    expect(page).toContain('href="/login/github?next=%2Fsearch"');
    expect(page).toContain('Sign in with GitHub');
  });

  it('asks with a state and a challenge', async () => {
    const browser = served.browse();
    const url = new URL(await begin(browser));
    expect(url.origin + url.pathname).toBe(`${forge.url}/login/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'Iv1.7',
      redirect_uri: `${served.url}/login/github/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('links the user with the verified primary address, and knows them by their number from then on', async () => {
    person('ada');
    await verified('ada');
    const first = await signIn('ada', { path: '/login/github?next=/search' });
    expect([first.status, first.location]).toEqual([303, '/search']);
    expect(await home(first.browser)).toContain('ada of old');
    person('ada', 'somebody@elsewhere.example');
    const again = await signIn('ada');
    expect(await home(again.browser)).toContain('ada of old');
    expect(await findUserByEmail(store.db, 'somebody@elsewhere.example')).toBeNull();
    // Somebody else who has the address now is not Ada.
    person('eve', 'ada@example.com');
    const taken = await signIn('eve');
    expect([taken.status, taken.text]).toEqual([
      403,
      expect.stringContaining('linked to the GitHub account ada'),
    ]);
  });

  it('lets no stranger in, and none whose address is not verified or not the primary one', async () => {
    person('mallory');
    const stranger = await signIn('mallory');
    expect([stranger.status, stranger.text]).toEqual([
      403,
      expect.stringContaining('ask an administrator for an invitation'),
    ]);
    expect(await lastEvent()).toMatchObject({
      action: 'session.start',
      outcome: 'refused',
      actorName: 'mallory',
      after: { provider: 'github' },
    });
    expect(await findUserByEmail(store.db, 'mallory@example.com')).toBeNull();
    await verified('boss');
    for (const more of [{ verified: false }, { primary: false }]) {
      person('trudy', 'boss@example.com', more);
      const refused = await signIn('trudy');
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining('has no verified primary e-mail address'),
      ]);
    }
    await store.db
      .insert(tables.users)
      .values({ id: newId(), displayName: 'Squatter', email: 'squat@example.com' });
    person('squat');
    expect((await signIn('squat')).text).toContain('who has not confirmed it');
  });

  it('makes a user with an address of a proved domain, who is a member of nothing yet', async () => {
    await claimEmailDomain(store.db, { organizationId, domain: 'corp.example', challenge: 'x' });
    person('grace', 'Grace@Corp.example');
    expect((await signIn('grace')).status).toBe(403);
    await setEmailDomainProved(store.db, organizationId, 'corp.example');
    const { browser, status } = await signIn('grace');
    expect(status).toBe(303);
    expect(await home(browser)).toContain('grace');
    const user = await findUserByEmail(store.db, 'grace@corp.example');
    expect(user?.emailVerifiedAt).toBeInstanceOf(Date);
    const members = await store.db.select().from(tables.members);
    expect(members.filter(({ userId }) => userId === user?.id)).toEqual([]);
  });

  it('makes a user for an invitation that this browser opened, if it is for them', async () => {
    const mailed = await invite('/invites', { emails: ['hedy@example.com'], role: 'read' });
    person('lamarr');
    const browser = served.browse();
    expect((await browser.get(mailed)).status).toBe(303);
    expect((await signIn('lamarr', { browser, path: '/login/github?next=/invite' })).status).toBe(403);
    person('hedy');
    expect((await signIn('hedy')).status).toBe(403);
    const ended = await signIn('hedy', { browser, path: '/login/github?next=/invite' });
    expect([ended.status, ended.location]).toEqual([303, '/invite']);
    expect(await (await browser.get('/invite')).text()).toContain('hedy');

    const link = await invite('/link-invites', { role: 'read' });
    const other = served.browse();
    await other.get(link);
    expect((await signIn('lamarr', { browser: other, path: '/login/github?next=/invite' })).status).toBe(303);
  });

  it('ends once, in the browser that began it, and returns to this server only', async () => {
    person('ruth');
    await verified('ruth');
    const browser = served.browse();
    const back = await authorize(await begin(browser), 'ruth');
    const victim = await served.browse().get(back);
    expect([victim.status, victim.headers.getSetCookie()]).toEqual([403, []]);
    expect(await lastEvent()).toMatchObject({ after: { refusal: 'other-browser' } });
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(back)).status).toBe(403);
    expect(await lastEvent()).toMatchObject({ after: { refusal: 'request-used' } });
    const forged = await browser.get('/login/github/callback?code=a&state=b');
    expect(forged.status).toBe(403);
    expect(await lastEvent()).toMatchObject({ after: { refusal: 'not-requested' } });
    for (const [change, refusal] of [
      [(url: URL) => url.searchParams.set('code', 'other'), 'token-refused'],
      [(url: URL) => url.searchParams.delete('code'), 'malformed'],
      [(url: URL) => url.searchParams.append('code', 'other'), 'malformed'],
      [(url: URL) => url.searchParams.append('state', 'other'), 'not-requested'],
      [(url: URL) => url.searchParams.set('error', 'access_denied'), 'denied'],
    ] as const) {
      const url = new URL(await authorize(await begin(browser), 'ruth'));
      change(url);
      expect((await browser.get(url.href)).status).toBe(403);
      expect(await lastEvent()).toMatchObject({ after: { refusal } });
    }
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example'])
      expect(
        (await signIn('ruth', { path: `/login/github?next=${encodeURIComponent(next)}` })).location,
      ).toBe('/');
    const log = JSON.stringify(
      (await store.db.select().from(tables.auditEvents)).map(({ id: _, ...event }) => event),
    );
    expect(log).not.toContain(CLIENT_SECRET);
  });
});

describe('an account', () => {
  const form = { origin: '' };

  async function signInWithPassword(name: string): Promise<{ browser: Browsing; userId: string }> {
    const userId = await verified(name);
    const browser = served.browse();
    person(name);
    await signIn(name, { browser });
    form.origin = served.url;
    const set = await browser.post('/account/password', { password: PASSWORD }, form);
    expect(set.status).toBe(303);
    await browser.post('/account/github/unlink', {}, form);
    return { browser, userId };
  }

  it('is linked by who is signed in, and unlinked, but not when it is the last way in', async () => {
    const { browser } = await signInWithPassword('vera');
    expect(await (await browser.get('/account')).text()).toContain('Link a GitHub account');
    person('vera-hub', 'other@example.com');
    const linked = await signIn('vera-hub', { browser, path: '/account/github' });
    expect([linked.status, linked.location]).toEqual([303, '/account?done=github']);
    const page = await (await browser.get('/account?done=github')).text();
    expect(page).toContain('Linked to the GitHub account vera-hub');
    expect(await home((await signIn('vera-hub')).browser)).toContain('vera of old');
    const unlinked = await browser.post('/account/github/unlink', {}, form);
    expect(unlinked.headers.get('location')).toBe('/account?done=github-unlinked');
    expect(await lastEvent()).toMatchObject({ action: 'user.unlink-github', before: { gitHub: 'vera-hub' } });
    expect((await signIn('vera-hub')).status).toBe(403);

    await verified('only');
    person('only');
    const only = await signIn('only');
    const kept = await only.browser.post('/account/github/unlink', {}, form);
    expect([kept.status, await kept.text()]).toEqual([
      400,
      expect.stringContaining('GitHub is the only way in which you can sign in here'),
    ]);
    expect((await signIn('only')).status).toBe(303);
  });

  testAtLength(
    'takes nobody’s GitHub account from another user, and none that somebody else began to link',
    async () => {
      const [mary, joan] = [await signInWithPassword('mary'), await signInWithPassword('joan')];
      person('shared', 'shared@example.com');
      expect((await signIn('shared', { browser: mary.browser, path: '/account/github' })).status).toBe(303);
      const taken = await signIn('shared', { browser: joan.browser, path: '/account/github' });
      expect([taken.status, taken.text]).toEqual([
        403,
        expect.stringContaining('linked to another user here'),
      ]);
      person('second', 'second@example.com');
      const two = await signIn('second', { browser: mary.browser, path: '/account/github' });
      expect([two.status, two.text]).toEqual([
        403,
        expect.stringContaining('unlink it on the page of the account first'),
      ]);

      // Joan begins to link; before GitHub answers, Mary signs in in this browser.
      const url = await begin(joan.browser, '/account/github');
      await joan.browser.post('/login/password', { email: 'mary@example.com', password: PASSWORD }, form);
      const answer = await joan.browser.get(await authorize(url, 'second'));
      expect(answer.status).toBe(403);
      expect(await lastEvent()).toMatchObject({ after: { refusal: 'other-user' } });
    },
  );

  testAtLength('loses the GitHub account of who made it when mail first proves its address', async () => {
    const { userId } = await signInWithPassword('hopper');
    expect((await signIn('hopper')).status).toBe(303);
    await removeWaysIn(store.db, userId, new Date());
    person('hopper', 'elsewhere@example.com');
    expect((await signIn('hopper')).status).toBe(403);
  });

  it('is not linked in a session of an API token', async () => {
    const browser = served.browse();
    expect((await browser.post('/login', { token }, { origin: served.url })).status).toBe(303);
    expect((await browser.get('/account/github')).status).toBe(404);
    expect((await served.browse().get('/account/github')).headers.get('location')).toContain('/login?next=');
  });
});
