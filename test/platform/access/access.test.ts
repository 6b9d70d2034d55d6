import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '../../../src/store/index.ts';
import { isWhole } from '../../support/describe-at-length.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { createMember, type TestMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
});
afterAll(() => platform.close());

async function create(what: 'spaces' | 'collections', title: string, parent?: string): Promise<string> {
  const body = { title, ...(parent === undefined ? {} : { parent }) };
  return (await platform.api('POST', `/orgs/${platform.organizationId}/${what}`, { body })).body.id;
}

async function grant(
  values: Omit<typeof tables.grants.$inferInsert, 'id' | 'organizationId'>,
  organizationId = platform.organizationId,
): Promise<void> {
  await platform.deps.db.insert(tables.grants).values({ id: newId(), organizationId, ...values });
}

async function createTeam(...members: readonly TestMember[]): Promise<string> {
  const { db } = platform.deps;
  const { organizationId } = platform;
  const id = newId();
  await db.insert(tables.teams).values({ id, organizationId, title: 'Writers' });
  for (const { userId } of members)
    await db.insert(tables.teamMembers).values({ teamId: id, organizationId, userId, role: 'member' });
  return id;
}

const statusOf = async ({ token }: TestMember, path: string) =>
  (await platform.api('GET', path, { token })).status;

describe('lists', () => {
  it('show the same things, with the same permissions, as reading each one', async () => {
    const { api, organizationId, deps } = platform;
    const people = [
      await createMember(platform, 'Guest', { role: null }),
      await createMember(platform, 'Reader', { role: 'read' }),
      await createMember(platform, 'Limited', { role: null, limit: 'comment' }),
    ];
    const teams = [await createTeam(...people), await createTeam(people[0] as TestMember)];
    const outer = await create('collections', 'Outer');
    const inner = await create('collections', 'Inner', outer);
    const collections = [outer, inner];
    const spaces = [
      await create('spaces', 'Top'),
      await create('spaces', 'In outer', outer),
      await create('spaces', 'In outer, too', outer),
      await create('spaces', 'In inner', inner),
    ];
    const level = fc.constantFrom(null, null, 'read', 'edit');
    const subject = fc.oneof(
      fc.nat(people.length - 1).map((index) => ({ userId: people[index]?.userId })),
      fc.nat(teams.length - 1).map((index) => ({ teamId: teams[index] })),
    );
    const place = fc.oneof(
      fc.nat(spaces.length - 1).map((index) => ({ spaceId: spaces[index] })),
      fc.nat(collections.length - 1).map((index) => ({ collectionId: collections[index] })),
      fc.constant({}),
    );
    const given = fc.record({ subject, place, role: fc.constantFrom(...roles) });
    const world = fc.record({
      levels: fc.array(level, { minLength: 6, maxLength: 6 }),
      visibilities: fc.array(fc.constantFrom('private', 'public', 'in-collection'), {
        minLength: 4,
        maxLength: 4,
      }),
      grants: fc.array(given, { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ levels, visibilities, grants }) => {
        const { db } = deps;
        await db.delete(tables.grants);
        for (const [index, id] of [...collections, ...spaces].entries()) {
          const table = index < collections.length ? tables.collections : tables.spaces;
          await db.execute(sql`update ${table} set default_level = ${levels[index]} where id = ${id}`);
        }
        for (const [index, id] of spaces.entries())
          await db.execute(
            sql`update ${tables.spaces} set visibility = ${visibilities[index]} where id = ${id}`,
          );
        for (const one of grants) {
          await db
            .insert(tables.grants)
            .values({ id: newId(), organizationId, role: one.role, ...one.subject, ...one.place })
            .onConflictDoNothing();
        }
        for (const { token, userId } of people) {
          const lists = [
            [`/orgs/${organizationId}/spaces`, spaces, 'spaces'],
            [`/orgs/${organizationId}/collections`, collections, 'collections'],
          ] as const;
          for (const [list, ids, name] of lists) {
            const listed = (await api('GET', list, { token })).body;
            const found = new Map(
              listed.items.map((one: { id: string; permissions: object }) => [one.id, one.permissions]),
            );
            expect(listed.count).toBe(found.size);
            for (const id of ids) {
              const read = await api('GET', `/${name}/${id}`, { token });
              expect(found.get(id)).toEqual(read.status === 200 ? read.body.permissions : undefined);
            }
          }
          const count = (await api('GET', `/orgs/${organizationId}/spaces`, { token })).body.count;
          const member = (await api('GET', `/orgs/${organizationId}/members/${userId}`)).body;
          expect(member.spaces).toBe(count);
        }
      }),
      propertyRuns(isWhole('lists beside single resources, in many worlds') ? 12 : 5),
    );
    await deps.db.delete(tables.grants);
    for (const id of [...collections, ...spaces]) {
      const isSpace = spaces.includes(id);
      const body = { defaultLevel: null, ...(isSpace ? { visibility: 'private' } : {}) };
      await api('PATCH', `/${isSpace ? 'spaces' : 'collections'}/${id}`, { body });
    }
  });
});

