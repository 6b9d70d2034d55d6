import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeSpaces } from '../../../src/store/clean-up.ts';
import {
  bindSpace,
  disconnectBranch,
  findBindingOfSpace,
  markSynced,
  newId,
  reserveBinding,
} from '../../../src/store/index.ts';
import type { ApiAnswer } from '../api-caller.ts';
import { createMember } from '../create-member.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

let platform: TestPlatform;
let other: string;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false });
  other = (await platform.api('POST', '/orgs', { body: { title: 'Other' } })).body.id;
});
afterAll(() => platform.close());

const noSuch = 'a'.repeat(20);

async function post(path: string, body?: unknown): Promise<ApiAnswer> {
  return await platform.api('POST', path, body === undefined ? {} : { body });
}
async function create(what: 'spaces' | 'collections', title: string, parent?: string): Promise<string> {
  const made = await post(`/orgs/${platform.organizationId}/${what}`, {
    title,
    ...(parent ? { parent } : {}),
  });
  expect(made.status).toBe(201);
  return made.body.id;
}
async function titlesIn(collectionId: string): Promise<string[]> {
  const { body } = await platform.api('GET', `/collections/${collectionId}/spaces`);
  return body.items.map((one: { title: string }) => one.title);
}
async function writeFiles(spaceId: string, files: Record<string, string>): Promise<void> {
  const changes = Object.entries(files).map(([path, text]) => ({ type: 'write', path, text }));
  const { body } = await post(`/spaces/${spaceId}/change-requests`, {});
  const path = `/spaces/${spaceId}/change-requests/${body.id}`;
  expect((await post(`${path}/content`, { changes })).status).toBe(200);
  expect((await post(`${path}/merge`)).status).toBe(200);
}
const space = (id: string) => ({ type: 'space', space: id });

describe('order', () => {
  it('is preserved in a collection through moves, whatever the siblings are', async () => {
    const parent = await create('collections', 'Order');
    const [a, b, c] = [
      await create('spaces', 'a', parent),
      await create('spaces', 'b', parent),
      await create('spaces', 'c', parent),
    ];
    await create('collections', 'nested', parent);
    const moves = [
      [c, { before: space(a) }, 200, ['c', 'a', 'b']],
      [c, { before: space(a) }, 409, ['c', 'a', 'b']],
      [c, { after: space(a), before: space(b) }, 200, ['a', 'c', 'b']],
      [a, { after: space(b) }, 200, ['c', 'b', 'a']],
      [a, { after: space(noSuch) }, 400, ['c', 'b', 'a']],
    ] as const;
    for (const [id, position, status, titles] of moves) {
      expect((await post(`/spaces/${id}/move`, { position })).status).toBe(status);
      expect(await titlesIn(parent)).toEqual(titles);
    }
    // As after many moves into the same gap: positions are made short again.
    const { db } = platform.deps;
    await db.execute(sql`update spaces set position = position + power(10::numeric, -101) where id = ${a}`);
    for (const id of [a, b, a, b]) {
      expect((await post(`/spaces/${id}/move`, { position: { after: space(c) } })).status).toBe(200);
    }
    expect(await titlesIn(parent)).toEqual(['c', 'b', 'a']);
    const longest = await db.execute(sql`select max(scale(position)) as digits from spaces`);
    expect(Number(longest.rows[0]?.['digits'])).toBeLessThan(20);
  });

  it('does not change if there is nothing to move, and rejects parents of other organizations', async () => {
    const id = await create('spaces', 'still');
    const outside = (await post(`/orgs/${other}/collections`, { title: 'Outside' })).body.id;
    expect((await post(`/spaces/${id}/move`, {})).status).toBe(409);
    expect((await post(`/spaces/${id}/move`, { parent: null })).status).toBe(409);
    expect((await post(`/spaces/${id}/move`, { parent: noSuch })).status).toBe(404);
    expect((await post(`/spaces/${id}/move`, { parent: outside })).status).toBe(404);
    expect((await post(`/spaces/${noSuch}/move`, { parent: null })).status).toBe(404);
    const refused = await post(`/orgs/${platform.organizationId}/spaces`, { title: 'x', parent: outside });
    expect(refused.status).toBe(400);
  });
});

