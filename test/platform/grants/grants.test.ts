import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertVerifiedUser, lockEmail, newId, tables } from '../../../src/store/index.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let org: string;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  org = `/orgs/${platform.organizationId}`;
});
afterAll(() => platform.close());

async function create(what: 'spaces' | 'collections', title: string, parent?: string): Promise<string> {
  const body = { title, ...(parent === undefined ? {} : { parent }) };
  return (await platform.api('POST', `${org}/${what}`, { body })).body.id;
}
async function createTeam(...members: readonly TestMember[]): Promise<string> {
  const body = { title: 'Team', members: members.map(({ userId }) => userId) };
  return (await platform.api('PUT', `${org}/teams`, { body })).body.id;
}
const as = ({ token }: TestMember, method: string, path: string, body?: object) =>
  platform.api(method, path, { token, ...(body === undefined ? {} : { body }) });

it.each(['space', 'collection', 'organization'])(
  'in a %s is made, listed, changed and removed',
  async (kind) => {
    const { api } = platform;
    const guest = await createMember(platform, 'Guest', { role: null });
    const inTeam = await createMember(platform, 'In the team', { role: null });
    const teamId = await createTeam(inTeam);
    const collection = await create('collections', 'Shared');
    const space = await create('spaces', 'Inside', collection);
    const base = { space: `/spaces/${space}`, collection: `/collections/${collection}`, organization: org }[
      kind
    ];
    const at = `${base}/permissions`;
    const grant = { role: 'comment', users: [guest.userId], teams: [teamId] };
    expect((await api('POST', at, { body: grant })).status).toBe(204);
    for (const one of [guest, inTeam])
      expect((await as(one, 'GET', `/spaces/${space}`)).body.permissions).toMatchObject({
        comment: true,
        edit: false,
      });
    expect((await api('GET', `${at}/users`)).body.items).toMatchObject([
      { permission: 'comment', user: { id: guest.userId } },
    ]);
    expect((await api('GET', `${at}/teams`)).body.items).toMatchObject([
      { permission: 'comment', team: { id: teamId, spaces: expect.any(Number) } },
    ]);
    for (const [list, subject] of [
      [`${at}/users?user=`, guest.userId],
      [`${at}/teams?team=`, teamId],
    ]) {
      expect((await api('GET', `${list}${subject}`)).body).toMatchObject({ count: 1, items: [{}] });
      expect((await api('GET', `${list}${inTeam.userId}`)).body).toMatchObject({ count: 0, items: [] });
    }
    const commenting = (await api('GET', `${at}/aggregate?role=comment&limit=1`)).body;
    const more = (await api('GET', `${at}/aggregate?role=comment&limit=1&page=${commenting.next.page}`)).body;
    const found = [...commenting.items, ...more.items].map((one) => one.user.id);
    expect([commenting.count, new Set(found)]).toEqual([2, new Set([guest.userId, inTeam.userId])]);
    expect(more.next).toBeUndefined();
    await api('PATCH', `${at}/users/${guest.userId}`, { body: { role: 'edit' } });
    expect((await as(guest, 'GET', `/spaces/${space}`)).body.permissions.edit).toBe(true);
    await api('PATCH', `${at}/teams/${teamId}`, { body: { role: null } });
    expect((await as(inTeam, 'GET', `/spaces/${space}`)).status).toBe(404);
    expect((await api('PATCH', `${at}/teams/${teamId}`, { body: { role: 'read' } })).status).toBe(404);
    for (let time = 0; time < 2; time += 1)
      expect((await api('DELETE', `${at}/users/${guest.userId}`)).status).toBe(204);
    expect((await as(guest, 'GET', `/spaces/${space}`)).status).toBe(404);
    const { rows } = await platform.deps.db.execute(
      sql`select action, before, after from ${tables.auditEvents}
        where coalesce(after, before)->'user'->>'id' = ${guest.userId} order by id`,
    );
    const user = { id: guest.userId, name: 'Guest' };
    expect(rows).toEqual([
      { action: 'grant.set', before: { role: null }, after: { user, role: 'comment' } },
      { action: 'grant.set', before: { role: 'comment' }, after: { user, role: 'edit' } },
      { action: 'grant.remove', before: { user, role: 'edit' }, after: null },
    ]);
  },
);

