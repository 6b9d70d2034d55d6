import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GitOperation } from '../../../src/contract/index.ts';
import { casesAtLength, testAtLength } from '../../support/describe-at-length.ts';
import type { FileChange, TestRepo } from '../../support/git-repo.ts';
import { startPlatform, type TestPlatform } from '../start-platform.ts';

/** Sizes of what is made; `HOSTILE_FILES=100000 HOSTILE_BYTES=300000000` in the environment makes them as large as people fear. */
const manyFiles = Number(process.env['HOSTILE_FILES'] ?? 1_000);
const largeBytes = Number(process.env['HOSTILE_BYTES'] ?? 300_000);

interface Expected {
  /** What is told of files, by their paths. */
  readonly notices: Readonly<Record<string, string>>;
  /** The titles of all pages. */
  readonly pages: readonly string[];
}

const lfs = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
const home = { 'README.md': '# Home\n' };
const composed = 'caf\u00e9.md';
const apart = 'cafe\u0301.md';

/** All of these in one repository, which is imported nevertheless. */
const oddities: readonly (Expected & { readonly files: Readonly<Record<string, FileChange>> })[] = [
  { files: home, notices: {}, pages: ['Home'] },
  {
    files: {
      'passwd.md': { symlink: '/etc/passwd' },
      'up.md': { symlink: '../../up.md' },
      'gone.png': { symlink: 'nothing.png' },
      'a.md': { symlink: 'b.md' },
      'b.md': { symlink: 'a.md' },
      'same.md': { symlink: 'README.md' },
    },
    notices: {
      'passwd.md': 'symlink',
      'up.md': 'symlink',
      'gone.png': 'symlink',
      'a.md': 'symlink',
      'b.md': 'symlink',
    },
    pages: ['Home'],
  },
  {
    files: { vendor: { submodule: 'a'.repeat(40) }, 'x/theme': { submodule: 'b'.repeat(40) } },
    notices: { vendor: 'submodule', 'x/theme': 'submodule' },
    pages: [],
  },
  {
    files: { 'logo.png': lfs, 'words.md': lfs, '.gitattributes': '*.png filter=lfs\n' },
    notices: { 'logo.png': 'lfs-pointer', 'words.md': 'unread' },
    pages: ['Words'],
  },
  {
    files: { 'Guide.md': '# One\n', 'guide.md': '# Two\n', [composed]: '# Composed\n', [apart]: '# Apart\n' },
    notices: { 'guide.md': 'same-name', [composed]: 'same-name' },
    pages: ['One', 'Two', 'Composed', 'Apart'],
  },
  {
    files: { 'CON/a.md': '# Con\n', 'CON/b.md': '# Too\n', 'a:b.md': '# Stream\n', 'x\\y.md': '# Back\n' },
    notices: { 'CON/a.md': 'not-on-windows', 'a:b.md': 'not-on-windows', 'x\\y.md': 'not-on-windows' },
    pages: ['Con', 'Too', 'Stream', 'Back'],
  },
  { files: { [`${'d/'.repeat(500)}deep.md`]: '# Deep\n' }, notices: {}, pages: ['Deep'] },
  {
    files: {
      'video.mp4': randomBytes(largeBytes),
      'huge.md': randomBytes(largeBytes),
      'b.png': randomBytes(20_000),
    },
    notices: { 'video.mp4': 'too-large', 'huge.md': 'unread' },
    pages: ['Huge'],
  },
];
const all: Expected = {
  notices: Object.assign({}, ...oddities.map((one) => one.notices)),
  pages: oddities.flatMap((one) => one.pages),
};

