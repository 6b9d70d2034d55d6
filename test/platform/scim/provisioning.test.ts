import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, newTokenText } from '../../../src/identity/index.ts';
import {
  findUserByEmail,
  insertOrganization,
  insertSession,
  insertVerifiedUser,
  loadMember,
  newId,
  revokeWithMade,
  tables,
  updateMember,
  updateOrganization,
  upsertPassword,
} from '../../../src/store/index.ts';
import { insertRows } from '../../../src/store/insert-rows.ts';
import { ensureMember, ensureUser } from '../../../src/store/organizations.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { proveDomain } from '../../support/prove-domain.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { createScimToken, type Provisioning, type ScimCaller, startProvisioning } from './scim-caller.ts';

let platform: TestPlatform;
let provisioning: Provisioning;
let scim: ScimCaller;
let organizationId: string;
/** Another organization with a domain, a user and a group of its own. */
let other: { readonly id: string; readonly token: string; readonly userId: string; readonly groupId: string };

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  organizationId = platform.organizationId;
  provisioning = await startProvisioning(platform);
  scim = provisioning.scim;
  const admin = await addUser('admin@other.example');
  const id = newId();
  await insertOrganization(platform.deps.db, { id, title: 'Other', adminId: admin });
  await proveDomain(platform.deps.db, id, 'other.example');
  const { token } = await createScimToken({ deps: platform.deps, organizationId: id }, admin);
  const as = { token, organizationId: id };
  const user = await scim('POST', '/Users', { userName: 'them@other.example' }, as);
  const group = await scim(
    'POST',
    '/Groups',
    { displayName: 'Theirs', members: [{ value: user.body.id }] },
    as,
  );
  other = { id, token, userId: user.body.id, groupId: group.body.id };
});
afterAll(async () => {
  await platform?.close();
});

/** A user with this address, which is known to be theirs. */
async function addUser(email: string): Promise<string> {
  const user = { id: newId(), email, displayName: email };
  return (await insertVerifiedUser(platform.deps.db, user)).id;
}

let people = 0;
async function provision(fields: object = {}): Promise<{ readonly id: string; readonly email: string }> {
  people += 1;
  const email = `person-${people}@corp.example`;
  const { status, body } = await scim('POST', '/Users', { userName: email, ...fields });
  expect([status, body.detail]).toEqual([201, undefined]);
  return { id: body.id, email };
}

const replace = (value: object) => ({ Operations: [{ op: 'replace', value }] });
const setActive = (id: string, active: boolean) => scim('PATCH', `/Users/${id}`, replace({ active }));

async function auditOf(targetId: string) {
  const { body } = await platform.api('GET', `/orgs/${organizationId}/audit?target=${targetId}`);
  return body.items as { action: string; actor: object; before?: object; after?: object }[];
}

