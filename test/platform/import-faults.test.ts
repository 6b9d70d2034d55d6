import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { operations } from '../../src/contract/index.ts';
import { startPlatformJobs } from '../../src/platform/index.ts';
import { beginOperation, succeedOperation, updateOperationProgress } from '../../src/store/git-operations.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startPlatform, type TestPlatform } from './start-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ withJobs: false, git: { program: 'git' } });
});
afterAll(() => platform.close());

let spaceId: string;
beforeEach(async () => {
  platform.git.answer = () => 'git';
  platform.git.credentials = null;
  spaceId = await platform.createSpace();
});

/** The space's operations as they rest in the database. */
async function rest() {
  const { rows } = await platform.database.store.pool.query(
    'select * from git_operations where space_id = $1 order by sequence',
    [spaceId],
  );
  return rows;
}

async function ask(body: { url: string } & Record<string, unknown>): Promise<void> {
  await platform.client.call(operations.importGit, {
    params: { spaceId },
    body: { ref: 'refs/heads/main', ...body },
  });
}

// The jobs begin with this test: everything before them stands for a process that was killed.
it('continues an operation whose process was killed, and ignores the result of the lost run', async () => {
  const { repo, url } = await platform.createRepo('killed');
  await repo.commit({ 'README.md': '# Goes on\n' });
  await ask({ url, timestamp: '2024-01-01T00:00:00Z' });
  await ask({ url, timestamp: '2024-01-02T00:00:00Z' });
  const [older, newer] = await rest();
  const { db } = platform.deps;
  const lost = await beginOperation(db, newer.id);
  expect(lost?.attempts).toBe(1);
  const again = await beginOperation(db, newer.id);
  const result = { revisionId: null, commitOid: null, message: null, unchanged: false };
  expect(await updateOperationProgress(db, { id: newer.id, attempts: 1 }, { stage: 'finalize' })).toBe(false);
  expect(await succeedOperation(db, { id: newer.id, attempts: 1 }, result)).toBe(false);
  expect(again?.attempts).toBe(2);

  await startPlatformJobs(platform.deps);
  const ended = await platform.waitForEnd(spaceId, (one) => one.id === newer.id);
  expect(ended).toMatchObject({ state: 'success', skipped: false, attempts: 3, counts: { pages: 1 } });
  const skipped = await platform.waitForEnd(spaceId, (one) => one.id === older.id);
  expect(skipped).toMatchObject({ state: 'success', skipped: true });
  const { rows } = await platform.database.store.pool.query(
    'select count(*)::int from revisions where space_id = $1 and commit_oid is not null',
    [spaceId],
  );
  expect(rows[0].count).toBe(1);
});

it('stores credentials encrypted, only until the operation has finished, and exposes them nowhere', async () => {
  const { repo, url } = await platform.createRepo('secret');
  await repo.commit({ 'README.md': '# Secret\n' });
  platform.git.credentials = { username: 'x-access-token', password: 'p4ss/word' };
  const address = new URL(url);
  address.username = 'x-access-token';
  address.password = encodeURIComponent('p4ss/word');
  await ask({ url: address.href, gitInfo: { provider: 'other', url: address.href } });
  const [waiting] = await rest();
  expect(JSON.stringify(waiting)).not.toMatch(/p4ss/);
  const ended = await platform.waitForEnd(spaceId);
  expect(ended).toMatchObject({ state: 'success', url });
  const [row] = await rest();
  expect(row.sealed_credentials).toBeNull();
  const space = await platform.client.call(operations.getSpace, { params: { spaceId } });
  expect(JSON.stringify([space, ended, platform.log])).not.toMatch(/p4ss/);
});

it('reports that a repository needs a login, or that the login was rejected', async () => {
  const { repo, url } = await platform.createRepo('login');
  await repo.commit({ 'README.md': '# Login\n' });
  platform.git.credentials = { username: 'someone', password: 'right' };
  expect(await platform.importBranch(spaceId, { url })).toMatchObject({
    state: 'failure',
    error: { code: 'auth-required' },
  });
  const wrong = url.replace('://', '://someone:wrong@');
  const ended = await platform.importBranch(spaceId, { url: wrong });
  expect(ended).toMatchObject({ state: 'failure', error: { code: 'auth-required' } });
  expect(JSON.stringify(ended)).not.toContain('wrong');
});

