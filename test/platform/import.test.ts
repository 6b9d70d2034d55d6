import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type PageResource } from '../../src/contract/index.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ git: { program: 'git' } });
});
afterAll(() => platform.close());

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

function titles(pages: readonly PageResource[]): unknown[] {
  return pages.map((page) => (page.pages.length > 0 ? [page.title, titles(page.pages)] : page.title));
}

describe('an import', () => {
  it('creates the pages, files and links of a branch', async () => {
    const { repo, url } = await platform.createRepo('first');
    const oid = await repo.commit({
      'docs/README.md': '# Home\n\nTo the [guide](guide/README.md#set-up) and [nowhere](nowhere.md).\n',
      'docs/guide/README.md':
        '# Guide\n\n## Set up\n\n![A dot](../dot.png), [home](../README.md), [site](https://example.com/).\n',
      'docs/guide/deep.md': '# Deep\n\n[code](../../src/main.c)\n',
      'docs/dot.png': onePixel,
      'src/main.c': 'int main;\n',
    });
    const spaceId = await platform.createSpace();
    const ended = await platform.importBranch(spaceId, {
      url,
      repoProjectDirectory: '/docs/',
      repoTreeURL: 'https://forge.example/o/first/blob/main/',
      repoCommitURL: 'https://forge.example/o/first/commit',
      gitInfo: { provider: 'github', url: 'https://forge.example/o/first' },
    });
    expect(ended).toMatchObject({
      state: 'success',
      skipped: false,
      commit: oid,
      directory: 'docs',
      counts: { pages: 3, files: 1, links: 6, broken: 1 },
    });

    const { api } = platform;
    const space = (await api('GET', `/spaces/${spaceId}`)).body;
    expect(space).toMatchObject({ revision: ended.revision, gitSync: { repoName: 'o/first' } });
    const content = (await api('GET', `/spaces/${spaceId}/content`)).body;
    expect(content.git).toMatchObject({
      oid,
      url: `https://forge.example/o/first/commit/${oid}`,
      ref: 'refs/heads/main',
    });
    expect(titles(content.pages)).toEqual(['Home', ['Guide', ['Deep']]]);
    expect(content.files).toMatchObject([
      { name: 'dot.png', contentType: 'image/png', size: 70, dimensions: { width: 1, height: 1 } },
    ]);

    const [home, guide] = content.pages as [PageResource, PageResource];
    const page = (await api('GET', `/spaces/${spaceId}/content/page/${home.id}?format=markdown`)).body;
    expect(page.markdown).toMatch(/^# Home\n/);
    const { document, markdown } = (await api('GET', `/spaces/${spaceId}/content/page/${home.id}`)).body;
    expect(markdown).toBeUndefined();
    expect(document.nodes[0]).toMatchObject({ type: 'heading-1', meta: { id: 'home' } });
    expect(document.nodes[1].nodes).toContainEqual(
      expect.objectContaining({
        type: 'link',
        data: { ref: expect.objectContaining({ kind: 'page', page: guide.id }) },
      }),
    );
    const links = (await api('GET', `/spaces/${spaceId}/content/page/${home.id}/links`)).body;
    expect(links.stats).toEqual({ total: 2, broken: { total: 1, changeRequest: 0 }, inApp: 0, unchecked: 0 });
    expect(links.items[0].targetReference).toMatchObject({
      kind: 'page',
      organization: { id: platform.organizationId },
      space: { id: spaceId, title: expect.any(String) },
      versionContext: { type: 'revision', revision: { id: content.id, pages: [], files: [] } },
      page: { id: guide.id, title: guide.title },
      internalLocation: { type: 'anchor', anchor: 'set-up' },
    });
    expect(links.items[1]).toMatchObject({
      status: 'broken',
      targetReference: { kind: 'url', url: 'nowhere.md' },
      locationReferences: [
        { kind: 'page', page: { id: home.id }, position: { path: 'docs/README.md', line: 3 } },
      ],
    });
    const backlinks = (await api('GET', `/spaces/${spaceId}/content/page/${guide.id}/backlinks`)).body;
    expect(backlinks.items).toMatchObject([{ kind: 'page', page: { id: home.id } }]);
    const file = content.files[0].id;
    const toFile = (await api('GET', `/spaces/${spaceId}/content/files/${file}/backlinks`)).body;
    expect(toFile).toMatchObject({ count: 1, items: [{ page: { id: guide.id } }] });

    const download = new URL(content.files[0].downloadURL).pathname;
    const picture = await fetch(platform.url + download, {
      headers: { authorization: `Bearer ${platform.token}` },
    });
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(onePixel);

    const all = (await api('GET', `/spaces/${spaceId}/links`)).body;
    expect(all.stats).toMatchObject({ total: 6, broken: { total: 1 }, unchecked: 1 });
    const code = all.items.find((item: { targetReference: { url?: string } }) =>
      item.targetReference.url?.includes('main.c'),
    );
    expect(code.targetReference.url).toBe('https://forge.example/o/first/blob/main/src/main.c');
    const broken = (await api('GET', `/spaces/${spaceId}/links?status=broken`)).body;
    expect(broken).toMatchObject({ count: 1, stats: { total: 6 } });
  });

  it('writes nothing if nothing changed, and preserves ids when files move', async () => {
    const { repo, url } = await platform.createRepo('moves');
    await repo.commit({ 'README.md': '# A\n', 'old.md': '# Moved\n\nText that stays.\n' });
    const spaceId = await platform.createSpace();
    const first = await platform.importBranch(spaceId, { url });
    const again = await platform.importBranch(spaceId, { url });
    expect(again).toMatchObject({ state: 'success', unchanged: true, revision: first.revision });

    const before = (await platform.api('GET', `/spaces/${spaceId}/content/pages`)).body
      .pages as PageResource[];
    const oid = await repo.commit({ 'old.md': null, 'new/place.md': '# Moved\n\nText that stays.\n' });
    const moved = await platform.importBranch(spaceId, { url });
    expect(moved).toMatchObject({ state: 'success', unchanged: false, commit: oid });
    const revision = (await platform.api('GET', `/spaces/${spaceId}/content`)).body;
    const flat = (pages: readonly PageResource[]): PageResource[] =>
      pages.flatMap((page) => [page, ...flat(page.pages)]);
    const idOf = (pages: readonly PageResource[], title: string) =>
      flat(pages).find((page) => page.title === title)?.id;
    expect(idOf(revision.pages, 'Moved')).toBe(idOf(before, 'Moved'));
    expect(revision.parents).toEqual([first.revision]);
  });

  it('does not change the content if it is standalone', async () => {
    const { repo, url } = await platform.createRepo('standalone');
    await repo.commit({ 'README.md': '# Live\n' });
    const spaceId = await platform.createSpace();
    const live = await platform.importBranch(spaceId, { url });
    await repo.commit({ 'README.md': '# Proposed\n', 'more.md': '# More\n' }, { branch: 'refs/pull/7/head' });
    const made = await platform.importBranch(spaceId, { url, ref: 'refs/pull/7/head', standalone: true });
    expect(made.state).toBe('success');
    const { api } = platform;
    expect((await api('GET', `/spaces/${spaceId}`)).body.revision).toBe(live.revision);
    const path = `/spaces/${spaceId}/revisions/${made.revision}`;
    const { pages } = (await api('GET', `${path}/pages`)).body;
    expect(titles(pages)).toEqual(['Proposed', 'More']);
    const page = (await api('GET', `${path}/page/${pages[0].id}?format=markdown`)).body;
    expect(page.markdown).toBe('# Proposed\n');
    expect((await api('GET', `${path}/links`)).body.count).toBe(0);
    const repeated = await platform.importBranch(spaceId, { url, ref: 'refs/pull/7/head', standalone: true });
    expect(repeated).toMatchObject({ unchanged: true, revision: made.revision });
  });

  it('is skipped if it is older than the last handled event, unless forced', async () => {
    const { repo, url } = await platform.createRepo('order');
    await repo.commit({ 'README.md': '# One\n' });
    const spaceId = await platform.createSpace();
    await platform.importBranch(spaceId, { url, timestamp: '2024-05-01T12:00:00+02:00' });
    const older = await platform.importBranch(spaceId, { url, timestamp: '2024-05-01T09:59:59Z' });
    expect(older).toMatchObject({ state: 'success', skipped: true });
    expect(older.message).toContain('2024-05-01T10:00:00.000Z');
    const forced = await platform.importBranch(spaceId, {
      url,
      timestamp: '2024-05-01T09:00:00Z',
      force: true,
    });
    expect(forced).toMatchObject({ state: 'success', skipped: false });
  });
});

describe('an import that fails', () => {
  const cases = [
    { name: 'a missing branch', ref: 'refs/heads/gone', code: 'ref-not-found' },
    { name: 'a missing folder', directory: 'nowhere', code: 'directory-not-found' },
    { name: 'a private address', url: 'https://10.0.0.1/x.git', code: 'address-refused' },
    { name: 'http to a host that is not allowed', url: 'http://localhost:1/x.git', code: 'address-refused' },
  ];

  it.each(cases)('ends as a failure that says why: $name', async ({ ref, directory, url, code }) => {
    const { repo, url: good } = await platform.createRepo(`fails-${code}-${ref ?? url?.length ?? ''}`);
    await repo.commit({ 'README.md': '# Stays\n' });
    const spaceId = await platform.createSpace();
    const live = await platform.importBranch(spaceId, { url: good });
    const ended = await platform.importBranch(spaceId, {
      url: url ?? good,
      ...(ref ? { ref } : {}),
      ...(directory ? { repoProjectDirectory: directory } : {}),
    });
    expect(ended).toMatchObject({ state: 'failure', error: { code } });
    expect(ended.error?.message).toMatch(/^[A-Z].{20,}\.$/);
    const space = await platform.client.call(operations.getSpace, { params: { spaceId } });
    expect(space.revision).toBe(live.revision);
  });
});
