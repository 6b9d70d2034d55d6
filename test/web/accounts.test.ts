/** Signing in as a person, and what people change of their own account: as a browser's requests do it. */
import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSessionStore, type SignIn } from '../../src/identity/index.ts';
import { hashPassword } from '../../src/identity/passwords/hash-password.ts';
import { newId, removeOldRows, tables, upsertPassword } from '../../src/store/index.ts';
import { type MailSink, openMailSink } from '../identity/mail-sink.ts';
import { createMember } from '../platform/create-member.ts';
import { waitFor } from '../support/wait-for.ts';
import { PASSWORD_COST, startPages, type TestPages } from './start-pages.ts';

const PASSWORD = 'plum otter violin kettle';
const NEXT_PASSWORD = 'seven quiet lamps humming';

let hash: string;
let pages: TestPages;
let sink: MailSink;
beforeAll(async () => {
  hash = await hashPassword(PASSWORD, PASSWORD_COST);
  sink = await openMailSink();
  pages = await startPages({ smtp: sink.smtp });
});
afterAll(async () => {
  await pages?.close();
  await sink?.close();
});
beforeEach(async () => {
  pages.time = new Date();
  await db().delete(tables.signInFailures);
});

const db = () => pages.platform.deps.db;

interface Person {
  readonly userId: string;
  readonly email: string;
}

async function createPerson(name: string, role = 'read'): Promise<Person> {
  const [userId, email] = [newId(), `${name}@docs.example`];
  await db().insert(tables.users).values({ id: userId, displayName: name, email });
  await db().insert(tables.members).values({ organizationId: pages.platform.organizationId, userId, role });
  await upsertPassword(db(), userId, hash, pages.time);
  return { userId, email };
}

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function signIn({ email }: Person, password = PASSWORD): Promise<string> {
  const answer = await pages.post('/login/password', { email, password, next: '/' });
  expect(answer.status).toBe(303);
  return cookieOf(answer);
}

/** 404 for somebody who is signed in: the space does not exist. */
const isSignedIn = async (cookie: string) => (await pages.get('/spaces/abc', { cookie })).status === 404;

const eventsOf = async (action: string) =>
  await db()
    .select()
    .from(tables.auditEvents)
    .where(eq(tables.auditEvents.action, action))
    .orderBy(asc(tables.auditEvents.id));