it('reports that an address is not a git repository', async () => {
  platform.git.answer = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' });
  const ended = await platform.importBranch(spaceId, { url: `${platform.git.url}/page` });
  expect(ended).toMatchObject({ state: 'failure', error: { code: 'not-a-repository' } });
});

it('imports what an older event names, where a newer one named another repository and failed', async () => {
  const [named, other] = [await platform.createRepo('named'), await platform.createRepo('other')];
  await named.repo.commit({ 'README.md': '# Named\n' });
  await other.repo.commit({ 'README.md': '# Other\n' });
  const older = { url: named.url, timestamp: '2024-01-01T00:00:00Z' };
  const newer = { url: `${platform.git.url}/none.git`, timestamp: '2024-01-02T00:00:00Z' };
  expect(await platform.importBranch(spaceId, newer)).toMatchObject({ state: 'failure' });
  expect(await platform.importBranch(spaceId, older)).toMatchObject({ state: 'success', skipped: false });
  // What a newer event made live stays.
  expect(await platform.importBranch(spaceId, { ...newer, url: other.url })).toMatchObject({
    skipped: false,
  });
  expect(await platform.importBranch(spaceId, older)).toMatchObject({ state: 'success', skipped: true });
  expect((await platform.api('GET', `/spaces/${spaceId}/content`)).body.pages).toMatchObject([
    { title: 'Other' },
  ]);
});

testAtLength(
  'retries if a host does not answer, reports it meanwhile, and fails after four attempts',
  async () => {
    const { repo, url } = await platform.createRepo('down');
    await repo.commit({ 'README.md': '# Up again\n' });
    platform.git.answer = () => 'hang-up';
    await ask({ url });
    const failing = async () => {
      const { items } = await platform.client.call(operations.listGitOperations, { params: { spaceId } });
      return items[0]?.state === 'running' && items[0].error?.code === 'host-unreachable';
    };
    await expect.poll(failing, { timeout: PATIENCE_MS, interval: 50 }).toBe(true);
    platform.git.answer = () => 'git';
    expect(await platform.waitForEnd(spaceId)).toMatchObject({ state: 'success' });

    platform.git.answer = () => 'hang-up';
    const [{ sequence }] = await rest();
    await ask({ url });
    await platform.database.store.pool.query(
      'update git_operations set failures = 3 where space_id = $1 and sequence > $2',
      [spaceId, sequence],
    );
    const ended = await platform.waitForEnd(spaceId);
    expect(ended).toMatchObject({ state: 'failure', error: { code: 'host-unreachable' } });
    expect(ended.error?.message).toMatch(/\.$/);
  },
);

it('imports nothing into a locked space', async () => {
  const { url } = await platform.createRepo('locked');
  await platform.client.call(operations.updateSpace, { params: { spaceId }, body: { editMode: 'locked' } });
  const { status, body } = await platform.api('POST', `/spaces/${spaceId}/git/import`, {
    body: { url, ref: 'refs/heads/main' },
  });
  expect([status, body.error.message]).toEqual([403, expect.stringContaining('locked')]);
});

it('copes with hostile content: what cannot be stored as text, links that lead out, names of all kinds', async () => {
  const { repo, url } = await platform.createRepo('hostile');
  await repo.commit({
    'README.md': '---\ntitle: "a\\0b\\uD800c"\n---\n# x\n\n[l](a%00b.md) [m](../../../etc/passwd)\n',
    'nul.md': Buffer.from('# N\0ul\n\n[a\0b](c\0d.md)\n'),
    'bytes.md': Buffer.from([0xff, 0xfe, 0x41]),
    'näme with space.md': '# Name\n',
    'quote".md': '# Quote\n',
    'link.md': { symlink: '/etc/passwd' },
    'out.png': { symlink: '../../secret.png' },
    sub: { submodule: 'a'.repeat(40) },
    'empty.md': '',
  });
  const ended = await platform.importBranch(spaceId, { url });
  expect(ended).toMatchObject({ state: 'success' });
  const content = (await platform.api('GET', `/spaces/${spaceId}/content`)).body;
  expect(content.files).toEqual([]);
  for (const page of content.pages) {
    const answer = await platform.api('GET', `/spaces/${spaceId}/content/page/${page.id}?format=markdown`);
    expect(answer.status).toBe(200);
  }
  await platform.api('GET', `/spaces/${spaceId}/links`);
});
