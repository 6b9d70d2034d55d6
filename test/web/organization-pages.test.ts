/** The pages of an organization, as a browser's requests open and change them. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginSession } from '../../src/identity/begin-session.ts';
import { openModel } from '../../src/platform/index.ts';
import { newId, recordAudit, reserveTokens, tables } from '../../src/store/index.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { waitFor } from '../support/wait-for.ts';
import { startPages, type TestPages } from './start-pages.ts';

let pages: TestPages;
let admin: string;
beforeAll(async () => {
  pages = await startPages();
  admin = await pages.signIn();
});
afterAll(() => pages?.close());

const db = () => pages.platform.deps.db;
const address = (part = '') => `/orgs/${pages.platform.organizationId}${part}`;

/** Somebody with this role in the organization, or a stranger, signed in. */
async function signInAs(
  role: string | null | 'stranger',
): Promise<{ readonly userId: string; readonly cookie: string }> {
  const userId = newId();
  await db()
    .insert(tables.users)
    .values({ id: userId, displayName: `Somebody ${role ?? 'guest'}`, email: `${userId}@docs.example` });
  if (role !== 'stranger')
    await db().insert(tables.members).values({ organizationId: pages.platform.organizationId, userId, role });
  const started = await beginSession(
    db(),
    {
      userId,
      tokenId: null,
      provider: 'password',
      ssoOrganizationId: null,
      sealedToken: null,
      displayName: 'Somebody',
    },
    { address: null, userAgent: null, requestId: null },
    new Date(),
  );
  return { userId, cookie: `docloom-session=${started.secret}` };
}