describe('signing in with a password', () => {
  test('opens the pages, starts a new session, and is recorded', async () => {
    const ada = await createPerson('ada');
    const before = await signIn(ada);
    const answer = await pages.post(
      '/login/password',
      { email: ` ${ada.email.toUpperCase()} `, password: PASSWORD, next: '/status' },
      { cookie: before, 'user-agent': 'a browser of Ada' },
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/status']);
    const cookie = cookieOf(answer);
    expect(cookie).not.toBe(before);
    expect([await isSignedIn(before), await isSignedIn(cookie)]).toEqual([false, true]);
    const home = await pages.get('/', { cookie });
    expect(await home.text()).toContain('<h1>Spaces</h1>');
    const [row] = await db().select().from(tables.sessions).where(eq(tables.sessions.userId, ada.userId));
    expect(row).toMatchObject({
      provider: 'password',
      tokenId: null,
      address: '127.0.0.1',
      userAgent: 'a browser of Ada',
    });
    expect((await eventsOf('session.start')).at(-1)).toMatchObject({
      outcome: 'success',
      actorId: ada.userId,
      sessionId: row?.id,
      address: '127.0.0.1',
      after: { provider: 'password' },
    });
  });

  test('ends in the audit log when somebody signs out or signs in anew', async () => {
    const ida = await createPerson('ida-who-leaves');
    const endsOf = async () =>
      (await eventsOf('session.end')).filter(({ actorId }) => actorId === ida.userId);
    const sessionOf = async () => {
      const own = eq(tables.sessions.userId, ida.userId);
      return (await db().select().from(tables.sessions).where(own))[0]?.id;
    };
    const first = await signIn(ida);
    const firstId = await sessionOf();
    const fields = { email: ida.email, password: PASSWORD };
    const second = cookieOf(await pages.post('/login/password', fields, { cookie: first }));
    const secondId = await sessionOf();
    await pages.post('/logout', {}, { cookie: second, 'user-agent': 'a browser of Ida' });
    const person = { actorKind: 'user', actorId: ida.userId, targetId: ida.userId, address: '127.0.0.1' };
    expect(await endsOf()).toEqual([
      expect.objectContaining({ ...person, sessionId: firstId }),
      expect.objectContaining({ ...person, sessionId: secondId, userAgent: 'a browser of Ida' }),
    ]);
    await pages.post('/logout', {}, { cookie: second });
    expect(await endsOf()).toHaveLength(2);
  });

  test('answers the same for a wrong password, an unknown address and an account without a password', async () => {
    const bob = await createPerson('bob');
    await db()
      .insert(tables.users)
      .values({ id: newId(), displayName: 'Carol', email: 'carol@docs.example' });
    const answers = [];
    for (const email of [bob.email, 'nobody@docs.example', 'carol@docs.example']) {
      const answer = await pages.post('/login/password', { email, password: `${PASSWORD}!` });
      answers.push([
        answer.status,
        answer.headers.getSetCookie(),
        (await answer.text()).replaceAll(email, 'x'),
      ]);
    }
    expect(answers[0]?.[0]).toBe(401);
    expect(String(answers[0]?.[2])).toContain('The e-mail address or the password is wrong.');
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const failures = (await eventsOf('session.start'))
      .filter(({ outcome }) => outcome === 'failure')
      .slice(-3);
    expect(failures.map(({ targetId, targetName }) => [targetId, targetName])).toEqual([
      [bob.userId, bob.email],
      [null, 'nobody@docs.example'],
      [expect.any(String), 'carol@docs.example'],
    ]);
    expect(JSON.stringify(failures.map((event) => ({ ...event, id: null })))).not.toContain(PASSWORD);
  });

  test('is locked for a while after five failures, for unknown addresses alike, and the pauses grow', async () => {
    const dora = await createPerson('dora');
    const start = pages.time;
    for (const email of [dora.email, 'unknown@docs.example']) {
      pages.time = start;
      const attempt = async (password = 'wrong wrong wrong') => {
        const answer = await pages.post('/login/password', { email, password });
        return [answer.status, /Try again in ([^.]+)\./.exec(await answer.text())?.[1]];
      };
      for (let count = 0; count < 5; count++) expect(await attempt()).toEqual([401, undefined]);
      expect(await attempt(PASSWORD)).toEqual([429, '30 seconds']);
      pages.time = new Date(start.getTime() + 31_000);
      expect((await attempt())[0]).toBe(401);
      expect(await attempt(PASSWORD)).toEqual([429, '1 minute']);
      pages.time = new Date(start.getTime() + 100_000);
      if (email === dora.email) expect((await attempt(PASSWORD))[0]).toBe(303);
    }
    // Having signed in, she has five attempts again.
    const again = await pages.post('/login/password', { email: dora.email, password: 'wrong wrong wrong' });
    expect(again.status).toBe(401);
  });

  test('counts attempts that are made at the same time', async () => {
    const eve = await createPerson('eve');
    const attempts = Array.from({ length: 12 }, () =>
      pages.post('/login/password', { email: eve.email, password: 'wrong wrong wrong' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  test('is locked for a network address that tries many accounts', async () => {
    const statuses = [];
    for (let at = 0; at < 22; at++)
      statuses.push(
        (await pages.post('/login/password', { email: `x${at}@docs.example`, password: 'x' })).status,
      );
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
    await removeOldRows(db(), AbortSignal.timeout(60_000));
    expect((await db().select().from(tables.signInFailures)).length).toBeGreaterThan(0);
  });

  test('is locked for nobody else by what one person mistypes, nor for a browser that is known', async () => {
    const [hana, ivan] = [await createPerson('hana'), await createPerson('ivan')];
    const attempt = async (email: string, password: string, cookie = '') =>
      (await pages.post('/login/password', { email, password }, { cookie })).status;
    const known = await pages.post('/login/password', { email: hana.email, password: PASSWORD });
    const cookie = known.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .find((one) => one?.startsWith('docloom-known='));
    if (cookie === undefined) throw new Error('The browser did not become known.');

    for (let at = 0; at < 25; at++) await attempt('mistyped@docs.example', 'x');
    expect(await attempt(ivan.email, PASSWORD)).toBe(303);

    // Somebody tries many accounts from the same address, and one of them often.
    for (let at = 0; at < 20; at++) await attempt(`y${at}@docs.example`, 'x');
    for (let at = 0; at < 6; at++) await attempt(hana.email, 'x');
    expect(await attempt(hana.email, PASSWORD)).toBe(429);
    expect(await attempt(ivan.email, PASSWORD, cookie)).toBe(429);
    expect(await attempt(hana.email, PASSWORD, cookie)).toBe(303);

    // A browser that is known guesses no more than others.
    for (let at = 0; at < 5; at++) expect(await attempt(hana.email, 'x', cookie)).toBe(401);
    expect(await attempt(hana.email, PASSWORD, cookie)).toBe(429);
  });

  test('forgets what a network address mistyped over a day, one after the other', async () => {
    const start = pages.time;
    const gina = await createPerson('gina');
    const mistype = async (email: string) =>
      (await pages.post('/login/recovery', { email, code: 'wrong' })).status;
    // Two each quarter of an hour, for longer than it takes to lock the address at once.
    for (let quarter = 0; quarter < 20; quarter++) {
      pages.time = new Date(start.getTime() + quarter * 15 * 60_000);
      for (const name of ['one', 'two']) expect(await mistype(`${name}-${quarter}@docs.example`)).toBe(401);
    }
    await signIn(gina);
  });

  test('limits links that do not work per network address, for reading and using them', async () => {
    const eventCount = () => db().$count(tables.auditEvents);
    const before = await eventCount();
    const path = `/login/new-password?key=${'x'.repeat(43)}`;
    const statuses = await Promise.all(
      Array.from({ length: 49 }, async () => (await pages.get(path)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([404]));
    const use = async (path: string) =>
      (await pages.post(path, { key: 'y'.repeat(43), password: NEXT_PASSWORD })).status;
    expect(await use('/login/verify-email')).toBe(404);
    expect([
      await use('/login/mail'),
      await use('/login/new-password'),
      await use('/login/verify-email'),
    ]).toEqual([429, 429, 429]);
    const refused = await pages.get(path);
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
    expect(await refused.text()).toContain('There were too many attempts.');
    // Anybody can send any text, and events stay for long.
    expect(await eventCount()).toBe(before);
  });

  test('a form of another site does nothing', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' };
    for (const path of [
      '/login/password',
      '/login/link',
      '/login/mail',
      '/login/forgot',
      '/login/new-password',
      '/login/recovery',
      '/account/name',
      '/account/password',
      '/account/email',
      '/login/change-email',
      '/account/recovery-codes',
    ])
      expect([path, (await pages.post(path, {}, foreign)).status]).toEqual([path, 403]);
  });
});

/** The address in the newest mail to somebody, as a path of the pages. */
async function linkTo(
  email: string,
  subject: string,
): Promise<{ readonly path: string; readonly key: string }> {
  const mail = await waitFor(
    () => sink.mails.findLast((one) => one.to === email && one.subject === subject),
    () =>
      `${subject} to ${email}; there are ${sink.mails.map((one) => `${one.to}: ${one.subject}`).join(', ')}`,
  );
  const url = new URL(/http:\/\/docs\.example\/\S+/.exec(mail.text)?.[0] ?? '');
  return { path: `${url.pathname}${url.search}`, key: url.searchParams.get('key') ?? '' };
}

describe('signing in with a link by mail', () => {
  test('takes a press of the button, once, within 15 minutes, and shows that the address is right', async () => {
    const fay = await createPerson('fay');
    const asked = await pages.post('/login/link', { email: fay.email, next: '/status' });
    expect([asked.status, (await asked.text()).includes('Look into your mailbox')]).toEqual([200, true]);
    const { path, key } = await linkTo(fay.email, 'Sign in to Docloom');
    // Programs that scan mails read the address, more than once.
    for (let reads = 0; reads < 3; reads++) {
      const page = await pages.get(path);
      expect([page.status, page.headers.getSetCookie(), page.headers.get('cache-control')]).toEqual([
        200,
        [],
        'no-store',
      ]);
    }
    const answers = await Promise.all([1, 2, 3].map(() => pages.post('/login/mail', { key })));
    const won = answers.filter(({ status }) => status === 303);
    expect([won.length, answers.filter(({ status }) => status === 404).length]).toEqual([1, 2]);
    expect(won[0]?.headers.get('location')).toBe('/status');
    expect(await isSignedIn(cookieOf(won[0] as Response))).toBe(true);
    expect((await pages.get(path)).status).toBe(404);
    const [user] = await db().select().from(tables.users).where(eq(tables.users.id, fay.userId));
    expect(user?.emailVerifiedAt).not.toBeNull();
    expect(JSON.stringify(await db().select().from(tables.signInLinks))).not.toContain(key);
  });

  test('does not work later, for another purpose, or after the address was changed', async () => {
    const gus = await createPerson('gus');
    await pages.post('/login/link', { email: gus.email });
    const { path, key } = await linkTo(gus.email, 'Sign in to Docloom');
    expect((await pages.post('/login/new-password', { key, password: NEXT_PASSWORD })).status).toBe(404);
    expect((await pages.post('/login/verify-email', { key })).status).toBe(404);
    const { time } = pages;
    pages.time = new Date(time.getTime() + 15 * 60_000);
    expect([(await pages.get(path)).status, (await pages.post('/login/mail', { key })).status]).toEqual([
      404, 404,
    ]);
    pages.time = time;
    await db()
      .update(tables.users)
      .set({ email: 'gus2@docs.example' })
      .where(eq(tables.users.id, gus.userId));
    expect((await pages.get(path)).status).toBe(404);
  });

  test('answers the same for unknown addresses, mails nobody else, and not without end', async () => {
    const hal = await createPerson('hal');
    const texts = [];
    for (const email of [hal.email, 'stranger@docs.example']) {
      const answer = await pages.post('/login/link', { email });
      texts.push([answer.status, await answer.text()]);
    }
    expect(texts[1]).toEqual(texts[0]);
    for (let more = 0; more < 8; more++) await pages.post('/login/link', { email: hal.email });
    expect((await pages.post('/login/link', { email: 'one-more@docs.example' })).status).toBe(429);
    await waitFor(async () =>
      (await pages.platform.deps.queue.counts()).every(({ waiting, active }) => waiting + active === 0),
    );
    expect(sink.mails.filter(({ to }) => to === hal.email).length).toBe(5);
    expect(sink.mails.some(({ to }) => to === 'stranger@docs.example')).toBe(false);
    expect((await pages.post('/login/link', { email: 'not an address' })).status).toBe(400);
  });
});

describe('a password', () => {
  test('is changed with the current one, which ends all other sessions', async () => {
    const ida = await createPerson('ida');
    const [here, there] = [await signIn(ida), await signIn(ida)];
    const change = (fields: Record<string, string>) =>
      pages.post('/account/password', fields, { cookie: here });
    const wrong = await change({ current: 'wrong wrong wrong', password: NEXT_PASSWORD });
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining('The current password is wrong.'),
    ]);
    const weak = await change({ current: PASSWORD, password: 'password1234' });
    expect([weak.status, await weak.text()]).toEqual([400, expect.stringContaining('guessed first')]);
    expect(await isSignedIn(there)).toBe(true);
    const done = await change({ current: PASSWORD, password: NEXT_PASSWORD });
    expect(done.headers.get('location')).toBe('/account?done=password');
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    expect((await pages.post('/login/password', { email: ida.email, password: PASSWORD })).status).toBe(401);
    await signIn(ida, NEXT_PASSWORD);
    expect(await linkTo(ida.email, 'Your Docloom password was changed')).toMatchObject({
      path: '/login/forgot',
    });
  });

  test('that is forgotten is chosen anew with a link by mail, which ends all sessions and other links', async () => {
    const jon = await createPerson('jon');
    const before = await signIn(jon);
    await pages.post('/login/link', { email: jon.email });
    const other = await linkTo(jon.email, 'Sign in to Docloom');
    expect((await pages.post('/login/forgot', { email: jon.email })).status).toBe(200);
    const { path, key } = await linkTo(jon.email, 'Choose a new password for Docloom');
    expect(await (await pages.get(path)).text()).toContain('Choose a new password');
    const weak = await pages.post('/login/new-password', { key, password: 'short' });
    expect([weak.status, await weak.text()]).toEqual([400, expect.stringContaining('at least 12')]);
    const done = await pages.post('/login/new-password', { key, password: NEXT_PASSWORD });
    expect(done.headers.get('location')).toBe('/login?done=password');
    expect(await isSignedIn(before)).toBe(false);
    expect((await pages.get(other.path)).status).toBe(404);
    expect((await pages.post('/login/new-password', { key, password: PASSWORD })).status).toBe(404);
    await signIn(jon, NEXT_PASSWORD);
    expect((await eventsOf('user.reset-password')).at(-1)).toMatchObject({ actorId: jon.userId });
  });
});

describe('the account', () => {
  test('has a name that its owner changes, for all their sessions', async () => {
    const kim = await createPerson('kim');
    const [here, there] = [await signIn(kim), await signIn(kim)];
    for (const displayName of [' ', '\u200b', '\u2800\u{e0041}\u3164'])
      expect((await pages.post('/account/name', { displayName }, { cookie: here })).status).toBe(400);
    const done = await pages.post('/account/name', { displayName: ' Kim <b>\nK ' }, { cookie: here });
    expect(done.headers.get('location')).toBe('/account?done=name');
    expect(await (await pages.get('/account', { cookie: there })).text()).toContain('Kim &#60;b&#62; K');
    expect((await eventsOf('user.update')).at(-1)).toMatchObject({
      before: { displayName: 'kim' },
      after: { displayName: 'Kim <b> K' },
    });
  });

  test('lets people who have only single sign-on change their name, and nothing else', async () => {
    const { organizationId } = pages.platform;
    const sid = await createPerson('sid');
    const store = createSessionStore({ db: db(), sealer: pages.platform.deps.sealer });
    const { secret } = await store.start(
      { provider: 'oidc', ssoOrganizationId: organizationId, userId: sid.userId, displayName: 'sid' },
      { address: '127.0.0.1', userAgent: null, requestId: null },
    );
    const cookie = `docloom-session=${secret}`;
    const post = async (path: string, fields: Record<string, string>) =>
      (await pages.post(`/account/${path}`, fields, { cookie })).status;
    expect(await post('name', { displayName: 'Sidney' })).toBe(303);
    const page = await (await pages.get('/account', { cookie })).text();
    expect(page).toContain('value="Sidney"');
    expect(page).toContain('cannot change the rest of the account');
    expect(await post('password', { current: PASSWORD, password: NEXT_PASSWORD })).toBe(404);
    expect(await post('email', { email: 'sid@elsewhere.example', current: PASSWORD })).toBe(404);
  });

  test('has an address that a link by mail confirms', async () => {
    const lea = await createPerson('lea');
    const cookie = await signIn(lea);
    expect(await (await pages.get('/account', { cookie })).text()).toContain('Not confirmed');
    await pages.post('/account/verify-email', {}, { cookie });
    const { path, key } = await linkTo(lea.email, 'Confirm your e-mail address for Docloom');
    expect((await pages.get(path)).status).toBe(200);
    expect((await pages.post('/login/verify-email', { key }, { cookie })).headers.get('location')).toBe(
      '/account',
    );
    expect(await (await pages.get('/account', { cookie })).text()).toContain('>Confirmed<');
  });

  describe('moves to another address', () => {
    const NEW = 'Confirm your new e-mail address for Docloom';
    const NOTICE = 'Another e-mail address was requested for your Docloom account';
    const move = (cookie: string, email: string, current = PASSWORD) =>
      pages.post('/account/email', { email, current }, { cookie });
    const load = async (userId: string) =>
      (await db().select().from(tables.users).where(eq(tables.users.id, userId)))[0];
    const use = (key: string, cookie?: string) =>
      pages.post('/login/change-email', { key }, cookie === undefined ? {} : { cookie });

    test('with a link to it, that its owner opens while signed in, and once', async () => {
      const mia = await createPerson('moving-mia');
      const [here, there] = [await signIn(mia), await signIn(mia)];
      const asked = await move(here, ' Mia.New@Docs.example ');
      expect(asked.headers.get('location')).toBe('/account?done=new-email');
      const { path, key } = await linkTo('mia.new@docs.example', NEW);
      expect(await linkTo(mia.email, NOTICE)).toMatchObject({ path: '/login/forgot' });
      expect(await load(mia.userId)).toMatchObject({ email: mia.email, emailVerifiedAt: null });
      expect(JSON.stringify(await db().select().from(tables.signInLinks))).not.toContain(key);

      // Programs that scan mails, and whoever reads the new mailbox, change nothing.
      const other = await signIn(await createPerson('moving-mia-other'));
      for (let reads = 0; reads < 3; reads++) expect((await pages.get(path)).status).toBe(200);
      for (const cookie of [undefined, other, await pages.signIn()]) {
        const answer = await use(key, cookie);
        expect([answer.status, await answer.text()]).toEqual([
          403,
          expect.stringContaining('Sign in with the account whose address is to change first'),
        ]);
      }
      // The link is for nothing else.
      for (const wrong of ['/login/mail', '/login/verify-email', '/login/new-password'])
        expect((await pages.post(wrong, { key, password: NEXT_PASSWORD }, { cookie: here })).status).toBe(
          404,
        );
      expect(await load(mia.userId)).toMatchObject({ email: mia.email });

      const answers = await Promise.all([1, 2, 3].map(() => use(key, here)));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
      expect(await load(mia.userId)).toMatchObject({
        email: 'mia.new@docs.example',
        emailVerifiedAt: expect.any(Date),
      });
      expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
      expect(await (await pages.get('/account?done=email', { cookie: here })).text()).toContain(
        'Your address was changed',
      );
      await waitFor(() =>
        sink.mails.find(
          ({ to, subject }) => to === mia.email && subject === 'Your Docloom e-mail address was changed',
        ),
      );
      expect((await pages.post('/login/password', { email: mia.email, password: PASSWORD })).status).toBe(
        401,
      );
      await signIn({ ...mia, email: 'mia.new@docs.example' });
      expect(
        (await eventsOf('user.request-email-change')).filter(({ actorId }) => actorId === mia.userId),
      ).toEqual([expect.objectContaining({ after: { email: 'mia.new@docs.example' } })]);
      expect((await eventsOf('user.change-email')).at(-1)).toMatchObject({
        actorId: mia.userId,
        before: { email: mia.email },
        after: { email: 'mia.new@docs.example' },
      });
    });

    test('answering the same for one that has an account, whose owner is told', async () => {
      const [nia, taken] = [await createPerson('moving-nia'), await createPerson('moving-nia-taken')];
      const cookie = await signIn(nia);
      const answers = [];
      for (const email of [taken.email, 'nia-free@docs.example']) {
        const answer = await move(cookie, email);
        answers.push([answer.status, answer.headers.get('location')]);
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(await linkTo(taken.email, 'Your e-mail address has a Docloom account already')).toEqual({
        path: '/login',
        key: '',
      });
      await waitFor(() => sink.mails.filter((one) => one.to === nia.email && one.subject === NOTICE)[1]);
      expect(sink.mails.some((one) => one.to === taken.email && one.subject === NEW)).toBe(false);
      // Somebody else takes the address between the request and the link.
      const { key } = await linkTo('nia-free@docs.example', NEW);
      await createPerson('nia-free');
      const late = await use(key, cookie);
      expect([late.status, await late.text()]).toEqual([
        403,
        expect.stringContaining('Another account has this address by now'),
      ]);
      expect(await load(nia.userId)).toMatchObject({ email: nia.email });
    });

    test('not with a wrong password, a wrong or its own address, or too often', async () => {
      const ola = await createPerson('moving-ola');
      const cookie = await signIn(ola);
      const refusals = [
        ['ola2@docs.example', 'wrong wrong wrong', 'The current password is wrong.'],
        ['ola2', PASSWORD, 'Enter your new e-mail address'],
        [ola.email.toUpperCase(), PASSWORD, 'This is your address already.'],
      ] as const;
      for (const [email, current, sentence] of refusals) {
        const answer = await move(cookie, email, current);
        expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(sentence)]);
      }
      for (let count = 0; count < 5; count++)
        expect((await move(cookie, `ola${count}@docs.example`)).status).toBe(303);
      const sixth = await move(cookie, 'ola6@docs.example');
      expect([sixth.status, await sixth.text()]).toEqual([400, expect.stringContaining('Try again later')]);
    });

    test('without a password only after a sign-in of the last minutes', async () => {
      const pia = await createPerson('moving-pia');
      await db().delete(tables.passwords).where(eq(tables.passwords.userId, pia.userId));
      await pages.post('/login/link', { email: pia.email });
      const { key } = await linkTo(pia.email, 'Sign in to Docloom');
      const cookie = cookieOf(await pages.post('/login/mail', { key }));
      const start = pages.time;
      pages.time = new Date(start.getTime() + 16 * 60_000);
      const late = await move(cookie, 'pia2@docs.example', '');
      expect([late.status, await late.text()]).toEqual([
        400,
        expect.stringContaining('sign out and in again'),
      ]);
      pages.time = start;
      expect((await move(cookie, 'pia2@docs.example', '')).status).toBe(303);
    });

    test('not by a link that is an hour old, or from before another password was chosen', async () => {
      const quin = await createPerson('moving-quin');
      const cookie = await signIn(quin);
      await move(cookie, 'quin2@docs.example');
      const { path, key } = await linkTo('quin2@docs.example', NEW);
      const start = pages.time;
      pages.time = new Date(start.getTime() + 60 * 60_000);
      expect([(await pages.get(path)).status, (await use(key, cookie)).status]).toEqual([404, 404]);
      pages.time = start;
      await pages.post('/account/password', { current: PASSWORD, password: NEXT_PASSWORD }, { cookie });
      expect((await use(key, cookie)).status).toBe(404);
    });

    test('neither from nor to a domain whose people an organization’s provider manages', async () => {
      const { organizationId } = pages.platform;
      const [rob, sue] = [await createPerson('moving-rob'), await createPerson('moving-sue')];
      const [cookie, sueCookie] = [await signIn(rob), await signIn(sue)];
      await db()
        .insert(tables.emailDomains)
        .values({ organizationId, domain: 'corp.example', challenge: 'x', provedAt: new Date() });
      // A domain that is only proved is like any other.
      expect((await move(cookie, 'rob@corp.example')).status).toBe(303);
      const { key } = await linkTo('rob@corp.example', NEW);
      expect((await move(sueCookie, 'sue@corp.example')).status).toBe(303);
      expect((await use((await linkTo('sue@corp.example', NEW)).key, sueCookie)).status).toBe(303);
      await db()
        .insert(tables.identityProviders)
        .values({ id: newId(), organizationId, kind: 'saml', label: 'Corp' });
      try {
        const sentence = 'An organization manages the addresses of corp.example by its single sign-on';
        const refused = await move(cookie, 'robert@corp.example');
        expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(sentence)]);
        const late = await use(key, cookie);
        expect([late.status, await late.text()]).toEqual([403, expect.stringContaining(sentence)]);
        const leaving = await move(sueCookie, 'sue@home.example');
        expect([leaving.status, await leaving.text()]).toEqual([
          400,
          expect.stringContaining('Your address belongs to corp.example'),
        ]);
        // Who is no member of that organization any more takes their account along.
        await db().delete(tables.members).where(eq(tables.members.userId, sue.userId));
        expect((await move(sueCookie, 'sue@home.example')).status).toBe(303);
      } finally {
        await db().delete(tables.identityProviders);
        await db().delete(tables.emailDomains);
      }
    });

    test('whose domain opens what it opens, while an invitation to the one from before stays there', async () => {
      const { api } = pages.platform;
      const { userId, token } = await createMember(pages.platform, 'tom', { role: 'read' });
      const before = 'moving-tom@docs.example';
      await db().update(tables.users).set({ email: before }).where(eq(tables.users.id, userId));
      await upsertPassword(db(), userId, hash, pages.time);
      const cookie = await signIn({ userId, email: before });
      const { id } = (await api('POST', '/orgs', { body: { title: 'Joined' } })).body;
      await api('PATCH', `/orgs/${id}`, { body: { emailDomains: ['joined.example'], defaultRole: 'read' } });
      const invited = await api('POST', `/orgs/${id}/invites`, { body: { emails: [before], role: 'edit' } });
      const secret = new URL(invited.body.invites[0].url).pathname.split('/').at(-1);
      const join = async () => (await api('POST', `/orgs/${id}/join`, { token })).status;

      await move(cookie, 'tom@joined.example');
      expect(await join()).toBe(404);
      expect((await use((await linkTo('tom@joined.example', NEW)).key, cookie)).status).toBe(303);
      const accepted = await api('POST', `/orgs/${id}/invites/${secret}`, { token });
      expect([accepted.status, accepted.body]).toMatchObject([403, {}]);
      expect(await join()).toBe(204);
      const [member] = await db().select().from(tables.members).where(eq(tables.members.organizationId, id));
      expect(member).toBeDefined();
    });
  });

  test('belongs to whoever shows first that mail reaches them: what others set before is gone', async () => {
    const victim = await createPerson('nora');
    // Somebody else made the account with her address.
    const thief = await signIn(victim);
    const made = await pages.post(
      '/account/tokens',
      { name: 'mine', days: '30', role: 'read', organization: '' },
      { cookie: thief },
    );
    expect(made.status).toBe(200);
    await pages.post('/account/verify-email', {}, { cookie: thief });
    const confirm = await linkTo(victim.email, 'Confirm your e-mail address for Docloom');
    const pressed = await pages.post('/login/verify-email', { key: confirm.key });
    expect([pressed.status, (await pressed.text()).includes('Sign in with this account first')]).toEqual([
      403,
      true,
    ]);
    const load = async () =>
      (await db().select().from(tables.users).where(eq(tables.users.id, victim.userId)))[0];
    expect((await load())?.emailVerifiedAt).toBeNull();
    await pages.post('/login/link', { email: victim.email });
    const { key } = await linkTo(victim.email, 'Sign in to Docloom');
    const own = await pages.post('/login/mail', { key });
    expect([own.status, await isSignedIn(cookieOf(own)), await isSignedIn(thief)]).toEqual([
      303,
      true,
      false,
    ]);
    expect((await load())?.emailVerifiedAt).not.toBeNull();
    const again = await pages.post('/login/password', { email: victim.email, password: PASSWORD });
    expect(again.status).toBe(401);
    const tokens = await db()
      .select()
      .from(tables.apiTokens)
      .where(eq(tables.apiTokens.userId, victim.userId));
    expect(tokens.map(({ revokedAt }) => revokedAt !== null)).toEqual([true]);
    // From now on it is hers, whichever way she signs in.
    const account = await (await pages.get('/account', { cookie: cookieOf(own) })).text();
    expect(account).toContain('Set a password');
  });

  test('cannot be taken over with an API token of its owner, nor seen without signing in', async () => {
    const cookie = await pages.signIn();
    const page = await pages.get('/account', { cookie });
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await page.text()).toContain('This session cannot change the account');
    const fields = {
      displayName: 'Thief',
      current: '',
      password: NEXT_PASSWORD,
      organizationId: pages.platform.organizationId,
    };
    for (const path of ['name', 'password', 'email', 'verify-email', 'recovery-codes'])
      expect([path, (await pages.post(`/account/${path}`, fields, { cookie })).status]).toEqual([path, 404]);
    expect((await pages.get('/account')).headers.get('location')).toBe('/login?next=%2Faccount');
  });
});

describe('recovery codes', () => {
  const setSso = (sso: boolean) =>
    db()
      .update(tables.organizations)
      .set({ sso })
      .where(eq(tables.organizations.id, pages.platform.organizationId));
  afterEach(() => setSso(false));

  async function makeCodes(cookie: string): Promise<readonly string[]> {
    const { organizationId } = pages.platform;
    const page = await pages.post('/account/recovery-codes', { organizationId }, { cookie });
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    return [...(await page.text()).matchAll(/<code>([\w-]+)<\/code>/g)].map(([, code = '']) => code);
  }

  test('let an administrator in where only single sign-on is accepted, once each', async () => {
    const mia = await createPerson('mia', 'admin');
    const old = await makeCodes(await signIn(mia));
    const codes = await makeCodes(await signIn(mia));
    expect(new Set([...old, ...codes]).size).toBe(20);
    const stored = await db().select().from(tables.recoveryCodes);
    expect(stored).toHaveLength(10);
    expect(codes.some((code) => JSON.stringify(stored).includes(code))).toBe(false);
    await setSso(true);
    const opens = async (cookie: string) =>
      (await (await pages.get('/', { cookie })).text()).includes('test-space');
    await pages.platform.createSpace('test-space');
    expect(await opens(await signIn(mia))).toBe(false);
    const use = (code: string, email = mia.email) => pages.post('/login/recovery', { email, code });
    expect((await use(old[0] ?? '')).status).toBe(401);
    const answers = await Promise.all(
      [1, 2].map(() => use(` ${codes[0]?.toUpperCase().replaceAll('-', ' ')} `)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 401]);
    const cookie = cookieOf(answers.find(({ status }) => status === 303) as Response);
    expect(await opens(cookie)).toBe(true);
    const rows = await db().select().from(tables.sessions).where(eq(tables.sessions.userId, mia.userId));
    expect(rows.find(({ provider }) => provider === 'recovery')?.ssoOrganizationId).toBe(
      pages.platform.organizationId,
    );
    expect((await eventsOf('recovery-code.use')).at(-1)).toMatchObject({
      actorId: mia.userId,
      organizationId: pages.platform.organizationId,
    });
    expect((await use(codes[1] ?? '', 'nobody@docs.example')).status).toBe(401);
    await db().update(tables.members).set({ role: 'read' }).where(eq(tables.members.userId, mia.userId));
    expect((await use(codes[1] ?? '')).status).toBe(401);
  });

  test('are renewed in a session of the enforced single sign-on, for that organization alone', async () => {
    const { organizationId } = pages.platform;
    const una = await createPerson('una', 'admin');
    const elsewhere = newId();
    await db()
      .insert(tables.organizations)
      .values({ id: elsewhere, title: 'Elsewhere', hostname: 'elsewhere' });
    await db()
      .insert(tables.members)
      .values({ organizationId: elsewhere, userId: una.userId, role: 'admin' });
    await setSso(true);
    const store = createSessionStore({ db: db(), sealer: pages.platform.deps.sealer });
    const begin = async (signIn: Pick<SignIn, 'provider' | 'ssoOrganizationId'>) => {
      const origin = { address: '127.0.0.1', userAgent: null, requestId: null };
      const { secret } = await store.start({ ...signIn, userId: una.userId, displayName: 'una' }, origin);
      return `docloom-session=${secret}`;
    };
    const renew = async (cookie: string, id = organizationId) =>
      (await pages.post('/account/recovery-codes', { organizationId: id }, { cookie })).status;

    for (const provider of ['saml', 'oidc'] as const) {
      const cookie = await begin({ provider, ssoOrganizationId: organizationId });
      const page = await (await pages.get('/account', { cookie })).text();
      expect(page).toContain(`value="${organizationId}"`);
      expect(page).not.toContain(`value="${elsewhere}"`);
      expect(page).not.toContain('action="/account/password"');
      expect(await makeCodes(cookie)).toHaveLength(10);
      expect(await renew(cookie, elsewhere)).toBe(404);
      expect((await pages.post('/account/name', { displayName: 'Thief' }, { cookie })).status).toBe(404);
    }
    const recovered = await begin({ provider: 'recovery', ssoOrganizationId: organizationId });
    expect(await renew(recovered)).toBe(404);
    expect(await (await pages.get('/account', { cookie: recovered })).text()).not.toContain(
      '/recovery-codes',
    );
    // The password opens only the other organization now.
    const withPassword = await signIn(una);
    expect([await renew(withPassword), await renew(withPassword, elsewhere)]).toEqual([404, 200]);
  });

  test('open their organization alone, whoever had a session in which they were made', async () => {
    const rea = await createPerson('rea', 'admin');
    const elsewhere = newId();
    await db().insert(tables.organizations).values({ id: elsewhere, title: 'Other', hostname: 'other' });
    await db()
      .insert(tables.members)
      .values({ organizationId: elsewhere, userId: rea.userId, role: 'admin' });
    const [code = ''] = await makeCodes(await signIn(rea));
    const recovered = cookieOf(await pages.post('/login/recovery', { email: rea.email, code }));
    const token = `dls_${recovered.split('=')[1]}`;
    const statusOf = async (id: string, bearer = token) =>
      (await pages.platform.api('GET', `/orgs/${id}`, { token: bearer })).status;
    expect([await statusOf(pages.platform.organizationId), await statusOf(elsewhere)]).toEqual([200, 404]);
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const made = await pages.platform.api('POST', '/user/tokens', {
      token,
      body: { name: 'Mine', role: 'admin', expiresAt },
    });
    expect(made.body.organization).toBe(pages.platform.organizationId);
    expect(await statusOf(elsewhere, made.body.token)).toBe(404);
  });

  test('work while strangers lock the account, and are limited by network address', async () => {
    const lee = await createPerson('lee', 'admin');
    const [code = ''] = await makeCodes(await signIn(lee));
    const guess = () =>
      pages.post('/login/password', { email: lee.email, password: 'wrong wrong wrong', next: '/' });
    for (let tries = 0; tries < 5; tries++) await guess();
    expect((await guess()).status).toBe(429);
    const use = (text: string) => pages.post('/login/recovery', { email: lee.email, code: text });
    expect((await use(code)).status).toBe(303);
    const wrong = await Promise.all(Array.from({ length: 21 }, () => use(code)));
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  test('are downloaded as text, and made by administrators only', async () => {
    const [nia, oto] = [await createPerson('nia', 'admin'), await createPerson('oto', 'create')];
    const cookie = await signIn(nia);
    const codes = await makeCodes(cookie);
    const file = await pages.post(
      '/account/recovery-codes.txt',
      { codes: `${codes.join(' ')} <script>` },
      { cookie },
    );
    expect(file.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(file.headers.get('content-disposition')).toContain('attachment');
    const text = await file.text();
    expect(codes.every((code) => text.includes(code))).toBe(true);
    expect(text).not.toContain('script');
    const { organizationId } = pages.platform;
    const refused = await pages.post(
      '/account/recovery-codes',
      { organizationId },
      { cookie: await signIn(oto) },
    );
    expect(refused.status).toBe(404);
    expect(await (await pages.get('/account', { cookie: await signIn(oto) })).text()).not.toContain(
      'Recovery codes',
    );
  });
});

test('the sign-in page shows what is possible, with a place for providers', async () => {
  await createPerson('pam');
  pages.providers = [{ label: 'Sign in with <GitHub>', path: '/login/github?next=%2F' }];
  const text = await (await pages.get('/login?next=%2Fstatus')).text();
  pages.providers = [];
  for (const part of [
    'Sign in with &#60;GitHub&#62;',
    'action="/login/password"',
    'action="/login/link"',
    'for="docloom-token"',
  ])
    expect(text).toContain(part);
  expect(text.match(/name="next" value="\/status"/g)).toHaveLength(3);
});

describe('the sessions of a person', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const sessionsIn = (page: string) =>
    [...page.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id ?? '');

  test('are listed with way, address and browser, and ended one by one or all but this', async () => {
    const nan = await createPerson('nan');
    const here = cookieOf(
      await pages.post(
        '/login/password',
        { email: nan.email, password: PASSWORD },
        { 'user-agent': FIREFOX },
      ),
    );
    // Sessions are listed by age, and the clock of the pages stands still.
    const signInLater = () => {
      pages.time = new Date(pages.time.getTime() + 1000);
      return signIn(nan);
    };
    const [second, third, fourth] = [await signInLater(), await signInLater(), await signInLater()];
    const page = await pages.get('/account/sessions', { cookie: here });
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    expect(text).toMatch(
      /<th scope="row" title="Mozilla[^"]+">Firefox 140 on Linux <span class="state good">This browser<\/span><\/th><td>Password<\/td><td>127\.0\.0\.1<\/td>/,
    );
    const ids = sessionsIn(text);
    expect(ids).toHaveLength(3);
    const ended = await pages.post('/account/sessions/end', { id: ids[0] ?? '' }, { cookie: here });
    expect(ended.headers.get('location')).toBe('/account/sessions?done=one');
    expect([await isSignedIn(second), await isSignedIn(third), await isSignedIn(here)]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await eventsOf('session.end')).filter(({ actorId }) => actorId === nan.userId)).toHaveLength(1);

    await pages.post('/account/sessions/end-others', {}, { cookie: here });
    expect([await isSignedIn(third), await isSignedIn(fourth), await isSignedIn(here)]).toEqual([
      false,
      false,
      true,
    ]);
    const alone = await (await pages.get('/account/sessions?done=others', { cookie: here })).text();
    expect(alone).toContain('All other sessions were ended.');
    expect(alone).not.toContain('End all others');
  });

  test('are nobody else’s to see or to end', async () => {
    const [ola, pia] = [await createPerson('ola'), await createPerson('pia')];
    const [olas, pias] = [await signIn(ola), await signIn(pia)];
    await signIn(ola);
    const [id = ''] = sessionsIn(await (await pages.get('/account/sessions', { cookie: olas })).text());
    expect(sessionsIn(await (await pages.get('/account/sessions', { cookie: pias })).text())).toEqual([]);
    await pages.post('/account/sessions/end', { id }, { cookie: pias });
    expect(sessionsIn(await (await pages.get('/account/sessions', { cookie: olas })).text())).toEqual([id]);
    for (const wrong of ['', '..', 'a/b'])
      expect((await pages.post('/account/sessions/end', { id: wrong }, { cookie: olas })).status).toBe(404);
    expect((await pages.get('/account/sessions?page=x', { cookie: olas })).status).toBe(400);
  });
});

describe('the API tokens of a person', () => {
  test('are made with name, expiry, role and organization, shown once, and revoked', async () => {
    const cookie = await signIn(await createPerson('quin', 'edit'));
    const { organizationId } = pages.platform;
    expect(await (await pages.get('/account/tokens', { cookie })).text()).toContain('You have no API token.');
    const made = await pages.post(
      '/account/tokens',
      { name: 'deploy <b>', days: '7', role: 'edit', organization: organizationId },
      { cookie },
    );
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const token = /value="(dl_[^"]+)"/.exec(await made.text())?.[1] ?? '';
    const call = () =>
      fetch(`${pages.platform.url}/v1/user`, { headers: { authorization: `Bearer ${token}` } });
    expect((await call()).status).toBe(200);

    const list = await (await pages.get('/account/tokens', { cookie })).text();
    expect(list).not.toContain(token);
    expect(list).toContain('deploy &#60;b&#62;');
    expect(list).toMatch(new RegExp(`<code>${token.slice(0, 5)}`));
    expect(list).not.toContain('>never<');
    const [row] = await db().select().from(tables.apiTokens).where(eq(tables.apiTokens.name, 'deploy <b>'));
    expect(row).toMatchObject({ role: 'edit', organizationId });
    const days = (Number(row?.expiresAt) - Date.now()) / (24 * 60 * 60_000);
    expect(Math.round(days)).toBe(7);

    const [, id = ''] = /name="id" value="([^"]+)"/.exec(list) ?? [];
    const revoked = await pages.post('/account/tokens/revoke', { id }, { cookie });
    expect(revoked.headers.get('location')).toBe('/account/tokens?done=revoked');
    expect((await call()).status).toBe(401);
  });

  test('are refused beyond one’s own role and without a name, and the form keeps what was entered', async () => {
    const cookie = await signIn(await createPerson('rob', 'read'));
    const beyond = await pages.post(
      '/account/tokens',
      { name: 'mine', days: '30', role: 'admin', organization: '' },
      { cookie },
    );
    expect(beyond.status).toBe(403);
    const text = await beyond.text();
    expect(text).toContain('Your role is read, so a token of yours cannot have the role admin.');
    expect(text).toContain('value="mine"');
    expect(text).toContain('<option value="admin" selected>');
    const nameless = await pages.post('/account/tokens', { name: ' ', days: '30', role: 'read' }, { cookie });
    expect([nameless.status, await nameless.text()]).toEqual([
      400,
      expect.stringContaining('The name must be one line that is not blank.'),
    ]);
    const foreign = await pages.post(
      '/account/tokens',
      { name: 'x', days: '30', role: 'read', organization: 'nowhere' },
      { cookie },
    );
    expect(foreign.status).toBe(404);
    const elsewhere = { cookie, 'sec-fetch-site': 'cross-site' };
    for (const path of ['/account/tokens', '/account/tokens/revoke', '/account/sessions/end'])
      expect([path, (await pages.post(path, {}, elsewhere)).status]).toEqual([path, 403]);
  });
});