describe('collections', () => {
  it('nest, but never inside themselves and not too deep', async () => {
    const chain = [await create('collections', 'Level 1')];
    for (let level = 2; level <= 16; level++) {
      chain.push(await create('collections', `Level ${level}`, chain.at(-1)));
    }
    const [top = '', second = ''] = chain;
    const collections = `/orgs/${platform.organizationId}/collections`;
    expect((await post(collections, { title: 'Level 17', parent: chain.at(-1) })).status).toBe(400);
    expect((await post(`/collections/${top}/move`, { parent: chain.at(-1) })).status).toBe(400);
    expect((await post(`/collections/${top}/move`, { parent: top })).status).toBe(400);
    const aside = await create('collections', 'Aside');
    expect((await post(`/collections/${top}/move`, { parent: aside })).status).toBe(400);
    const moved = await post(`/collections/${second}/move`, { parent: aside });
    expect([moved.status, moved.body.parent]).toEqual([200, aside]);
    const topmost = (await platform.api('GET', `${collections}?nested=false&limit=1000`)).body;
    expect(topmost.items.some((one: { parent?: string }) => one.parent !== undefined)).toBe(false);
    const all = (await platform.api('GET', `${collections}?limit=1000`)).body;
    expect(all.count).toBeGreaterThan(topmost.count);
  });

  it('leave their contents at their position when they are deleted', async () => {
    const outer = await create('collections', 'Outer');
    await create('spaces', 'first', outer);
    const inner = await create('collections', 'Inner', outer);
    await create('spaces', 'last', outer);
    const kept = await create('spaces', 'kept', inner);
    const deep = await create('collections', 'Deep', inner);
    const gone = await create('spaces', 'gone', inner);
    await platform.api('DELETE', `/spaces/${gone}`);
    for (const _twice of [1, 2])
      expect((await platform.api('DELETE', `/collections/${inner}`)).status).toBe(204);
    expect((await platform.api('GET', `/collections/${inner}`)).status).toBe(404);
    expect(await titlesIn(outer)).toEqual(['first', 'kept', 'last']);
    expect((await platform.api('GET', `/collections/${deep}`)).body.parent).toBe(outer);
    expect((await post(`/spaces/${gone}/restore`)).body.parent).toBe(outer);
    expect(await titlesIn(outer)).toEqual(['first', 'kept', 'gone', 'last']);
    expect((await post(`/spaces/${kept}/move`, { position: { after: space(gone) } })).status).toBe(200);
  });

  it('are transferred to another organization with all of their contents', async () => {
    const root = await create('collections', 'Root');
    const inner = await create('collections', 'In root', root);
    const id = await create('spaces', 'Travels', inner);
    const transfer = `/collections/${root}/transfer`;
    expect((await post(transfer, { organization: platform.organizationId })).status).toBe(409);
    expect((await post(transfer, { organization: noSuch })).status).toBe(404);
    const body = { url: 'https://forge.example/x.git', ref: 'refs/heads/main' };
    await post(`/spaces/${id}/git/import`, body);
    expect((await post(transfer, { organization: other })).status).toBe(412);
    await platform.deps.db.execute(sql`delete from git_operations where space_id = ${id}`);
    expect((await post(transfer, { organization: other })).body.organization).toBe(other);
    const moved = (await platform.api('GET', `/spaces/${id}`)).body;
    expect([moved.organization, moved.parent]).toEqual([other, inner]);
  });
});

