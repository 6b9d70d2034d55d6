import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashToken } from '../../../src/identity/index.ts';
import { insertIdentityProvider, newId, tables } from '../../../src/store/index.ts';
import { insertOrganization } from '../../../src/store/organizations.ts';
import { insertSession } from '../../../src/store/sessions.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
});
afterAll(() => platform?.close());

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();

async function create(token: string, body: object) {
  return await platform.api('POST', '/user/tokens', { token, body: { name: 'Mine', role: 'read', ...body } });
}

/** A session as a sign-in makes it; the bearer with which its pages call. */
async function signIn(
  userId: string,
  session: { tokenId?: string; provider?: string; providerId?: string; ssoOrganizationId?: string } = {},
) {
  const secret = newId().padEnd(43, 'x');
  const id = newId();
  const row = { id, hash: hashToken(secret), userId, provider: 'password', displayName: 'A', ...session };
  await insertSession(platform.deps.db, row, new Date());
  return { id, bearer: `dls_${secret}` };
}

it('shows a token once, and lists it with its prefix, last use, expiry, role and organization', async () => {
  const { organizationId, api } = platform;
  const { userId } = await createMember(platform, 'Ann', { role: 'edit' });
  const { bearer } = await signIn(userId);
  const expiresAt = inDays(30);
  const made = await create(bearer, { role: 'edit', expiresAt, organization: organizationId });
  expect(made.status).toBe(201);
  const { token, ...shown } = made.body;
  expect(token.startsWith(shown.prefix)).toBe(true);
  expect(shown).toMatchObject({
    name: 'Mine',
    role: 'edit',
    expiresAt,
    organization: organizationId,
    scope: 'api',
  });
  const tokens = (await api('GET', '/user/tokens', { token: bearer })).body.items;
  expect(tokens.find(({ id }: { id: string }) => id === shown.id)).toEqual(shown);
  expect(JSON.stringify(tokens)).not.toContain(token);

  expect((await api('GET', '/user', { token })).body.id).toBe(userId);
  const used = (await api('GET', '/user/tokens', { token })).body.items;
  expect(used).toMatchObject([{ id: shown.id, current: true, lastUsedAt: expect.any(String) }]);
  const organizationTokens = (await api('GET', `/orgs/${organizationId}/tokens`)).body.items;
  expect(organizationTokens).toMatchObject([{ id: shown.id, user: { id: userId } }]);
  await api('DELETE', `/orgs/${organizationId}/tokens/${shown.id}`);
  expect((await api('GET', '/user', { token })).status).toBe(401);
  const events = (await api('GET', `/orgs/${organizationId}/audit?target=${shown.id}`)).body.items;
  expect(events.map(({ action }: { action: string }) => action)).toEqual(['token.revoke', 'token.create']);
});