it('counts in the list of everybody with the role that each has, by whatever way, page by page', async () => {
  const { api } = platform;
  const collection = await create('collections', 'Ranked');
  const space = await create('spaces', 'Ranked', collection);
  const people: TestMember[] = [];
  for (const role of [null, 'read', 'edit', 'create', null, 'comment'] as const)
    people.push(await createMember(platform, `Ranked ${people.length}`, { role }));
  const [first, second, third, fourth, fifth, sixth] = people as [
    TestMember,
    TestMember,
    TestMember,
    TestMember,
    TestMember,
    TestMember,
  ];
  const teamId = await createTeam(first, second, sixth);
  await api('POST', `/collections/${collection}/permissions`, { body: { role: 'edit', teams: [teamId] } });
  await api('POST', `/spaces/${space}/permissions`, {
    body: { role: 'review', users: [second.userId, fourth.userId] },
  });
  await api('PATCH', `${org}/members/${third.userId}`, { body: { disabled: true } });
  for (const level of ['inherit', 'comment', 'admin']) {
    await api('PATCH', `/spaces/${space}`, { body: { defaultLevel: level } });
    const listed = new Map<string, string>();
    let count = 0;
    for (let page = ''; ; ) {
      const { body } = await api('GET', `/spaces/${space}/permissions/aggregate?limit=2${page}`);
      count = body.count;
      for (const { user, permission } of body.items) listed.set(user.id, permission);
      if (body.next === undefined) break;
      page = `&page=${body.next.page}`;
    }
    expect(listed.size).toBe(count);
    for (const { userId } of people) {
      const { body } = await api('GET', `${org}/members/${userId}/access?space=${space}`);
      expect([level, userId, listed.get(userId) ?? 'none']).toEqual([
        level,
        userId,
        ['guest', 'visitor'].includes(body.role) ? 'none' : body.role,
      ]);
    }
    if (level === 'inherit') expect(listed.has(fifth.userId)).toBe(false);
  }
});

it('is made by who administers the place, only for members and teams of its organization', async () => {
  const { api } = platform;
  const guest = await createMember(platform, 'Guest', { role: null });
  const other = await createMember(platform, 'Other', { role: null });
  const stranger = await createMember(platform, 'Stranger', {});
  const space = await create('spaces', 'Administered');
  const at = `/spaces/${space}/permissions`;
  await api('POST', at, { body: { role: 'admin', users: [guest.userId] } });
  expect((await as(guest, 'POST', at, { role: 'read', users: [other.userId] })).status).toBe(204);
  expect((await as(guest, 'GET', `${at}/users`)).body.count).toBe(2);
  const shown = (await as(guest, 'GET', `${at}/aggregate`)).body;
  const ids = shown.items.map((one: { user: { id: string } }) => one.user.id);
  expect([shown.count, new Set(ids)]).toEqual([2, new Set([guest.userId, other.userId])]);
  expect((await api('GET', `${at}/aggregate`)).body.count).toBeGreaterThan(2);
  expect((await as(other, 'GET', `${at}/users`)).status).toBe(403);
  expect((await as(other, 'POST', at, { role: 'admin', users: [other.userId] })).status).toBe(403);
  const refused = await api('POST', at, { body: { role: 'read', users: [other.userId, stranger.userId] } });
  expect(refused.body.error.details).toMatchObject([{ path: '/body/users/1' }]);
  expect((await api('POST', at, { body: { role: 'read' } })).status).toBe(400);
  const elsewhere = (await api('POST', '/orgs', { body: { title: 'Elsewhere' } })).body.id;
  const foreign = (await api('PUT', `/orgs/${elsewhere}/teams`, { body: { title: 'Theirs' } })).body.id;
  expect((await api('POST', at, { body: { role: 'read', teams: [foreign] } })).status).toBe(400);
});

