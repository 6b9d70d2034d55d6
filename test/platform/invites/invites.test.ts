import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tables } from '../../../src/store/index.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let base: string;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  base = `/orgs/${platform.organizationId}`;
});
afterAll(() => platform?.close());

const secretOf = (url: string) => url.split('/invite/')[1] ?? '';

/** A user of no organization, with a confirmed address unless `verified` is false. */
async function createUser(email: string, { verified = true } = {}) {
  const user = await createMember(platform, email, {});
  const { users } = tables;
  const emailVerifiedAt = verified ? new Date() : null;
  await platform.deps.db.update(users).set({ email, emailVerifiedAt }).where(eq(users.id, user.userId));
  return user;
}

async function invite(email: string, role: string | null = 'edit') {
  const answer = await platform.api('POST', `${base}/invites`, { body: { emails: [email], role } });
  expect(answer.status).toBe(200);
  return answer.body.invites[0] as { id: string; url: string; mail: string };
}

const accept = async (token: string, secret: string) =>
  (await platform.api('POST', `${base}/invites/${secret}`, { token })).status;

async function roleOf(userId: string): Promise<string | null> {
  const { body } = await platform.api('GET', `${base}/members/${userId}`);
  return body.role;
}

describe('an invitation by mail', () => {
  it('works without a mail server, once, for its address only', async () => {
    const ann = await createUser('ann@example.org');
    const ben = await createUser('ben@example.org');
    const { url, mail } = await invite(' Ann@Example.org ');
    expect([url.startsWith('http://docs.example/invite/'), mail]).toEqual([true, 'not-sent']);
    expect(await accept(ben.token, secretOf(url))).toBe(403);
    expect(await accept(ann.token, secretOf(url))).toBe(200);
    expect(await roleOf(ann.userId)).toBe('edit');
    expect(await accept(ann.token, secretOf(url))).toBe(404);
  });

  it('needs no confirmed address where the server sends no mails, with which to confirm it', async () => {
    const cleo = await createUser('cleo@example.org', { verified: false });
    const dan = await createUser('dan@example.org', { verified: false });
    const { url } = await invite('cleo@example.org');
    expect(await accept(dan.token, secretOf(url))).toBe(403);
    expect(await accept(cleo.token, secretOf(url))).toBe(200);
  });

  it('is answered alike for people who are known here and for others', async () => {
    await createUser('known@example.org');
    const emails = ['known@example.org', 'unknown@example.org'];
    const { body } = await platform.api('POST', `${base}/invites`, { body: { emails, role: 'read' } });
    expect([body.users, body.invited]).toEqual([[], 2]);
    const shapes = body.invites.map(({ id: _, url: __, email: ___, ...rest }: Record<string, unknown>) => ({
      ...rest,
      createdAt: '',
      expiresAt: '',
    }));
    expect(shapes[0]).toEqual(shapes[1]);
  });

  it('replaces an earlier one, is sent again with another secret, and is revoked', async () => {
    const dora = await createUser('dora@example.org');
    const first = await invite('dora@example.org');
    const second = await invite('dora@example.org');
    expect(await accept(dora.token, secretOf(first.url))).toBe(404);
    const again = (await platform.api('POST', `${base}/invites/${second.id}/resend`)).body;
    expect(await accept(dora.token, secretOf(second.url))).toBe(404);
    const listed = (await platform.api('GET', `${base}/invites`)).body.items.filter(
      ({ email }: { email: string }) => email === 'dora@example.org',
    );
    expect(listed).toMatchObject([{ id: second.id }]);
    expect(JSON.stringify(listed)).not.toContain('/invite/');
    await platform.api('DELETE', `${base}/invites/${second.id}`);
    expect(await accept(dora.token, secretOf(again.url))).toBe(404);
  });

  it.each([
    [{ emails: ['nobody'] }, 400],
    [{ emails: [] }, 400],
    [{ emails: ['a@example.org'], sso: true }, 400],
    [{ emails: [{ email: 'b@example.org', role: null }] }, 200],
  ])('%j answers %d', async (body, status) => {
    expect((await platform.api('POST', `${base}/invites`, { body })).status).toBe(status);
  });
});