describe.each(casesAtLength('fetching with isomorphic-git', ['git'] as const, ['isomorphic-git'] as const))(
  'a platform that fetches with %s',
  (program) => {
    let platform: TestPlatform;
    beforeAll(async () => {
      const limits = process.env['HOSTILE_BYTES']
        ? {}
        : { blobLimitBytes: 1_000, maxBlobBytes: 100_000, maxPackBytes: 200_000 };
      platform = await startPlatform({ git: { program, ...limits } });
    });
    afterAll(() => platform.close());

    async function importNew(name: string): Promise<{ repo: TestRepo; url: string; spaceId: string }> {
      return { ...(await platform.createRepo(name)), spaceId: await platform.createSpace(name) };
    }

    async function expectFailure(spaceId: string, url: string, code: string): Promise<void> {
      const ended = await platform.importBranch(spaceId, { url });
      expect(ended).toMatchObject({ state: 'failure', error: { code } });
      expect(ended.error?.message).toMatch(/^[^\n]{20,}\.$/);
    }

    async function expectPages(spaceId: string, url: string, expected: Expected): Promise<GitOperation> {
      const ended = await platform.importBranch(spaceId, { url });
      expect(ended.error, platform.log.slice(-1).join()).toBeUndefined();
      expect(ended.state).toBe('success');
      const notices = ended.notices ?? { count: 0, items: [] };
      expect(Object.fromEntries(notices.items.map(({ path, code }) => [path, code]))).toEqual(
        expected.notices,
      );
      expect(notices.count).toBe(Object.keys(expected.notices).length);
      const pages = await everyPage(spaceId);
      expect(pages.map((page) => page.title).sort()).toEqual([...expected.pages].sort());
      for (const { id } of pages) {
        expect((await platform.api('GET', `/spaces/${spaceId}/content/page/${id}`)).status).toBe(200);
      }
      return ended;
    }

    interface Entry {
      readonly id: string;
      readonly type: string;
      readonly title: string;
      readonly git?: object;
      readonly pages: readonly Entry[];
    }

    async function everyPage(spaceId: string): Promise<readonly Entry[]> {
      const { body } = await platform.api('GET', `/spaces/${spaceId}/content/pages`);
      const all: Entry[] = [];
      const waiting = [...(body.pages as Entry[])];
      for (let page = waiting.pop(); page; page = waiting.pop()) {
        // A folder below another is a page, too, but of no file.
        if (page.type === 'document' && page.git) all.push(page);
        waiting.push(...page.pages);
      }
      return all;
    }

    it('shows what can be shown of a hostile repository, and lists the other files', async () => {
      const { repo, url, spaceId } = await importNew('hostile');
      await repo.commit(Object.assign({}, ...oddities.map((one) => one.files)));
      await expectPages(spaceId, url, all);
      expect((await expectPages(spaceId, url, all)).unchanged).toBe(true);
      // What a push does not touch is told still.
      await repo.commit({ 'README.md': '# Home\n\nMore.\n' });
      await expectPages(spaceId, url, all);
    });

    testAtLength('rejects folders deeper than any file system allows', async () => {
      const { repo, url, spaceId } = await importNew('deep');
      await repo.commit({ [`${'d/'.repeat(2_100)}deep.md`]: '# Deep\n' });
      await expectFailure(spaceId, url, 'too-large');
    });

    it('reports a file without its bytes as too large, and serves the others', async () => {
      const { repo, url, spaceId } = await importNew('large');
      await repo.commit({ ...home, 'video.mp4': randomBytes(largeBytes), 'b.png': randomBytes(20_000) });
      await platform.importBranch(spaceId, { url });
      const { body } = await platform.api('GET', `/spaces/${spaceId}/content/files`);
      const read = (path: string) => {
        const file = body.items.find((one: { git: { path: string } }) => one.git.path === path);
        const { pathname, search } = new URL(file.downloadURL);
        return fetch(`${platform.url}${pathname}${search}`, {
          headers: { authorization: `Bearer ${platform.token}` },
        });
      };
      expect((await read('b.png')).status).toBe(200);
      const missing = await read('video.mp4');
      expect([missing.status, JSON.stringify(await missing.json())]).toEqual([
        404,
        expect.stringContaining('100 MB'),
      ]);
    });

    it('leaves out names that are not allowed, and reports them', async () => {
      const { repo, url, spaceId } = await importNew('names');
      const blob = await repo.git(['hash-object', '-w', '--stdin'], '# Page\n');
      const tree = (entries: readonly (readonly [mode: string, name: string | Buffer, oid: string])[]) =>
        repo.git(
          ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
          Buffer.concat(
            entries.flatMap(([mode, name, oid]) => [
              Buffer.from(`${mode} `),
              Buffer.from(name),
              Buffer.from([0]),
              Buffer.from(oid, 'hex'),
            ]),
          ),
        );
      const inner = await tree([['100644', 'config', blob]]);
      const root = await tree([
        ['40000', '..', inner],
        ['40000', '.GIT', inner],
        ['40000', '.git', inner],
        ['100644', '/etc/passwd', blob],
        ['100644', 'README.md', blob],
        ['100644', Buffer.from([0x66, 0xfc, 0x72]), blob],
        ['40000', 'git~1', inner],
      ]);
      const identity = ['-c', 'user.name=Docs Bot', '-c', 'user.email=bot@example.com'];
      await repo.git([
        'update-ref',
        'refs/heads/main',
        await repo.git([...identity, 'commit-tree', '-m', 'x', root]),
      ]);
      const paths = ['..', '.GIT', '.git', '/etc/passwd', 'f\ufffdr', 'git~1'];
      await expectPages(spaceId, url, {
        notices: Object.fromEntries(paths.map((path) => [path, 'name-refused'])),
        pages: ['Page'],
      });
    });

    testAtLength('reports an empty repository, then imports orphan and force-pushed branches', async () => {
      const { repo, url, spaceId } = await importNew('branches');
      await expectFailure(spaceId, url, 'ref-not-found');
      const first = await repo.commit({ ...home, 'a.md': '# A\n' });
      await expectPages(spaceId, url, { notices: {}, pages: ['Home', 'A'] });
      await repo.commit({ 'b.md': '# B\n' });
      await expectPages(spaceId, url, { notices: {}, pages: ['Home', 'A', 'B'] });
      await repo.commit({ ...home, 'o.md': '# Orphan\n' }, { from: null });
      await expectPages(spaceId, url, { notices: {}, pages: ['Home', 'Orphan'] });
      await repo.git(['update-ref', 'refs/heads/main', first]);
      const back = await expectPages(spaceId, url, { notices: {}, pages: ['Home', 'A'] });
      expect(back.commit).toBe(first);
      await repo.commit({ 'README.md': null, 'a.md': null });
      await expectPages(spaceId, url, { notices: {}, pages: [] });
    });

    testAtLength(`takes ${manyFiles} files`, async () => {
      const { repo, url, spaceId } = await importNew('many');
      const files = Array.from({ length: manyFiles }, (_, i) => [`d${i % 97}/page-${i}.md`, `# Page ${i}\n`]);
      await repo.commit(Object.fromEntries(files));
      const ended = await platform.importBranch(spaceId, { url });
      expect(ended).toMatchObject({ state: 'success', counts: { pages: manyFiles } });
    });
  },
);