it('is explained, with every other source of the role and what caps it', async () => {
  const { api } = platform;
  const guest = await createMember(platform, 'Guest', { role: null, limit: 'edit' });
  const teamId = await createTeam(guest);
  const collection = await create('collections', 'Levelled');
  const space = await create('spaces', 'Explained', collection);
  await api('PATCH', `/collections/${collection}`, { body: { defaultLevel: 'read' } });
  await api('POST', `/collections/${collection}/permissions`, { body: { role: 'review', teams: [teamId] } });
  await api('POST', `/spaces/${space}/permissions`, { body: { role: 'comment', users: [guest.userId] } });
  const path = `${org}/members/${guest.userId}/access`;
  const sources = [
    { type: 'member', role: 'guest', wins: false },
    { type: 'grant', role: 'comment', wins: false, space },
    { type: 'grant', role: 'review', wins: true, collection, team: { id: teamId, title: 'Team' } },
    { type: 'default-level', role: 'read', wins: false, collection },
  ];
  const asked = (await api('GET', `${path}?space=${space}`)).body;
  expect(asked).toMatchObject({ member: guest.userId, role: 'review', caps: [] });
  expect(new Set(asked.sources)).toEqual(new Set(sources));
  const own = (await as(guest, 'GET', `${path}?space=${space}`)).body;
  expect(own).toMatchObject({ role: 'edit', caps: [{ type: 'token', role: 'edit' }] });
  expect((await api('GET', path)).body).toMatchObject({ role: 'guest', sources: [{ type: 'member' }] });
  await api('PATCH', `${org}/members/${guest.userId}`, { body: { disabled: true } });
  expect((await api('GET', `${path}?collection=${collection}`)).body).toMatchObject({
    role: 'none',
    sources: [],
    caps: [{ type: 'disabled' }],
  });
  const reader = await createMember(platform, 'Reader', { role: 'read' });
  expect((await as(reader, 'GET', `${path}?space=${space}`)).status).toBe(403);
});

it('reaches members who are added, disabled and enabled; the last administrator stays one', async () => {
  const { api, deps, organizationId } = platform;
  const body = { email: 'Ada@Example.com', displayName: 'Ada', role: 'admin' };
  const refused = await api('POST', `${org}/members`, { body });
  expect(refused.body.error.reason).toBe('must-be-invited');
  await deps.db
    .insert(tables.emailDomains)
    .values({ organizationId, domain: 'example.com', challenge: 'x', provedAt: new Date() });
  // Nobody takes in who has not confirmed their address, or belongs to somebody else.
  await deps.db.insert(tables.users).values({ id: newId(), displayName: 'Eve', email: 'eve@example.com' });
  const eve = await api('POST', `${org}/members`, { body: { ...body, email: 'eve@example.com' } });
  expect(eve.body).toEqual(refused.body);
  const added = await api('POST', `${org}/members`, { body });
  expect(added.body).toMatchObject({ role: 'admin', user: { email: 'ada@example.com' }, disabled: false });
  expect((await api('POST', `${org}/members`, { body })).status).toBe(409);
  const ada = `${org}/members/${added.body.id}`;
  const { rows } = await deps.db.execute(
    sql`select user_id from members where organization_id = ${organizationId} and role = 'admin' and user_id <> ${added.body.id}`,
  );
  const first = `${org}/members/${rows[0]?.['user_id']}`;
  expect((await api('PATCH', ada, { body: { disabled: true } })).body.disabled).toBe(true);
  for (const change of [{ disabled: true }, { role: 'read' }])
    expect((await api('PATCH', first, { body: change })).body.error.reason).toBe('last-administrator');
  expect((await api('DELETE', first)).status).toBe(409);
  expect((await api('PATCH', ada, { body: { disabled: false } })).body.disabled).toBe(false);
  // Nobody signs in through a provider here, so it would lock them out.
  expect((await api('POST', `${ada}/sso`)).body.error.reason).toBe('sso-not-ready');
  const limited = await createMember(platform, 'Limited', { role: 'edit', limit: 'read' });
  expect((await as(limited, 'DELETE', `${org}/members/${limited.userId}`)).status).toBe(403);
});

