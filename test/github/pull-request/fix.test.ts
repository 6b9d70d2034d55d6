/** The button of a check run: what is certain comes as a commit, or where the App may not write, as a review. */

import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CONTENT_RATE, contentKey } from '../../../src/github/api/octokit.ts';
import { fixFiles } from '../../../src/github/pull-request/fix-files.ts';
import { listJobsAbout } from '../../../src/queue/index.ts';
import { tables } from '../../../src/store/index.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { type AppBench, type BenchRepository, openAppBench, waitFor } from '../app-bench.ts';

let bench: AppBench;
let installationId: number;

beforeAll(async () => {
  const never = (): never => {
    throw new Error('Pull requests do not call the platform.');
  };
  bench = await openAppBench(async () => ({
    client: { call: never, paginate: never } as never,
    organizationId: never,
    start: async () => {},
  }));
});

afterAll(async () => {
  await bench?.close();
});

/** A byte order mark, line ends of Windows, and no line end at the end of the file. */
const HOME =
  '\u{feff}# Home\r\n\r\n[Moved](docs/moved.md "Moved") and `[Moved](docs/moved.md)`\r\n[Gone](none.md)';
const DOCS = {
  'README.md': HOME,
  'docs/index.md': '# Docs\n\n- [Moved](moved.md)\n',
  'docs/moved.md': '# Moved\n\nSome text.\n',
};
const RENAME = { 'docs/moved.md': null, 'docs/new-place.md': DOCS['docs/moved.md'] };

async function repositoryWithDocs(name: string, isPrivate = true): Promise<BenchRepository> {
  const repository = await bench.createRepository(name, { private: isPrivate });
  await repository.local.commit(DOCS);
  await repository.push();
  await bench.forge.waitForIdle();
  installationId = repository.install({ unheard: true });
  return repository;
}

async function openPull(repository: BenchRepository, head: string, more: object = {}): Promise<number> {
  const wanted = { title: head, head, base: 'main', ...more };
  return (await repository.api<{ number: number }>('POST', '/pulls', wanted)).number;
}

function completed(repository: BenchRepository, sha: string) {
  return waitFor(() =>
    bench.forge.checkRuns(repository.fullName, sha).find((run) => run.status === 'completed'),
  );
}

function headOf(repository: BenchRepository, number: number): string {
  return bench.forge.pulls(repository.fullName).find((one) => one.number === number)?.headSha ?? '';
}

function press(checkRunId: number, identifier: string): void {
  bench.forge.requestAction({ checkRunId, identifier, login: 'acme' });
}

test('redirects are written behind a byte order mark, once in each file, and only where the tree matches', async () => {
  const text = '\u{feff}root: ./\r\nredirects:\r\n  a: b.md\r\n';
  const at = text.length - 1;
  const entry = (path: string, mode: 'file' | 'symlink') => ({ path, oid: path, mode });
  const written = await fixFiles(
    {
      introduced: [],
      redirects: [
        { space: 'One', file: 'there', isNew: false, start: at, end: at, text: '  c: d.md\r\n', count: 1 },
        { space: 'Two', file: 'there', isNew: false, start: at, end: at, text: '  e: f.md\r\n', count: 1 },
        { space: 'One', file: 'new', isNew: true, start: 0, end: 0, text: 'redirects:\n', count: 2 },
        { space: 'One', file: 'link', isNew: true, start: 0, end: 0, text: 'redirects:\n', count: 2 },
        { space: 'One', file: 'gone', isNew: false, start: 0, end: 0, text: 'redirects:\n', count: 2 },
      ],
    },
    [entry('there', 'file'), entry('link', 'symlink')],
    async function* (entries) {
      for (const { oid } of entries) yield { oid, bytes: new TextEncoder().encode(text) };
    },
  );
  expect(written.map(({ path, after, redirects }) => [path, after, redirects])).toEqual([
    ['there', `${text}  c: d.md\r\n`, 1],
    ['new', 'redirects:\n', 2],
  ]);
});