describe('a default level', () => {
  it('gives guests access, also when inherited, and the permissions show it', async () => {
    const guest = await createMember(platform, 'Guest', { role: null });
    const parent = await create('collections', 'Shared');
    const inside = await create('spaces', 'Inside', parent);
    const read = (path: string) => platform.api('GET', path, { token: guest.token });
    expect((await read(`/spaces/${inside}`)).status).toBe(404);
    await platform.api('PATCH', `/collections/${parent}`, { body: { defaultLevel: 'edit' } });
    expect((await read(`/spaces/${inside}`)).body.permissions).toMatchObject({ edit: true, merge: false });
    expect((await read(`/orgs/${platform.organizationId}/collections`)).body.count).toBe(1);
    const listed = (await read(`/orgs/${platform.organizationId}/spaces`)).body;
    expect(listed.items.map((one: { id: string }) => one.id)).toEqual([inside]);
    await platform.api('PATCH', `/spaces/${inside}`, { body: { defaultLevel: 'read' } });
    const theirs = await read(`/orgs/${platform.organizationId}/members/${guest.userId}/spaces`);
    expect(theirs.body.items[0]).toMatchObject({ permission: 'read', space: { id: inside } });
    const back = { defaultLevel: null, emoji: null, language: null };
    const changed = (await platform.api('PATCH', `/spaces/${inside}`, { body: back })).body;
    expect(changed.defaultLevel).toBe('inherit');
    const set = async (defaultLevel: string) =>
      (await platform.api('PATCH', `/spaces/${inside}`, { body: { defaultLevel } })).body.defaultLevel;
    expect([await set('read'), await set('inherit')]).toEqual(['read', 'inherit']);
  });
});

describe('the language of a space', () => {
  it.each(['xx', 'english', 'de_DE', 'EN', ''])('is none of the list where it is “%s”', async (language) => {
    const id = await create('spaces', 'Guide');
    const { status, body } = await platform.api('PATCH', `/spaces/${id}`, { body: { language } });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('language');
    expect((await platform.api('GET', `/spaces/${id}`)).body.language).toBeUndefined();
  });
});

describe('a public space', () => {
  it('shows everybody its content, but no drafts', async () => {
    const stranger = await createMember(platform, 'Stranger', {});
    const id = await create('spaces', 'Public');
    await writeFiles(id, { 'README.md': '# Public\n', 'file.txt': 'plain' });
    const read = async (path: string) =>
      (await platform.api('GET', `/spaces/${id}${path}`, { token: stranger.token })).status;
    expect(await read('')).toBe(404);
    await platform.api('PATCH', `/spaces/${id}`, { body: { visibility: 'public' } });
    const { body } = await platform.api('GET', `/spaces/${id}/content`, { token: stranger.token });
    const download = `/revisions/${body.id}/files/${body.files[0].id}/download`;
    const past = `/revisions/${body.parents[0]}`;
    const statuses = await Promise.all(
      ['', '/links', download, past, '/change-requests', '/git/info', '/git/operations'].map(read),
    );
    expect(statuses).toEqual([200, 200, 200, 403, 403, 403, 403]);
  });

  it('can be in-collection only inside a collection', async () => {
    const parent = await create('collections', 'For visibility');
    const id = await create('spaces', 'Seen', parent);
    const body = { visibility: 'in-collection' };
    expect((await platform.api('PATCH', `/spaces/${id}`, { body })).status).toBe(200);
    expect((await post(`/spaces/${id}/move`, { parent: null })).body.visibility).toBe('private');
    expect((await platform.api('PATCH', `/spaces/${id}`, { body })).status).toBe(400);
  });
});

describe('a duplicate', () => {
  it('has the content, follows its original, and is independent of it', async () => {
    const parent = await create('collections', 'Copies');
    const id = await create('spaces', 'Original', parent);
    await create('spaces', 'Next', parent);
    const files = { 'README.md': '# A\n\n[B](b.md) [no](c.md)\n', 'b.md': '# B\n', 'file.txt': 'plain' };
    await writeFiles(id, files);
    const copy = (await post(`/spaces/${id}/duplicate`)).body;
    expect(await titlesIn(parent)).toEqual(['Original', 'Copy of Original', 'Next']);
    expect(copy).toMatchObject({ changeRequests: 0, visibility: 'private' });

    const read = async (spaceId: string, path: string) =>
      (await platform.api('GET', `/spaces/${spaceId}${path}`)).body;
    const [before, after] = [await read(id, '/content/pages'), await read(copy.id, '/content/pages')];
    const ids = (pages: readonly { id: string }[]) => pages.map((page) => page.id);
    expect(ids(after.pages)).toEqual(ids(before.pages));
    const links = await read(copy.id, '/links');
    expect(links.stats).toMatchObject({ total: 2, broken: { total: 1 } });
    const [ok] = links.items.filter((one: { status: string }) => one.status === 'ok');
    expect(ok.targetReference.space.id).toBe(copy.id);

    // Edits of one are not seen in the other, and the other can be gone.
    await writeFiles(copy.id, { 'c.md': '# C\n' });
    expect((await read(copy.id, '/links')).stats.broken.total).toBe(0);
    expect((await read(id, '/links')).stats.broken.total).toBe(1);
    await platform.deps.db.execute(sql`delete from spaces where id = ${id}`);
    expect((await read(copy.id, '/content/pages')).pages).toHaveLength(3);
  });

  it('decides for every table of a space whether it is copied', async () => {
    const { rows } = await platform.deps.db.execute(sql`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'space_id' order by 1`);
    const left = [
      'bindings',
      'change_requests',
      'commented_pages',
      'comments',
      'git_operations',
      'grants',
      'invites',
      'notifications',
      'pull_change_requests',
      'site_feedback',
      'site_spaces',
    ];
    const copied = ['content_ids', 'histories', 'links', 'moved_pages', 'revisions', 'space_blobs'];
    expect(rows.map((row) => row['name'])).toEqual([...left, ...copied].toSorted());
  });
});