describe('an organization’s own pages', () => {
  test('show everybody in it their role and its sources, and lead only where they may go', async () => {
    const { cookie } = await signInAs('read');
    const page = await (await pages.get(address(), { cookie })).text();
    expect(page).toContain('You have the role <strong>read</strong>');
    expect(page).toContain('The role of the member in the organization.');
    expect(page).not.toContain(`${address('/settings')}"`);
    const own = await (await pages.get(address(), { cookie: admin })).text();
    expect(own).toContain(`href="${address('/settings')}"`);
    expect(await (await pages.get('/', { cookie: admin })).text()).toContain(`href="${address()}"`);
  });

  test('are 404 for strangers, and a section for those who may not see it', async () => {
    const [stranger, reader] = [await signInAs('stranger'), await signInAs('read')];
    for (const [cookie, part] of [
      [stranger.cookie, ''],
      [stranger.cookie, '/settings'],
      [reader.cookie, '/settings'],
    ] as const)
      expect([part, (await pages.get(address(part), { cookie })).status]).toEqual([part, 404]);
    const fields = { title: 'Taken over', defaultRole: 'admin' };
    const answer = await pages.post(address('/settings'), fields, { cookie: reader.cookie });
    expect(answer.status).toBe(404);
    const signedOut = await pages.get(address());
    expect(signedOut.headers.get('location')).toBe(`/login?next=${encodeURIComponent(address())}`);
  });

  test('save the settings, and say what is wrong with them', async () => {
    const answer = await pages.post(
      address('/settings'),
      { title: 'Ada & Co', defaultRole: 'edit', inviteLinks: 'on', ai: 'on' },
      { cookie: admin },
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `${address('/settings')}?done=saved`,
    ]);
    const [row] = await db()
      .select()
      .from(tables.organizations)
      .where(eq(tables.organizations.id, pages.platform.organizationId));
    expect(row).toMatchObject({ title: 'Ada & Co', defaultRole: 'edit', inviteLinks: true, ai: true });
    const page = await pages.get(`${address('/settings')}?done=saved`, { cookie: admin });
    expect(await page.text()).toContain('The settings were saved.');
    for (const fields of [
      { title: ' ', defaultRole: 'read' },
      { title: 'A', defaultRole: 'owner' },
    ])
      expect((await pages.post(address('/settings'), fields, { cookie: admin })).status).toBe(400);
  });

  test('show administrators what the language model was used for today', async () => {
    const { platform } = pages;
    const { organizationId, deps } = platform;
    const settings = async () => await (await pages.get(address('/settings'), { cookie: admin })).text();
    expect(await settings()).toContain('This server has no model');
    const model = openModel(deps.db, {
      url: 'http://127.0.0.1:9/v1',
      key: null,
      model: 'quill-7',
      tokensPerDay: 40_000,
      timeoutMs: 1_000,
    });
    Object.assign(deps, { model });
    try {
      for (const [purpose, tokens] of [
        ['answers', 1_200],
        ['translations', 30_000],
      ] as const)
        await reserveTokens(deps.db, { organizationId, purpose, tokens, limit: 40_000 });
      const page = await settings();
      for (const [name, value] of [
        ['Model', 'quill-7'],
        ['Answers', '1,200 tokens, in 1 request'],
        ['What people ask', 'Nothing'],
        ['Translations', '30,000 tokens, in 1 request'],
        ['Together', '31,200 tokens, in 2 requests'],
        ['This server', '31,200 of 40,000 tokens'],
      ])
        expect(page).toContain(`<dt>${name}</dt><dd>${value}`);
      expect(page).not.toContain('Used up');
      await reserveTokens(deps.db, { organizationId, purpose: 'answers', tokens: 8_800, limit: 40_000 });
      expect(await settings()).toContain('Used up');
      const { body } = await platform.api('GET', `/orgs/${organizationId}/model-usage`);
      expect(body).toMatchObject({ answers: { tokens: 10_000, calls: 2 }, server: { limit: 40_000 } });
      expect(Date.parse(body.resetsAt) % (24 * 60 * 60 * 1000)).toBe(0);
      expect(Date.parse(body.resetsAt)).toBeGreaterThan(Date.now());
    } finally {
      Object.assign(deps, { model: null });
      await model.close();
    }
  });

  test('let somebody leave after they confirmed it, but not the last administrator', async () => {
    const { cookie, userId } = await signInAs('read');
    expect(await (await pages.get(address('/leave'), { cookie })).text()).toContain('You lose access');
    const left = await pages.post(address('/leave'), {}, { cookie });
    expect(left.headers.get('location')).toBe('/login?done=left');
    expect(await (await pages.get('/login?done=left')).text()).toContain(
      'You have left your last organization',
    );
    expect(await db().select().from(tables.members).where(eq(tables.members.userId, userId))).toEqual([]);
    const last = await pages.post(address('/leave'), {}, { cookie: admin });
    expect([last.status, /role="alert">([^<]+)/.exec(await last.text())?.[1]]).toEqual([
      409,
      expect.stringContaining('administrator'),
    ]);
  });

  test('take no form of another site', async () => {
    const headers = { cookie: admin, 'sec-fetch-site': 'cross-site' };
    for (const part of ['/settings', '/leave'])
      expect([part, (await pages.post(address(part), {}, headers)).status]).toEqual([part, 403]);
  });
});