test('a press commits what is certain, and nothing else of the files differs', async () => {
  const repository = await repositoryWithDocs('fixing');
  const main = await repository.local.git(['rev-parse', 'main']);
  const head = await repository.local.commit(RENAME, { branch: 'fix', from: main });
  await repository.push('fix');
  const number = await openPull(repository, 'fix');
  const run = await completed(repository, head);
  expect(run).toMatchObject({
    conclusion: 'failure',
    actions: [
      { label: 'Fix links', description: 'Commits the certain suggestions', identifier: 'fix-links' },
    ],
  });
  expect(run.summary).toContain('**Fix links** commits the 2 suggestions below to `fix`.');

  bench.forge.faults.set({ on: 'webhook', kind: 'duplicate', times: 1 });
  press(run.id, 'fix-links');
  const fixed = await waitFor(() => headOf(repository, number) !== head && headOf(repository, number));
  const commit = await repository.api<{
    commit: { message: string; author: { name: string; email: string } };
    parents: { sha: string }[];
    files: { filename: string; additions: number; deletions: number }[];
  }>('GET', `/commits/${fixed}`);
  expect(commit.parents.map(({ sha }) => sha)).toEqual([head]);
  expect(commit.files.map(({ filename, additions, deletions }) => [filename, additions, deletions])).toEqual([
    ['README.md', 1, 1],
    ['docs/index.md', 1, 1],
  ]);
  expect(commit.commit.author).toMatchObject({
    name: 'docloom[bot]',
    email: expect.stringMatching(/^\d+\+docloom\[bot\]@users\.noreply\.127\.0\.0\.1$/),
  });
  expect(commit.commit.message).toMatch(
    /^Fix 2 links\n\n- README.md: docs\/moved.md → docs\/new-place.md\n- docs\/index.md: moved.md → new-place.md\n\nCo-authored-by: acme <\d+\+acme@users/,
  );
  const { content } = await repository.api<{ content: string }>('GET', `/contents/README.md?ref=${fixed}`);
  expect(Buffer.from(content, 'base64').toString('utf8')).toBe(
    HOME.replace('docs/moved.md "Moved"', 'docs/new-place.md "Moved"'),
  );
  expect(await completed(repository, fixed)).toMatchObject({ conclusion: 'success', actions: [] });

  // The old check's button: its head is not the pull request's any more.
  press(run.id, 'fix-links');
  await bench.forge.waitForIdle();
  await waitFor(
    async () =>
      (
        await bench.queue.findUnfinished({ name: 'github.delivery' } as never, [
          `${repository.id}/pull/${number}`,
        ])
      ).size === 0,
  );
  expect(headOf(repository, number)).toBe(fixed);
});

test('a fork that is closed to the App gets a review, on lines that its diff shows', async () => {
  const repository = await repositoryWithDocs('suggesting', false);
  const { token } = bench.forge.createUser('guest');
  const fork = await bench.forge.fork({ source: repository.fullName, owner: 'guest' });
  const main = await repository.local.git(['rev-parse', 'main']);
  const far = Array.from({ length: 12 }, (_, line) => `Line ${line}.\n`).join('\n');
  const head = await repository.local.commit(
    { ...RENAME, 'docs/more.md': `# More\n\n${far}\n[Moved](moved.md) \`\`\` [Moved again](moved.md)\n` },
    { branch: 'closed', from: main },
  );
  await repository.push('closed', { to: fork.cloneUrl, token });
  const number = await openPull(repository, 'guest:closed');
  const run = await completed(repository, head);
  expect(run.actions.map(({ identifier }) => identifier)).toEqual(['suggest-fixes']);
  expect(run.summary).toContain('Docloom may not write to `closed`');

  press(run.id, 'suggest-fixes');
  const [review] = await waitFor(() => {
    const reviews = bench.forge.reviews(repository.fullName, number);
    return reviews.length > 0 && reviews;
  });
  expect(review).toMatchObject({
    commitId: head,
    comments: [
      {
        path: 'docs/more.md',
        line: 27,
        body: '````suggestion\n[Moved](new-place.md) ``` [Moved again](new-place.md)\n````',
      },
    ],
  });
  const told = await waitFor(() => {
    const { summary } = bench.forge.checkRuns(repository.fullName, head)[0] ?? {};
    return /so a review suggests/.test(summary ?? '') && summary;
  });
  expect(told).toContain('2 more are only listed below');
  expect(bench.forge.checkRuns(repository.fullName, head)[0]).toMatchObject({
    conclusion: 'failure',
    annotations: run.annotations,
  });
  expect(headOf(repository, number)).toBe(head);
});

/** A branch whose rename breaks two links, one of them on a line that its diff shows. */
async function brokenPull(name: string) {
  const repository = await repositoryWithDocs(name);
  const main = await repository.local.git(['rev-parse', 'main']);
  const files = { ...RENAME, 'docs/more.md': '# More\n\n[Moved](moved.md)\n' };
  const head = await repository.local.commit(files, { branch: 'topic', from: main });
  await repository.push('topic');
  const number = await openPull(repository, 'topic');
  const run = await completed(repository, head);
  return { repository, number, head, run };
}

const toldOn = (repository: BenchRepository, sha: string, words: RegExp) =>
  waitFor(() => words.test(bench.forge.checkRuns(repository.fullName, sha)[0]?.summary ?? ''));

testAtLength('a branch that is protected gets a review with the reason', async () => {
  const { repository, number, head, run } = await brokenPull('protected');
  await repository.protect('topic');
  press(run.id, 'fix-links');
  await toldOn(
    repository,
    head,
    /GH006: Protected branch update failed.*so a review suggests the corrected line/,
  );
  expect(bench.forge.reviews(repository.fullName, number)).toHaveLength(1);
  expect(headOf(repository, number)).toBe(head);
});