describe('an invite link', () => {
  it('is off at once when the organization allows none, and counts its uses', async () => {
    const set = (inviteLinks: boolean) => platform.api('PATCH', base, { body: { inviteLinks } });
    await set(false);
    const body = { role: 'comment', maxUses: 2 };
    expect((await platform.api('POST', `${base}/link-invites`, { body })).status).toBe(403);
    await set(true);
    const made = await platform.api('POST', `${base}/link-invites`, { body });
    expect(made.status).toBe(201);
    const secret = secretOf(made.body.url);
    const people = [];
    for (const name of ['one', 'two', 'three']) people.push(await createUser(`${name}@link.example`));
    await set(false);
    expect(await accept(people[0]?.token ?? '', secret)).toBe(404);
    await set(true);
    const statuses = await Promise.all(people.map(({ token }) => accept(token, secret)));
    expect(statuses.toSorted()).toEqual([200, 200, 404]);
    const read = (await platform.api('GET', `${base}/link-invites/${made.body.id}`)).body;
    expect(read).toMatchObject({ uses: 2, redundant: true, role: 'comment' });
    expect(read.url).toBeUndefined();
  });

  it('leaves whoever is a member what they are, and ends when it is revoked or expires', async () => {
    await platform.api('PATCH', base, { body: { inviteLinks: true } });
    const { id, url } = (await platform.api('POST', `${base}/link-invites`, { body: { role: 'read' } })).body;
    const admin = await createMember(platform, 'Second', { role: 'admin' });
    expect(await accept(admin.token, secretOf(url))).toBe(200);
    expect(await roleOf(admin.userId)).toBe('admin');
    expect((await platform.api('GET', `${base}/link-invites/${id}`)).body.uses).toBe(0);
    await platform.api('PATCH', `${base}/link-invites/${id}`, { body: { role: null } });
    const guest = await createUser('guest@link.example');
    expect(await accept(guest.token, secretOf(url))).toBe(200);
    expect(await roleOf(guest.userId)).toBeNull();
    await platform.api('DELETE', `${base}/link-invites/${id}`);
    const late = await createUser('late@link.example');
    expect(await accept(late.token, secretOf(url))).toBe(404);
  });

  it('is of one organization: its secret opens no other', async () => {
    await platform.api('PATCH', base, { body: { inviteLinks: true } });
    const { url } = (await platform.api('POST', `${base}/link-invites`, { body: { role: 'read' } })).body;
    const other = (await platform.api('POST', '/orgs', { body: { title: 'Other' } })).body.id;
    const user = await createUser('other@link.example');
    const path = `/orgs/${other}/invites/${secretOf(url)}`;
    expect((await platform.api('POST', path, { token: user.token })).status).toBe(404);
  });
});

describe('joining by the domain of an e-mail address', () => {
  it('takes a confirmed address of a domain of the organization, with its default role', async () => {
    const domain = 'joined.example';
    await platform.api('PATCH', base, { body: { emailDomains: [domain], defaultRole: 'comment' } });
    const join = async (token: string) => (await platform.api('POST', `${base}/join`, { token })).status;
    const offered = async (token: string) =>
      (await platform.api('GET', `/email-domains/${domain}/orgs`, { token })).body.organizations.length;
    const inside = await createUser(`in@${domain}`);
    const unconfirmed = await createUser(`unconfirmed@${domain}`, { verified: false });
    const outside = await createUser(`out@sub.${domain}`);
    expect([await offered(unconfirmed.token), await offered(outside.token)]).toEqual([0, 0]);
    expect([await join(unconfirmed.token), await join(outside.token)]).toEqual([404, 404]);
    expect(await offered(inside.token)).toBe(1);
    expect(await join(inside.token)).toBe(204);
    expect(await roleOf(inside.userId)).toBe('comment');
  });
});