describe('who is provisioned', () => {
  it('becomes a member with the default role, and every change is in the audit log with the token', async () => {
    await updateOrganization(platform.deps.db, organizationId, { defaultRole: 'comment' });
    const { id, email } = await provision({ displayName: 'New Person', externalId: 'e-1' });
    const view = await loadMember(platform.deps.db, organizationId, id);
    expect(view?.member.role).toBe('comment');
    expect(view?.user).toMatchObject({ email, displayName: 'New Person', emailVerifiedAt: expect.any(Date) });

    await scim('PATCH', `/Users/${id}`, replace({ displayName: 'Renamed' }));
    await setActive(id, false);
    await scim('DELETE', `/Users/${id}`);
    const events = await auditOf(id);
    expect(events.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'member.remove', before: { role: 'comment', userName: email }, after: undefined },
      { action: 'member.update', before: { disabled: false }, after: { disabled: true } },
      expect.objectContaining({
        action: 'member.update',
        after: expect.objectContaining({ displayName: 'Renamed' }),
      }),
      {
        action: 'member.add',
        before: undefined,
        after: { role: 'comment', userName: email, externalId: 'e-1' },
      },
    ]);
    for (const { actor } of events)
      expect(actor).toMatchObject({ kind: 'provider', id: provisioning.tokenId, name: 'Okta' });
  });

  it('must have an address of a domain that the organization proved', async () => {
    const { status, body } = await scim('POST', '/Users', { userName: 'x@elsewhere.example' });
    expect([status, body.scimType]).toEqual([400, 'invalidValue']);
    expect(body.detail).toContain('elsewhere.example');
    expect((await scim('POST', '/Users', { userName: 'not an address' })).status).toBe(400);
    expect(await findUserByEmail(platform.deps.db, 'x@elsewhere.example')).toBeNull();
  });

  it('keeps the role that they have, and it is never taken from what the provider sends', async () => {
    const user = { id: await addUser('boss@corp.example') };
    await ensureMember(platform.deps.db, { organizationId, userId: user.id, role: 'review' });
    const { status, body } = await scim('POST', '/Users', {
      userName: 'boss@corp.example',
      roles: [{ value: 'admin', primary: true }],
    });
    expect([status, body.id]).toEqual([201, user.id]);
    await scim('PATCH', `/Users/${user.id}`, replace({ roles: [{ value: 'admin' }], active: true }));
    expect((await loadMember(platform.deps.db, organizationId, user.id))?.member.role).toBe('review');
    expect((await auditOf(user.id)).map(({ action }) => action)).toEqual(['member.link']);
  });

  it('is never somebody who can sign in and has not confirmed the address', async () => {
    const { db } = platform.deps;
    const email = 'squatter@corp.example';
    const { id: userId } = await ensureUser(db, { id: newId(), email, displayName: 'Squatter' });
    await upsertPassword(db, userId, 'x', new Date());
    const { status, body } = await scim('POST', '/Users', { userName: email });
    expect([status, body.scimType]).toEqual([409, 'uniqueness']);
  });

  it('is the member who was added by their address, and as whom nobody can sign in yet', async () => {
    const body = { email: 'added@corp.example', role: 'review' };
    const added = (await platform.api('POST', `/orgs/${organizationId}/members`, { body })).body;
    const made = await scim('POST', '/Users', { userName: body.email });
    expect([made.status, made.body.id]).toEqual([201, added.id]);
    expect((await loadMember(platform.deps.db, organizationId, added.id))?.member.role).toBe('review');
    expect((await findUserByEmail(platform.deps.db, body.email))?.emailVerifiedAt).not.toBeNull();
  });

  it('is known once, by any letter case of name and address', async () => {
    const { email } = await provision();
    expect((await scim('POST', '/Users', { userName: email.toUpperCase() })).status).toBe(409);
    const taken = await scim('POST', '/Users', { userName: 'another-name', emails: [{ value: email }] });
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
    const second = await provision();
    expect((await scim('PATCH', `/Users/${second.id}`, replace({ userName: email }))).status).toBe(409);
  });

  it('has a new address only if it is in a proved domain, free, and theirs through this organization alone', async () => {
    const { id, email } = await provision();
    const move = (to: string, user = id) =>
      scim('PATCH', `/Users/${user}`, {
        Operations: [{ op: 'Add', path: 'emails[type eq "work"].value', value: to }],
      });
    expect((await move('x@elsewhere.example')).body.scimType).toBe('invalidValue');
    const someone = await provision();
    expect((await move(someone.email)).body.scimType).toBe('uniqueness');
    expect((await findUserByEmail(platform.deps.db, email))?.id).toBe(id);

    expect((await move('married@corp.example')).status).toBe(200);
    expect((await findUserByEmail(platform.deps.db, 'married@corp.example'))?.id).toBe(id);

    await ensureMember(platform.deps.db, { organizationId: other.id, userId: id, role: 'admin' });
    const refused = await move('stolen@corp.example');
    expect([refused.status, refused.body.scimType]).toEqual([400, 'mutability']);
    expect((await findUserByEmail(platform.deps.db, 'married@corp.example'))?.id).toBe(id);
    await scim('PATCH', `/Users/${id}`, replace({ displayName: 'Not theirs to say' }));
    expect((await findUserByEmail(platform.deps.db, 'married@corp.example'))?.displayName).not.toBe(
      'Not theirs to say',
    );
    expect((await setActive(id, false)).status).toBe(200);
  });

  it('by a userName that becomes the address of somebody else does not take their account', async () => {
    const { id, email } = await provision();
    const someone = await provision();
    await scim('DELETE', `/Users/${someone.id}`);
    const taken = await scim('PATCH', `/Users/${id}`, replace({ userName: someone.email }));
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await findUserByEmail(platform.deps.db, someone.email))?.id).toBe(someone.id);
    expect((await findUserByEmail(platform.deps.db, email))?.id).toBe(id);
  });
});