test('a branch that moved between the verdict and the press is only checked again', async () => {
  const { repository, number, head, run } = await brokenPull('moved-on');
  // Nobody hears of the push before the button is pressed.
  const deaf = bench.forge.faults.set({
    on: 'webhook',
    kind: 'drop',
    match: ({ event }) => event !== 'check_run',
  });
  const next = await repository.local.commit({ 'docs/late.md': '# Late\n' }, { branch: 'topic' });
  await repository.push('topic');
  press(run.id, 'fix-links');
  expect(await completed(repository, next)).toMatchObject({ conclusion: 'failure' });
  deaf.clear();
  expect(headOf(repository, number)).toBe(next);
  expect(bench.forge.checkRuns(repository.fullName, head)).toMatchObject([{ summary: run.summary }]);
});

testAtLength(
  'where GitHub accepts no more reviews in this hour, the suggestions wait for the next hour',
  async () => {
    const repository = await repositoryWithDocs('waiting', false);
    const { token } = bench.forge.createUser('patient');
    const fork = await bench.forge.fork({ source: repository.fullName, owner: 'patient' });
    const main = await repository.local.git(['rev-parse', 'main']);
    const head = await repository.local.commit(
      { ...RENAME, 'docs/more.md': '# More\n\n[Moved](moved.md)\n' },
      { branch: 'closed', from: main },
    );
    await repository.push('closed', { to: fork.cloneUrl, token });
    const number = await openPull(repository, 'patient:closed');
    const run = await completed(repository, head);
    const { callWindows } = tables;
    const key = contentKey(installationId);
    const starts = Array.from({ length: CONTENT_RATE.count }, () => new Date());
    await bench.store.db
      .insert(callWindows)
      .values({ key, starts })
      .onConflictDoUpdate({ target: callWindows.key, set: { starts } });
    press(run.id, 'suggest-fixes');
    const waiting = await waitFor(async () => {
      const jobs = await listJobsAbout(bench.store.pool, 'github.delivery', 'repositoryId', [repository.id]);
      return jobs.find(({ error }) => error !== null);
    });
    expect(waiting).toMatchObject({
      state: 'waiting',
      error: expect.stringMatching(/^Docloom created 480 .* continues at/),
    });
    expect(waiting.at.getTime()).toBeGreaterThan(Date.now() + 50 * 60_000);
    expect(bench.forge.reviews(repository.fullName, number)).toEqual([]);

    await bench.store.db.delete(callWindows).where(eq(callWindows.key, key));
    await bench.store.db.execute(sql`update jobs set start_after = now() where id = ${waiting.id}`);
    await waitFor(() => bench.forge.reviews(repository.fullName, number).length === 1);
  },
);

testAtLength('a fork that lets maintainers push gets the commit', async () => {
  const repository = await repositoryWithDocs('maintained', false);
  const { token } = bench.forge.createUser('friend');
  const fork = await bench.forge.fork({ source: repository.fullName, owner: 'friend' });
  const main = await repository.local.git(['rev-parse', 'main']);
  const head = await repository.local.commit(RENAME, { branch: 'open', from: main });
  await repository.push('open', { to: fork.cloneUrl, token });
  const number = await openPull(repository, 'friend:open', { maintainer_can_modify: true });
  press((await completed(repository, head)).id, 'fix-links');
  const fixed = await waitFor(() => headOf(repository, number) !== head && headOf(repository, number));
  expect(bench.forge.refs(fork.fullName)['refs/heads/open']).toBe(fixed);
  expect(await completed(repository, fixed)).toMatchObject({ conclusion: 'success' });
});

testAtLength('an App that lost the permission to write code without an event suggests instead', async () => {
  const { repository, number, head, run } = await brokenPull('unpermitted');
  bench.permit({ metadata: 'read', checks: 'write', contents: 'read', pull_requests: 'write' });
  press(run.id, 'fix-links');
  await toldOn(repository, head, /to write code any more.*so a review suggests the corrected line/);
  expect(bench.forge.reviews(repository.fullName, number)).toHaveLength(1);
  expect(headOf(repository, number)).toBe(head);

  // A token that lacks it is believed for a minute; what is granted again counts after that.
  const octokit = await bench.access.on(installationId, { signal: new AbortController().signal });
  await octokit.auth({ type: 'installation', refresh: true });
  const buttons = ({ actions }: { readonly actions: readonly { readonly identifier: string }[] }) =>
    actions.map(({ identifier }) => identifier);
  expect(buttons((await brokenPull('lacking')).run)).toEqual(['suggest-fixes']);
  bench.permit({ metadata: 'read', checks: 'write', contents: 'write', pull_requests: 'write' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  try {
    expect(buttons((await brokenPull('granted')).run)).toEqual(['fix-links']);
  } finally {
    vi.useRealTimers();
  }
});