it('ends what was made with a token, and in its sessions, when it is revoked', async () => {
  const { api, organizationId } = platform;
  const member = await createMember(platform, 'Ivo', { role: 'edit' });
  const { bearer } = await signIn(member.userId);
  const expiresAt = inDays(1);
  const make = async (token: string) => {
    const made = await create(token, { expiresAt, organization: organizationId });
    expect(made.status).toBe(201);
    return made.body;
  };
  const [leaked, other] = [await make(bearer), await make(bearer)];
  const child = await make(leaked.token);
  const grandchild = await make(child.token);
  const session = await signIn(member.userId, { tokenId: child.id, provider: 'token' });
  const ofSession = await make(session.bearer);
  const statuses = async () =>
    await Promise.all(
      [leaked, child, grandchild, ofSession, other].map(
        async ({ token }) => (await api('GET', '/user', { token })).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);

  await api('DELETE', `/user/tokens/${leaked.id}`, { token: bearer });
  expect(await statuses()).toEqual([401, 401, 401, 401, 200]);
  expect((await api('GET', '/user', { token: session.bearer })).status).toBe(401);
  const events = (await api('GET', `/orgs/${organizationId}/audit?action=token.revoke`)).body.items;
  const revoked = events.map(({ target }: { target: { id: string } }) => target.id);
  expect(revoked).toEqual(expect.arrayContaining([leaked.id, child.id, grandchild.id, ofSession.id]));
  expect(revoked).not.toContain(other.id);
});

it.each([
  ['a role above the own', {}, { role: 'admin' }, 403],
  ['a role above that of the token', { limit: 'comment' }, { role: 'edit' }, 403],
  ['the own role', {}, { role: 'edit' }, 201],
  ['a later expiry than that of the token', {}, { expiresAt: inDays(2) }, 403],
  ['no expiry', {}, { expiresAt: undefined }, 400],
  ['an expiry in the past', {}, { expiresAt: inDays(-1) }, 400],
  ['an expiry in more than a year', {}, { expiresAt: inDays(400) }, 400],
  ['the name of the server’s own tokens', {}, { name: 'docloom serve: x' }, 400],
  ['an organization of others', {}, { organization: 'other' }, 404],
] as const)('answers a token with %s with what is right', async (_name, caller, body, status) => {
  const { token } = await createMember(platform, 'Ben', { role: 'edit', ...caller });
  const soon = new Date(Date.now() + 60_000).toISOString();
  expect((await create(token, { expiresAt: soon, ...body })).status).toBe(status);
});

it('lets a bound token create and see only tokens that are bound to the same organization', async () => {
  const { organizationId, api } = platform;
  const { userId, token } = await createMember(platform, 'Cleo', { role: 'admin' });
  const other = newId();
  await insertOrganization(platform.deps.db, { id: other, title: 'Other', adminId: userId });
  const expiresAt = new Date(Date.now() + 60 * 60 * 1000).toISOString();
  const bound = (await create(token, { expiresAt, organization: organizationId })).body;
  const foreign = (await create(token, { expiresAt, organization: other })).body;
  expect((await create(bound.token, { expiresAt, organization: other })).status).toBe(403);
  const made = await create(bound.token, { expiresAt });
  expect([made.status, made.body.organization]).toEqual([201, organizationId]);
  const seen = (await api('GET', '/user/tokens', { token: bound.token })).body.items;
  expect(seen.map(({ id }: { id: string }) => id).toSorted()).toEqual([bound.id, made.body.id].toSorted());
  expect((await api('DELETE', `/user/tokens/${foreign.id}`, { token: bound.token })).status).toBe(204);
  expect((await api('GET', '/user', { token: foreign.token })).status).toBe(200);
});

it('inherits the single sign-on that its maker has passed, and nothing that they have not', async () => {
  const { db } = platform.deps;
  const { userId } = await createMember(platform, 'Dora', { role: 'read' });
  const strict = newId();
  await insertOrganization(db, { id: strict, title: 'Strict', adminId: userId });
  const providerId = newId();
  await insertIdentityProvider(db, { id: providerId, organizationId: strict, kind: 'saml', label: 'Okta' });
  const passed = await signIn(userId, { provider: 'saml', providerId, ssoOrganizationId: strict });
  const recovered = await signIn(userId, { provider: 'recovery', ssoOrganizationId: strict });
  const plain = await signIn(userId);
  await db.update(tables.organizations).set({ sso: true }).where(eq(tables.organizations.id, strict));
  const statusWith = async (token: string) =>
    (await platform.api('GET', `/orgs/${strict}`, { token })).status;
  const expiresAt = inDays(1);
  const token = (await create(passed.bearer, { expiresAt })).body.token;
  expect(await statusWith(token)).toBe(200);
  expect(await statusWith((await create(token, { expiresAt })).body.token)).toBe(200);
  // A recovery code opens the organization for its session alone.
  expect(await statusWith(recovered.bearer)).toBe(200);
  expect(await statusWith((await create(recovered.bearer, { expiresAt })).body.token)).toBe(403);
  expect(await statusWith((await create(plain.bearer, { expiresAt })).body.token)).toBe(403);
  expect((await create(plain.bearer, { expiresAt, organization: strict })).status).toBe(403);
});

it('lists sessions, ends one, and ends all others; credentials with limits reach only their own', async () => {
  const { api } = platform;
  const { userId } = await createMember(platform, 'Emil', { role: 'edit' });
  const [here, there, elsewhere] = [await signIn(userId), await signIn(userId), await signIn(userId)];
  const stranger = await signIn((await createMember(platform, 'Fay', { role: 'read' })).userId);
  const idsOf = async (token: string) =>
    (await api('GET', '/user/sessions', { token })).body.items.map(({ id }: { id: string }) => id);
  expect((await idsOf(here.bearer)).toSorted()).toEqual([here.id, there.id, elsewhere.id].toSorted());

  const capped = (await create(here.bearer, { expiresAt: inDays(1) })).body;
  const own = await signIn(userId, { tokenId: capped.id });
  expect(await idsOf(capped.token)).toEqual([own.id]);
  await api('DELETE', `/user/sessions/${here.id}`, { token: capped.token });
  await api('DELETE', `/user/sessions/${stranger.id}`, { token: here.bearer });
  expect((await api('GET', '/user', { token: here.bearer })).status).toBe(200);
  expect((await api('GET', '/user', { token: stranger.bearer })).status).toBe(200);

  await api('DELETE', `/user/sessions/${there.id}`, { token: here.bearer });
  expect((await api('GET', '/user', { token: there.bearer })).status).toBe(401);
  await api('DELETE', '/user/sessions', { token: here.bearer });
  expect(await idsOf(here.bearer)).toEqual([here.id]);
  await api('DELETE', `/orgs/${platform.organizationId}/members/${userId}/sessions`);
  expect((await api('GET', '/user', { token: here.bearer })).status).toBe(401);
});

it('ends as an administrator only the sessions that are the organization’s, of a member who is in others', async () => {
  const { api, organizationId, deps } = platform;
  const { userId } = await createMember(platform, 'Gus', { role: 'read' });
  const elsewhere = newId();
  await insertOrganization(deps.db, { id: elsewhere, title: 'Elsewhere', adminId: userId });
  const plain = await signIn(userId);
  const theirs = await signIn(userId, { ssoOrganizationId: elsewhere });
  const ours = await signIn(userId, { ssoOrganizationId: organizationId });
  const bound = (await create(plain.bearer, { expiresAt: inDays(1), organization: organizationId })).body;
  const byToken = await signIn(userId, { tokenId: bound.id });
  await api('DELETE', `/orgs/${organizationId}/members/${userId}/sessions`);
  const status = async ({ bearer }: { bearer: string }) =>
    (await api('GET', '/user', { token: bearer })).status;
  expect([await status(plain), await status(theirs)]).toEqual([200, 200]);
  expect([await status(ours), await status(byToken)]).toEqual([401, 401]);
});

it('ends with a token for one organization only its own sessions, also as an administrator', async () => {
  const { api, organizationId } = platform;
  const { userId } = await createMember(platform, 'Hal', { role: 'admin' });
  const plain = await signIn(userId);
  const body = { expiresAt: inDays(1), organization: organizationId, role: 'admin' };
  const bound = (await create(plain.bearer, body)).body;
  const own = await signIn(userId, { tokenId: bound.id });
  const path = `/orgs/${organizationId}/members/${userId}/sessions`;
  expect((await api('DELETE', path, { token: bound.token })).status).toBe(204);
  expect((await api('GET', '/user', { token: plain.bearer })).status).toBe(200);
  expect((await api('GET', '/user', { token: own.bearer })).status).toBe(401);
});

it('opens nothing in the API with a token for provisioning', async () => {
  const { api, organizationId } = platform;
  const body = { name: 'Okta', expiresAt: inDays(300) };
  const made = await api('POST', `/orgs/${organizationId}/scim-tokens`, { body });
  expect([made.status, made.body.scope]).toEqual([201, 'scim']);
  expect((await api('GET', '/user', { token: made.body.token })).status).toBe(401);
});

it('lists the tokens of an organization by what they are for', async () => {
  const { api, organizationId } = platform;
  const { body: scim } = await api('POST', `/orgs/${organizationId}/scim-tokens`, {
    body: { name: 'Entra', expiresAt: inDays(300) },
  });
  const { body: own } = await api('POST', '/user/tokens', {
    body: { name: 'Deploys', role: 'read', expiresAt: inDays(1), organization: organizationId },
  });
  const list = async (query: string) => {
    const { body } = await api('GET', `/orgs/${organizationId}/tokens${query}`);
    return (body.items as { id: string }[]).map(({ id }) => id);
  };
  expect(await list('')).toEqual(expect.arrayContaining([scim.id, own.id]));
  const provisioning = await list('?scope=scim');
  expect(provisioning).toContain(scim.id);
  expect(provisioning).not.toContain(own.id);
  expect(await list('?scope=api')).not.toContain(scim.id);
  expect((await api('GET', `/orgs/${organizationId}/tokens?scope=all`)).status).toBe(400);
});
