/** Pull requests follow their branches, also from forks, and tell the App each time. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { casesAtLength, testAtLength } from '../support/describe-at-length.ts';
import { openSandbox, type Sandbox, WorkTree } from './support/open-sandbox.ts';

const at = { owner: 'writer', repo: 'docs' };
let sandbox: Sandbox;
let tree: WorkTree;
let token: string;
let base: string;

beforeEach(async () => {
  sandbox = await openSandbox();
  token = sandbox.forge.createUser('writer').token;
  const repository = await sandbox.forge.createRepository({ owner: 'writer', name: 'docs' });
  sandbox.forge.installApp({ owner: 'writer', repositories: 'all' });
  tree = new WorkTree(join(sandbox.folder, 'work'), repository.cloneUrl, token);
  base = await tree.commit({ 'a.md': 'one\n', 'b.md': 'two\n' });
  await tree.push('main');
  await tree.git('checkout', '--quiet', '-b', 'topic');
});
afterEach(() => sandbox.close());

const actions = (): string[] =>
  sandbox.received.filter(({ event }) => event === 'pull_request').map(({ payload }) => payload.action);

async function open(files: Record<string, string | null> = { 'a.md': 'ONE\n' }): Promise<string> {
  const head = await tree.commit(files);
  await tree.push('topic');
  await sandbox.octokit(token).rest.pulls.create({ ...at, title: 'Topic', head: 'topic', base: 'main' });
  return head;
}

describe('a pull request', () => {
  it('can be fetched by its number, and so can its merge', async () => {
    const head = await open();
    const refs = await tree.git('ls-remote', tree.remote, 'refs/pull/*');
    expect(refs).toContain(`${head}\trefs/pull/1/head`);
    await tree.git('fetch', '--quiet', tree.remote, 'refs/pull/1/merge');
    expect((await tree.git('rev-parse', 'FETCH_HEAD^1', 'FETCH_HEAD^2')).split('\n')).toEqual([base, head]);
  });

  testAtLength('is updated with its branch, with the oids before and after', async () => {
    const before = await open();
    const after = await tree.commit({ 'c.md': 'three\n' });
    await tree.push('topic');
    await sandbox.forge.waitForIdle();
    const [{ payload } = { payload: null }] = sandbox.received.slice(-1);
    expect(payload).toMatchObject({
      action: 'synchronize',
      before,
      after,
      pull_request: { head: { sha: after } },
    });
    expect(await tree.git('ls-remote', tree.remote, 'refs/pull/1/head')).toContain(after);
  });

  testAtLength('shows when it conflicts with its base', async () => {
    await open();
    await tree.git('checkout', '--quiet', 'main');
    await tree.commit({ 'a.md': 'another one\n' });
    await tree.push('main');
    const { data } = await sandbox.octokit(token).rest.pulls.get({ ...at, pull_number: 1 });
    expect(data).toMatchObject({ mergeable: false, mergeable_state: 'dirty', merge_commit_sha: null });
    expect(await tree.git('ls-remote', tree.remote, 'refs/pull/1/merge')).toBe('');
  });

  it.each(['merge commit', 'fast-forward'])('is merged by a push of a %s to its base', async (how) => {
    const head = await open();
    await tree.git('checkout', '--quiet', 'main');
    await tree.git('merge', '--quiet', how === 'merge commit' ? '--no-ff' : '--ff-only', '-m', 'Merge', head);
    await tree.push('main');
    await sandbox.forge.waitForIdle();
    expect(actions()).toEqual(['opened', 'closed']);
    expect(sandbox.received.at(-1)?.payload.pull_request).toMatchObject({ merged: true, state: 'closed' });
  });

  testAtLength('is merged by the API, which pushes to the base', async () => {
    const head = await open();
    const { data } = await sandbox.octokit(token).rest.pulls.merge({ ...at, pull_number: 1 });
    await sandbox.forge.waitForIdle();
    expect(actions()).toEqual(['opened', 'closed']);
    const pushed = sandbox.received.filter(({ event }) => event === 'push').at(-1)?.payload;
    expect(pushed).toMatchObject({ ref: 'refs/heads/main', before: base, after: data.sha });
    expect(pushed.commits.map((commit: { id: string }) => commit.id)).toEqual([head, data.sha]);
    expect(sandbox.forge.refs('writer/docs')['refs/heads/main']).toBe(data.sha);
  });

  testAtLength('is closed when its branch is deleted, and opens again with it', async () => {
    const head = await open();
    await tree.push(':topic');
    const again = () => sandbox.octokit(token).rest.pulls.update({ ...at, pull_number: 1, state: 'open' });
    await expect(again()).rejects.toThrow('Validation Failed');
    await tree.push(`${head}:refs/heads/topic`);
    await again();
    await sandbox.forge.waitForIdle();
    expect(actions()).toEqual(['opened', 'closed', 'reopened']);
  });

  const refused = casesAtLength(
    'more pull requests that the sandbox refuses',
    [
      ['a second one for the same branches', { head: 'topic' }, 'already exists'],
      ['one without commits', { head: 'same' }, 'No commits between'],
    ] as const,
    [
      ['one from a branch that is not there', { head: 'none' }, 'does not exist'],
      ['one from an account that is not there', { head: 'nobody:topic' }, 'does not exist'],
      ['one from an account without a fork', { head: 'stranger:topic' }, 'does not exist'],
      ['one to a branch that is not there', { base: 'none' }, 'does not exist'],
    ] as const,
  );
  it.each(refused)('refuses %s', async (_name, change, message) => {
    await open();
    await tree.push(`${base}:refs/heads/same`);
    const create = sandbox
      .octokit(token)
      .rest.pulls.create({ ...at, title: 'Two', head: 'topic', base: 'main', ...change });
    await expect(create).rejects.toThrow(message);
  });
});

describe('a pull request from a fork', () => {
  it('is reported to the base, updated there, and can be fetched there by number', async () => {
    const other = sandbox.forge.createUser('reader');
    const fork = await sandbox.forge.fork({ source: 'writer/docs', owner: 'reader' });
    const work = new WorkTree(join(sandbox.folder, 'fork'), fork.cloneUrl, other.token);
    await work.git('clone', '--quiet', work.remote, '.');
    const first = await work.commit({ 'a.md': null, 'd.md': 'one\n' });
    await work.push('main:fix/it');
    await sandbox
      .octokit(other.token)
      .rest.pulls.create({ ...at, title: 'Fix', head: 'reader:fix/it', base: 'main' });
    const second = await work.commit({ 'e.md': 'five\n' });
    await work.push('main:fix/it');
    await sandbox.forge.waitForIdle();

    expect(actions()).toEqual(['opened', 'synchronize']);
    const { payload } = sandbox.received.at(-1) ?? {};
    expect(payload).toMatchObject({
      before: first,
      after: second,
      repository: { full_name: 'writer/docs' },
      pull_request: { head: { label: 'reader:fix/it', repo: { full_name: 'reader/docs', fork: true } } },
    });
    // The App is not on the fork, so only the base's pushes are told.
    const pushed = sandbox.received
      .filter(({ event }) => event === 'push')
      .map((received) => received.payload.repository.full_name);
    expect(new Set(pushed)).toEqual(new Set(['writer/docs']));

    await tree.git('fetch', '--quiet', tree.remote, 'refs/pull/1/head');
    expect(await tree.git('rev-parse', 'FETCH_HEAD')).toBe(second);
    const client = sandbox.octokit(token).rest;
    const files = (await client.pulls.listFiles({ ...at, pull_number: 1 })).data;
    expect(files).toMatchObject([
      { filename: 'd.md', previous_filename: 'a.md', status: 'renamed' },
      { filename: 'e.md', status: 'added' },
    ]);
    const compared = await client.repos.compareCommitsWithBasehead({
      ...at,
      basehead: 'main...reader:fix/it',
    });
    expect(compared.data).toMatchObject({ status: 'ahead', ahead_by: 2, merge_base_commit: { sha: base } });
  });
});