describe('taking access away', () => {
  it('ends sessions and tokens at once, and gives back what it took', async () => {
    const { id } = await provision();
    const member = await createToken(id);
    expect((await platform.api('GET', `/orgs/${organizationId}`, { token: member })).status).toBe(200);
    await setActive(id, false);
    expect((await platform.api('GET', `/orgs/${organizationId}`, { token: member })).status).toBe(404);
    expect((await setActive(id, true)).body.active).toBe(true);
    expect((await platform.api('GET', `/orgs/${organizationId}`, { token: member })).status).toBe(200);
  });

  it('does not give back what an administrator took by hand', async () => {
    const { id } = await provision();
    const byHand = (disabled: boolean) =>
      platform.api('PATCH', `/orgs/${organizationId}/members/${id}`, { body: { disabled } });
    await byHand(true);
    expect((await setActive(id, true)).body.active).toBe(false);
    // The provider takes away, too, and gives back: the administrator's word stays.
    await setActive(id, false);
    expect((await setActive(id, true)).body.active).toBe(false);
    // Disabled by the provider, enabled and disabled by hand.
    await byHand(false);
    await setActive(id, false);
    await byHand(false);
    await byHand(true);
    expect((await setActive(id, true)).body.active).toBe(false);
    expect((await scim('PUT', `/Users/${id}`, { userName: 'renamed-1', active: true })).body.active).toBe(
      false,
    );
    await byHand(false);
    expect((await scim('GET', `/Users/${id}`)).body.active).toBe(true);
  });

  it('does not give it back either by deleting the user and making them anew', async () => {
    const { id, email: userName } = await provision();
    const group = await scim('POST', '/Groups', { displayName: 'Taken', members: [{ value: id }] });
    const path = `/orgs/${organizationId}/members/${id}`;
    await platform.api('PATCH', path, { body: { disabled: true, role: 'edit' } });
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
    expect((await platform.api('GET', path)).body).toMatchObject({ disabled: true, role: 'edit', teams: 0 });
    expect((await auditOf(id)).map(({ action }) => action)).toContain('member.unlink');
    const again = await scim('POST', '/Users', { userName, active: true });
    expect([again.status, again.body.id, again.body.active]).toEqual([201, id, false]);
    expect((await scim('GET', `/Groups/${group.body.id}`)).body.members ?? []).toEqual([]);
    await platform.api('PATCH', path, { body: { disabled: false } });
    expect((await scim('GET', `/Users/${id}`)).body.active).toBe(true);
    // What the provider took itself, it ends.
    await setActive(id, false);
    await scim('DELETE', `/Users/${id}`);
    expect((await platform.api('GET', path)).status).toBe(404);
  });

  it('spares the last administrator', async () => {
    const only = await addUser('only@corp.example');
    const id = newId();
    await insertOrganization(platform.deps.db, { id, title: 'Small', adminId: only });
    await proveDomain(platform.deps.db, id, 'corp.example');
    const { token } = await createScimToken({ deps: platform.deps, organizationId: id }, only);
    const as = { token, organizationId: id };
    expect((await scim('POST', '/Users', { userName: 'only@corp.example', active: false }, as)).status).toBe(
      409,
    );
    expect((await scim('POST', '/Users', { userName: 'only@corp.example' }, as)).status).toBe(201);
    for (const answer of [
      await scim('PATCH', `/Users/${only}`, replace({ active: false }), as),
      await scim('PUT', `/Users/${only}`, { userName: 'only@corp.example', active: 'False' }, as),
      await scim('DELETE', `/Users/${only}`, undefined, as),
    ])
      expect([answer.status, answer.body.detail]).toEqual([
        409,
        expect.stringContaining('last administrator'),
      ]);
    expect((await scim('GET', `/Users/${only}`, undefined, as)).body.active).toBe(true);
  });

  async function createToken(userId: string): Promise<string> {
    const { token } = await createScimToken(platform, userId, {
      scope: 'api',
      role: null,
      organizationId: null,
    });
    return token;
  }
});