describe('a grant', () => {
  it('opens a space to a guest, and all of it follows: content, search, permissions, counts', async () => {
    const { api, organizationId } = platform;
    const guest = await createMember(platform, 'Guest', { role: null });
    const spaceId = await create('spaces', 'Granted');
    const other = await create('spaces', 'Not granted');
    await grant({ userId: guest.userId, spaceId, role: 'edit' });
    const read = (path: string) => api('GET', path, { token: guest.token });
    expect((await read(`/spaces/${spaceId}`)).body.permissions).toMatchObject({ edit: true, merge: false });
    expect((await read(`/spaces/${spaceId}/content`)).status).toBe(200);
    expect((await read(`/spaces/${other}/content`)).status).toBe(404);
    expect((await read(`/orgs/${organizationId}/spaces`)).body.count).toBe(1);
    expect((await read(`/orgs/${organizationId}/search?query=granted`)).status).toBe(200);
    expect((await read(`/orgs/${organizationId}/members/${guest.userId}`)).body).toMatchObject({
      spaces: 1,
      teams: 0,
    });
    const theirs = (await read(`/orgs/${organizationId}/members/${guest.userId}/spaces`)).body.items;
    expect(theirs).toMatchObject([{ permission: 'edit', space: { id: spaceId } }]);
  });

  it('in the organization raises the role in everything that belongs to it', async () => {
    const { api, organizationId } = platform;
    const guest = await createMember(platform, 'Guest', { role: null });
    const teamId = await createTeam(guest);
    const create = () =>
      api('POST', `/orgs/${organizationId}/spaces`, { token: guest.token, body: { title: 'New' } });
    expect((await create()).status).toBe(403);
    await grant({ teamId, role: 'create' });
    expect((await create()).status).toBe(201);
    const { permissions } = (await api('GET', `/orgs/${organizationId}`, { token: guest.token })).body;
    expect(permissions).toMatchObject({ createContent: true, listMembers: true, admin: false });
  });

  it('shows guests who made a change request, but not their address', async () => {
    const { api } = platform;
    const spaceId = await create('spaces', 'Proposed');
    const path = `/spaces/${spaceId}/change-requests`;
    const { id } = (await api('POST', path, { body: { subject: 'Words' } })).body;
    const guest = await createMember(platform, 'Guest', { role: null });
    const reader = await createMember(platform, 'Reader', { role: 'read' });
    await grant({ userId: guest.userId, spaceId, role: 'edit' });
    const authors = async ({ token }: TestMember) => {
      const one = (await api('GET', `${path}/${id}`, { token })).body.createdBy;
      const [listed] = (await api('GET', path, { token })).body.items;
      expect(listed.createdBy).toEqual(one);
      return Object.keys(one).toSorted();
    };
    expect(await authors(reader)).toEqual(['displayName', 'email', 'id', 'object', 'urls']);
    expect(await authors(guest)).toEqual(['displayName', 'id', 'object', 'urls']);
    const own = (await api('POST', path, { token: guest.token, body: { subject: 'Mine' } })).body;
    expect(own.createdBy).toMatchObject({ id: guest.userId, email: expect.any(String) });
  });

  it('ends with the membership of the team, and with the team', async () => {
    const guest = await createMember(platform, 'Guest', { role: null });
    const spaceId = await create('spaces', 'For the team');
    const teamId = await createTeam(guest);
    await grant({ teamId, spaceId, role: 'read' });
    expect(await statusOf(guest, `/spaces/${spaceId}`)).toBe(200);
    await platform.deps.db.execute(sql`delete from ${tables.teamMembers} where team_id = ${teamId}`);
    expect(await statusOf(guest, `/spaces/${spaceId}`)).toBe(404);
  });

  it('stays behind when its space or collection goes to another organization; a move changes what is inherited', async () => {
    const { api } = platform;
    const other = (await api('POST', '/orgs', { body: { title: 'Other' } })).body.id;
    const guest = await createMember(platform, 'Guest', { role: null });
    const { db } = platform.deps;
    await db.insert(tables.members).values({ organizationId: other, userId: guest.userId, role: null });
    const [from, to] = [await create('collections', 'From'), await create('collections', 'To')];
    const spaceId = await create('spaces', 'Moves', from);
    const own = await create('spaces', 'Has its own', from);
    await grant({ userId: guest.userId, collectionId: from, role: 'read' });
    await grant({ userId: guest.userId, spaceId: own, role: 'comment' });
    expect(await statusOf(guest, `/spaces/${spaceId}`)).toBe(200);
    for (const id of [spaceId, own]) await api('POST', `/spaces/${id}/move`, { body: { parent: to } });
    expect(await statusOf(guest, `/spaces/${spaceId}`)).toBe(404);
    expect(await statusOf(guest, `/spaces/${own}`)).toBe(200);
    await api('POST', `/spaces/${own}/transfer`, { body: { organization: other } });
    expect(await statusOf(guest, `/spaces/${own}`)).toBe(404);
    await api('POST', `/spaces/${spaceId}/move`, { body: { parent: from } });
    expect(await statusOf(guest, `/collections/${from}`)).toBe(200);
    await api('POST', `/collections/${from}/transfer`, { body: { organization: other } });
    expect(await statusOf(guest, `/collections/${from}`)).toBe(404);
    const left = await db.execute(sql`select 1 from ${tables.grants} where user_id = ${guest.userId}`);
    expect(left.rows).toEqual([]);
  });
});