describe('a deleted space', () => {
  it('can be restored within 7 days, and is deleted after them', async () => {
    const id = await create('spaces', 'Deleted');
    await writeFiles(id, { 'README.md': '# A\n' });
    const first = (await platform.api('GET', `/spaces/${id}/change-requests`)).body.items[0];
    expect((await post(`/spaces/${id}/restore`)).status).toBe(409);
    for (const _twice of [1, 2]) expect((await platform.api('DELETE', `/spaces/${id}`)).status).toBe(204);
    expect((await platform.api('GET', `/spaces/${id}/content`)).status).toBe(404);
    const back = await post(`/spaces/${id}/restore`);
    expect([back.status, back.body.deletedAt]).toEqual([200, undefined]);
    expect((await platform.api('GET', `/spaces/${id}/content`)).status).toBe(200);

    await platform.api('DELETE', `/spaces/${id}`);
    const listDeleted = async (token = platform.token) => {
      const { body } = await platform.api('GET', `/orgs/${platform.organizationId}/spaces?deleted=true`, {
        token,
      });
      return body.items.map((one: { id: string; deletedAt?: string }) => [
        one.id,
        one.deletedAt !== undefined,
      ]);
    };
    expect(await listDeleted()).toContainEqual([id, true]);
    expect(await listDeleted((await createMember(platform, 'Reader', { role: 'read' })).token)).toEqual([]);
    const { db } = platform.deps;
    const age = (days: number) =>
      db.execute(sql`update spaces set deleted_at = now() - make_interval(days => ${days}) where id = ${id}`);
    await age(6);
    const { signal } = new AbortController();
    expect(await purgeSpaces(db, signal)).toBe(0);
    await age(8);
    expect(await listDeleted()).not.toContainEqual([id, true]);
    expect((await post(`/spaces/${id}/restore`)).status).toBe(404);
    expect(await purgeSpaces(db, signal)).toBe(1);
    const rows = await db.execute(sql`select 1 from change_requests where id = ${first.id}`);
    expect(rows.rowCount).toBe(0);
    expect((await platform.api('DELETE', `/spaces/${id}`)).status).toBe(204);
  });
});

describe('a transfer', () => {
  it('moves a space to another organization in which the caller may create', async () => {
    const id = await create('spaces', 'Goes');
    const rules = { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [] }] };
    await platform.api('PATCH', `/spaces/${id}`, { body: { mergeRules: rules } });
    const transfer = (body: object) => post(`/spaces/${id}/transfer`, body);
    expect((await transfer({ organization: platform.organizationId })).status).toBe(409);
    expect((await transfer({ organization: noSuch })).status).toBe(404);
    const parent = (await post(`/orgs/${other}/collections`, { title: 'Arrivals' })).body.id;
    const moved = await transfer({ organization: other, parent });
    expect(moved.body).toMatchObject({ organization: other, parent, mergeRules: { type: 'inherit' } });
    expect((await transfer({ organization: other, parent })).status).toBe(409);
  });
});