describe('a provisioned group', () => {
  it('is a team that is marked, and that people neither rename nor fill', async () => {
    const { id: userId } = await provision();
    const { body: group } = await scim('POST', '/Groups', {
      displayName: 'Kept',
      members: [{ value: userId }],
    });
    const path = `/orgs/${organizationId}/teams/${group.id}`;
    expect((await platform.api('GET', path)).body).toMatchObject({
      title: 'Kept',
      members: 1,
      provisioned: true,
    });

    const stranger = await createMember(platform, 'By hand', { role: 'read' });
    for (const [method, at, body] of [
      ['PATCH', '', { title: 'Mine' }],
      ['PUT', '/members', { add: [stranger.userId] }],
      ['PUT', '/members', { remove: [userId] }],
      ['PUT', `/members/${stranger.userId}`, {}],
      ['DELETE', `/members/${userId}`, undefined],
    ] as const) {
      const answer = await platform.api(method, `${path}${at}`, body === undefined ? {} : { body });
      expect([method, at, answer.status, answer.body.error.reason]).toEqual([
        method,
        at,
        409,
        'team-provisioned',
      ]);
    }
    expect((await platform.api('PUT', `${path}/members/${userId}`, { body: { role: 'owner' } })).status).toBe(
      204,
    );
    await scim('PUT', `/Groups/${group.id}`, { displayName: 'Kept', members: [{ value: userId }] });
    const { body } = await platform.api('GET', `${path}/members`);
    expect(body.items.map(({ team }: { team: object }) => team)).toEqual([{ role: 'owner' }]);
    expect((await platform.api('DELETE', path)).status).toBe(204);
  });

  it('never takes over a team that people made', async () => {
    const { body: made } = await platform.api('PUT', `/orgs/${organizationId}/teams`, {
      body: { title: 'By hand' },
    });
    const { status, body } = await scim('POST', '/Groups', { displayName: 'By hand' });
    expect(status).toBe(201);
    expect(body.id).not.toBe(made.id);
    expect((await scim('GET', `/Groups/${made.id}`)).status).toBe(404);
    expect((await scim('POST', '/Groups', { displayName: 'by HAND' })).body.scimType).toBe('uniqueness');
  });

  it('has only users who were provisioned here', async () => {
    const { body: group } = await scim('POST', '/Groups', { displayName: 'Members' });
    const unprovisioned = await createMember(platform, 'Not provisioned', { role: 'read' });
    for (const value of [other.userId, unprovisioned.userId, 'nobody', ''])
      for (const op of ['add', 'replace']) {
        const answer = await scim('PATCH', `/Groups/${group.id}`, {
          Operations: [{ op, path: 'members', value: [{ value }] }],
        });
        expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
      }
    expect((await scim('GET', `/Groups/${group.id}`)).body.members).toEqual([]);
  });

  testAtLength('takes ten thousand users, and lists them in pages', async () => {
    const { deps } = platform;
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      id: `bulk-${index}`,
      email: `bulk-${index}@corp.example`,
    }));
    await insertRows(
      deps.db,
      tables.users,
      rows.map((row) => ({ ...row, displayName: row.id, createdAt: new Date() })),
    );
    await insertRows(
      deps.db,
      tables.members,
      rows.map(({ id }) => ({ organizationId, userId: id, joinedAt: new Date(), sso: false })),
    );
    await insertRows(
      deps.db,
      tables.provisioned,
      rows.map(({ id, email }) => ({
        organizationId,
        userId: id,
        userName: email,
        active: true,
        createdAt: new Date(),
        updatedAt: new Date(),
        profile: {},
      })),
    );
    const { body: group } = await scim('POST', '/Groups', { displayName: 'Everybody' });
    const value = rows.map(({ id, email }) => ({ value: id, display: email }));
    const add = await scim('PATCH', `/Groups/${group.id}`, {
      Operations: [{ op: 'Add', path: 'members', value }],
    });
    expect(add.status).toBe(204);
    expect((await scim('GET', `/Groups/${group.id}`)).body.members).toHaveLength(10_000);
    expect((await scim('GET', `/Groups/${group.id}?excludedAttributes=members`)).body).not.toHaveProperty(
      'members',
    );
    const [event] = await auditOf(group.id);
    expect(event?.after).toMatchObject({ moreMembers: 9_900 });

    const page = await scim('GET', '/Users?startIndex=9001&count=1000');
    expect(page.body).toMatchObject({ startIndex: 9001, itemsPerPage: 200 });
    expect(page.body.totalResults).toBeGreaterThanOrEqual(10_000);
    const seen = new Set<string>();
    for (let startIndex = 1; startIndex <= 2_000; startIndex += 200) {
      const { body } = await scim('GET', `/Users?startIndex=${startIndex}&count=200&attributes=userName`);
      for (const { id } of body.Resources) seen.add(id);
    }
    expect(seen.size).toBe(2_000);
    const gone = rows.map(({ id }) => ({ op: 'Remove', path: `members[value eq "${id}"]` }));
    expect((await scim('PATCH', `/Groups/${group.id}`, { Operations: gone })).status).toBe(204);
    expect((await scim('GET', `/Groups/${group.id}`)).body.members).toEqual([]);
    const tooMany = Array.from({ length: 20_001 }, (_, index) => ({ value: `x${index}` }));
    expect(
      (await scim('PUT', `/Groups/${group.id}`, { displayName: 'Everybody', members: tooMany })).status,
    ).toBe(413);
    expect((await scim('POST', '/Groups', ' '.repeat(5_000_000))).status).toBe(413);
    expect((await scim('POST', '/Users', { userName: 'x'.repeat(70_000) })).status).toBe(413);
  });
});

