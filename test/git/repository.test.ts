import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type GitRemote,
  type GitRepository,
  openRepositoryCache,
  type RepositoryCacheOptions,
} from '../../src/git/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
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

describe.each(['git', 'isomorphic-git'] as const)('a repository kept by %s', (program) => {
  let origin: TestRepo;
  let name: string;
  let remote: GitRemote;
  let cacheDir: string;
  let repository: GitRepository;

  async function open(options: Partial<RepositoryCacheOptions> = {}): Promise<GitRepository> {
    const guard = createAddressGuard({ allowHosts: [server.host] });
    const cache = await openRepositoryCache({ directory: cacheDir, guard, program, ...options });
    return cache.repository('one');
  }

  beforeEach(async () => {
    name = `repo-${++count}.git`;
    origin = await createGitRepo(join(root, name));
    remote = { url: `${server.url}/${name}` };
    cacheDir = join(root, `cache-${count}`);
    repository = await open();
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
      const person = { name: 'Ada Example', email: 'ada@example.com', at: new Date('2024-01-01T00:00:01Z') };
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

    it('the oid of a folder, which changes only with what is below it', async () => {
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

    it('blobs in any number, and stops when nobody wants more', async () => {
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

    it('a tree of 10,000 files at once', async () => {
      const files = Object.fromEntries(
        Array.from({ length: 10_000 }, (_, i) => [`d${i % 10}/e${i % 700}/page-${i}.md`, `${i}`]),
      );
      const oid = await origin.commit(files);
      await repository.fetchRef(remote, 'refs/heads/main');
      const start = performance.now();
      const tree = await repository.readTree(oid);
      expect(tree).toHaveLength(10_000);
      expect(tree.map(({ path }) => path)).toEqual(Object.keys(files).sort());
      expect(performance.now() - start).toBeLessThan(10_000);
    });

    it('nothing that was not fetched', async () => {
      const oid = 'b'.repeat(40);
      await expect(repository.readCommit(oid)).rejects.toMatchObject({ code: 'commit-not-found' });
      await expect(repository.readTree(oid)).rejects.toMatchObject({ code: 'commit-not-found' });
      await origin.commit({ a: 'a' });
      await repository.fetchRef(remote, 'refs/heads/main');
      await expect(collect(repository.readBlobs([oid], remote))).rejects.toMatchObject({
        code: 'commit-not-found',
      });
    });

    it('hostile names as they are, or reports them', async () => {
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
        '..: .. may not stand in a path',
        '.: . may not stand in a path',
        '.GIT: .GIT may not stand in a path',
        '/etc/passwd: its name is empty or has a slash',
        'f\ufffdr: its name is not UTF-8',
        'twice.md: its path stands twice in the tree',
      ]);
    });

    it('no tree that stands for more paths than there can be', async () => {
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
      const tight = await open({ maxPackBytes: 20_000 });
      expect(await tight.fetchRef(remote, 'refs/heads/main')).toBe(oid);
      expect(await tight.fetchRef(remote, 'refs/heads/main')).toBe(oid);
    });

    it('a branch whose history was rewritten', async () => {
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

    it('a branch when the default branch is gone', async () => {
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

    it('a commit into an empty cache', async () => {
      const oid = await origin.commit({ 'a.md': 'a' });
      await repository.fetchCommit(remote, oid);
      expect(await repository.readTree(oid)).toHaveLength(1);
    });

    it('large blobs, when they are asked for, all at once', async () => {
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

    it('with credentials', async () => {
      const oid = await origin.commit({ 'a.md': 'a' });
      server.credentials = { username: 'x-access-token', password: 's3cret' };
      expect(
        await repository.fetchRef({ ...remote, credentials: server.credentials }, 'refs/heads/main'),
      ).toBe(oid);
    });

    it('from where the repository moved to', async () => {
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

    it('side by side, from several openers of one cache', async () => {
      const oids: Record<string, string> = {};
      for (const branch of ['a', 'b', 'c', 'd']) {
        oids[branch] = await origin.commit({ 'a.md': branch }, { branch, from: null });
      }
      const other = await open();
      const fetched = await Promise.all(
        Object.keys(oids).flatMap((branch) =>
          [repository, other].map(async (one) => {
            const oid = await one.fetchRef(remote, `refs/heads/${branch}`);
            const [entry] = await one.readTree(oid);
            return [branch, oid, await collect(one.readBlobs([entry?.oid ?? ''], remote))];
          }),
        ),
      );
      for (const [branch, oid, content] of fetched) {
        expect(oid).toBe(oids[branch as string]);
        expect(content).toEqual([branch]);
      }
    });
  });

  describe('says what is wrong', () => {
    const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' };
    const garbage = {
      status: 200,
      headers: { 'content-type': 'application/x-git-upload-pack-advertisement' },
      body: 'garbage',
    };
    const brokenPack = {
      status: 200,
      headers: { 'content-type': 'application/x-git-upload-pack-result' },
      body: 'garbage',
    };
    const fetchMain = (from: GitRemote = remote, using = repository) =>
      using.fetchRef(from, 'refs/heads/main');

    beforeEach(async () => {
      await origin.commit({ 'a.md': 'a' });
    });

    it.each([
      [
        'no such branch',
        'ref-not-found',
        /has no branch nope; check its name/,
        () => repository.fetchRef(remote, 'refs/heads/nope'),
      ],
      [
        'no such ref',
        'ref-not-found',
        /has no ref refs\/pull\/9\/head/,
        () => repository.fetchRef(remote, 'refs/pull/9/head'),
      ],
      [
        'no full ref name',
        'ref-not-found',
        /write a branch as refs\/heads\/name/,
        () => repository.fetchRef(remote, 'main'),
      ],
      [
        'no such commit',
        'commit-not-found',
        /does not hand out the object a{40}/,
        () => repository.fetchCommit(remote, 'a'.repeat(40)),
      ],
      [
        'no such repository',
        'not-a-repository',
        /There is no repository at/,
        () => fetchMain({ url: `${server.url}/nope.git` }),
      ],
    ])('%s', async (_name, code, message, run) => {
      await expect(run()).rejects.toMatchObject({ name: 'GitError', code, retryable: false });
      await expect(run()).rejects.toThrow(message);
    });

    it('an empty repository', async () => {
      await createGitRepo(join(root, `empty-${count}.git`));
      const empty = { url: `${server.url}/empty-${count}.git` };
      await expect(fetchMain(empty)).rejects.toMatchObject({ code: 'ref-not-found' });
      await expect(fetchMain(empty)).rejects.toThrow(/something was pushed there/);
      await expect(repository.fetchCommit(empty, 'a'.repeat(40))).rejects.toMatchObject({
        code: 'commit-not-found',
      });
    });

    it('credentials are needed, or wrong, and never repeated', async () => {
      server.credentials = { username: 'u', password: 'right' };
      await expect(fetchMain()).rejects.toMatchObject({ code: 'auth-required', retryable: false });
      await expect(fetchMain()).rejects.toThrow(/needs credentials/);
      const error = await fetchMain({ ...remote, credentials: { username: 'u', password: 's3cret' } }).catch(
        (e) => e,
      );
      expect(error).toMatchObject({ code: 'auth-required' });
      expect(error.message).toMatch(/refused the credentials/);
      expect(JSON.stringify([error.message, error.stack, error.cause])).not.toMatch(/s3cret|dTpzM2NyZXQ/);
    });

    it.each([
      ['a web page', html, 'not-a-repository', false],
      ['garbage', garbage, null, false],
      ['nothing there', { status: 404 }, 'not-a-repository', false],
      ['forbidden', { status: 403 }, 'auth-required', false],
      ['too many requests', { status: 429 }, 'host-unreachable', true],
      ['a broken server', { status: 502 }, 'host-unreachable', true],
      ['a broken connection', 'hang-up', 'host-unreachable', true],
    ] as const)('%s', async (_name, answer, code, retryable) => {
      server.answer = () => answer;
      const error = await fetchMain().catch((e) => e);
      expect(error).toMatchObject({ name: 'GitError', retryable, ...(code && { code }) });
      expect(error.message).toContain(server.host);
    });

    it('a pack that is none', async () => {
      server.answer = ({ method }) => (method === 'POST' ? brokenPack : 'git');
      await expect(fetchMain()).rejects.toMatchObject({ name: 'GitError' });
      server.answer = () => 'git';
      await expect(fetchMain()).resolves.toMatch(/^[0-9a-f]{40}$/);
    });

    it('a pack above the limit', async () => {
      const noise = Buffer.from(Array.from({ length: 100_000 }, () => Math.random() * 256));
      await origin.commit({ 'noise.bin': noise });
      const tight = await open({ maxPackBytes: 50_000 });
      await expect(fetchMain(remote, tight)).rejects.toMatchObject({ code: 'too-large', retryable: false });
      await expect(fetchMain()).resolves.toMatch(/^[0-9a-f]{40}$/);
    });

    it('a host that nobody answers at', async () => {
      const free = createServer();
      await new Promise<void>((done) => free.listen(0, '127.0.0.1', done));
      const host = `127.0.0.1:${(free.address() as AddressInfo).port}`;
      await new Promise((done) => free.close(done));
      const lonely = await open({ guard: createAddressGuard({ allowHosts: [host] }) });
      const error = await fetchMain({ url: `http://${host}/a.git` }, lonely).catch((e) => e);
      expect(error).toMatchObject({ code: 'host-unreachable', retryable: true });
      expect(error.message).toBe(
        `${host} could not be reached: it refuses connections; check the address, and that the server is up.`,
      );
    });

    it('a name that nobody knows', async () => {
      const guard = createAddressGuard({ lookup: async () => [] });
      await expect(
        fetchMain({ url: 'https://nowhere.test/a.git' }, await open({ guard })),
      ).rejects.toMatchObject({
        code: 'host-unreachable',
        retryable: true,
      });
    });

    it.each([
      'https://127.0.0.1/a.git',
      'https://[::1]/a.git',
      'https://169.254.169.254/a.git',
      'http://git.test/a.git',
    ])('the address %s may not be reached', async (url) => {
      const before = server.requests.length;
      await expect(fetchMain({ url }, await open({ guard: createAddressGuard() }))).rejects.toMatchObject({
        code: 'address-refused',
        retryable: false,
      });
      expect(server.requests).toHaveLength(before);
    });

    it.each([
      ['to where it may not lead', () => server.url.replace('127.0.0.1', 'localhost'), 'address-refused'],
      ['to a login page', () => `${server.url}/login?from=`, 'not-a-repository'],
      ['to another scheme', () => 'file:///srv/git', 'not-a-repository'],
      ['in a circle', () => server.url, 'not-a-repository'],
    ])('a redirect %s', async (_name, target, code) => {
      server.answer = ({ url }) => ({ status: 302, headers: { location: target() + url } });
      await expect(fetchMain()).rejects.toMatchObject({ code });
    });

    it.each(['GET', 'POST'])('a host that falls silent at %s', async (silent) => {
      server.answer = ({ method }) => (method === silent ? 'stall' : 'git');
      const hasty = await open({ timeoutMs: 700 });
      await expect(fetchMain(remote, hasty)).rejects.toMatchObject({ code: 'timeout', retryable: true });
      server.answer = () => 'git';
      await expect(fetchMain()).resolves.toMatch(/^[0-9a-f]{40}$/);
    });

    it('nothing of its own when the caller aborts', async () => {
      const controller = new AbortController();
      const reason = new Error('changed my mind');
      server.answer = () => {
        controller.abort(reason);
        return 'stall';
      };
      await expect(
        repository.fetchRef(remote, 'refs/heads/main', { signal: controller.signal }),
      ).rejects.toBe(reason);
    });
  });
});

async function commitTree(origin: TestRepo, tree: string): Promise<void> {
  const identity = ['-c', 'user.name=Ada Example', '-c', 'user.email=ada@example.com'];
  const commit = await origin.git([...identity, 'commit-tree', '-m', 'x', tree]);
  await origin.git(['update-ref', 'refs/heads/main', commit]);
}