describe('the audit log of an organization', () => {
  const audit = (query: Record<string, string> = {}) => `${address('/audit')}?${new URLSearchParams(query)}`;
  const read = async (path: string) => await (await pages.get(path, { cookie: admin })).text();

  test('shows who changed what, before and after, with filters, further pages and a file', async () => {
    const { organizationId } = pages.platform;
    const actor = { kind: 'user', id: 'auditor', name: 'Ada <b>', address: '192.0.2.7' } as const;
    const today = () => new Date().toISOString().slice(0, 10);
    const from = today();
    for (let at = 0; at < 55; at++)
      await recordAudit(db(), {
        organizationId,
        action: 'member.update',
        actor,
        target: { kind: 'member', id: `m${at}`, name: `Member ${at}` },
        before: { role: 'read' },
        after: { role: at === 0 ? 'admin' : 'edit' },
      });
    await recordAudit(db(), {
      organizationId,
      action: 'session.start',
      outcome: 'refused',
      reason: 'The assertion has expired.',
      actor: { kind: 'provider', id: 'idp', name: 'Okta' },
    });
    const newest = await read(audit());
    expect(newest).toContain('The assertion has expired.');
    expect(newest).toContain('Ada &#60;b&#62;');
    expect(newest).toContain('role: <del>read</del> → <ins>edit</ins>');
    expect(newest).not.toContain('Member 0<');
    const more = /<a href="([^"]+)" rel="next">Earlier events/.exec(newest)?.[1]?.replaceAll('&#38;', '&');
    expect(await read(more ?? '')).toContain('role: <del>read</del> → <ins>admin</ins>');

    const refused = await read(audit({ outcome: 'refused', action: 'session' }));
    expect(refused).toContain('The assertion has expired.');
    expect(refused).not.toContain('Ada &#60;');
    const one = await read(audit({ target: 'm7', actor: 'auditor' }));
    expect([...one.matchAll(/<tr><td class="time">/g)]).toHaveLength(1);
    expect(await read(audit({ to: '2020-01-01' }))).toContain('Nothing was recorded that fits.');
    expect(await read(audit({ from, to: today(), target: 'm7' }))).toContain('Member 7');

    const file = await pages.get(`${address('/audit.ndjson')}?actor=auditor`, { cookie: admin });
    expect(file.headers.get('content-type')).toContain('application/x-ndjson');
    expect(file.headers.get('content-disposition')).toContain('audit.ndjson');
    const lines = (await file.text()).trim().split('\n');
    expect(lines).toHaveLength(55);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ action: 'member.update' });
    expect(await read(audit({ action: 'audit.export' }))).toContain('<code>audit.export</code>');
  });

  describeAtLength('of 100,000 events', false, () => {
    test('comes as a file as fast as it is read, and ends with the right to it', async () => {
      const { organizationId } = pages.platform;
      const { cookie, userId } = await signInAs('admin');
      await db().execute(sql`
      insert into ${tables.auditEvents} (organization_id, action, outcome, actor_kind, user_agent)
      select ${organizationId}, 'busy.work', 'success', 'nobody', repeat('x', 290) from generate_series(1, 100000)`);
      const path = `${address('/audit.ndjson')}?action=busy.work`;
      const whole = await pages.get(path, { cookie: admin });
      let lines = 0;
      for await (const chunk of whole.body ?? []) {
        lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
      }
      expect(lines).toBe(100_000);

      const reader = (await pages.get(path, { cookie })).body?.getReader();
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      await db()
        .update(tables.members)
        .set({ disabledAt: new Date() })
        .where(eq(tables.members.userId, userId));
      const readOn = async () => {
        while ((await reader?.read())?.done === false);
      };
      await expect(readOn()).rejects.toThrow();
    });
  });

  test('says what is wrong with a filter, and is there for administrators only', async () => {
    const wrong: Record<string, string>[] = [
      { action: 'no action!' },
      { from: 'yesterday' },
      { to: '2026-13-40' },
    ];
    for (const query of wrong) {
      const answer = await pages.get(audit(query), { cookie: admin });
      expect([query, answer.status, (await answer.text()).includes('role="alert"')]).toEqual([
        query,
        400,
        true,
      ]);
      const file = `${address('/audit.ndjson')}?${new URLSearchParams(query)}`;
      expect([query, (await pages.get(file, { cookie: admin })).status]).toEqual([query, 400]);
    }
    const { cookie } = await signInAs('create');
    for (const path of [audit(), address('/audit.ndjson')])
      expect([path, (await pages.get(path, { cookie })).status]).toEqual([path, 404]);
  });
});