describe('callers', () => {
  /** What each of them gets from every route: 200 stands for whatever the route answers to whom it lets in. */
  const callers = {
    'no token': 401,
    'a token that never was': 401,
    'a revoked token': 401,
    'an expired token': 401,
    'an API token of an administrator': 401,
    'a session of an administrator': 401,
    'the token of another organization': 404,
    'the token of somebody who is no administrator any more': 403,
    'the token of a disabled administrator': 403,
    'the token of somebody who left': 401,
    'a token made without the single sign-on that is required': 403,
    'the token': 200,
  } as const;
  const routes = [
    ['GET', '/ServiceProviderConfig'],
    ['GET', '/ResourceTypes'],
    ['GET', '/ResourceTypes/User'],
    ['GET', '/Schemas'],
    ['GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User'],
    ['GET', '/Users'],
    ['POST', '/Users'],
    ['GET', '/Users/{user}'],
    ['PUT', '/Users/{user}'],
    ['PATCH', '/Users/{user}'],
    ['DELETE', '/Users/{user}'],
    ['GET', '/Groups'],
    ['POST', '/Groups'],
    ['GET', '/Groups/{group}'],
    ['PUT', '/Groups/{group}'],
    ['PATCH', '/Groups/{group}'],
    ['DELETE', '/Groups/{group}'],
  ] as const;

  const tokens: Record<string, string | null> = {};

  beforeAll(async () => {
    const { db } = platform.deps;
    const maker = async (name: string) => (await createMember(platform, name, { role: 'admin' })).userId;
    tokens['no token'] = null;
    tokens['a token that never was'] = newTokenText();
    const revoked = await createScimToken(platform, provisioning.makerId);
    await revokeWithMade(db, revoked.tokenId);
    tokens['a revoked token'] = revoked.token;
    tokens['an expired token'] = (
      await createScimToken(platform, provisioning.makerId, { expiresAt: new Date(Date.now() - 1_000) })
    ).token;
    tokens['an API token of an administrator'] = platform.token;
    const secret = randomBytes(32).toString('base64url');
    const session = `dls_${secret}`;
    tokens['a session of an administrator'] = session;
    const userId = provisioning.makerId;
    await insertSession(
      db,
      { id: newId(), hash: hashToken(secret), userId, provider: 'password', displayName: 'Token maker' },
      new Date(),
    );
    expect((await platform.api('GET', '/user', { token: session })).status).toBe(200);
    tokens['the token of another organization'] = other.token;
    const demoted = await maker('Demoted');
    tokens['the token of somebody who is no administrator any more'] = (
      await createScimToken(platform, demoted)
    ).token;
    await updateMember(db, { organizationId, userId: demoted }, { role: 'create' });
    const disabled = await maker('Disabled');
    tokens['the token of a disabled administrator'] = (await createScimToken(platform, disabled)).token;
    await updateMember(db, { organizationId, userId: disabled }, { disabledAt: new Date() });
    const left = await maker('Left');
    tokens['the token of somebody who left'] = (await createScimToken(platform, left)).token;
    await platform.api('DELETE', `/orgs/${organizationId}/members/${left}`);
    const withoutSso = await maker('Without single sign-on');
    tokens['a token made without the single sign-on that is required'] = (
      await createScimToken(platform, withoutSso)
    ).token;
    await updateMember(db, { organizationId, userId: withoutSso }, { sso: true });
    tokens['the token'] = provisioning.token;
  });

  it.each(Object.entries(callers))('with %s get %i from every route', async (name, expected) => {
    const user = (await provision()).id;
    const { body: group } = await scim('POST', '/Groups', { displayName: `Group of ${name}` });
    for (const [method, path] of routes) {
      const own = path.replace('{user}', user).replace('{group}', group.id);
      const body =
        method === 'GET' || method === 'DELETE'
          ? undefined
          : method === 'PATCH'
            ? { Operations: [{ op: 'replace', value: { displayName: name } }] }
            : path.startsWith('/Users')
              ? { userName: `${method}-${name.replaceAll(' ', '-')}@corp.example` }
              : { displayName: `${method} ${name}` };
      const {
        status,
        headers,
        body: answer,
      } = await scim(method, own, body, { token: tokens[name] ?? null });
      const outcome = status < 300 ? 200 : status;
      expect([method, path, outcome, answer?.detail]).toEqual([method, path, expected, answer?.detail]);
      if (status >= 400) {
        expect(answer.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
        expect(JSON.stringify(answer)).not.toContain(platform.organizationId);
      }
      if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('with a token for provisioning get nothing from the API', async () => {
    expect((await platform.api('GET', '/user', { token: provisioning.token })).status).toBe(401);
  });

  it('find nothing of another organization by its ids', async () => {
    for (const [method, path, body] of [
      ['GET', `/Users/${other.userId}`],
      ['PUT', `/Users/${other.userId}`, { userName: 'mine@corp.example' }],
      ['PATCH', `/Users/${other.userId}`, replace({ active: false })],
      ['DELETE', `/Users/${other.userId}`],
      ['GET', `/Groups/${other.groupId}`],
      ['PUT', `/Groups/${other.groupId}`, { displayName: 'Mine' }],
      ['PATCH', `/Groups/${other.groupId}`, replace({ displayName: 'Mine' })],
      ['DELETE', `/Groups/${other.groupId}`],
      ['GET', '/Users/%00'],
      ['GET', '/Groups/a%20b'],
    ] as const)
      expect([method, path, (await scim(method, path, body)).status]).toEqual([method, path, 404]);
    for (const filter of [
      `id eq "${other.userId}"`,
      'userName eq "them@other.example"',
      'emails.value eq "them@other.example"',
    ])
      expect((await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults).toBe(0);
    for (const filter of [
      `id eq "${other.groupId}"`,
      'displayName eq "Theirs"',
      `members eq "${other.userId}"`,
    ])
      expect((await scim('GET', `/Groups?filter=${encodeURIComponent(filter)}`)).body.totalResults).toBe(0);
    const as = { token: other.token, organizationId: other.id };
    expect((await scim('GET', `/Groups/${other.groupId}`, undefined, as)).body).toMatchObject({
      displayName: 'Theirs',
      members: [{ value: other.userId }],
    });
  });

  it('are told what is wrong with a request', async () => {
    for (const [path, expected] of [
      ['/Users?filter=userName%20co%20%22x%22', 'invalidFilter'],
      ['/Users?filter=password%20eq%20%22x%22', 'invalidFilter'],
      ['/Users?filter=userName%20eq%20%22x%22&filter=id%20eq%20%22x%22', 'invalidFilter'],
      ['/Users?startIndex=x', 'invalidValue'],
      ['/Users?count=1e9', 'invalidValue'],
    ] as const) {
      const { status, body } = await scim('GET', path);
      expect([path, status, body.scimType]).toEqual([path, 400, expected]);
    }
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ itemsPerPage: 0, Resources: [] });
    expect((await scim('GET', '/Users?count=-5&startIndex=-5')).body).toMatchObject({
      startIndex: 1,
      Resources: [],
    });
    const malformed = await scim('POST', '/Users', '{"userName":');
    expect([malformed.status, malformed.body.scimType]).toEqual([400, 'invalidSyntax']);
    const hostile = await scim(
      'POST',
      '/Users',
      '{"userName":"p@corp.example","__proto__":{"active":false}}',
    );
    expect([hostile.status, hostile.body.scimType]).toEqual([400, 'invalidSyntax']);
    expect((await scim('GET', '/Nothing')).status).toBe(404);
    expect((await scim('POST', '/Bulk', {})).status).toBe(404);
  });
});
