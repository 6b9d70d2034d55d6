/** The page of an invitation: who may accept it in a browser, with and without a mail server. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from '../../src/identity/passwords/hash-password.ts';
import { newId, tables, upsertPassword } from '../../src/store/index.ts';
import { type MailSink, openMailSink } from '../identity/mail-sink.ts';
import { createMember } from '../platform/create-member.ts';
import { proveDomain } from '../support/prove-domain.ts';
import { waitFor } from '../support/wait-for.ts';
import { PASSWORD_COST, startPages, type TestPages } from './start-pages.ts';

const CONTINUE = /Continue with the invitation/;
const PASSWORD = 'plum otter violin kettle';

let hash: string;
let mailing: TestPages;
let silent: TestPages;
let sink: MailSink;
beforeAll(async () => {
  hash = await hashPassword(PASSWORD, PASSWORD_COST);
  sink = await openMailSink();
  [mailing, silent] = await Promise.all([startPages({ smtp: sink.smtp }), startPages()]);
  for (const { platform } of [mailing, silent])
    await platform.api('PATCH', `/orgs/${platform.organizationId}`, { body: { inviteLinks: true } });
});
afterAll(async () => {
  await Promise.all([mailing?.close(), silent?.close()]);
  await sink?.close();
});
beforeEach(async () => {
  for (const pages of [mailing, silent]) {
    pages.time = new Date();
    await pages.platform.deps.db.delete(tables.signInFailures);
  }
});

interface Made {
  readonly id: string;
  /** The path of the address in the answer. */
  readonly path: string;
  readonly secret: string;
}

async function make(pages: TestPages, operation: string, body: object): Promise<Made> {
  const { platform } = pages;
  const answer = await platform.api('POST', `/orgs/${platform.organizationId}/${operation}`, { body });
  const { id, url } = answer.body.invites?.[0] ?? answer.body;
  const path = new URL(url).pathname;
  return { id, path, secret: path.split('/').at(-1) ?? '' };
}

const inviteByMail = (pages: TestPages, email: string, role: string | null = 'edit') =>
  make(pages, 'invites', { emails: [email], role });
const makeLink = (pages: TestPages, body: object = { role: 'read' }) => make(pages, 'link-invites', body);

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** Opens the address of an invitation and follows it, as a browser does. */
async function open(pages: TestPages, path: string, cookie = '') {
  const answer = await pages.get(path, { cookie });
  if (answer.status !== 303) return { status: answer.status, text: await answer.text(), answer, cookie };
  expect(answer.headers.get('location')).toBe('/invite');
  const all = `${cookie}; ${cookieOf(answer)}`;
  const page = await pages.get('/invite', { cookie: all });
  return { status: page.status, text: await page.text(), answer: page, cookie: all };
}

/** The path in the newest mail of this kind to somebody, with the key. */
async function mailTo(
  email: string,
  subject = /invites you to/,
): Promise<{ readonly path: string; readonly key: string }> {
  const { text } = await waitFor(
    () => sink.mails.findLast((mail) => mail.to === email && subject.test(mail.subject)),
    () => `a mail to ${email} about ${subject}`,
  );
  const url = new URL(/http:\/\/docs\.example\/invite\/\S+/.exec(text)?.[0] ?? '');
  return { path: `${url.pathname}${url.search}`, key: url.searchParams.get('key') ?? '' };
}

async function createPerson(pages: TestPages, email: string, emailVerifiedAt: Date | null = new Date()) {
  const { db } = pages.platform.deps;
  const userId = newId();
  await db.insert(tables.users).values({ id: userId, displayName: email, email, emailVerifiedAt });
  await upsertPassword(db, userId, hash, new Date());
  const answer = await pages.post('/login/password', { email, password: PASSWORD });
  expect(answer.status).toBe(303);
  return { userId, cookie: cookieOf(answer) };
}

async function findMember(pages: TestPages, email: string) {
  const { db } = pages.platform.deps;
  const [row] = await db
    .select()
    .from(tables.users)
    .leftJoin(tables.members, eq(tables.members.userId, tables.users.id))
    .where(eq(tables.users.email, email));
  return row === undefined ? null : { ...row.users, role: row.members?.role, isMember: row.members !== null };
}

