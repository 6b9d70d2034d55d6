import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tables } from '../../../src/store/index.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let teams: string;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  teams = `/orgs/${platform.organizationId}/teams`;
});
afterAll(() => platform.close());

async function createTeam(title: string, members: readonly string[] = []): Promise<string> {
  const made = await platform.api('PUT', teams, { body: { title, members } });
  expect(made.status).toBe(201);
  return made.body.id;
}
const titlesOf = (answer: { body: { items: { title: string }[] } }) =>
  answer.body.items.map(({ title }) => title);

it('has members, a title and counts, and is deleted with what it was granted', async () => {
  const { api, organizationId } = platform;
  const guest = await createMember(platform, 'Guest', { role: null });
  const id = await createTeam(' Writers ', [guest.userId]);
  expect((await api('GET', `${teams}/${id}`)).body).toMatchObject({
    object: 'team',
    title: 'Writers',
    members: 1,
    spaces: 0,
    permissions: { admin: true, view: true },
  });
  expect((await api('PATCH', `${teams}/${id}`, { body: { title: 'Editors' } })).body.title).toBe('Editors');
  const member = (await api('GET', `/orgs/${organizationId}/members/${guest.userId}`)).body;
  expect(member.teams).toBe(1);
  for (let time = 0; time < 2; time += 1) expect((await api('DELETE', `${teams}/${id}`)).status).toBe(204);
  expect((await api('GET', `${teams}/${id}`)).status).toBe(404);
});

it('is listed by part of its title, by who manages it, and for each of its members', async () => {
  const { api, organizationId } = platform;
  const owner = await createMember(platform, 'Owner', { role: 'read' });
  const admin = await createMember(platform, 'Admin', { role: 'admin' });
  for (const title of ['Red team', 'Blue team', '100%']) await createTeam(title);
  const red = (await api('GET', `${teams}?title=RED`)).body.items[0].id;
  expect(titlesOf(await api('GET', `${teams}?title=0%25`))).toEqual(['100%']);
  await api('PUT', `${teams}/${red}/members/${owner.userId}`, { body: { role: 'owner' } });
  expect(titlesOf(await api('GET', `${teams}?owner=${owner.userId}`))).toEqual(['Red team']);
  const all = (await api('GET', teams)).body.count;
  expect((await api('GET', `${teams}?owner=${admin.userId}`)).body.count).toBe(all);
  const theirs = (await api('GET', `/orgs/${organizationId}/members/${owner.userId}/teams`)).body;
  expect(theirs.items).toMatchObject([
    { team: { title: 'Red team', permissions: { admin: true } }, member: { role: 'owner' } },
  ]);
  const first = (await api('GET', `${teams}?limit=1`)).body;
  const second = (await api('GET', `${teams}?limit=1&page=${first.next.page}`)).body;
  expect(second.items[0].id).not.toBe(first.items[0].id);
});

it('is managed by its owners, as far as their token allows, and read by its members', async () => {
  const { api, organizationId } = platform;
  const owner = await createMember(platform, 'Owner', { role: null });
  const limited = await createMember(platform, 'Limited', { role: 'read', limit: 'read' });
  const member = await createMember(platform, 'Member', { role: null });
  const other = await createMember(platform, 'Other', { role: null });
  const id = await createTeam('Managed');
  const memberships = {
    [owner.userId]: { role: 'owner' },
    [limited.userId]: { role: 'owner' },
    [member.userId]: {},
  };
  expect((await api('PUT', `${teams}/${id}/members`, { body: { memberships } })).status).toBe(204);
  const as = (who: TestMember, method: string, path: string, body?: object) =>
    api(method, `${teams}/${id}${path}`, { token: who.token, ...(body === undefined ? {} : { body }) });
  expect((await as(owner, 'PUT', `/members/${other.userId}`, {})).status).toBe(204);
  const listed = (await as(owner, 'GET', '/members')).body;
  expect(listed.count).toBe(4);
  expect(new Set(listed.items.map((one: { team: { role: string } }) => one.team.role))).toEqual(
    new Set(['owner', 'member']),
  );
  expect((await as(limited, 'PUT', `/members/${other.userId}`, {})).status).toBe(403);
  expect((await as(limited, 'GET', '')).body.permissions).toEqual({ admin: false, view: true });
  expect((await as(member, 'GET', '')).body.permissions).toEqual({ admin: false, view: true });
  // They are guests: the others' addresses are not theirs to read.
  expect((await as(member, 'GET', '/members')).status).toBe(403);
  expect((await as(member, 'DELETE', `/members/${other.userId}`)).status).toBe(403);
  expect((await as(limited, 'DELETE', `/members/${limited.userId}`)).status).toBe(403);
  expect((await as(member, 'DELETE', `/members/${member.userId}`)).status).toBe(204);
  expect((await as(member, 'GET', '')).status).toBe(404);
  const stranger = await createMember(platform, 'Stranger', {});
  const add = await as(owner, 'PUT', '/members', { add: [other.userId, stranger.userId] });
  expect(add.body.error).toMatchObject({ code: 400, details: [{ path: '/body/add/1' }] });
  expect((await as(owner, 'PUT', `/members/${stranger.userId}`, {})).status).toBe(404);
  const both = await as(owner, 'PUT', '/members', { add: [other.userId], remove: [other.userId] });
  expect(both.status).toBe(400);
  // What somebody was in the team ends with the membership.
  await api('DELETE', `/orgs/${organizationId}/members/${owner.userId}`);
  expect((await api('GET', `${teams}/${id}`)).body.members).toBe(2);
});

