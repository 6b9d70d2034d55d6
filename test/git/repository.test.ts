import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CachedRepository,
  type GitRemote,
  type GitRepository,
  openRepositoryCache,
  type RepositoryCache,
  type RepositoryCacheOptions,
} from '../../src/git/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { isWhole, testAtLength } from '../support/describe-at-length.ts';
import { createGitRepo, type TestRepo } from '../support/git-repo.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';

let root: string;
let server: GitServer;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docloom-git-'));
  server = await startGitServer(root);
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => {
  server.answer = () => 'git';
  server.credentials = null;
});

async function collect(blobs: AsyncIterable<{ oid: string; bytes: Uint8Array }>): Promise<string[]> {
  const all = await Array.fromAsync(blobs);
  return all.map(({ bytes }) => Buffer.from(bytes).toString());
}

describe.each(['git', 'isomorphic-git'] as const)('a repository cached by %s', (program) => {
  /** What both read alike CI tries with both. */
  const itWithGit = program === 'git' ? it : testAtLength;
  let origin: TestRepo;
  let name: string;
  let remote: GitRemote;
  let cache: RepositoryCache;
  let repository: GitRepository;

  function openCache(options: Partial<RepositoryCacheOptions> = {}): Promise<RepositoryCache> {
    const guard = createAddressGuard({ allowHosts: [server.host] });
    return openRepositoryCache({ directory: join(root, 'cache'), guard, program, ...options });
  }

  beforeAll(async () => {
    cache = await openCache();
  });

  beforeEach(async () => {
    name = `repo-${++count}.git`;
    origin = await createGitRepo(join(root, name));
    remote = { url: `${server.url}/${name}` };
    repository = await cache.repository(name);
  });

  describe('the last changes of files', () => {
    const second = (nth: number) => new Date(Date.parse('2024-01-01T00:00:00Z') + nth * 1_000);

    it('are those of their commits, where git fetches them without blobs', async () => {
      await origin.commit({ 'docs/a.md': '1', 'docs/b.md': '1', 'x.md': '1' });
      await origin.commit({ 'docs/b.md': '2', 'docs/wörter "x".md': '1', 'docs/ü.md': '1' });
      const tip = await origin.commit({ 'x.md': '2' });
      await repository.fetchRef(remote, 'refs/heads/main');
      const found = await repository.readLastChanges(remote, tip, { directory: 'docs' });
      if (program !== 'git') return expect(found).toBeNull();
      expect(found?.byPath).toEqual(
        new Map([
          ['docs/b.md', second(1)],
          ['docs/ü.md', second(1)],
          ['docs/a.md', second(0)],
        ]),
      );
      expect(found?.oldest).toEqual(second(0));
      const all = await repository.readLastChanges(remote, tip, { directory: '' });
      expect(all?.byPath.get('x.md')).toEqual(second(2));
      expect(await repository.fetchRef(remote, 'refs/heads/main')).toBe(tip);
    });

    testAtLength('are known as far back as the history that is fetched', async () => {
      if (program !== 'git') return;
      await origin.commit({ 'old.md': '1' });
      for (let nth = 0; nth < 501; nth += 1) await origin.commit({ 'new.md': String(nth) });
      const tip = await repository.fetchRef(remote, 'refs/heads/main');
      const found = await repository.readLastChanges(remote, tip, { directory: '' });
      expect(found?.byPath).toEqual(new Map([['new.md', second(501)]]));
      expect(found?.oldest).toEqual(second(2));
    });
  });

  describe('reads', () => {
    it('commits, trees and blobs', async () => {
      const submodule = '1'.repeat(40);
      const first = await origin.commit({ 'README.md': 'old' });
      const oid = await origin.commit(
        {
          'README.md': '# Hi\n',
          'docs/b.md': 'b',
          'docs/a/c.md': 'c',
          'docs-more/d.md': 'd',
          'run.sh': { executable: '#!/bin/sh\n' },
          link: { symlink: '../../etc/passwd' },
          vendor: { submodule },
          'Ünï 文.md': 'ü',
        },
        { message: 'Grüße\n\nMore' },
      );
      expect(await repository.fetchRef(remote, 'refs/heads/main')).toBe(oid);
      const person = { name: 'Docs Bot', email: 'bot@example.com', at: new Date('2024-01-01T00:00:01Z') };
      expect(await repository.readCommit(oid)).toEqual({
        oid,
        tree: await origin.git(['rev-parse', `${oid}^{tree}`]),
        parents: [first],
        message: 'Grüße\n\nMore',
        author: person,
        committer: person,
      });

      const tree = await repository.readTree(oid);
      expect(tree.map(({ path, mode }) => [path, mode])).toEqual([
        ['README.md', 'file'],
        ['docs-more/d.md', 'file'],
        ['docs/a/c.md', 'file'],
        ['docs/b.md', 'file'],
        ['link', 'symlink'],
        ['run.sh', 'executable'],
        ['vendor', 'submodule'],
        ['Ünï 文.md', 'file'],
      ]);
      expect(tree.find(({ path }) => path === 'vendor')?.oid).toBe(submodule);
      if (program === 'git') expect(tree.map(({ size }) => size)).toEqual([5, 1, 1, 1, 16, 10, undefined, 2]);

      const oids = ['docs/b.md', 'link', 'README.md', 'docs/b.md'].map(
        (path) => tree.find((entry) => entry.path === path)?.oid ?? '',
      );
      expect(await collect(repository.readBlobs(oids, remote))).toEqual([
        'b',
        '../../etc/passwd',
        '# Hi\n',
        'b',
      ]);
    });

    itWithGit('from a repository that left the cache and came back', async () => {
      const first = await origin.commit({ 'a.md': 'a', 'docs/b.md': 'b' });
      await repository.fetchRef(remote, 'refs/heads/main');
      await repository.readTree(first);
      await rm((repository as CachedRepository).directory, { recursive: true });
      const again = await cache.repository(name);
      expect(await again.fetchRef(remote, 'refs/heads/main')).toBe(first);
      const oids = (await again.readTree(first)).map((entry) => entry.oid);
      expect(await collect(again.readBlobs(oids, remote))).toEqual(['a', 'b']);
    });

    itWithGit('the oid of a folder, which changes only with what is below it', async () => {
      const first = await origin.commit({ 'docs/en/a.md': 'a', 'b.md': 'b' });
      await repository.fetchRef(remote, 'refs/heads/main');
      const second = await origin.commit({ 'b.md': 'changed' });
      await repository.fetchRef(remote, 'refs/heads/main');
      const en = await origin.git(['rev-parse', `${first}:docs/en`]);
      expect(await repository.readTreeOid(first, 'docs/en')).toBe(en);
      expect(await repository.readTreeOid(second, 'docs/en')).toBe(en);
      expect(await repository.readTreeOid(first, '')).not.toBe(await repository.readTreeOid(second, ''));
      for (const directory of ['nope', 'b.md', 'docs/EN', '/docs', 'docs/', '..', 'docs/../docs']) {
        expect(await repository.readTreeOid(first, directory)).toBeNull();
      }
    });

    itWithGit('blobs in any number, and stops when no more are requested', async () => {
      const files = Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`${i}.md`, `page ${i}`]));
      const oid = await origin.commit(files);
      await repository.fetchRef(remote, 'refs/heads/main');
      const oids = (await repository.readTree(oid)).map((entry) => entry.oid);
      expect(new Set(await collect(repository.readBlobs(oids, remote)))).toEqual(
        new Set(Object.values(files)),
      );
      for await (const blob of repository.readBlobs(oids, remote)) {
        expect(blob.oid).toBe(oids[0]);
        break;
      }
      expect(await collect(repository.readBlobs([], remote))).toEqual([]);
    });

    itWithGit('a tree of many files at once', async () => {
      const count = isWhole('reading a tree of 10,000 files at once') ? 10_000 : 1_500;
      const files = Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`d${i % 10}/e${i % 700}/page-${i}.md`, `${i}`]),
      );
      const oid = await origin.commit(files);
      await repository.fetchRef(remote, 'refs/heads/main');
      const start = performance.now();
      const tree = await repository.readTree(oid);
      expect(tree).toHaveLength(count);
      expect(tree.map(({ path }) => path)).toEqual(Object.keys(files).sort());
      expect(performance.now() - start).toBeLessThan(10_000);
    });

    itWithGit('nothing that was not fetched', async () => {
      const oid = 'b'.repeat(40);
      await expect(repository.readCommit(oid)).rejects.toMatchObject({ code: 'commit-not-found' });
      await expect(repository.readTree(oid)).rejects.toMatchObject({ code: 'commit-not-found' });
      await origin.commit({ a: 'a' });
      await repository.fetchRef(remote, 'refs/heads/main');
      await expect(collect(repository.readBlobs([oid], remote))).rejects.toMatchObject({
        code: 'commit-not-found',
      });
    });

    itWithGit('hostile names as they are, or reports them', async () => {
      const blob = await origin.git(['hash-object', '-w', '--stdin'], 'x');
      const hostile: [string, Buffer][] = [
        ['40000', Buffer.from('..')],
        ['100644', Buffer.from('.')],
        ['40000', Buffer.from('.GIT')],
        ['100644', Buffer.from('/etc/passwd')],
        ['100644', Buffer.from([0x66, 0xfc, 0x72])],
        ['100644', Buffer.from('$(rm -rf).md')],
        ['100644', Buffer.from('a\nb\\"c.md')],
        ['100644', Buffer.from('twice.md')],
        ['100644', Buffer.from('twice.md')],
        ['100644', Buffer.from('-rf')],
      ];
      const writeTree = (entries: [string, Buffer, string][]) =>
        origin.git(
          ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
          Buffer.concat(
            entries.flatMap(([mode, file, oid]) => [
              Buffer.from(`${mode} `),
              file,
              Buffer.from([0]),
              Buffer.from(oid, 'hex'),
            ]),
          ),
        );
      const folder = await writeTree([['100644', Buffer.from('x'), blob]]);
      const tree = await writeTree(
        hostile.map(([mode, file]) => [mode, file, mode === '40000' ? folder : blob]),
      );
      await commitTree(origin, tree);
      const oid = await repository.fetchRef(remote, 'refs/heads/main');

      const skipped: string[] = [];
      const entries = await repository.readTree(oid, {
        onSkipped: ({ path, reason }) => skipped.push(`${path}: ${reason}`),
      });
      expect(entries.map(({ path }) => path)).toEqual(['$(rm -rf).md', '-rf', 'a\nb\\"c.md', 'twice.md']);
      expect(skipped.sort()).toEqual([
        '..: .. is not allowed in a path',
        '.: . is not allowed in a path',
        '.GIT: .GIT is not allowed in a path',
        '/etc/passwd: its name is empty or has a slash',
        'f\ufffdr: its name is not UTF-8',
        'twice.md: its path is twice in the tree',
      ]);
    });

    itWithGit('no tree that expands to more paths than allowed', async () => {
      let oid = await origin.git(['hash-object', '-w', '--stdin'], 'x');
      let type = 'blob';
      for (let level = 0; level < 8; level++) {
        const lines = Array.from(
          { length: 20 },
          (_, i) => `${type === 'blob' ? '100644' : '040000'} ${type} ${oid}\tn${i}\n`,
        );
        oid = await origin.git(['mktree'], lines.join(''));
        type = 'tree';
      }
      await commitTree(origin, oid);
      const commit = await repository.fetchRef(remote, 'refs/heads/main');
      await expect(repository.readTree(commit)).rejects.toMatchObject({ code: 'too-large' });
    });
  });

  describe('fetches', () => {
    it('only what changed', async () => {
      const noise = Buffer.from(Array.from({ length: 60_000 }, () => Math.random() * 256));
      await origin.commit({ 'a.md': 'a', 'picture.png': noise });
      await repository.fetchRef(remote, 'refs/heads/main');
      const oid = await origin.commit({ 'a.md': 'b' });
      const tight = await (await openCache({ maxPackBytes: 20_000 })).repository(name);
      expect(await tight.fetchRef(remote, 'refs/heads/main')).toBe(oid);
      expect(await tight.fetchRef(remote, 'refs/heads/main')).toBe(oid);
    });

    it('files that are changed and changed back, of which each version is sent as a difference from the other', async () => {
      const lines = Array.from({ length: 60 }, (_, nth) => `Line ${nth} of a long page.`).join('\n');
      const files = Array.from({ length: 4 }, (_, nth) => `${nth}.md`);
      for (const file of files) {
        for (const version of ['', '\nmore', '']) {
          const oid = await origin.commit({ [file]: `${file}\n${lines}${version}` });
          expect(await repository.fetchRef(remote, 'refs/heads/main')).toBe(oid);
        }
      }
      const tip = await repository.fetchRef(remote, 'refs/heads/main');
      const oids = (await repository.readTree(tip)).map(({ oid }) => oid);
      expect(await collect(repository.readBlobs(oids, remote))).toEqual(
        files.map((file) => `${file}\n${lines}`),
      );
    });

    itWithGit('a branch whose history was rewritten', async () => {
      const old = await origin.commit({ 'a.md': 'a' });
      await repository.fetchRef(remote, 'refs/heads/main');
      for (let i = 0; i < 5; i++) await origin.commit({ 'a.md': `${i}` }, i === 0 ? { from: null } : {});
      const oid = await repository.fetchRef(remote, 'refs/heads/main');
      const [entry] = await repository.readTree(oid);
      expect(await collect(repository.readBlobs([entry?.oid ?? ''], remote))).toEqual(['4']);
      expect((await repository.readCommit(old)).oid).toBe(old);
    });

    it('refs of every kind, also when one name was a folder of another', async () => {
      const base = await origin.commit({ 'a.md': 'a' });
      const pull = await origin.commit({ 'a.md': 'b' }, { branch: 'refs/pull/7/head', from: base });
      await origin.git(['tag', 'light', base]);
      await origin.git(['-c', 'user.name=A', '-c', 'user.email=a@a', 'tag', '-a', '-m', 'x', 'v1', pull]);
      expect(await repository.fetchRef(remote, 'HEAD')).toBe(base);
      expect(await repository.fetchRef(remote, 'refs/pull/7/head')).toBe(pull);
      expect(await repository.fetchRef(remote, 'refs/tags/light')).toBe(base);
      expect(await repository.fetchRef(remote, 'refs/tags/v1')).toBe(pull);
      const topic = await origin.commit({ 'a.md': 'c' }, { branch: 'topic', from: base });
      expect(await repository.fetchRef(remote, 'refs/heads/topic')).toBe(topic);
      await origin.git(['update-ref', '-d', 'refs/heads/topic']);
      const below = await origin.commit({ 'a.md': 'd' }, { branch: 'topic/below', from: base });
      expect(await repository.fetchRef(remote, 'refs/heads/topic/below')).toBe(below);
    });

    itWithGit('a branch when the default branch is gone', async () => {
      const oid = await origin.commit({ 'a.md': 'a' }, { branch: 'other' });
      expect(await repository.fetchRef(remote, 'refs/heads/other')).toBe(oid);
    });

    it('a commit by its oid, that no ref names', async () => {
      const old = await origin.commit({ 'a.md': 'old' });
      await origin.commit({ 'a.md': 'new' });
      await repository.fetchRef(remote, 'refs/heads/main');
      await repository.fetchCommit(remote, old);
      const [entry] = await repository.readTree(old);
      expect(await collect(repository.readBlobs([entry?.oid ?? ''], remote))).toEqual(['old']);
      const before = server.requests.length;
      await repository.fetchCommit(remote, old);
      expect(server.requests).toHaveLength(before);
    });

    itWithGit('a commit into an empty cache', async () => {
      const oid = await origin.commit({ 'a.md': 'a' });
      await repository.fetchCommit(remote, oid);
      expect(await repository.readTree(oid)).toHaveLength(1);
    });

    it('large blobs, when they are requested, all at once', async () => {
      const large = (letter: string) => letter.repeat(200_000);
      const oid = await origin.commit({
        'a.md': 'a',
        'b.bin': large('b'),
        'c.bin': large('c'),
        'd.bin': large('d'),
      });
      await repository.fetchRef(remote, 'refs/heads/main');
      const oids = (await repository.readTree(oid)).map((entry) => entry.oid);
      server.credentials = { username: 'u', password: 'p' };
      const withCredentials = { ...remote, credentials: server.credentials };
      const before = server.requests.length;
      const read = await collect(repository.readBlobs(oids, withCredentials));
      expect(read).toEqual(['a', large('b'), large('c'), large('d')]);
      const packs = server.requests.slice(before).filter(({ method }) => method === 'POST');
      expect(packs).toHaveLength(program === 'git' ? 1 : 0);
    });

    it('all but the blobs that are too large, and never requests those again', async () => {
      const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => Math.random() * 256));
      const oid = await origin.commit({
        'a.md': 'a',
        'b.bin': noise(20_000),
        'huge.bin': noise(90_000),
        'huge.md': noise(70_000),
      });
      const limits = { blobLimitBytes: 1_000, maxBlobBytes: 30_000, maxPackBytes: 60_000 };
      const tight = await (await openCache(limits)).repository(`${name}-tight`);
      await tight.fetchRef(remote, 'refs/heads/main');
      const entries = await tight.readTree(oid);
      const oidOf = (path: string) => entries.find((entry) => entry.path === path)?.oid ?? '';
      const read = async () => {
        const tooLarge: string[] = [];
        const options = { commit: oid, onTooLarge: (text: string) => tooLarge.push(text) };
        const blobs = await Array.fromAsync(
          tight.readBlobs(
            entries.map((entry) => entry.oid),
            remote,
            options,
          ),
        );
        return { read: blobs.map((blob) => blob.oid), tooLarge: tooLarge.sort() };
      };
      const expected = {
        read: [oidOf('a.md'), oidOf('b.bin')],
        tooLarge: [oidOf('huge.bin'), oidOf('huge.md')].sort(),
      };
      expect(await read()).toEqual(expected);
      const before = server.requests.length;
      expect(await read()).toEqual(expected);
      expect(server.requests).toHaveLength(before);

      const next = await origin.commit({ 'a.md': 'b' });
      expect(await tight.fetchRef(remote, 'refs/heads/main')).toBe(next);
      const [entry] = await tight.readTree(next);
      expect(await collect(tight.readBlobs([entry?.oid ?? ''], remote))).toEqual(['b']);
    });

    itWithGit('leaves out a blob that is here and too large', async () => {
      const oid = await origin.commit({ 'a.md': 'a', 'b.bin': 'b'.repeat(5_000) });
      await repository.fetchRef(remote, 'refs/heads/main');
      const small = await (await openCache({ maxBlobBytes: 4_000 })).repository(name);
      const oids = (await small.readTree(oid)).map((entry) => entry.oid);
      const tooLarge: string[] = [];
      const onTooLarge = (text: string) => tooLarge.push(text);
      expect(await collect(small.readBlobs(oids, remote, { onTooLarge }))).toEqual(['a']);
      expect(tooLarge).toEqual([oids[1]]);
    });

    it('with credentials', async () => {
      const oid = await origin.commit({ 'a.md': 'a' });
      server.credentials = { username: 'x-access-token', password: 's3cret' };
      expect(
        await repository.fetchRef({ ...remote, credentials: server.credentials }, 'refs/heads/main'),
      ).toBe(oid);
    });

    it('from the address that the guard allowed, whatever the name resolves to elsewhere', async () => {
      const oid = await origin.commit({ 'a.md': 'a' });
      const host = server.host.replace('127.0.0.1', 'forge.invalid');
      const lookup = async () => [{ address: '127.0.0.1', family: 4 }] as const;
      const guard = createAddressGuard({ allowHosts: [host], lookup });
      const pinned = await (await openCache({ guard })).repository(name);
      expect(await pinned.fetchRef({ url: `http://${host}/${name}` }, 'refs/heads/main')).toBe(oid);
    });

    itWithGit('from where the repository moved to', async () => {
      const oid = await origin.commit({ 'a.md': 'a' });
      server.credentials = { username: 'u', password: 'p' };
      server.answer = ({ url }) =>
        url.startsWith('/old.git/')
          ? { status: 301, headers: { location: server.url + url.replace('/old.git', `/${name}`) } }
          : 'git';
      const old = { url: `${server.url}/old.git`, credentials: server.credentials };
      expect(await repository.fetchRef(old, 'refs/heads/main')).toBe(oid);
      const next = await origin.commit({ 'a.md': 'b' });
      expect(await repository.fetchRef(old, 'refs/heads/main')).toBe(next);
    });

    itWithGit('side by side, from several openers of one cache', async () => {
      const oids: Record<string, string> = {};
      for (const branch of ['a', 'b', 'c', 'd']) {
        oids[branch] = await origin.commit({ 'a.md': branch }, { branch, from: null });
      }
      const other = await (await openCache()).repository(name);
      const fetched = await Promise.all(
        Object.keys(oids).flatMap((branch) =>
          [repository, other].map(async (gitRepository) => {
            const oid = await gitRepository.fetchRef(remote, `refs/heads/${branch}`);
            const [entry] = await gitRepository.readTree(oid);
            return [branch, oid, await collect(gitRepository.readBlobs([entry?.oid ?? ''], remote))];
          }),
        ),
      );
      for (const [branch, oid, content] of fetched) {
        expect(oid).toBe(oids[branch as string]);
        expect(content).toEqual([branch]);
      }
    });
  });
});

async function commitTree(origin: TestRepo, tree: string): Promise<void> {
  const identity = ['-c', 'user.name=Docs Bot', '-c', 'user.email=bot@example.com'];
  const commit = await origin.git([...identity, 'commit-tree', '-m', 'x', tree]);
  await origin.git(['update-ref', 'refs/heads/main', commit]);
}