describe('members', () => {
  test('are listed, searched, and leave the buttons to administrators', async () => {
    const reader = await signInAs('read');
    await signInAs('review');
    const page = await (await pages.get(address('/members'), { cookie: reader.cookie })).text();
    expect(page).toContain('Somebody review');
    expect(page).not.toContain('Add somebody');
    const found = await (await pages.get(address('/members?role=review'), { cookie: admin })).text();
    expect([found.includes('Somebody review'), found.includes('Somebody read')]).toEqual([true, false]);
    const none = await (await pages.get(address('/members?search=zzz'), { cookie: admin })).text();
    expect(none).toContain('Nobody matches.');
    const guest = await signInAs(null);
    expect((await pages.get(address('/members'), { cookie: guest.cookie })).status).toBe(404);
    expect((await pages.get(address('/members?page=none'), { cookie: admin })).status).toBe(400);
  });

  test('are seen by their use of the pages, which is written once an hour and waits for nothing', async () => {
    const { userId, cookie } = await signInAs('edit');
    const own = eq(tables.members.userId, userId);
    const seenAt = async () => (await db().select().from(tables.members).where(own))[0]?.lastSeenAt ?? null;
    await db().execute(sql`create table seen_log (user_id text)`);
    await db().execute(sql`create function log_seen() returns trigger language plpgsql as
      $$ begin insert into seen_log values (new.user_id); return new; end $$`);
    await db().execute(sql`create trigger log_seen after update on ${tables.members}
      for each row when (old.last_seen_at is distinct from new.last_seen_at) execute function log_seen()`);
    const writes = async () =>
      (await db().execute(sql`select from seen_log where user_id = ${userId}`)).rows.length;
    try {
      // While somebody else changes the member, the page is there at once, and nothing is recorded.
      await db().transaction(async (tx) => {
        await tx.select().from(tables.members).where(own).for('update');
        expect((await pages.get(address(), { cookie })).status).toBe(200);
      });
      await Promise.all(Array.from({ length: 12 }, () => pages.get(address(), { cookie })));
      const first = await waitFor(seenAt);
      const page = await pages.get(address('/members?search=somebody+edit'), { cookie: admin });
      expect(await page.text()).not.toContain('>never<');
      await pages.get(address(), { cookie });
      expect([await seenAt(), await writes()]).toEqual([first, 1]);
      const before = new Date(Date.now() - 61 * 60_000);
      await db().update(tables.members).set({ lastSeenAt: before }).where(own);
      const { id } = (await pages.platform.api('POST', `${address()}/spaces`, { body: { title: 'Seen' } }))
        .body;
      expect((await pages.get(`/spaces/${id}`, { cookie })).status).toBe(200);
      await waitFor(async () => ((await seenAt()) ?? before) > before);
      // This update of the test itself, and one for each time.
      expect(await writes()).toBe(3);
    } finally {
      await db().execute(sql`drop trigger log_seen on ${tables.members}`);
      await db().execute(sql`drop function log_seen`);
      await db().execute(sql`drop table seen_log`);
    }
  });

  test('are added only by an address in a domain of the organization', async () => {
    const form = { email: 'New@proved.example', displayName: 'New', role: 'comment' };
    const refused = await pages.post(address('/members'), form, { cookie: admin });
    expect([refused.status, /role="alert">([^<]+)/.exec(await refused.text())?.[1]]).toEqual([
      409,
      expect.stringContaining('invite'),
    ]);
    const { organizationId } = pages.platform;
    await db()
      .insert(tables.emailDomains)
      .values({ organizationId, domain: 'proved.example', challenge: 'x', provedAt: new Date() });
    const added = await pages.post(address('/members'), form, { cookie: admin });
    expect(added.status).toBe(303);
    const page = await (await pages.get(added.headers.get('location') ?? '', { cookie: admin })).text();
    expect(page).toContain('They are a member now.');
    expect(page).toContain('new@proved.example');
  });

  test('have a page on which an administrator changes what they may do, and sees why', async () => {
    const { userId, cookie } = await signInAs('read');
    const at = address(`/members/${userId}`);
    const send = async (name: string, fields = {}) => {
      const answer = await pages.post(`${at}/${name}`, fields, { cookie: admin });
      return [answer.status, answer.headers.get('location')];
    };
    const stored = async () =>
      (await db().select().from(tables.members).where(eq(tables.members.userId, userId)))[0];
    expect(await send('role', { role: 'edit' })).toEqual([303, `${at}?done=role`]);
    expect((await stored())?.role).toBe('edit');
    expect(await send('role', { role: 'guest' })).toEqual([303, `${at}?done=role`]);
    expect((await stored())?.role).toBeNull();
    expect((await send('role', { role: 'king' }))[0]).toBe(400);
    await send('disable');
    expect((await pages.get(address(), { cookie })).headers.get('location')).toContain('/login');
    const page = await (await pages.get(at, { cookie: admin })).text();
    expect(page).toContain('The membership is disabled');
    await send('enable');
    // Nobody is left without a way in: no provider works yet.
    expect((await send('sso-only'))[0]).toBe(409);
    expect(await stored()).toMatchObject({ disabledAt: null, sso: false });
    await send('any-sign-in');
    expect(await send('end-sessions')).toEqual([303, `${at}?done=end-sessions`]);
    expect((await pages.get(address(), { cookie })).headers.get('location')).toContain('/login');
    expect(await (await pages.get(`${at}/remove`, { cookie: admin })).text()).toContain('loses all access');
    expect(await send('remove')).toEqual([303, `${address('/members')}?done=removed`]);
    expect(await stored()).toBeUndefined();
    expect((await pages.get(at, { cookie: admin })).status).toBe(404);
  });

  test('are removed knowing how they would come in again, with an offer to disable them instead', async () => {
    const { organizationId } = pages.platform;
    const { userId } = await signInAs('read');
    const at = address(`/members/${userId}`);
    const { users, organizations, identityProviders, emailDomains } = tables;
    const show = async () => await (await pages.get(`${at}/remove`, { cookie: admin })).text();
    const set = (email: string) => db().update(users).set({ email }).where(eq(users.id, userId));
    await set('back@returns.example');
    const alone = await show();
    expect(alone).toContain('with teams and grants, and comes back only by an invitation.');
    expect(alone).not.toContain('Disable instead');

    await db().insert(emailDomains).values({ organizationId, domain: 'returns.example', challenge: 'x' });
    const add = (label: string, fields: object) =>
      db()
        .insert(identityProviders)
        .values({ id: newId(), organizationId, kind: 'oidc', label, ...fields });
    await db().insert(tables.provisioned).values({ organizationId, userId, userName: 'back' });
    const provisioned = await show();
    expect(provisioned).toContain('keeps this member by provisioning, and adds them again');
    expect(provisioned).toContain('Disable instead');
    await db().delete(tables.provisioned);
    await add('Half', { clientId: 'docs' });
    await add('Okta', { clientId: 'docs', issuer: 'https://okta.example' });
    expect(await show()).toContain('only by an invitation.');
    await db().update(emailDomains).set({ provedAt: new Date() });
    const page = await show();
    expect(page).toContain('Removing does not keep them out.');
    expect(page).toContain('The next sign-in at Okta makes them a member again');
    expect(page).not.toContain('may join by themselves');
    expect(page).toContain(`action="${at}/disable"`);

    await db()
      .update(organizations)
      .set({ emailDomains: ['returns.example'] })
      .where(eq(organizations.id, organizationId));
    expect(await show()).toContain(
      'Whoever has a confirmed address of returns.example may join by themselves',
    );
    const disabled = await pages.post(`${at}/disable`, {}, { cookie: admin });
    expect(disabled.headers.get('location')).toBe(`${at}?done=disable`);
    const late = await show();
    expect(late).toContain('Their membership is disabled, which does keep them out');
    expect(late).not.toContain('Disable instead');
    const { cookie } = await signInAs('read');
    expect(await (await pages.get(`${at}/remove`, { cookie })).text()).toContain(
      'comes back only by an invitation or by single sign-on',
    );
    await db().update(organizations).set({ emailDomains: [] }).where(eq(organizations.id, organizationId));
    await db().delete(identityProviders).where(eq(identityProviders.organizationId, organizationId));
  });

  test('cannot be changed by members who are no administrators, nor can the last one lose the role', async () => {
    const [reader, other] = [await signInAs('read'), await signInAs('read')];
    const at = address(`/members/${other.userId}`);
    const page = await (await pages.get(at, { cookie: reader.cookie })).text();
    expect([page.includes('<form method="post" action="/orgs'), page.includes('id="docloom-why"')]).toEqual([
      false,
      false,
    ]);
    for (const name of ['role', 'disable', 'remove', 'end-sessions'])
      expect([
        name,
        (await pages.post(`${at}/${name}`, { role: 'admin' }, { cookie: reader.cookie })).status,
      ]).toEqual([name, 403]);
    const own = (await pages.platform.api('GET', '/user')).body.id as string;
    const last = await pages.post(address(`/members/${own}/role`), { role: 'read' }, { cookie: admin });
    expect([last.status, (await last.text()).includes('role="alert"')]).toEqual([409, true]);
    const foreign = { cookie: admin, 'sec-fetch-site': 'cross-site' };
    expect((await pages.post(`${at}/role`, { role: 'admin' }, foreign)).status).toBe(403);
  });
});