it('shows its owners the users in it, and guests no other user', async () => {
  const { api, deps } = platform;
  const [owner, member, other] = await Promise.all(
    ['Owner', 'Member', 'Other'].map((name) => createMember(platform, name, { role: null })),
  );
  if (!owner || !member || !other) throw new Error('Three guests were made.');
  const limited = await createMember(platform, 'Limited', { role: null, limit: 'read' });
  const reader = await createMember(platform, 'Reader', { role: 'read' });
  const id = await createTeam('Seen');
  const memberships = {
    [owner.userId]: { role: 'owner' },
    [limited.userId]: { role: 'owner' },
    [member.userId]: {},
  };
  await api('PUT', `${teams}/${id}/members`, { body: { memberships } });
  const read = async (who: TestMember, { userId }: TestMember) => {
    const { status, body } = await api('GET', `/users/${userId}`, { token: who.token });
    return status === 200 ? typeof body.email : status;
  };
  expect(await read(reader, other)).toBe('string');
  expect(await read(member, member)).toBe('string');
  expect([await read(owner, member), await read(owner, other)]).toEqual(['string', 404]);
  for (const guest of [member, limited]) expect(await read(guest, owner)).toBe(404);

  const isOwner = sql`user_id = ${owner.userId}`;
  await deps.db.execute(sql`update ${tables.members} set sso = true where ${isOwner}`);
  expect([await read(owner, member), await read(owner, other)]).toEqual([403, 404]);
  await deps.db.execute(sql`update ${tables.members} set sso = false, disabled_at = now() where ${isOwner}`);
  expect(await read(owner, member)).toBe(404);
});

it('leaves each change in the audit log, with who made it', async () => {
  const { api, deps } = platform;
  const member = await createMember(platform, 'Member', { role: 'read' });
  const id = await createTeam('Audited');
  await api('PATCH', `${teams}/${id}`, { body: { title: 'Renamed' } });
  await api('PUT', `${teams}/${id}/members/${member.userId}`, { body: { role: 'owner' } });
  // What changes nothing is no event.
  await api('PUT', `${teams}/${id}/members/${member.userId}`, { body: { role: 'owner' } });
  await api('PUT', `${teams}/${id}/members/${member.userId}`, { body: { role: 'member' } });
  await api('DELETE', `${teams}/${id}/members/${member.userId}`);
  await api('DELETE', `${teams}/${id}/members/${member.userId}`);
  await api('DELETE', `${teams}/${id}`);
  const { rows } = await deps.db.execute(
    sql`select action, actor_kind, before, after from ${tables.auditEvents} where target_id = ${id} order by id`,
  );
  expect(rows.map((row) => [row['action'], row['actor_kind']])).toEqual(
    ['team.create', 'team.update', 'team.members', 'team.members', 'team.members', 'team.delete'].map(
      (action) => [action, 'user'],
    ),
  );
  const as = (role: string) => ({ members: [{ id: member.userId, name: 'Member', role }] });
  expect(rows.slice(2, 5)).toMatchObject([
    { before: { members: [] }, after: as('owner') },
    { before: as('owner'), after: as('member') },
    { before: as('member'), after: { members: [] } },
  ]);
  expect(rows[1]).toMatchObject({ before: { title: 'Audited' }, after: { title: 'Renamed' } });
});