describe('a member', () => {
  it('who is disabled sees what a stranger does, whatever they were granted', async () => {
    const { api, organizationId, deps } = platform;
    const member = await createMember(platform, 'Disabled', { role: 'admin' });
    const spaceId = await create('spaces', 'Closed');
    const open = await create('spaces', 'Open');
    await api('PATCH', `/spaces/${open}`, { body: { visibility: 'public' } });
    await grant({ userId: member.userId, spaceId, role: 'admin' });
    const isTheirs = sql`organization_id = ${organizationId} and user_id = ${member.userId}`;
    await deps.db.execute(sql`update ${tables.members} set disabled_at = now() where ${isTheirs}`);
    expect(await statusOf(member, `/spaces/${spaceId}`)).toBe(404);
    expect(await statusOf(member, `/orgs/${organizationId}`)).toBe(404);
    const seen = await api('GET', `/spaces/${open}`, { token: member.token });
    expect(seen.body.permissions).toMatchObject({ view: true, access: false, admin: false });
    const listed = (await api('GET', `/orgs/${organizationId}/members/${member.userId}`)).body;
    expect(listed.disabled).toBe(true);
    await api('PATCH', `/spaces/${open}`, { body: { visibility: 'private' } });
  });

  it('without single sign-on is told so about what they would see with it, and nothing about the rest', async () => {
    const { api, organizationId, deps } = platform;
    const guest = await createMember(platform, 'Guest', { role: null });
    const [granted, hidden] = [await create('spaces', 'Granted'), await create('spaces', 'Hidden')];
    const collection = await create('collections', 'Granted');
    const open = await create('spaces', 'Open');
    await api('PATCH', `/spaces/${open}`, { body: { visibility: 'public' } });
    for (const place of [{ spaceId: granted }, { collectionId: collection }, { spaceId: open }])
      await grant({ userId: guest.userId, role: 'admin', ...place });
    const isTheirs = sql`organization_id = ${organizationId} and user_id = ${guest.userId}`;
    await deps.db.execute(sql`update ${tables.members} set sso = true where ${isTheirs}`);
    const call = (method: string, path: string, body?: object) =>
      api(method, path, { token: guest.token, ...(body === undefined ? {} : { body }) });
    for (const [method, path, body] of [
      ['GET', `/spaces/${granted}`],
      ['GET', `/spaces/${granted}/content`],
      ['DELETE', `/spaces/${granted}`],
      ['POST', `/spaces/${granted}/restore`],
      ['GET', `/collections/${collection}`],
      ['DELETE', `/collections/${collection}`],
      ['GET', `/orgs/${organizationId}/spaces`],
      ['PATCH', `/spaces/${open}`, { title: 'Mine' }],
    ] as const) {
      const answer = await call(method, path, body);
      expect([method, path, answer.status, answer.body?.error?.reason]).toEqual([
        method,
        path,
        403,
        'sso-required',
      ]);
    }
    expect((await call('GET', `/spaces/${open}`)).body.permissions).toMatchObject({ admin: false });
    expect((await call('GET', `/spaces/${hidden}`)).body.error.reason).toBe('not-found');
    expect((await call('DELETE', `/spaces/${hidden}`)).status).toBe(204);
    await deps.db.execute(sql`update ${tables.members} set sso = false where ${isTheirs}`);
    expect((await call('GET', `/spaces/${granted}`)).status).toBe(200);
    await api('PATCH', `/spaces/${open}`, { body: { visibility: 'private' } });
  });
});
