/** A stock git client clones, fetches and pushes; what it may is what its token may. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casesAtLength, testAtLength } from '../support/describe-at-length.ts';
import { openSandbox, type Sandbox, WorkTree } from './support/open-sandbox.ts';

let sandbox: Sandbox;
let now = new Date();
const write = { permissions: { contents: 'write', metadata: 'read' } } as const;

beforeAll(async () => {
  sandbox = await openSandbox({ now: () => now }, write);
});
afterAll(() => sandbox.close());

let count = 0;
async function freshRepository(options: { private?: boolean } = {}) {
  count += 1;
  const owner = sandbox.forge.createUser('writer');
  const repository = await sandbox.forge.createRepository({
    owner: 'writer',
    name: `docs-${count}`,
    ...options,
  });
  const tree = new WorkTree(join(sandbox.folder, `work-${count}`), repository.cloneUrl, owner.token);
  const head = await tree.commit({ 'README.md': '# Docs\n' });
  await tree.push('main');
  const clone = (token?: string, ...args: string[]): Promise<string> => {
    const reader = new WorkTree(
      join(sandbox.folder, `clone-${randomBytes(4).toString('hex')}`),
      repository.cloneUrl,
      token,
    );
    return reader
      .git('clone', '--quiet', ...args, reader.remote, '.')
      .then(() => reader.git('rev-parse', 'HEAD'));
  };
  return { owner, repository, tree, head, clone };
}

it('lists refs as git does, without starting it', async () => {
  const { repository, tree, head } = await freshRepository();
  await tree.git('push', '--quiet', tree.remote, 'main:refs/heads/a/b', 'main:other');
  const list = async () => (await fetch(`${repository.cloneUrl}/info/refs?service=git-upload-pack`)).text();
  const listed = await list();
  // Tags are left to git, which looks at what they are.
  await tree.git('push', '--quiet', tree.remote, 'main:refs/tags/v1');
  const byGit = await list();
  expect(byGit).toContain(`003a${head} refs/tags/v1\n`);
  expect(listed).toBe(byGit.replace(`003a${head} refs/tags/v1\n`, ''));
});

it('lists the refs that a client asks for as git does, without starting it', async () => {
  const { repository, tree } = await freshRepository();
  await tree.git('push', '--quiet', tree.remote, 'main:refs/heads/a/b', 'main:other');
  const line = (text: string) => `${(text.length + 5).toString(16).padStart(4, '0')}${text}\n`;
  const request = (...args: string[]) =>
    `${line('command=ls-refs')}${line('object-format=sha1')}0001${args.map(line).join('')}0000`;
  const ask = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${repository.cloneUrl}/git-upload-pack`, {
      method: 'POST',
      headers: { 'git-protocol': 'version=2', ...headers },
      body,
    });
    return response.text();
  };
  for (const text of [
    `${line('command=ls-refs')}0000`,
    request('peel', 'symrefs', 'unborn'),
    request('symrefs', 'ref-prefix HEAD', 'ref-prefix refs/heads/'),
    request('ref-prefix refs/heads/a', 'ref-prefix refs/heads/ma'),
    request('ref-prefix refs/pull/'),
  ]) {
    // What is compressed is left to git.
    const byGit = await ask(new Uint8Array(gzipSync(text)), { 'content-encoding': 'gzip' });
    expect(byGit).toMatch(/0000$/);
    expect(await ask(new Uint8Array(Buffer.from(text)))).toBe(byGit);
  }
});

describe('who may do what', () => {
  it('lets everyone clone what is public, and no one without the right push', async () => {
    const { clone, head, repository, tree } = await freshRepository();
    expect(await clone()).toBe(head);
    const { token } = sandbox.forge.createUser('reader');
    await tree.commit({ 'more.md': 'more\n' });
    const as = (secret?: string) => new WorkTree(tree.folder, repository.cloneUrl, secret).push('main');
    await expect(as()).rejects.toThrow(/Authentication failed|could not read Username/);
    await expect(as('ghp_unknown')).rejects.toThrow('Authentication failed');
    await expect(as(token)).rejects.toThrow('denied to reader');
    sandbox.forge.addCollaborator(repository.fullName, 'reader');
    await as(token);
  });

  it('hides what is private from those who may not see it', async () => {
    const { clone, head, owner } = await freshRepository({ private: true });
    await expect(clone()).rejects.toThrow(/could not read Username/);
    await expect(clone(sandbox.forge.createUser('stranger').token)).rejects.toThrow('not found');
    expect(await clone(owner.token)).toBe(head);
  });

  it('accepts installation tokens for the repositories of the installation, for one hour', async () => {
    const { clone, head, repository } = await freshRepository({ private: true });
    const outside = await freshRepository({ private: true });
    const name = repository.fullName.split('/')[1] ?? '';
    const { installationId } = sandbox.forge.installApp({ owner: 'writer', repositories: [name] });
    const token = await sandbox.installationToken(installationId);
    expect(await clone(token)).toBe(head);
    await expect(outside.clone(token)).rejects.toThrow('not found');
    const started = now;
    now = new Date(started.getTime() + 61 * 60 * 1000);
    await expect(clone(token)).rejects.toThrow('Authentication failed');
    now = started;
  });

  it('lets a token that may only read fetch, and not push', async () => {
    const { repository, tree } = await freshRepository();
    const name = repository.fullName.split('/')[1] ?? '';
    const { installationId } = sandbox.forge.installApp({ owner: 'writer', repositories: [name] });
    const token = await sandbox.installationToken(installationId, { permissions: { contents: 'read' } });
    await tree.commit({ 'more.md': 'more\n' });
    await expect(new WorkTree(tree.folder, repository.cloneUrl, token).push('main')).rejects.toThrow(
      'denied to docloom[bot]',
    );
    const strong = await sandbox.installationToken(installationId);
    await new WorkTree(tree.folder, repository.cloneUrl, strong).push('main');
  });
});

describe('what the protocol can do', () => {
  it.each(casesAtLength('older versions of the git protocol', ['2'], ['0', '1']))(
    'clones with protocol version %s',
    async (version) => {
      const { repository, head } = await freshRepository();
      const reader = new WorkTree(join(sandbox.folder, `v${version}`), repository.cloneUrl);
      await reader.git('-c', `protocol.version=${version}`, 'clone', '--quiet', repository.cloneUrl, '.');
      expect(await reader.git('rev-parse', 'HEAD')).toBe(head);
    },
  );

  it('fetches without blobs, and a commit by its oid that no ref points at', async () => {
    const { repository, tree, head } = await freshRepository();
    await tree.commit({ 'README.md': '# Other\n' });
    await tree.git('commit', '--quiet', '--amend', '-m', 'Again');
    await tree.push('+main');
    const reader = new WorkTree(join(sandbox.folder, `partial-${count}`), repository.cloneUrl);
    await reader.git(
      'clone',
      '--quiet',
      '--filter=blob:none',
      '--no-checkout',
      '--depth',
      '1',
      repository.cloneUrl,
      '.',
    );
    await reader.git('fetch', '--quiet', 'origin', head);
    expect(await reader.git('cat-file', '-t', head)).toBe('commit');
    expect(await reader.git('rev-list', '--objects', '--missing=print', 'HEAD')).toMatch(/^\?/m);
  });

  testAtLength('accepts a push that is larger than one request of git', async () => {
    const { repository, tree, clone } = await freshRepository();
    const files = Object.fromEntries(
      Array.from({ length: 2 }, (_, i) => [`${i}.bin`, randomBytes(1024 * 1024)]),
    );
    const head = await tree.commit(files);
    await tree.push('main');
    expect(await clone()).toBe(head);
    expect(sandbox.forge.refs(repository.fullName)['refs/heads/main']).toBe(head);
  });

  testAtLength('unpacks requests that a client compresses, and survives damaged ones', async () => {
    const { repository, head } = await freshRepository();
    const ask = async (body: Uint8Array<ArrayBuffer>): Promise<string> => {
      const headers = { 'git-protocol': 'version=2', 'content-encoding': 'gzip' };
      const response = await fetch(`${repository.cloneUrl}/git-upload-pack`, {
        method: 'POST',
        headers,
        body,
      });
      return response.text();
    };
    const packed = new Uint8Array(gzipSync('0014command=ls-refs\n0000'));
    expect(await ask(packed)).toContain(`${head} refs/heads/main`);
    expect(await ask(packed.map((byte) => byte ^ 1))).toBe('');
  });

  it('refuses pushes to the refs of pull requests and to no repository at all', async () => {
    const { repository, tree } = await freshRepository();
    await expect(tree.push('main:refs/pull/1/head')).rejects.toThrow();
    const nowhere = new WorkTree(
      tree.folder,
      repository.cloneUrl.replace('docs-', 'nothing-'),
      sandbox.forge.createUser('writer').token,
    );
    await expect(nowhere.push('main')).rejects.toThrow('not found');
  });
});

describe('the event of a push', () => {
  it('lists the commits with their files, oldest first', async () => {
    const { repository, tree, head } = await freshRepository();
    sandbox.forge.installApp({ owner: 'writer', repositories: [repository.fullName.split('/')[1] ?? ''] });
    await tree.commit({ 'a.md': 'a\n', 'b.md': 'b\n' }, 'Add');
    const tip = await tree.commit({ 'a.md': null, 'b.md': 'B\n', 'ü/ä b.md': 'c\n' }, 'Change');
    await tree.push('main');
    await sandbox.forge.waitForIdle();
    const { payload } = sandbox.received.filter(({ event }) => event === 'push').at(-1) ?? {};
    expect(payload).toMatchObject({
      ref: 'refs/heads/main',
      before: head,
      after: tip,
      created: false,
      deleted: false,
      forced: false,
    });
    expect(payload.commits).toMatchObject([
      { message: 'Add', added: ['a.md', 'b.md'], removed: [], modified: [] },
      { id: tip, added: ['ü/ä b.md'], removed: ['a.md'], modified: ['b.md'] },
    ]);
    expect(payload.head_commit.id).toBe(tip);
    expect(payload.repository.pushed_at).toBe(Math.floor(now.getTime() / 1000));
    expect(payload.pusher.name).toBe('writer');
    expect(payload.installation.id).toBeGreaterThan(0);
  });

  it('has created, deleted and forced', async () => {
    const { repository, tree, head } = await freshRepository();
    sandbox.forge.installApp({ owner: 'writer', repositories: [repository.fullName.split('/')[1] ?? ''] });
    const zeros = '0'.repeat(40);
    await tree.push('main:refs/heads/topic');
    await tree.git('commit', '--quiet', '--amend', '-m', 'Other');
    const other = await tree.git('rev-parse', 'HEAD');
    await tree.push('+main:refs/heads/topic');
    await tree.push(':refs/heads/topic');
    await sandbox.forge.waitForIdle();
    const pushes = sandbox.received.filter(({ event }) => event === 'push').slice(-3);
    expect(pushes.map(({ payload }) => payload)).toMatchObject([
      { before: zeros, after: head, created: true, forced: false, commits: [] },
      { before: head, after: other, created: false, forced: true, commits: [{ id: other }] },
      { before: other, after: zeros, deleted: true, commits: [], head_commit: null },
    ]);
  });

  it('is not sent where the App is not installed', async () => {
    sandbox.forge.installApp({ owner: 'writer', repositories: [] });
    const before = sandbox.forge.deliveries.length;
    await freshRepository();
    await sandbox.forge.waitForIdle();
    expect(sandbox.forge.deliveries.length).toBe(before);
  });
});
