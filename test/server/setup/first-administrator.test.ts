/** From the set-up address in the log to the account of the first administrator. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type Store, tables } from '../../../src/store/index.ts';
import { type Browsing, type Served, startServe } from '../start-serve.ts';

const PASSWORD = 'plum otter violin kettle';

let served: Served;
let store: Store;
let address: string;
beforeAll(async () => {
  served = await startServe();
  store = await openStore({ dataDir: served.folder, databaseUrl: served.env['DATABASE_URL'] ?? '' });
  const line = served.log.find((one) => typeof one['setup'] === 'string');
  address = String(line?.['setup']);
});
afterAll(async () => {
  await store?.close();
  await served?.close();
});

const form = (name: string) => ({ displayName: name, email: `${name}@docs.example`, password: PASSWORD });
const create = (browser: Browsing, name: string, more = {}) =>
  browser.post('/setup/administrator', { ...form(name), ...more });

test('without the key nobody makes an account', async () => {
  const browser = served.browse();
  await browser.get('/setup?key=guess');
  expect((await create(browser, 'mallory')).headers.get('location')).toBe('/setup');
  expect(await store.db.select().from(tables.passwords)).toEqual([]);
});

test('what cannot be used is said, and stays in the form, but for the password', async () => {
  const browser = served.browse();
  await browser.get(address);
  expect(await (await browser.get('/setup')).text()).toContain('Create your account');
  for (const [more, sentence] of [
    [{ displayName: ' ' }, 'Enter a name'],
    [{ email: 'ada' }, 'Enter your e-mail address'],
    [{ password: 'short' }, 'at least 12'],
    [{ password: 'password1234' }, 'guessed first'],
  ] as const) {
    const answer = await create(browser, 'ada', more);
    const text = await answer.text();
    expect([answer.status, text.includes(sentence), text.includes(PASSWORD)], sentence).toEqual([
      400,
      true,
      false,
    ]);
  }
});

test('of several browsers at once, one becomes the administrator, and the address works no more', async () => {
  const other = await served.startAnother();
  const browsers = [served.browse(), served.browse()];
  for (const browser of browsers) {
    expect((await browser.get(address)).status).toBe(303);
    expect((await browser.get('/setup')).status).toBe(200);
  }
  const answers = await Promise.all(browsers.map((browser, at) => create(browser, `ada${at}`)));
  const won = answers.findIndex(({ status, headers }) => status === 303 && headers.getSetCookie().length > 1);
  expect(
    answers.filter((_, at) => at !== won).map(({ headers }) => headers.getSetCookie().join()),
  ).not.toContainEqual(expect.stringMatching(/docloom-session=[\w-]{43}/));
  expect(await store.db.select().from(tables.passwords)).toHaveLength(1);
  const winner = browsers[won] as Browsing;
  expect(await (await winner.get('/setup')).text()).toContain('Create your GitHub App');
  const [member] = await store.db
    .select()
    .from(tables.members)
    .innerJoin(tables.users, eq(tables.users.id, tables.members.userId))
    .where(eq(tables.users.email, `ada${won}@docs.example`));
  expect(member?.members.role).toBe('admin');
  const events = await store.db.select().from(tables.auditEvents);
  expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(['member.add', 'session.start']));

  // The key is gone for browsers that had opened it, for new ones, and in the other process.
  const loser = browsers.find((_, at) => at !== won) as Browsing;
  expect(await (await loser.get('/setup')).text()).toContain('Set-up key');
  expect((await create(loser, 'late')).headers.get('location')).toBe('/setup');
  expect(
    (await loser.post('/setup/app', { github: served.forge.url, name: 'x' })).headers.get('location'),
  ).toBe('/setup');
  expect((await served.browse().get(address)).status).toBe(401);
  expect((await fetch(address.replace(served.url, other.url), { redirect: 'manual' })).status).toBe(401);
  expect(await store.db.select().from(tables.passwords)).toHaveLength(1);

  // A process that starts now names no key.
  const before = served.log.length;
  await served.startAnother();
  const lines = served.log.slice(before).filter((one) => typeof one['setup'] === 'string');
  expect(lines.map((one) => one['setup'])).toEqual([`${served.url}/setup`]);

  const again = served.browse();
  const signedIn = await again.post('/login/password', {
    email: `ADA${won}@docs.example`,
    password: PASSWORD,
    next: '/setup',
  });
  expect(signedIn.headers.get('location')).toBe('/setup');
  expect(await (await again.get('/setup')).text()).toContain('Create your GitHub App');
  expect(JSON.stringify(served.log)).not.toContain(PASSWORD);
});

test('behind a proxy on this machine, attempts are those of the browser', async () => {
  await fetch(`${served.url}/login/password`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'who@docs.example', password: 'x' }),
    headers: { 'x-forwarded-for': '203.0.113.7' },
  });
  const events = await store.db
    .select()
    .from(tables.auditEvents)
    .where(eq(tables.auditEvents.outcome, 'failure'));
  expect(events.at(-1)).toMatchObject({ action: 'session.start', address: '203.0.113.7' });
});
