/** The pages of an organization, as a browser's requests open and change them. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginSession } from '../../src/identity/begin-session.ts';
import { newId, recordAudit, tables } from '../../src/store/index.ts';
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
      { title: 'Ada & Co', defaultRole: 'edit', inviteLinks: 'on' },
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
    expect(row).toMatchObject({ title: 'Ada & Co', defaultRole: 'edit', inviteLinks: true });
    const page = await pages.get(`${address('/settings')}?done=saved`, { cookie: admin });
    expect(await page.text()).toContain('The settings were saved.');
    for (const fields of [
      { title: ' ', defaultRole: 'read' },
      { title: 'A', defaultRole: 'owner' },
    ])
      expect((await pages.post(address('/settings'), fields, { cookie: admin })).status).toBe(400);
  });

  test('let somebody leave after they confirmed it, but not the last administrator', async () => {
    const { cookie, userId } = await signInAs('read');
    expect(await (await pages.get(address('/leave'), { cookie })).text()).toContain('You lose access');
    expect((await pages.post(address('/leave'), {}, { cookie })).headers.get('location')).toBe('/');
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
    const today = new Date().toISOString().slice(0, 10);
    expect(await read(audit({ from: today, to: today, target: 'm7' }))).toContain('Member 7');

    const file = await pages.get(`${address('/audit.ndjson')}?actor=auditor`, { cookie: admin });
    expect(file.headers.get('content-type')).toContain('application/x-ndjson');
    expect(file.headers.get('content-disposition')).toContain('audit.ndjson');
    const lines = (await file.text()).trim().split('\n');
    expect(lines).toHaveLength(55);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ action: 'member.update' });
    expect(await read(audit({ action: 'audit.export' }))).toContain('<code>audit.export</code>');
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