describe('invitations', () => {
  test('are made for several addresses at once, shown with their addresses once, sent again and revoked', async () => {
    const emails = ' Ann@x.example, bob@x.example\n\ncleo@x.example;ann@x.example ';
    const made = await pages.post(address('/invites'), { emails, role: 'edit' }, { cookie: admin });
    const text = await made.text();
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(text).toContain('This server sends no mails');
    const urls = text.match(/http:\/\/docs\.example\/invite\/[\w-]{43}/g) ?? [];
    expect(urls).toHaveLength(3);
    const list = await (await pages.get(address('/invites'), { cookie: admin })).text();
    expect([list.includes('3 open invitations by mail'), list.includes('/invite/')]).toEqual([true, false]);
    const [, id] = /invites\/([\w-]+)\/resend/.exec(list) ?? [];
    const again = await pages.post(address(`/invites/${id}/resend`), {}, { cookie: admin });
    expect((await again.text()).match(/\/invite\/[\w-]{43}/g)).toHaveLength(1);
    const revoked = await pages.post(address(`/invites/${id}/revoke`), {}, { cookie: admin });
    expect(revoked.headers.get('location')).toBe(`${address('/invites')}?done=revoked`);
    const left = await (await pages.get(address('/invites'), { cookie: admin })).text();
    expect(left).toContain('2 open invitations by mail');
  });

  test('say what is wrong with the addresses, and keep what was entered', async () => {
    const many = Array.from({ length: 251 }, (_, at) => `p${at}@x.example`).join('\n');
    for (const [emails, sentence] of [
      ['', 'Enter the e-mail addresses'],
      ['dora@x.example nobody', '“nobody” is not an e-mail address.'],
      [many, 'invite at most 250'],
    ] as const) {
      const answer = await pages.post(address('/invites'), { emails, role: 'read' }, { cookie: admin });
      const text = await answer.text();
      expect([answer.status, text.includes(sentence)]).toEqual([400, true]);
      if (emails !== '') expect(text).toContain(`>${emails}</textarea>`);
    }
  });

  test('by link are made while links are on, with their uses', async () => {
    await pages.platform.api('PATCH', address(), { body: { inviteLinks: false } });
    expect(await (await pages.get(address('/invites'), { cookie: admin })).text()).toContain('turned off');
    const off = await pages.post(address('/invites/links'), { role: 'read', maxUses: '' }, { cookie: admin });
    expect(off.status).toBe(403);
    await pages.platform.api('PATCH', address(), { body: { inviteLinks: true } });
    const made = await pages.post(
      address('/invites/links'),
      { role: 'guest', maxUses: '5' },
      { cookie: admin },
    );
    expect(await made.text()).toMatch(/\/invite\/[\w-]{43}/);
    const unusable = await pages.post(
      address('/invites/links'),
      { role: 'read', maxUses: 'x' },
      { cookie: admin },
    );
    expect(unusable.status).toBe(400);
    const list = await (await pages.get(address('/invites'), { cookie: admin })).text();
    expect(list).toContain('0 of 5');
    const [, id] = /invites\/([\w-]+)\/revoke-link/.exec(list) ?? [];
    await pages.post(address(`/invites/${id}/revoke-link`), {}, { cookie: admin });
    expect(await (await pages.get(address('/invites'), { cookie: admin })).text()).toContain(
      'There is no link.',
    );
  });

  test('are for administrators alone', async () => {
    const { cookie } = await signInAs('create');
    expect((await pages.get(address('/invites'), { cookie })).status).toBe(404);
    const fields = { emails: 'eve@x.example', role: 'admin' };
    expect((await pages.post(address('/invites'), fields, { cookie })).status).toBe(404);
  });
});