it('adds a member while somebody else makes the account: one waits for the other', async () => {
  const { deps, organizationId } = platform;
  const domain = 'twice.example';
  const email = `at-once@${domain}`;
  await deps.db
    .insert(tables.emailDomains)
    .values({ organizationId, domain, challenge: 'x', provedAt: new Date() });
  // A provider’s sign-in is about to make them.
  const { added, id } = await deps.db.transaction(async (tx) => {
    await lockEmail(tx, email);
    let isAnswered = false;
    const answer = platform.api('POST', `${org}/members`, { body: { email, role: 'read' } });
    const adding = answer.finally(() => {
      isAnswered = true;
    });
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory'`;
    await waitFor(async () => isAnswered || (await deps.db.execute(waiting)).rows.length > 0);
    const user = await insertVerifiedUser(tx, { id: newId(), email, displayName: 'At once' });
    return { added: adding, id: user.id };
  });
  expect((await added).body).toMatchObject({ id, role: 'read' });
});

it('adds members only by confirmed addresses in domains that the organization proved', async () => {
  const { deps, organizationId } = platform;
  await deps.db
    .insert(tables.emailDomains)
    .values({ organizationId, domain: 'ours.example', challenge: 'x', provedAt: new Date() });
  const user = (email: string, emailVerifiedAt: Date | null) => ({
    id: newId(),
    displayName: 'Secret name',
    email,
    emailVerifiedAt,
  });
  await deps.db
    .insert(tables.users)
    .values([
      user('somebody@theirs.example', new Date()),
      user('unconfirmed@ours.example', null),
      user('confirmed@ours.example', new Date()),
    ]);
  const add = (email: string) => platform.api('POST', `${org}/members`, { body: { email, role: 'read' } });
  const refused = await add('nobody@theirs.example');
  expect(refused.body.error).toMatchObject({ code: 409, reason: 'must-be-invited' });
  for (const email of ['somebody@theirs.example', 'unconfirmed@ours.example'])
    expect((await add(email)).body).toEqual(refused.body);
  for (const email of ['confirmed@ours.example', 'new@ours.example'])
    expect((await add(email)).status).toBe(201);
  expect((await add('new@ours.example')).body.error.reason).toBe('nothing-to-change');
});

it('lets other people merge, as the merge rules say', async () => {
  const { api } = platform;
  const [author, reviewer, colleague] = [
    await createMember(platform, 'Author', { role: 'review' }),
    await createMember(platform, 'Reviewer', { role: null }),
    await createMember(platform, 'Colleague', { role: 'review' }),
  ] as const;
  const space = await create('spaces', 'Reviewed');
  await api('POST', `/spaces/${space}/permissions`, { body: { role: 'review', users: [reviewer.userId] } });
  const setRules = (rules: object[]) =>
    api('PATCH', `/spaces/${space}`, { body: { mergeRules: { type: 'rules', rules } } });
  let page = 0;
  async function propose(): Promise<string> {
    const path = `/spaces/${space}/change-requests`;
    const { id } = (await as(author, 'POST', path, { subject: 'Better' })).body;
    page += 1;
    const changes = [{ type: 'write', path: `page-${page}.md`, text: '# Page\n' }];
    await as(author, 'POST', `${path}/${id}/content`, { changes });
    return `${path}/${id}/merge`;
  }
  await setRules([{ rule: 'require_specific_reviewers', users: [reviewer.userId] }]);
  const first = await propose();
  for (const one of [author, colleague])
    expect((await as(one, 'POST', first)).body.error.reason).toBe('merge-rules-unmet');
  expect((await as(reviewer, 'POST', first)).status).toBe(200);
  await setRules([{ rule: 'require_any_review' }]);
  const second = await propose();
  expect((await as(author, 'POST', second)).body.error.reason).toBe('merge-rules-unmet');
  expect((await as(colleague, 'POST', second)).status).toBe(200);
  // A reviewer who lost what they were granted reviews nothing, whatever the rules still say.
  await setRules([{ rule: 'require_specific_reviewers', users: [reviewer.userId] }]);
  await api('DELETE', `/spaces/${space}/permissions/users/${reviewer.userId}`);
  expect((await as(reviewer, 'POST', await propose())).status).toBe(404);
});