describe('templates', () => {
  const begin = (id: string, body: object) => post(`/spaces/${id}/content/template`, body);

  it.each(['blank', 'product-docs', 'api-docs', 'handbook'])('%s has no broken links', async (id) => {
    const spaceId = await create('spaces', id);
    expect((await begin(spaceId, { id })).status).toBe(204);
    const { body } = await platform.api('GET', `/spaces/${spaceId}/links?limit=1000`);
    expect(body.stats.broken.total).toBe(0);
    expect((await platform.api('GET', `/spaces/${spaceId}/content/pages`)).body.pages).not.toEqual([]);
    expect((await begin(spaceId, { id })).status).toBe(409);
  });

  it('show files of the space, in a change request, and do not change existing files', async () => {
    const id = await create('spaces', 'Filled');
    await writeFiles(id, {
      'README.md': '# Mine\n',
      'pictures/the logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    const file = (await platform.api('GET', `/spaces/${id}/content/files`)).body.items[0].id;
    const { body } = await post(`/spaces/${id}/change-requests`, {});
    const reference = { kind: 'file', file };
    const params = { contentRefs: { screenshot: reference } };
    const applied = await begin(id, { id: 'product-docs', params, changeRequestId: String(body.number) });
    expect(applied.status).toBe(204);
    const path = `/spaces/${id}/change-requests/${body.number}/content`;
    const backlinks = await platform.api('GET', `${path}/files/${file}/backlinks`);
    expect(backlinks.body.items[0].position.path).toBe('getting-started/first-use.md');
    const { pages } = (await platform.api('GET', `/spaces/${id}/content/pages`)).body;
    expect(pages.map((page: { title: string }) => page.title)).toEqual(['Mine']);

    const unknown = await begin(id, { id: 'novel' });
    expect([unknown.status, unknown.body.error.message]).toEqual([404, expect.stringContaining('handbook')]);
    const wrong = [{ banner: reference }, { logo: { kind: 'file', file: noSuch } }];
    for (const contentRefs of wrong) {
      expect((await begin(id, { id: 'handbook', params: { contentRefs } })).status).toBe(400);
    }
    const count = (await platform.api('GET', `/spaces/${id}`)).body.changeRequests;
    expect(count).toBe(2);
    await platform.api('PATCH', `/spaces/${id}`, { body: { editMode: 'locked' } });
    expect((await begin(id, { id: 'handbook' })).status).toBe(403);
  });
});

describe('members', () => {
  it('are searched, sorted and paged; the last administrator stays', async () => {
    const base = `/orgs/${other}/members`;
    const me = (await platform.api('GET', '/user')).body;
    const inOther = { deps: platform.deps, organizationId: other };
    const added = [];
    for (const name of ['Ann 100%', 'Ben', 'Cleo'])
      added.push(await createMember(inOther, name, { role: 'read' }));
    const names = async (query: string) =>
      (await platform.api('GET', `${base}?${query}`)).body.items.map(
        (one: { user: { displayName: string } }) => one.user.displayName,
      );
    expect(await names('order=asc')).toEqual(['Operator', 'Ann 100%', 'Ben', 'Cleo']);
    expect(await names('search=%25')).toEqual(['Ann 100%']);
    // Addresses are searched, too, and those of these users are random; they have no space.
    expect(await names('search=N%201')).toEqual(['Ann 100%']);
    expect(await names('role=admin')).toEqual(['Operator']);
    expect(await names('sort=lastSeenAt')).toEqual([]);
    await platform.api('POST', `/orgs/${other}/ping`, { token: added[1]?.token ?? '' });
    expect(await names('sort=lastSeenAt')).toEqual(['Ben']);
    const seen: string[] = [];
    let page = '';
    do {
      const { body } = await platform.api('GET', `${base}?limit=1${page}`);
      expect(body.count).toBe(4);
      seen.push(body.items[0].user.displayName);
      page = body.next ? `&page=${body.next.page}` : '';
    } while (page !== '');
    expect(seen).toEqual(['Cleo', 'Ben', 'Ann 100%', 'Operator']);

    const own = `${base}/${me.id}`;
    expect((await platform.api('DELETE', own)).status).toBe(409);
    expect((await platform.api('PATCH', own, { body: { role: 'create' } })).status).toBe(409);
    const second = `${base}/${added[0]?.userId}`;
    const promoted = await platform.api('PATCH', second, { body: { role: 'admin' } });
    expect(promoted.body).toMatchObject({ role: 'admin', disabled: false });
    expect((await platform.api('PATCH', second, { body: { role: null } })).body.role).toBeNull();
    for (const _twice of [1, 2]) expect((await platform.api('DELETE', second)).status).toBe(204);
    expect((await platform.api('GET', second)).status).toBe(404);
    const leaving = { token: added[2]?.token ?? '' };
    expect((await platform.api('DELETE', `${base}/${added[2]?.userId}`, leaving)).status).toBe(204);
  });

  it('are users whose URLs can be read', async () => {
    const { body } = await platform.api('GET', '/user');
    const path = new URL(body.urls.location).pathname.replace('/v1', '');
    expect((await platform.api('GET', path)).body).toEqual(body);
  });
});

describe('an organization', () => {
  it('stores what is changed, and preserves what is left out', async () => {
    const path = `/orgs/${other}`;
    const patch = (body: object) => platform.api('PATCH', path, { body });
    const changes = {
      title: 'Renamed',
      emailDomains: ['example.com'],
      hostname: 'docs-example',
      defaultRole: 'read',
      logo: 'https://example.com/logo.svg',
      ai: true,
      inviteLinks: true,
    };
    const { logo, ...shown } = changes;
    expect((await patch(changes)).body).toMatchObject({ ...shown, urls: { logo } });
    const cleared = (await patch({ hostname: null, defaultRole: null, logo: null })).body;
    expect([cleared.hostname, cleared.defaultRole, cleared.urls.logo]).toEqual([undefined, null, undefined]);
    expect(cleared.title).toBe('Renamed');
    await platform.api('PATCH', `/orgs/${platform.organizationId}`, {
      body: { hostname: 'docs-example' },
    });
    expect((await patch({ hostname: 'docs-example' })).status).toBe(409);
    const wrong = [
      { defaultContent: { type: 'site', site: noSuch } },
      { mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [noSuch] }] } },
      { hostname: 'docs.example.com' },
      { logo: 'javascript:alert(1)' },
      { defaultRole: 'owner' },
    ];
    for (const body of wrong) expect((await patch(body)).status).toBe(400);
  });
});

