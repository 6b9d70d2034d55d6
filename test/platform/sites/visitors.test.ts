import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../../src/store/index.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';
import { missingFields } from './client-shapes.ts';

let platform: TestPlatform;
let site: string;
let siteId: string;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  const { api, organizationId } = platform;
  const spaceId = await platform.createSpace('Guide');
  const body = { title: 'Docs', visibility: 'share-link', spaces: [spaceId] };
  siteId = (await api('POST', `/orgs/${organizationId}/sites`, { body })).body.id;
  site = `/orgs/${organizationId}/sites/${siteId}`;
  await api('POST', `${site}/publish`);
});
afterAll(() => platform.close());

async function tell(method: string, path: string, body?: unknown, status = 200) {
  const answer = await platform.api(method, `${site}${path}`, body === undefined ? {} : { body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status });
  expect(missingFields(answer.body)).toEqual([]);
  return answer.body;
}

test('a share link opens what the site shows, until it is switched off', async () => {
  const link = await tell('POST', '/share-links', { name: ' Partners ' }, 201);
  expect(link).toMatchObject({ name: 'Partners', active: true });
  const key = new URL(link.urls.published).searchParams.get('shareKey') ?? '';
  expect(key).toMatch(/^[\w-]{32}$/);
  expect(key.startsWith(link.prefix)).toBe(true);
  const stored = await platform.deps.db.select().from(tables.siteShareLinks);
  expect(JSON.stringify(stored)).not.toContain(key);
  const listed = await tell('GET', '/share-links');
  expect(listed).toMatchObject({ count: 1, items: [{ id: link.id, urls: {} }] });

  const { token } = await createMember(platform, 'Stranger', {});
  const read = async (path: string, shareKey = key) =>
    (await platform.api('GET', `${site}${path}?shareKey=${shareKey}`, { token })).status;
  for (const path of ['/published', '/structure', '/sections', '/site-spaces'])
    expect(await read(path)).toBe(200);
  expect(await read('/published', 'wrong')).toBe(404);
  await tell('PATCH', `/share-links/${link.id}`, { active: false });
  expect(await read('/published')).toBe(404);
  await tell('PATCH', `/share-links/${link.id}`, { active: true, name: 'All partners' });
  expect(await read('/published')).toBe(200);
  await tell('POST', '/unpublish');
  expect(await read('/published')).toBe(404);
  await tell('POST', '/publish');
  await tell('PATCH', '', { visibility: 'visitor-auth' });
  expect(await read('/published')).toBe(404);
  await tell('PATCH', '', { visibility: 'share-link' });
  await tell('DELETE', `/share-links/${link.id}`, undefined, 204);
  expect(await read('/published')).toBe(404);
  await tell('PATCH', `/share-links/${link.id}`, { active: true }, 404);
  await tell('PATCH', `/share-links/${link.id}`, {}, 400);
});

test('a guest reads the site that they were granted a role in, and is told why', async () => {
  const { token, userId } = await createMember(platform, 'Guest', { role: null });
  const read = async () => (await platform.api('GET', site, { token })).status;
  await tell('PATCH', '', { visibility: 'visitor-auth' });
  expect(await read()).toBe(404);
  await tell('POST', '/permissions', { role: 'create', users: [userId] }, 204);
  expect(await read()).toBe(200);
  const organization = `/orgs/${platform.organizationId}`;
  const { body } = await platform.api('GET', `${organization}/sites`, { token });
  expect(body).toMatchObject({ count: 1, items: [{ id: siteId }] });
  expect((await platform.api('PATCH', site, { token, body: { title: 'Docs' } })).status).toBe(200);
  expect((await platform.api('POST', `${site}/publish`, { token })).status).toBe(403);
  const why = await platform.api('GET', `${organization}/members/${userId}/access?site=${siteId}`);
  expect(why.body).toMatchObject({
    role: 'create',
    sources: [{ type: 'member' }, { type: 'grant', role: 'create', wins: true, site: siteId }],
  });
  const everybody = (await tell('GET', '/permissions/aggregate')).items;
  const granted = everybody.find(({ user }: { user: { id: string } }) => user.id === userId);
  expect(granted).toMatchObject({ permission: 'create', origin: { type: 'organization' } });
  expect((await tell('GET', '/permissions/users')).items).toMatchObject([{ user: { id: userId } }]);
  await tell('PATCH', `/permissions/users/${userId}`, { role: 'read' }, 204);
  expect((await platform.api('PATCH', site, { token, body: { title: 'Docs' } })).status).toBe(403);
  await tell('DELETE', `/permissions/users/${userId}`, undefined, 204);
  expect(await read()).toBe(404);
});