describe('teams', () => {
  test('are created, filled, renamed, granted a role, and deleted by administrators', async () => {
    const { userId } = await signInAs('read');
    const made = await pages.post(address('/teams'), { title: ' Writers ' }, { cookie: admin });
    const [at = ''] = (made.headers.get('location') ?? '').split('?');
    expect([made.status, at.startsWith(address('/teams/'))]).toEqual([303, true]);
    const send = async (name: string, fields = {}) =>
      (await pages.post(`${at}/${name}`, fields, { cookie: admin })).headers.get('location');
    const read = async () => await (await pages.get(at, { cookie: admin })).text();
    expect(await read()).toContain(`value="user:${userId}"`);
    expect(await send('members', { subject: `user:${userId}` })).toBe(`${at}?done=added`);
    expect(await read()).not.toContain(`value="user:${userId}"`);
    await send(`members/${userId}/owner`);
    expect(await read()).toContain('<td>owner</td>');
    await send('title', { title: 'Editors' });
    expect(await read()).toContain('<h1>Editors</h1>');
    await send('grant', { role: 'review' });
    expect(await read()).toContain('value="review" selected');
    const member = await (await pages.get(address(`/members/${userId}`), { cookie: admin })).text();
    expect(member).toContain('Granted to the team “Editors” in the whole organization.');
    await send('grant', { role: '' });
    await send(`members/${userId}/remove`);
    expect(await read()).toContain('Nobody is in this team yet.');
    expect(await (await pages.get(`${at}/remove`, { cookie: admin })).text()).toContain('ends at once');
    expect(await send('remove')).toBe(`${address('/teams')}?done=removed`);
    expect((await pages.get(at, { cookie: admin })).status).toBe(404);
    expect((await pages.post(address('/teams'), { title: ' ' }, { cookie: admin })).status).toBe(400);
  });

  test('are managed by their owners, also by guests, who see no other team, and may be left', async () => {
    const guest = await signInAs(null);
    const { body: team } = await pages.platform.api('PUT', address('/teams'), {
      body: { title: 'Guests', members: [guest.userId] },
    });
    const at = address(`/teams/${team.id}`);
    expect((await pages.get(address('/teams'), { cookie: guest.cookie })).status).toBe(404);
    const plain = await (await pages.get(at, { cookie: guest.cookie })).text();
    expect([plain.includes('<h1>Guests</h1>'), plain.includes('Rename')]).toEqual([true, false]);
    expect((await pages.post(`${at}/title`, { title: 'X' }, { cookie: guest.cookie })).status).toBe(403);
    await pages.post(`${at}/members/${guest.userId}/owner`, {}, { cookie: admin });
    expect(await (await pages.get(at, { cookie: guest.cookie })).text()).toContain('Rename');
    const overview = await (await pages.get(address(), { cookie: guest.cookie })).text();
    expect(overview).toContain(`action="${at}/members/${guest.userId}/remove"`);
    const left = await pages.post(`${at}/members/${guest.userId}/remove`, {}, { cookie: guest.cookie });
    expect(left.headers.get('location')).toBe(`${address()}?done=left`);
    expect((await pages.get(at, { cookie: guest.cookie })).status).toBe(404);
  });
});

