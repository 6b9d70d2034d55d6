import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
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
import { casesAtLength } from '../support/describe-at-length.ts';
import { createGitRepo, type TestRepo } from '../support/git-repo.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { pickPort } from '../support/pick-port.ts';

let root: string;
let server: GitServer;
let origin: TestRepo;
let remote: GitRemote;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'docloom-faults-'));
  server = await startGitServer(root);
  origin = await createGitRepo(join(root, 'a.git'));
  await origin.commit({ 'a.md': 'a' });
  await createGitRepo(join(root, 'empty.git'));
  remote = { url: `${server.url}/a.git` };
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

describe.each(
  casesAtLength(
    'faults of repositories kept by isomorphic-git',
    ['git'] as const,
    ['isomorphic-git'] as const,
  ),
)('a repository kept by %s says what is wrong:', (program) => {
  let repository: GitRepository;

  const directory = () => join(root, 'cache');

  async function open(options: Partial<RepositoryCacheOptions> = {}): Promise<GitRepository> {
    const guard = createAddressGuard({ allowHosts: [server.host] });
    const cache = await openRepositoryCache({ directory: directory(), guard, program, ...options });
    return cache.repository(`${++count}`);
  }

  beforeAll(async () => {
    repository = await open();
  });
  beforeEach(() => {
    server.answer = () => 'git';
    server.credentials = null;
  });

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
  const fetchMain = (from: GitRemote = remote, using = repository) => using.fetchRef(from, 'refs/heads/main');

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
      /does not send the object a{40}/,
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
    const empty = { url: `${server.url}/empty.git` };
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

  it('a response that is not a pack', async () => {
    server.answer = ({ method }) => (method === 'POST' ? brokenPack : 'git');
    await expect(fetchMain()).rejects.toMatchObject({ name: 'GitError' });
    server.answer = () => 'git';
    await expect(fetchMain()).resolves.toMatch(/^[0-9a-f]{40}$/);
  });

  it('a pack above the limit', async () => {
    const noise = Buffer.from(Array.from({ length: 100_000 }, () => Math.random() * 256));
    await origin.commit({ 'noise.bin': noise }, { branch: 'noise' });
    const tight = await open({ maxPackBytes: 50_000 });
    await expect(tight.fetchRef(remote, 'refs/heads/noise')).rejects.toMatchObject({
      code: 'too-large',
      retryable: false,
    });
    await expect(fetchMain(remote, tight)).resolves.toMatch(/^[0-9a-f]{40}$/);
  });

  it('a host that does not answer', async () => {
    const host = `127.0.0.1:${await pickPort()}`;
    const lonely = await open({ guard: createAddressGuard({ allowHosts: [host] }) });
    const error = await fetchMain({ url: `http://${host}/a.git` }, lonely).catch((e) => e);
    expect(error).toMatchObject({ code: 'host-unreachable', retryable: true });
    expect(error.message).toBe(
      `${host} could not be reached: it refuses connections; check the address, and that the server is up.`,
    );
  });

  it('a port that does not speak TLS', async () => {
    const url = `${server.url.replace('http:', 'https:')}/a.git`;
    const error = await fetchMain({ url }).catch((e) => e);
    expect(error).toMatchObject({ code: 'host-unreachable', retryable: false });
    expect(error.message).toMatch(/does not speak TLS/);
  });

  it('a name that cannot be resolved', async () => {
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
    ['an address that may not be reached', 'https://127.0.0.1/a.git', {}],
    ['a name that cannot be resolved', 'https://nowhere.test/a.git', { lookup: async () => [] }],
    ['credentials that are refused', null, null],
  ])('and leaves nothing in the cache for %s', async (_name, url, guard) => {
    server.credentials = { username: 'u', password: 'right' };
    const before = await readdir(directory());
    const refused = await open(guard === null ? {} : { guard: createAddressGuard(guard) });
    await expect(fetchMain({ url: url ?? remote.url }, refused)).rejects.toMatchObject({ name: 'GitError' });
    expect(await readdir(directory())).toEqual(before);
    if (guard !== null) return;
    server.credentials = null;
    await expect(fetchMain(remote, refused)).resolves.toMatch(/^[0-9a-f]{40}$/);
    expect(await readdir(directory())).toHaveLength(before.length + 1);
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

  const typed = (kind: string) => ({ 'content-type': `application/x-git-upload-pack-${kind}` });
  const endless = (response: ServerResponse) => {
    response.writeHead(200, typed('advertisement'));
    const line = `003d${'a'.repeat(40)} refs/heads/branch-001\n`;
    const more = () => {
      while (!response.destroyed && response.write(line.repeat(1_000)));
    };
    response.on('drain', more);
    more();
  };
  const slow = (response: ServerResponse) => {
    response.writeHead(200, typed('advertisement'));
    const timer = setInterval(() => response.write('0'), 20);
    response.on('close', () => clearInterval(timer));
  };
  const talkative = (response: ServerResponse) => {
    response.writeHead(200, { ...typed('advertisement'), 'x-more': 'a'.repeat(2_000_000) }).end();
  };
  const cutShort = (response: ServerResponse) => {
    const pack = Buffer.concat([
      Buffer.from('PACK'),
      Buffer.from([0, 0, 0, 2, 0, 0, 0, 9, 0x95, 0x0a, 0x78]),
    ]);
    response.writeHead(200, typed('result')).end(Buffer.concat([Buffer.from('0008NAK\n'), pack]));
  };

  /** The side-band that both programs ask for, behind what their versions of the protocol say before it. */
  const packet = (bytes: Buffer) =>
    Buffer.concat([Buffer.from((bytes.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), bytes]);
  const beginPack = (response: ServerResponse) => {
    response.writeHead(200, typed('result'));
    response.write(program === 'git' ? '000dpackfile\n' : '0008NAK\n');
    // One blob that is said to be of 2 GB, in zlib's stored blocks.
    const head = [0, 0, 0, 2, 0, 0, 0, 1, 0xb0, 0x80, 0x80, 0x80, 0x40, 0x78, 0x01];
    response.write(packet(Buffer.concat([Buffer.from('PACK'), Buffer.from(head)])));
  };
  const endlessPack = (response: ServerResponse) => {
    beginPack(response);
    const size = 0x7fff;
    const block = packet(
      Buffer.concat([
        Buffer.from([0, size & 0xff, size >> 8, ~size & 0xff, (~size >> 8) & 0xff]),
        Buffer.alloc(size),
      ]),
    );
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  };
  const breakOff = (response: ServerResponse) => {
    beginPack(response);
    response.end();
  };
  /** The git program asks for the branch's tip first, in a request of its own. */
  const atPack = (answer: (response: ServerResponse) => void) => {
    let posts = 0;
    return ({ method }: { readonly method: string }) => {
      if (method === 'POST') posts += 1;
      return method === 'POST' && (program !== 'git' || posts > 1) ? answer : 'git';
    };
  };

  it.each([
    ['never ends', endlessPack, 'too-large'],
    ['falls silent', beginPack, 'timeout'],
    ['breaks off', breakOff, null],
  ] as const)('a pack that %s', async (_name, answer, code) => {
    const tight = await open({ maxPackBytes: 3_000_000, timeoutMs: code === 'timeout' ? 1_500 : 60_000 });
    server.answer = atPack(answer);
    const error = await fetchMain(remote, tight).catch((e) => e);
    expect(error).toMatchObject({ name: 'GitError', ...(code && { code }) });
    server.answer = () => 'git';
    await expect(fetchMain()).resolves.toMatch(/^[0-9a-f]{40}$/);
  });

  it.each([
    ['lists branches without end', 'GET', endless],
    ['sends a byte now and then', 'GET', slow],
    ['sends headers without end', 'GET', talkative],
    ['cuts its pack short', 'POST', cutShort],
  ] as const)('a host that %s', async (_name, at, answer) => {
    server.answer = ({ method }) => (method === at ? answer : 'git');
    const hasty = await open({ timeoutMs: 1_500 });
    await expect(fetchMain(remote, hasty)).rejects.toMatchObject({ name: 'GitError' });
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
    await expect(repository.fetchRef(remote, 'refs/heads/main', { signal: controller.signal })).rejects.toBe(
      reason,
    );
  });
});
