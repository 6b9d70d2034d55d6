import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Space, SpaceOverview } from '../../../src/contract/index.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let overviews: string;
let spaces: string;

beforeAll(async () => {
  platform = await startPlatform();
  overviews = `/orgs/${platform.organizationId}/space-overviews`;
  spaces = `/orgs/${platform.organizationId}/spaces`;
});
afterAll(() => platform.close());

async function list(token = platform.token): Promise<readonly SpaceOverview[]> {
  return (await platform.api('GET', overviews, { token })).body.items;
}

async function overviewOf(spaceId: string, token?: string): Promise<SpaceOverview | undefined> {
  return (await list(token)).find(({ space }) => space.id === spaceId);
}

it('shows what is live, since when, and how the last sync ended', async () => {
  const spaceId = await platform.createSpace('Watched');
  expect(await overviewOf(spaceId)).not.toHaveProperty('live');
  const { repo, url } = await platform.createRepo('watched');
  const commit = await repo.commit({ 'README.md': '# A\n\n[Gone](gone.md)\n', 'b.md': '# B\n' });
  const first = await platform.importBranch(spaceId, { url });
  const counts = { pages: 2, files: 0, links: 1, broken: 1 };
  expect(await overviewOf(spaceId)).toMatchObject({
    live: { commit, since: first.endedAt, counts },
    lastSync: { id: first.id, state: 'success', counts },
  });

  // The same commit again changes nothing, and one that fails leaves what is live.
  const again = await platform.importBranch(spaceId, { url });
  const preview = await platform.importBranch(spaceId, { url, standalone: true });
  expect(preview.standalone).toBe(true);
  expect(await overviewOf(spaceId)).toMatchObject({
    live: { since: first.endedAt },
    lastSync: { id: again.id, unchanged: true },
  });
  const failed = await platform.importBranch(spaceId, { url, ref: 'refs/heads/none' });
  expect(await overviewOf(spaceId)).toMatchObject({
    live: { commit, since: first.endedAt, counts },
    lastSync: { id: failed.id, state: 'failure', error: { code: failed.error?.code } },
  });
});

it('says no more of a space than each reader may see elsewhere', async () => {
  const { repo, url } = await platform.createRepo('shared');
  await repo.commit({ 'README.md': '# Shared\n' });
  const create = async (title: string, visibility: Space['visibility']) => {
    const id = await platform.createSpace(title);
    await platform.importBranch(id, { url });
    await platform.api('PATCH', `/spaces/${id}`, { body: { visibility } });
    return id;
  };
  const open = await create('Open', 'public');
  const hidden = await create('Hidden', 'private');
  const granted = await create('Granted', 'private');
  const guest = await createMember(platform, 'Guest', { role: null });
  await platform.api('POST', `/spaces/${granted}/permissions`, {
    body: { role: 'read', users: [guest.userId] },
  });

  const { token } = guest;
  const seen = await list(token);
  expect(seen.map(({ space }) => space.title)).toEqual(['Open', 'Granted']);
  expect(await overviewOf(hidden, token)).toBeUndefined();
  // What is public shows its content to a guest, but not the repository's operations.
  const content = (await platform.api('GET', `/spaces/${open}/content`, { token })).body;
  expect(await overviewOf(open, token)).toMatchObject({
    live: { commit: content.git.oid, since: content.createdAt, counts: { pages: 1, links: 0 } },
  });
  expect(await overviewOf(open, token)).not.toHaveProperty('lastSync');
  expect((await platform.api('GET', `/spaces/${open}/git/operations`, { token })).status).toBe(403);
  expect(await overviewOf(granted, token)).toMatchObject({ lastSync: { state: 'success' } });

  const stranger = await createMember(platform, 'Stranger', {});
  expect((await platform.api('GET', overviews, { token: stranger.token })).status).toBe(404);
});

it('has the spaces of the list in its order, page by page', async () => {
  const listed = (await platform.api('GET', spaces)).body.items;
  const paged: SpaceOverview[] = [];
  for (let page = ''; ; ) {
    const { body } = await platform.api('GET', `${overviews}?limit=2${page}`);
    expect(body.count).toBe(listed.length);
    paged.push(...body.items);
    if (body.next === undefined) break;
    page = `&page=${encodeURIComponent(body.next.page)}`;
  }
  expect(paged.map(({ space }) => space)).toEqual(listed);
});