describe('who has access to a space', () => {
  test('is shown with everybody’s role, and granted to members and teams', async () => {
    const { platform } = pages;
    const member = await signInAs('read');
    const { body: collection } = await platform.api('POST', address('/collections'), {
      body: { title: 'Guides' },
    });
    const { body: space } = await platform.api('POST', address('/spaces'), {
      body: { title: 'Handbook', parent: collection.id },
    });
    const { body: team } = await platform.api('PUT', address('/teams'), { body: { title: 'Translators' } });
    const at = `/spaces/${space.id}/access`;
    expect(await (await pages.get(`/spaces/${space.id}`, { cookie: admin })).text()).toContain(
      `href="${at}"`,
    );
    const grant = async (path: string, subject: string, role: string) =>
      await pages.post(path, { subject, role }, { cookie: admin });
    expect((await grant(at, `user:${member.userId}`, 'edit')).headers.get('location')).toBe(
      `${at}?done=granted`,
    );
    await grant(at, `team:${team.id}`, 'review');
    const read = async (path: string) => await (await pages.get(path, { cookie: admin })).text();
    const page = await read(at);
    expect(page).toContain('>Translators</a><br><span class="small soft">team</span></th><td>review</td>');
    expect(page.split('Everybody with a role')[1]).toMatch(/Somebody read<\/a>.*?<td>edit<\/td>/s);
    expect(page).toContain(`/members/${member.userId}?space=${space.id}#docloom-why`);
    const why = await read(address(`/members/${member.userId}?space=${space.id}`));
    expect(why).toContain('Granted to them in this space.');
    const above = `/collections/${collection.id}/access`;
    expect(page).toContain(`href="${above}"`);
    await grant(above, `user:${member.userId}`, 'admin');
    expect((await read(at)).split('Everybody with a role')[1]).toMatch(
      /Somebody read<\/a>.*?<td>admin<\/td>/s,
    );
    await grant(above, `user:${member.userId}`, '');
    expect((await grant(at, `user:${member.userId}`, '')).headers.get('location')).toBe(`${at}?done=removed`);
    expect((await read(at)).split('Everybody with a role')[0]).not.toContain(`user:${member.userId}" name`);
    expect((await grant(at, 'user:nobody', 'read')).status).toBe(400);
    expect((await grant(at, 'everybody', 'read')).status).toBe(400);
    expect((await grant(at, `user:${member.userId}`, 'king')).status).toBe(400);
  });

  test('is 404 for guests and strangers, and read-only for members who do not administer it', async () => {
    const { body: space } = await pages.platform.api('POST', address('/spaces'), {
      body: { title: 'Notes' },
    });
    const at = `/spaces/${space.id}/access`;
    const [guest, stranger, member] = [
      await signInAs(null),
      await signInAs('stranger'),
      await signInAs('edit'),
    ];
    await pages.platform.api('POST', `/spaces/${space.id}/permissions`, {
      body: { role: 'read', users: [guest.userId] },
    });
    expect((await pages.get(at, { cookie: stranger.cookie })).status).toBe(404);
    expect((await pages.get(at, { cookie: guest.cookie })).status).toBe(404);
    const own = await (await pages.get(`/spaces/${space.id}`, { cookie: guest.cookie })).text();
    expect(own).not.toContain(`href="${at}"`);
    const page = await (await pages.get(at, { cookie: member.cookie })).text();
    expect([page.includes('Somebody guest'), page.includes('Grant a role'), page.includes('Remove')]).toEqual(
      [true, false, false],
    );
    const fields = { subject: `user:${member.userId}`, role: 'admin' };
    expect((await pages.post(at, fields, { cookie: member.cookie })).status).toBe(403);
    const foreign = { cookie: admin, 'sec-fetch-site': 'cross-site' };
    expect((await pages.post(at, fields, foreign)).status).toBe(403);
  });
});
