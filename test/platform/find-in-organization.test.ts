/** Finding what an organization has by its name: what the lists of its kinds show to the caller, and nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMember } from './create-member.ts';
import { fillWorlds, MARK, type World } from './fill-world.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

let platform: TestPlatform;
let world: World;
beforeAll(async () => {
  platform = await startPlatform();
  world = await fillWorlds(platform).fillWorld(platform.organizationId, platform.token);
});
afterAll(() => platform?.close());

type Found = {
  kind: string;
  items: { title: string; detail?: string; urls: { app: string } }[];
  more: boolean;
};

async function find(query: string, token = platform.token): Promise<Found[]> {
  const path = `/orgs/${platform.organizationId}/find?limit=1&query=${encodeURIComponent(query)}`;
  const { status, body } = await platform.api('GET', path, { token });
  expect(status).toBe(200);
  return body.items;
}

const kindsOf = (groups: readonly Found[]) => groups.map(({ kind }) => kind);

test('finds each kind by its name, in any case, with its page', async () => {
  const groups = await find(MARK.toLowerCase());
  expect(kindsOf(groups)).toEqual([
    'space',
    'collection',
    'change-request',
    'site',
    'member',
    'team',
    'conversation',
    'conversations-cluster',
  ]);
  const site = groups.find(({ kind }) => kind === 'site')?.items[0];
  expect(site?.urls.app).toBe(
    `http://docs.example/orgs/${platform.organizationId}/sites/${world.ids['siteId']}`,
  );
  expect(groups.find(({ kind }) => kind === 'collection')?.more).toBe(true);
});

test.each([
  ['all words in any order', 'space zanzib', ['space']],
  ['a word that nothing has', 'zanzibar nowhere', []],
  ['the number of a change request', '#1 zanz', ['change-request']],
  ['a repository', 'a/b', ['repository']],
  ['a specification', 'spec1', ['openapi-spec']],
  ['signs of patterns as themselves', 'zanz%', []],
  ['nothing for blanks', ' ', []],
])('finds %s', async (_what, query, kinds) => {
  expect(kindsOf(await find(query))).toEqual(kinds);
});

test('shows guests nothing but what is shared with them', async () => {
  const host = { deps: platform.deps, organizationId: platform.organizationId };
  const guest = await createMember(host, 'Gustav Guest', { role: null });
  expect(await find(MARK, guest.token)).toEqual([]);
  await platform.api('POST', `/spaces/${world.ids['spaceId']}/permissions`, {
    body: { role: 'read', users: [guest.userId] },
  });
  expect(kindsOf(await find(MARK, guest.token))).toEqual(['space', 'change-request']);
  expect(kindsOf(await find('Gustav', guest.token))).toEqual([]);
});