describe('the binding that an older installation left', () => {
  it('is removed, and nothing else: not its content, not a connected one', async () => {
    const { db } = platform.deps;
    const id = await create('spaces', 'Bound');
    const path = `/spaces/${id}/git/legacy-installation`;
    await bindToRepository(id, 4711);
    expect((await platform.api('DELETE', path)).status).toBe(204);
    expect((await platform.api('GET', `/spaces/${id}/git/info`)).status).toBe(200);
    await disconnectBranch(db, { repositoryId: 4711, branch: 'main' }, 'The App was removed.');
    expect((await platform.api('DELETE', path)).status).toBe(204);
    expect(await findBindingOfSpace(db, id)).toBeNull();
    expect((await platform.api('GET', `/spaces/${id}/git/info`)).status).toBe(404);
    expect((await platform.api('GET', `/spaces/${id}`)).body.gitSync).toBeUndefined();
    expect((await platform.api('DELETE', path)).status).toBe(204);
    expect((await platform.api('DELETE', `/spaces/${noSuch}/git/legacy-installation`)).status).toBe(404);
  });

  async function bindToRepository(spaceId: string, repositoryId: number): Promise<void> {
    const { db } = platform.deps;
    const { revision } = (await platform.api('GET', `/spaces/${spaceId}`)).body;
    const binding = await reserveBinding(db, {
      id: newId(),
      installationId: 1,
      repositoryId,
      repository: 'a/b',
      branch: 'main',
      directory: '',
      title: 'Bound',
      pinned: true,
      direction: 'import',
    });
    await bindSpace(db, binding.id, spaceId, { isClaimed: false });
    const gitSync = {
      repoName: 'a/b',
      url: 'https://forge.example/a/b',
      updatedAt: new Date().toISOString(),
    };
    await markSynced(db, spaceId, { syncedRevisionId: revision, gitSync });
  }
});

describe('a collection without a title', () => {
  it('is called “Untitled collection”', async () => {
    const made = await platform.api('POST', `/orgs/${platform.organizationId}/collections`, { body: {} });
    expect([made.status, made.body.title]).toEqual([201, 'Untitled collection']);
  });
});