describe('what a site knows of its visitors', () => {
  const of = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
  const flag = { type: 'boolean', description: 'Tries new features' };

  test('is said by a schema, with a condition for each claim', async () => {
    await tell('GET', '/adaptive-schema', undefined, 404);
    expect(await tell('GET', '/adaptive-schema/template-conditions')).toEqual({ items: [] });
    const jsonSchema = of({
      beta: flag,
      plan: { type: 'string', enum: ['pro', 'free'], description: 'Their plan' },
      unsigned: { ...of({ dark: flag }), description: 'Unsigned claims of the site visitor.' },
    });
    const stored = await tell('PUT', '/adaptive-schema', { jsonSchema });
    expect(stored.jsonSchema).toEqual(jsonSchema);
    expect(await tell('GET', '/adaptive-schema')).toEqual(stored);
    expect(await tell('GET', '/adaptive-schema/template-conditions')).toEqual({
      items: [
        { description: 'Tries new features', condition: 'visitor.claims.beta' },
        { description: 'Their plan', condition: 'visitor.claims.plan == "pro"' },
        { description: 'Tries new features', condition: 'visitor.claims.unsigned.dark' },
      ],
    });
  });

  test.each([
    ['a claim that no condition can name', of({ 'is-beta': flag })],
    ['a claim without a description', of({ beta: { type: 'boolean' } })],
    ['an object of claims elsewhere', of({ more: { ...of({}), description: 'More' } })],
    ['unsigned as a claim', of({ unsigned: flag })],
    ['anything else', { type: 'object', properties: {}, additionalProperties: true }],
    ['a list', of({ roles: { type: 'array', description: 'Roles' } })],
  ])('is not said with %s', async (_what, jsonSchema) => {
    await tell('PUT', '/adaptive-schema', { jsonSchema }, 400);
  });
});

test('the key of visitors is made once, replaced on demand, and stored sealed', async () => {
  const made = await tell('GET', '/publishing/auth');
  expect(made).toMatchObject({ object: 'publishing-auth', backend: 'custom' });
  expect(await tell('GET', '/publishing/auth')).toEqual(made);
  const fallbackURL = 'https://acme.example/sign-in';
  expect(await tell('PATCH', '/publishing/auth', { backend: 'custom', fallbackURL })).toEqual({
    ...made,
    fallbackURL,
  });
  await tell('PATCH', '/publishing/auth', { fallbackURL: 'javascript:alert(1)' }, 400);
  const replaced = await tell('POST', '/publishing/auth/regenerate');
  expect(replaced.privateKey).not.toBe(made.privateKey);
  expect(await tell('GET', '/publishing/auth')).toEqual(replaced);
  const { siteVisitorKeys: keys } = tables;
  const stored = await platform.deps.db.select().from(keys).where(eq(keys.siteId, siteId));
  expect(stored.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain(made.privateKey);
  expect(await tell('PATCH', '/publishing/auth', { fallbackURL: null })).not.toHaveProperty('fallbackURL');
  const events = await platform.deps.db.select().from(tables.auditEvents);
  expect(
    JSON.stringify(events, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toContain(replaced.privateKey);
});