describe('an invitation by mail', () => {
  test('makes a verified account for whoever opens it from the mail, and a member, once', async () => {
    const { path } = await inviteByMail(mailing, 'ada@people.example');
    const mail = await mailTo('ada@people.example');
    expect(mail.path.startsWith(`${path}?key=`)).toBe(true);
    const page = await open(mailing, mail.path);
    expect([page.status, page.answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.text).toContain('invites you to join <strong>');
    expect(page.text).toContain('with the role edit');
    expect(page.text).toContain('<strong>ada@people.example</strong>');
    const fields = { ...mail, secret: path.split('/').at(-1) ?? '', displayName: 'Ada', password: 'short' };
    const refused = await mailing.post('/invite/account', fields);
    expect([refused.status, (await refused.text()).includes('role="alert"')]).toEqual([400, true]);
    const answers = await Promise.all(
      [1, 2, 3].map(() => mailing.post('/invite/account', { ...fields, password: PASSWORD })),
    );
    const [won] = answers.filter(({ status }) => status === 303);
    expect(answers.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
    const { organizationId } = mailing.platform;
    expect(won?.headers.get('location')).toBe(`/orgs/${organizationId}?done=joined`);
    const home = await mailing.get(`/orgs/${organizationId}?done=joined`, {
      cookie: cookieOf(won as Response),
    });
    expect(await home.text()).toContain('You are a member now.');
    const member = await findMember(mailing, 'ada@people.example');
    expect(member).toMatchObject({ displayName: 'Ada', role: 'edit' });
    expect(member?.emailVerifiedAt).not.toBeNull();
    const again = await open(mailing, mail.path);
    expect([again.status, again.text.includes('was used already')]).toEqual([410, true]);
    const events = await mailing.platform.deps.db
      .select()
      .from(tables.auditEvents)
      .where(eq(tables.auditEvents.actorId, member?.id ?? ''));
    expect(events.map(({ action }) => action)).toEqual(['user.create', 'member.join', 'session.start']);
  });

  test('from whoever made it proves no address: it is mailed to the person first', async () => {
    const { path, secret } = await inviteByMail(mailing, 'bob@people.example');
    const first = await mailTo('bob@people.example');
    const page = await open(mailing, path);
    expect(page.text).not.toContain('bob@people.example');
    expect(page.text).not.toContain('name="password"');
    const stolen = await mailing.post('/invite/account', { secret, displayName: 'Eve', password: PASSWORD });
    expect(stolen.status).toBe(400);
    expect(await findMember(mailing, 'bob@people.example')).toBeNull();
    // The address that was entered does not count.
    expect((await mailing.post('/invite/mail', { secret, email: 'eve@people.example' })).status).toBe(200);
    expect((await mailTo('bob@people.example', CONTINUE)).key).not.toBe(first.key);
    expect(sink.mails.filter(({ to }) => to === 'eve@people.example')).toEqual([]);
    // Neither does the key of another mail.
    await inviteByMail(mailing, 'eve@people.example');
    const { key } = await mailTo('eve@people.example');
    const wrong = await open(mailing, `${path}?key=${key}`);
    expect(wrong.text).not.toContain('name="password"');
  });

  test('is accepted with one button by whoever has its address, and by nobody else', async () => {
    const { path, secret } = await inviteByMail(mailing, 'cleo@people.example');
    const [cleo, dan] = [
      await createPerson(mailing, 'cleo@people.example'),
      await createPerson(mailing, 'dan@people.example'),
    ];
    const { key } = await mailTo('cleo@people.example');
    expect((await open(mailing, `${path}?key=${key}`)).text).toContain(
      'You have an account with your address',
    );
    const other = await open(mailing, path, dan.cookie);
    expect(other.text).toContain('is for another e-mail address');
    expect(other.text).not.toContain('cleo');
    const refused = await mailing.post('/invite/accept', { secret, key }, { cookie: dan.cookie });
    expect(refused.status).toBe(403);
    const own = await open(mailing, path, cleo.cookie);
    expect(own.text).toContain('Accept the invitation');
    const foreign = { cookie: own.cookie, 'sec-fetch-site': 'cross-site' };
    expect((await mailing.post('/invite/accept', { secret }, foreign)).status).toBe(403);
    const accepted = await mailing.post('/invite/accept', { secret }, { cookie: own.cookie });
    expect(accepted.headers.get('location')).toBe(`/orgs/${mailing.platform.organizationId}?done=joined`);
    expect(await findMember(mailing, 'cleo@people.example')).toMatchObject({ role: 'edit' });
    expect((await findMember(mailing, 'dan@people.example'))?.isMember).toBe(false);
  });

  test('is opened again after signing in, without its secret in any address', async () => {
    const { path, secret } = await inviteByMail(mailing, 'finn@people.example', null);
    await createPerson(mailing, 'finn@people.example');
    const page = await open(mailing, path);
    expect(page.text).toContain('href="/login?next=%2Finvite"');
    expect(page.cookie).not.toContain(secret);
    const signedIn = await mailing.post(
      '/login/password',
      { email: 'finn@people.example', password: PASSWORD, next: '/invite' },
      { cookie: page.cookie },
    );
    expect(signedIn.headers.get('location')).toBe('/invite');
    const back = await mailing.get('/invite', { cookie: `${page.cookie}; ${cookieOf(signedIn)}` });
    const text = await back.text();
    expect([text.includes('Accept the invitation'), text.includes('as a guest')]).toEqual([true, true]);
    expect((await mailing.get('/invite')).status).toBe(404);
  });

  test('confirms the address of an account that was not confirmed, if it was opened from the mail', async () => {
    const { path, secret } = await inviteByMail(mailing, 'gus@people.example');
    const { key } = await mailTo('gus@people.example');
    const { cookie } = await createPerson(mailing, 'gus@people.example', null);
    expect((await open(mailing, path, cookie)).text).toContain('is not confirmed yet');
    expect((await mailing.post('/invite/accept', { secret }, { cookie })).status).toBe(403);
    expect((await mailing.post('/invite/accept', { secret, key }, { cookie })).status).toBe(303);
    const member = await findMember(mailing, 'gus@people.example');
    expect([member?.role, member?.emailVerifiedAt !== null]).toEqual(['edit', true]);
  });

  test('ends with one sentence for each reason, which names nobody', async () => {
    const [revoked, expired, replaced] = [
      await inviteByMail(silent, 'revoked@people.example'),
      await inviteByMail(silent, 'expired@people.example'),
      await inviteByMail(silent, 'replaced@people.example'),
    ];
    const base = `/orgs/${silent.platform.organizationId}/invites`;
    await silent.platform.api('DELETE', `${base}/${revoked.id}`);
    await silent.platform.api('POST', `${base}/${replaced.id}/resend`);
    await silent.platform.deps.db
      .update(tables.invites)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(tables.invites.id, expired.id));
    for (const [path, status, sentence] of [
      [revoked.path, 410, 'was revoked'],
      [expired.path, 410, 'has expired'],
      [replaced.path, 404, 'sent again since'],
      [`/invite/${'a'.repeat(43)}`, 404, 'There is no invitation'],
      ['/invite/short', 404, 'There is no invitation'],
    ] as const) {
      const page = await open(silent, path);
      expect([path, page.status, page.text.includes(sentence)]).toEqual([path, status, true]);
      expect(page.text).not.toMatch(/people\.example|Operator/);
      const secret = path.split('/').at(-1) ?? '';
      const posted = await silent.post('/invite/account', { secret, displayName: 'X', password: PASSWORD });
      expect([path, posted.status]).toEqual([path, status]);
    }
  });
});

describe('an invite link', () => {
  test('asks for an address, answers the same for everybody, and tells the mailbox alone who is known', async () => {
    const { path, secret } = await makeLink(mailing);
    await createPerson(mailing, 'known@people.example');
    const page = await open(mailing, path);
    expect(page.text).toContain('Continue by mail');
    const bodies = [];
    for (const email of ['known@people.example', 'new@people.example']) {
      const answer = await mailing.post('/invite/mail', { secret, email });
      bodies.push([answer.status, await answer.text()]);
    }
    expect(bodies[0]).toEqual(bodies[1]);
    const [known, fresh] = [
      await mailTo('known@people.example', CONTINUE),
      await mailTo('new@people.example', CONTINUE),
    ];
    expect((await open(mailing, known.path)).text).toContain('You have an account with your address');
    expect((await open(mailing, fresh.path)).text).toContain('Create the account and join');
    const fields = { secret, key: fresh.key, displayName: 'New', password: PASSWORD };
    expect((await mailing.post('/invite/account', fields)).status).toBe(303);
    expect((await findMember(mailing, 'new@people.example'))?.emailVerifiedAt).not.toBeNull();
    // A key makes one account.
    expect((await mailing.post('/invite/account', fields)).status).toBe(400);
    expect((await mailing.post('/invite/mail', { secret, email: 'nobody' })).status).toBe(400);
  });

  test('admits only people with an account where no address can be confirmed, and says so', async () => {
    const { path, secret } = await makeLink(silent, { role: 'comment', maxUses: 1 });
    expect((await open(silent, path)).text).toContain('for an invitation to your own e-mail address');
    const fields = { secret, displayName: 'Ida', password: PASSWORD };
    expect((await silent.post('/invite/account', fields)).status).toBe(400);
    expect((await silent.post('/invite/mail', { secret, email: 'ida@people.example' })).status).toBe(400);
    const jo = await createPerson(silent, 'jo@people.example', null);
    expect((await silent.post('/invite/accept', { secret }, { cookie: jo.cookie })).status).toBe(303);
    expect(await findMember(silent, 'jo@people.example')).toMatchObject({ role: 'comment' });
    expect((await open(silent, path)).text).toContain('was used already');
    const off = await makeLink(silent);
    const organization = `/orgs/${silent.platform.organizationId}`;
    await silent.platform.api('PATCH', organization, { body: { inviteLinks: false } });
    expect((await open(silent, off.path)).text).toContain('are turned off');
    await silent.platform.api('PATCH', organization, { body: { inviteLinks: true } });
    expect((await open(silent, off.path, jo.cookie)).text).toContain('You are a member already');
  });
});

describe('without a mail server', () => {
  test('nobody makes accounts with addresses of a domain that another organization proved', async () => {
    const { platform } = silent;
    const other = (await platform.api('POST', '/orgs', { body: { title: 'Proved' } })).body.id as string;
    await proveDomain(platform.deps.db, other, 'proved.example');
    const { secret } = await inviteByMail(silent, 'ceo@proved.example');
    const fields = { secret, displayName: 'Not the CEO', password: PASSWORD };
    const refused = await silent.post('/invite/account', fields);
    expect([refused.status, (await refused.text()).includes('belong to another organization')]).toEqual([
      400,
      true,
    ]);
    const made = await platform.deps.db.$count(tables.users, eq(tables.users.email, 'ceo@proved.example'));
    expect(made).toBe(0);
    // Its own people are its own to invite.
    await proveDomain(platform.deps.db, platform.organizationId, 'proved.example');
    expect((await silent.post('/invite/account', fields)).status).toBe(303);
  });

  test('whoever was passed the address of an invitation makes the account that it is for, unconfirmed', async () => {
    const { path, secret } = await inviteByMail(silent, 'kim@people.example');
    expect((await open(silent, path)).text).toContain('<strong>kim@people.example</strong>');
    const fields = { secret, displayName: 'Kim', password: PASSWORD };
    expect((await silent.post('/invite/account', fields)).status).toBe(303);
    expect(await findMember(silent, 'kim@people.example')).toMatchObject({
      role: 'edit',
      emailVerifiedAt: null,
    });
    const second = await inviteByMail(silent, 'kim@people.example');
    const taken = await silent.post('/invite/account', { ...fields, secret: second.secret });
    expect([taken.status, (await taken.text()).includes('sign in instead')]).toEqual([400, true]);
  });

  test('whoever joins but is disabled, or needs single sign-on, is told so', async () => {
    const { platform } = silent;
    const lea = await createPerson(silent, 'lea@people.example');
    const { organizationId } = platform;
    const elsewhere = (await platform.api('POST', '/orgs', { body: { title: 'Elsewhere' } })).body
      .id as string;
    const member = { userId: lea.userId, role: 'read' };
    await platform.deps.db.insert(tables.members).values([
      { ...member, organizationId: elsewhere },
      { ...member, organizationId, disabledAt: new Date() },
    ]);
    const { secret } = await makeLink(silent);
    const disabled = await silent.post('/invite/accept', { secret }, { cookie: lea.cookie });
    expect(await disabled.text()).toContain('is disabled');
    await platform.deps.db.update(tables.organizations).set({ sso: true });
    const max = await createPerson(silent, 'max@people.example');
    const joined = await silent.post('/invite/accept', { secret }, { cookie: max.cookie });
    await platform.deps.db.update(tables.organizations).set({ sso: false });
    expect(await joined.text()).toContain('takes only its own single sign-on');
  });
});

test('addresses that are guessed lock the network for a while', async () => {
  const statuses = [];
  for (let at = 0; at < 52; at++)
    statuses.push((await silent.get(`/invite/${String(at).padStart(43, 'x')}`)).status);
  expect(new Set(statuses.slice(0, 50))).toEqual(new Set([404]));
  expect(statuses.slice(50)).toEqual([429, 429]);
  silent.time = new Date(silent.time.getTime() + 31_000);
  const { path } = await makeLink(silent);
  expect((await silent.get(path)).status).toBe(303);
});

test('an API token that is bound to an organization joins no other', async () => {
  const { platform } = silent;
  const other = (await platform.api('POST', '/orgs', { body: { title: 'Other' } })).body.id as string;
  await platform.api('PATCH', `/orgs/${other}`, { body: { inviteLinks: true } });
  const made = await platform.api('POST', `/orgs/${other}/link-invites`, { body: { role: 'read' } });
  const bound = await createMember(platform, 'Bound', { role: 'read' });
  await platform.deps.db
    .update(tables.apiTokens)
    .set({ organizationId: platform.organizationId })
    .where(eq(tables.apiTokens.userId, bound.userId));
  const cookie = await silent.signIn(bound.token);
  const secret = new URL(made.body.url).pathname.split('/').at(-1) ?? '';
  const refused = await silent.post('/invite/accept', { secret }, { cookie });
  expect([refused.status, (await refused.text()).includes('bound to one organization')]).toEqual([403, true]);
});
