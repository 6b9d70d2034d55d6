import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckedLinkReport, isLinkReport } from '../../../src/content/report/link-report.ts';
import { completeLateRuns } from '../../../src/github/pull-request/late-runs.ts';
import type { CheckRunRecord } from '../../../src/sandbox/index.ts';
import { tables } from '../../../src/store/index.ts';
import { concludeReport, IN_PROGRESS, loadReport } from '../../../src/store/reports.ts';
import { loadRepository } from '../../../src/store/repositories.ts';
import { describeAtLength, testAtLength } from '../../support/describe-at-length.ts';
import {
  type AppBench,
  type BenchRepository,
  lookLate,
  openAppBench,
  waitFor,
  waitInHurry,
} from '../app-bench.ts';

const CONFIG = '.github/docloom.yml';

let bench: AppBench;

beforeAll(async () => {
  bench = await openAppBench(async () => ({
    client: { call: neverCalled, paginate: neverCalled } as never,
    organizationId: neverCalled,
    start: async () => {},
  }));
});

afterAll(async () => {
  await bench?.close();
});

/** A pull request needs nothing of the platform. */
function neverCalled(): never {
  throw new Error('Pull requests do not call the platform.');
}

const DOCS = {
  'README.md': '# Home\n\n[Guide](docs/guide.md) [Old](docs/old.md) [Section](docs/guide.md#the-section)\n',
  'docs/guide.md': '# Guide\n\n## The section\n\n[Home](../README.md)\n',
  'docs/old.md': '# Old\n\n[Nowhere](missing.md)\n',
  'docs/index.md': '# Docs\n\n- [Guide](guide.md)\n- [Old](old.md)\n- [Moved](moved.md)\n',
  'docs/moved.md': '# Moved\n\nSome text.\n',
};

/** A repository with its docs on `main`, pushed before the App was there. */
async function repositoryWithDocs(
  name: string,
  options: { readonly private?: boolean } = {},
): Promise<BenchRepository> {
  const repository = await bench.createRepository(name, options);
  await repository.local.commit(DOCS);
  await repository.push();
  await bench.forge.waitForIdle();
  repository.install({ unheard: true });
  return repository;
}

async function openPull(repository: BenchRepository, branch: string, head = branch): Promise<number> {
  await repository.push(branch);
  const { number } = await repository.api<{ number: number }>('POST', '/pulls', {
    title: branch,
    head,
    base: 'main',
  });
  return number;
}

function completed(repository: BenchRepository, sha: string) {
  return waitFor(() =>
    bench.forge.checkRuns(repository.fullName, sha).find((run) => run.status === 'completed'),
  );
}

/** Opens a check run as the App would that `like` is one of. Answers its id. */
async function openRun(
  { fullName }: BenchRepository,
  {
    installationId,
    name,
    like,
  }: { readonly installationId: number; readonly name: string; readonly like: CheckRunRecord },
): Promise<number> {
  const [owner = '', repo = ''] = fullName.split('/');
  const octokit = await bench.access.on(installationId, { signal: new AbortController().signal });
  const { data } = await octokit.rest.checks.create({
    owner,
    repo,
    name,
    head_sha: like.headSha,
    status: 'in_progress',
    external_id: like.externalId,
  });
  return data.id;
}

async function reportOf(run: { detailsUrl: string | null }): Promise<CheckedLinkReport> {
  const stored = await loadReport(bench.store.db, run.detailsUrl?.split('/').at(-1) ?? '');
  if (!isLinkReport(stored?.report) || stored.report.state !== 'checked')
    throw new Error('There is no finished report.');
  return stored.report;
}

/**
 * Waits until nothing is to be done about pull requests of a repository. What branches ask for needs a platform, which is
 * not here.
 */
async function noPullIsLeft({ id }: BenchRepository): Promise<void> {
  await bench.forge.waitForIdle();
  await waitFor(async () => {
    const { rows } = await bench.store.db.execute(sql`
      select 1 from jobs
      where state <> 'failed' and payload ->> 'subject' not like 'refs/heads/%'
        and payload ->> 'repositoryId' = ${String(id)} limit 1`);
    return rows.length === 0;
  });
}

test('a deleted page, a renamed page and a renamed heading are reported where they are linked from', async () => {
  const repository = await repositoryWithDocs('breaking');
  const main = await repository.local.git(['rev-parse', 'main']);
  const head = await repository.local.commit(
    {
      'docs/old.md': null,
      'docs/moved.md': null,
      // Changed as it moved.
      'docs/new-place.md': `${DOCS['docs/moved.md']}\nMore.\n`,
      'docs/guide.md': DOCS['docs/guide.md'].replace('The section', 'Another section'),
    },
    { branch: 'break', from: main },
  );
  await openPull(repository, 'break');
  const run = await completed(repository, head);
  expect(run).toMatchObject({
    name: 'Docloom links',
    conclusion: 'failure',
    title: '4 links broken by this pull request, in 2 files that it did not touch',
  });
  expect(run.annotations.map(({ path, start_line, title }) => [path, start_line, title])).toEqual([
    ['README.md', 3, 'Page not found'],
    ['README.md', 3, 'Heading not found'],
    ['docs/index.md', 4, 'Page not found'],
    ['docs/index.md', 5, 'Page not found'],
  ]);
  expect(run.annotations[3]?.message).toContain('new-place.md');
  expect(run.summary).toContain('was removed; linked 2 times from 2 files');
  const report = await reportOf(run);
  expect(report.counts).toEqual({ introduced: 4, existing: 0, fixed: 1, untouchedFiles: 2 });
  expect(report.moved).toEqual([
    { path: 'docs/moved.md', to: 'docs/new-place.md', linkedFrom: ['docs/index.md'] },
    { path: 'docs/old.md', to: null, linkedFrom: ['README.md', 'docs/index.md'] },
  ]);

  const mended = await repository.local.commit(
    {
      'docs/old.md': DOCS['docs/old.md'],
      'docs/moved.md': DOCS['docs/moved.md'],
      'docs/guide.md': DOCS['docs/guide.md'],
    },
    { branch: 'break' },
  );
  await repository.push('break');
  const second = await completed(repository, mended);
  expect(second).toMatchObject({ conclusion: 'success', annotations: [] });
  expect((await reportOf(second)).counts).toEqual({
    introduced: 0,
    existing: 1,
    fixed: 0,
    untouchedFiles: 0,
  });
});

testAtLength('links of files beside a builder’s site are checked, too, as the host shows them', async () => {
  const repository = await bench.createRepository('beside');
  await repository.local.commit({
    'README.md': '# Home\n\n[Guide](docs/guide.md)\n',
    'docs/.vitepress/config.ts': 'export default {}\n',
    'docs/guide.md': '# Guide\n',
  });
  await repository.push();
  await bench.forge.waitForIdle();
  repository.install();
  const head = await repository.local.commit(
    { 'docs/guide.md': null },
    { branch: 'beside', from: await repository.local.git(['rev-parse', 'main']) },
  );
  await openPull(repository, 'beside');
  const run = await completed(repository, head);
  expect(run.annotations.map(({ path, start_line }) => [path, start_line])).toEqual([['README.md', 3]]);
  expect((await reportOf(run)).spaces.map(({ directory, links }) => [directory, links])).toEqual([
    ['docs', 0],
    ['', 1],
  ]);
});

test('existing broken links, untouched pages and links outside never fail a pull request', async () => {
  const repository = await repositoryWithDocs('harmless');
  const dead = 'https://gone.example/a';
  const since = new Date('2026-03-01T12:00:00Z');
  await bench.store.db
    .insert(tables.externalLinks)
    .values([
      { url: dead, state: 'dead', detail: 'gone.example answers 404.', since, checkedAt: since },
      { url: 'https://well.example/', state: 'ok', checkedAt: since, fragments: { here: true, away: false } },
      { url: 'https://new.example/' },
    ]);
  const head = await repository.local.commit(
    {
      'docs/more.md': `# More\n\n[Guide](guide.md) [a](${dead}#x)\n\n<https://well.example/#here>\n<https://well.example/#away> <https://new.example/>\n`,
    },
    { branch: 'more', from: await repository.local.git(['rev-parse', 'main']) },
  );
  await openPull(repository, 'more');
  const run = await completed(repository, head);
  expect(run).toMatchObject({ conclusion: 'success', title: 'No link broken by this pull request' });
  expect(run.annotations).toEqual([]);
  expect(run.summary).toContain('Links to other sites to check');
  expect((await reportOf(run)).outside).toMatchObject([
    {
      file: 'docs/more.md',
      line: 3,
      target: `${dead}#x`,
      message: 'Dead since 2026-03-01: gone.example answers 404.',
    },
    { line: 6, message: 'The page is there, and has no #away.' },
  ]);
  // What only moves to another file is no news.
  const moved = await repository.local.commit(
    { 'docs/more.md': '# More\n', 'docs/guide.md': `${DOCS['docs/guide.md']}\n<${dead}#x>\n` },
    { branch: 'moved-link', from: head },
  );
  await repository.push('more');
  await repository.push('moved-link');
  await repository.api('POST', '/pulls', { title: 'moved', head: 'moved-link', base: 'more' });
  expect(await reportOf(await completed(repository, moved))).not.toHaveProperty('outside');
});

testAtLength('a fork’s pull request is checked like any other', async () => {
  const repository = await repositoryWithDocs('forked', { private: false });
  const { token } = bench.forge.createUser('visitor');
  const fork = await bench.forge.fork({ source: repository.fullName, owner: 'visitor' });
  const head = await repository.local.commit(
    { 'docs/old.md': null },
    { branch: 'from-fork', from: await repository.local.git(['rev-parse', 'main']) },
  );
  await repository.push('from-fork', { to: fork.cloneUrl, token });
  await repository.api('POST', '/pulls', { title: 'From a fork', head: 'visitor:from-fork', base: 'main' });
  expect(await completed(repository, head)).toMatchObject({ conclusion: 'failure' });

  // It may not say itself how it is judged; what its pages say for themselves its reviewers see.
  const lax = 'checks:\n  fail-on: never\n  runs: per-space\n  ignore: [{ target: "**", reason: Mine. }]\n';
  const told = await repository.local.commit(
    {
      [CONFIG]: lax,
      'docs/new.md': '# New\n\n<!-- docloom-ignore-next-line: soon -->\n[Soon](soon.md)\n',
    },
    { branch: 'from-fork' },
  );
  await repository.push('from-fork', { to: fork.cloneUrl, token });
  const run = await completed(repository, told);
  expect(run).toMatchObject({ name: 'Docloom links', conclusion: 'failure' });
  expect(run.title).toMatch(/^2 links broken/);
  expect(run.summary).toContain('comes from a fork, so it applies once it is merged');
  expect(await loadRepository(bench.store.db, repository.id)).toBeNull();
});

describeAtLength('a crowd', false, () => {
  test('40 pull requests at once are all checked, within what GitHub accepts in a minute', async () => {
    const repository = await repositoryWithDocs('crowded');
    const head = await repository.local.commit(
      { 'docs/old.md': null },
      { branch: 'p1', from: await repository.local.git(['rev-parse', 'main']) },
    );
    const branches = Array.from({ length: 40 }, (_, index) => `p${index + 1}`);
    for (const branch of branches.slice(1)) await repository.local.git(['branch', branch, 'p1']);
    await repository.push('refs/heads/p*');
    const before = { requests: bench.forge.apiLog.length, calls: bench.calls.length };
    const open = (branch: string) =>
      repository.api('POST', '/pulls', { title: branch, head: branch, base: 'main' });
    await Promise.all(branches.map(open));
    await noPullIsLeft(repository);
    const runs = bench.forge.checkRuns(repository.fullName, head);
    expect(runs.map(({ conclusion }) => conclusion)).toEqual(branches.map(() => 'failure'));
    // Each call had its turn first, and of the turns no minute has more than GitHub allows.
    const written = bench.forge.apiLog
      .slice(before.requests)
      .filter(({ method, path }) => method !== 'GET' && /\/(check-runs|statuses)/.test(path));
    const began = bench.calls.slice(before.calls).map(({ at }) => at);
    expect(written.length).toBeGreaterThanOrEqual(80);
    expect(began.length).toBeGreaterThanOrEqual(written.length);
    const inMinute = began.map(
      (from) => bench.calls.filter(({ at }) => at >= from && at < from + 60_000).length,
    );
    expect(Math.max(...inMinute)).toBeLessThanOrEqual(80);
  });
});

test('a mistake in the configuration fails only the pull request that makes it', async () => {
  const repository = await repositoryWithDocs('misconfigured');
  const main = await repository.local.git(['rev-parse', 'main']);
  const wrong = 'spaces:\n  - directory: docs\n    titel: Docs\nchecks:\n  fail_on: any\n';
  const head = await repository.local.commit(
    { '.github/docloom.yml': wrong },
    { branch: 'wrong', from: main },
  );
  await openPull(repository, 'wrong');
  const run = await completed(repository, head);
  expect(run).toMatchObject({ conclusion: 'failure', title: '2 mistakes in .github/docloom.yml' });
  expect(run.summary).toContain(
    '- Line 3: `titel` is not a key here. Did you mean `title`?\n- Line 5: `fail_on`',
  );
  expect(run.annotations.map(({ path, start_line }) => [path, start_line])).toContainEqual([
    '.github/docloom.yml',
    3,
  ]);

  const misnamed = await repository.local.commit(
    { '.github/docloom.yaml': wrong },
    { branch: 'misnamed', from: main },
  );
  await openPull(repository, 'misnamed');
  const passed = await completed(repository, misnamed);
  expect(passed).toMatchObject({ conclusion: 'success' });
  expect(passed.summary).toContain('.github/docloom.yaml is not read: rename it to .github/docloom.yml.');
});

testAtLength('events of a pull request in the wrong order lead to a verdict for its head alone', async () => {
  const repository = await repositoryWithDocs('reordered');
  const isPull = ({ event }: { readonly event: string }) => event === 'pull_request';
  const hold = (count: number) =>
    bench.forge.faults.set({ on: 'webhook', kind: 'reorder', count: count, times: 1, match: isPull });
  const main = await repository.local.git(['rev-parse', 'main']);
  // The second push, then the first; force-pushed away in between.
  hold(3);
  await repository.local.commit({ 'docs/a.md': '# A\n' }, { branch: 'reordered', from: main });
  const number = await openPull(repository, 'reordered');
  await repository.local.commit({ 'docs/old.md': null }, { branch: 'reordered' });
  await repository.push('reordered');
  const head = await repository.local.commit({ 'docs/b.md': '# B\n' }, { branch: 'reordered', from: main });
  await repository.push('reordered', { force: true });
  expect(await completed(repository, head)).toMatchObject({ conclusion: 'success' });
  await noPullIsLeft(repository);
  // Closed and gone, which is told before what came before it.
  hold(2);
  await repository.local.commit({ 'docs/c.md': '# C\n' }, { branch: 'reordered' });
  await repository.push('reordered');
  await repository.api('PATCH', `/pulls/${number}`, { state: 'closed' });
  await repository.deleteBranch('reordered');
  await noPullIsLeft(repository);
  const runs = bench.forge.checkRuns(repository.fullName);
  expect(runs.filter(({ status }) => status !== 'completed')).toEqual([]);
  expect(new Set(runs.map(({ headSha }) => headSha)).size).toBe(runs.length);
});

testAtLength('a link in a file that other files include is annotated there, once', async () => {
  const repository = await bench.createRepository('including');
  await repository.local.commit({
    'book/book.toml': '[book]\ntitle = "Book"\n',
    'book/src/SUMMARY.md': '# Summary\n\n- [One](one.md)\n- [Two](two.md)\n',
    'book/src/one.md': '# One\n\n{{#include parts/notes.md}}\n',
    'book/src/two.md': '# Two\n\n{{#include parts/notes.md}}\n',
    'book/src/parts/notes.md': 'Notes.\n\n[One](one.md)\n',
    'site/.vitepress/config.ts': 'export default {}\n',
    'site/index.md': '# Site\n\n<!--@include: ./parts/part.md-->\n',
    'site/parts/part.md': 'Part.\n\n[Index](../index.md)\n',
  });
  await repository.push();
  await bench.forge.waitForIdle();
  repository.install({ unheard: true });
  const head = await repository.local.commit(
    { 'book/src/one.md': null, 'site/parts/part.md': 'Part.\n\nMore.\n\n[Index](../none.md)\n' },
    { branch: 'including', from: await repository.local.git(['rev-parse', 'main']) },
  );
  await openPull(repository, 'including');
  const run = await completed(repository, head);
  expect(run.annotations.map(({ path, start_line }) => [path, start_line])).toEqual([
    ['book/src/SUMMARY.md', 3],
    ['book/src/parts/notes.md', 3],
    ['site/parts/part.md', 5],
  ]);
});

testAtLength('events that come twice and late lead to one check run', async () => {
  const repository = await repositoryWithDocs('doubled');
  bench.forge.faults.set({ on: 'webhook', kind: 'duplicate' });
  const head = await repository.local.commit(
    { 'docs/old.md': null },
    { branch: 'twice', from: await repository.local.git(['rev-parse', 'main']) },
  );
  const number = await openPull(repository, 'twice');
  await completed(repository, head);
  await repository.api('PATCH', `/pulls/${number}`, { state: 'closed' });
  await repository.api('PATCH', `/pulls/${number}`, { state: 'open' });
  bench.forge.faults.clear();
  await noPullIsLeft(repository);
  expect(bench.forge.checkRuns(repository.fullName, head)).toHaveLength(1);
});

test('a check that fails is completed as neutral with the reason, and the next attempt corrects it', async () => {
  const repository = await repositoryWithDocs('unlucky');
  const head = await repository.local.commit(
    { 'docs/old.md': null },
    { branch: 'unlucky', from: await repository.local.git(['rev-parse', 'main']) },
  );
  await repository.push('unlucky');
  const fault = bench.forge.faults.set({ on: 'git', kind: 'status', status: 503 });
  await repository.api('POST', '/pulls', { title: 'Unlucky', head: 'unlucky', base: 'main' });
  // Both at once: the next try, which is hurried too, is at work again.
  const [run, told] = await waitInHurry(bench, async () => {
    const run = bench.forge.checkRuns(repository.fullName, head).find((one) => one.status === 'completed');
    const stored = await loadReport(bench.store.db, run?.detailsUrl?.split('/').at(-1) ?? '');
    const report = stored?.report;
    return (
      run !== undefined && isLinkReport(report) && report.state !== 'checking' && ([run, report] as const)
    );
  });
  expect(run).toMatchObject({ conclusion: 'neutral', title: 'The links could not be checked' });
  expect(run.summary).toMatch(/retried automatically/);
  expect(told).toMatchObject({ state: 'unchecked', reason: expect.stringMatching(/\.$/) });
  fault.clear();
  const mended = await waitInHurry(bench, () =>
    bench.forge.checkRuns(repository.fullName, head).find((one) => one.conclusion === 'failure'),
  );
  expect(mended.annotations.length).toBeGreaterThan(0);
  expect(bench.forge.checkRuns(repository.fullName, head)).toHaveLength(1);
});

testAtLength('a pull request that gets another base branch is compared with that branch', async () => {
  const repository = await repositoryWithDocs('retargeted');
  const main = await repository.local.git(['rev-parse', 'main']);
  const next = await repository.local.commit({ 'docs/old.md': null }, { branch: 'next', from: main });
  await repository.push('next');
  // An address of the repository at a branch is one of its own where that branch is the base.
  const onMain = `${bench.forge.url}/${repository.fullName}/blob/main/docs/none.md`;
  const head = await repository.local.commit(
    { 'docs/more.md': `# More\n\n[None](${onMain})\n` },
    { branch: 'topic', from: next },
  );
  const number = await openPull(repository, 'topic');
  const first = await completed(repository, head);
  expect(first).toMatchObject({ conclusion: 'failure' });
  expect((await reportOf(first)).introduced.map(({ target }) => target)).toContain(onMain);
  await repository.api('PATCH', `/pulls/${number}`, { base: 'next' });
  await waitFor(() =>
    bench.forge.checkRuns(repository.fullName, head).find((one) => one.conclusion === 'success'),
  );
});

testAtLength(
  'links that the configuration or a comment ignores do not count, and unused entries are reported',
  async () => {
    const repository = await repositoryWithDocs('ignoring');
    const main = await repository.local.git(['rev-parse', 'main']);
    const page = (...lines: readonly string[]) => `# New\n\n${lines.join('\n')}\n`;
    const ignoring = await repository.local.commit(
      {
        '.github/docloom.yml':
          'checks:\n  ignore:\n    - { target: legacy/**, reason: Moved next month. }\n    - { file: none.md, reason: Gone. }\n',
        'new.md': page(
          '[a](legacy/a.md)',
          '<!-- docloom-ignore-next-line: made by the build -->',
          '[b](api.md)',
          '',
          '<!-- docloom-ignore-next-line: long gone -->',
          '[c](docs/guide.md)',
        ),
      },
      { branch: 'ignore', from: main },
    );
    await openPull(repository, 'ignore');
    const run = await completed(repository, ignoring);
    expect(run).toMatchObject({ conclusion: 'success' });
    expect(
      run.annotations.map(({ path, start_line, annotation_level }) => [path, start_line, annotation_level]),
    ).toEqual([
      ['.github/docloom.yml', 4, 'warning'],
      ['new.md', 7, 'warning'],
    ]);
    expect((await reportOf(run)).counts).toMatchObject({ introduced: 0, existing: 1 });

    const counting = await repository.local.commit(
      { 'new.md': page('[a](legacy/a.md)', '[b](api.md)') },
      { branch: 'ignore' },
    );
    await repository.push('ignore');
    const second = await completed(repository, counting);
    expect(second).toMatchObject({ conclusion: 'failure' });
    expect((await reportOf(second)).introduced.map((one) => one.target)).toEqual(['api.md']);
  },
);

testAtLength('each side is checked by its own configuration', async () => {
  const repository = await bench.createRepository('own-configuration');
  await repository.local.commit({
    '.github/docloom.yml': 'checks:\n  ignore:\n    - { target: later.md, reason: Comes next month. }\n',
    'README.md': '[a](later.md) [b](gone.md)\n',
    'book/SUMMARY.md': '# Summary\n\n- [One](one.md)\n',
    'book/one.md': '# One\n\n![Two](../two.png)\n',
    'two.png': 'png',
  });
  await repository.push();
  await bench.forge.waitForIdle();
  repository.install();
  const main = await repository.local.git(['rev-parse', 'main']);
  const config = 'spaces:\n  - { directory: book, title: Book, format: gitbook }\n';
  const pulls = [
    { branch: 'no-ignores', files: { '.github/docloom.yml': null }, targets: ['later.md'] },
    { branch: 'a-format', files: { '.github/docloom.yml': config }, targets: ['../two.png'] },
  ];
  for (const { branch, files, targets } of pulls) {
    const head = await repository.local.commit(files, { branch, from: main });
    await openPull(repository, branch);
    const report = await reportOf(await completed(repository, head));
    expect(report.introduced.map((one) => one.target)).toEqual(targets);
    expect(report.counts.fixed).toBe(0);
  }
});

testAtLength(
  'addresses that a pull request removes are reported, and fail it where the configuration says so',
  async () => {
    const repository = await bench.createRepository('addresses');
    const moved = { 'old.md': null, 'guide/new.md': '# A page\n\nWords.\n' };
    await repository.local.commit({
      '.gitbook.yaml': 'root: ./\n',
      'README.md': '# Home\n',
      'SUMMARY.md': '- [Home](README.md)\n- [Page](old.md)\n',
      'old.md': moved['guide/new.md'],
    });
    await repository.push();
    await bench.forge.waitForIdle();
    repository.install();
    const from = await repository.local.git(['rev-parse', 'main']);
    const head = await repository.local.commit(
      { ...moved, 'SUMMARY.md': '- [Home](README.md)\n- [Page](guide/new.md)\n' },
      { branch: 'moved', from },
    );
    const number = await openPull(repository, 'moved');
    const told = await completed(repository, head);
    expect(told).toMatchObject({
      conclusion: 'success',
      title: 'No link broken, an address is removed without a redirect',
    });
    expect(told.summary).toContain(
      '| `/old` | `old.md` | `/guide/new` | `old → guide/new.md` in `.gitbook.yaml` |',
    );
    const lost = [
      expect.objectContaining({ address: '/old', now: { file: 'guide/new.md', address: '/guide/new' } }),
    ];
    expect(await reportOf(told)).toMatchObject({ lost });

    const strict = { '.github/docloom.yml': 'checks: { lost-addresses: fail }\n' };
    const failing = await repository.local.commit(strict, { branch: 'moved' });
    await repository.push('moved');
    const offered = await completed(repository, failing);
    expect(offered).toMatchObject({ conclusion: 'failure' });
    expect(offered.actions.map(({ label }) => label)).toEqual(['Write redirects']);
    expect(offered.summary).toContain('**Write redirects** commits the redirect below to `moved`.');
    bench.forge.requestAction({ checkRunId: offered.id, identifier: 'fix-links', login: 'acme' });
    const mended = await waitFor(() => {
      const head = bench.forge.pulls(repository.fullName).find((one) => one.number === number)?.headSha;
      return head !== undefined && head !== failing && head;
    });
    const { content } = await repository.api<{ content: string }>(
      'GET',
      `/contents/.gitbook.yaml?ref=${mended}`,
    );
    expect(Buffer.from(content, 'base64').toString('utf8')).toBe(
      'root: ./\nredirects:\n  old: guide/new.md\n',
    );
    const { commit } = await repository.api<{ commit: { message: string } }>('GET', `/commits/${mended}`);
    expect(commit.message).toMatch(/^Redirect an address\n\n- \.gitbook\.yaml: a redirect\n/);
    expect(await completed(repository, mended)).toMatchObject({
      conclusion: 'success',
      title: 'No link broken by this pull request',
    });
  },
);

const PER_SPACE = `spaces:
  - { directory: a, title: First }
  - { directory: b, title: Second }
checks: { runs: per-space }
`;

/** A repository whose configuration is in force: of its own spaces, none of which there is a platform for here. */
async function repositoryBy(config: string, name: string): Promise<BenchRepository> {
  const repository = await bench.createRepository(name);
  repository.install({ unheard: true });
  await repository.local.commit({
    [CONFIG]: config,
    'a/README.md': '# First\n\n[Moved](moved.md)\n',
    'a/moved.md': '# Moved\n\nSome text.\n',
    'b/README.md': '# Second\n\n[First](../a/moved.md)\n',
  });
  await repository.push();
  await inForce(repository, config);
  return repository;
}

function inForce(repository: BenchRepository, config: string) {
  return waitInHurry(
    bench,
    async () => (await loadRepository(bench.store.db, repository.id))?.configText === config,
  );
}

const runsOf = (repository: BenchRepository, sha: string) =>
  bench.forge
    .checkRuns(repository.fullName, sha)
    .map(({ name, conclusion, annotations }) => [name, conclusion, annotations.length] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

testAtLength(
  'where the configuration says so, each space has a check run instead of one for the whole repository',
  async () => {
    const repository = await repositoryBy(PER_SPACE, 'per-space');
    const lines = Array.from({ length: 60 }, (_, index) => `[${index}](gone-${index}.md)`).join('\n\n');
    const head = await repository.local.commit(
      {
        'a/moved.md': null,
        'a/here.md': '# Moved\n\nSome text.\n',
        'b/more.md': `# More\n\n${lines}\n`,
        // A space that only this branch has, and a configuration that counts when it is merged.
        [CONFIG]: PER_SPACE.replace('checks:', '  - { directory: c, title: Third }\nchecks:').replace(
          'per-space',
          'one',
        ),
        'c/README.md': '# Third\n',
      },
      { branch: 'spaces', from: await repository.local.git(['rev-parse', 'main']) },
    );
    const number = await openPull(repository, 'spaces');
    await noPullIsLeft(repository);
    const told = [
      ['Docloom links / First', 'failure', 1],
      ['Docloom links / Second', 'failure', 61],
      ['Docloom links / Third', 'success', 0],
    ] as const;
    expect(runsOf(repository, head)).toEqual(told);
    const [first, second] = ['First', 'Second'].map((space) =>
      bench.forge
        .checkRuns(repository.fullName, head)
        .find(({ name }) => name === `Docloom links / ${space}`),
    );
    expect(first?.summary).toContain('**Fix links** commits the suggestion below');
    expect(first?.summary).not.toContain('gone-1.md');

    // Asked for again, one space is told again; the others are not touched.
    const writes = bench.forge.apiLog.length;
    bench.forge.rerequestCheckRun({ checkRunId: second?.id ?? 0, login: 'acme' });
    await bench.forge.waitForIdle();
    await waitFor(() => runsOf(repository, head).length === 4);
    await noPullIsLeft(repository);
    expect(runsOf(repository, head)).toEqual([told[0], told[1], told[1], told[2]]);
    const written = bench.forge.apiLog
      .slice(writes)
      .filter(({ method, path }) => method !== 'GET' && /check-runs/.test(path));
    expect(written.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH']);

    // Nobody waits for a name that is given no more, whichever way the configuration goes.
    const one = PER_SPACE.replace('per-space', 'one');
    await repository.local.commit({ [CONFIG]: one });
    await repository.push();
    // The push before failed for want of a platform, and is tried again first.
    const whole = await waitInHurry(bench, () =>
      bench.forge
        .checkRuns(repository.fullName, head)
        .find((run) => run.name === 'Docloom links' && run.status === 'completed'),
    );
    await noPullIsLeft(repository);
    expect(whole.annotations).toHaveLength(62);
    const replaced = bench.forge
      .checkRuns(repository.fullName, head)
      .filter((run) => run.name !== 'Docloom links');
    expect(replaced.filter(({ conclusion }) => conclusion === 'neutral')).toHaveLength(3);
    expect(replaced.at(-1)?.summary).toContain('“Docloom links” replaces this one');

    await repository.local.commit({ [CONFIG]: PER_SPACE });
    await repository.push();
    await waitInHurry(
      bench,
      () =>
        bench.forge.checkRuns(repository.fullName, head).find(({ id }) => id === whole.id)?.conclusion ===
        'neutral',
    );
    await noPullIsLeft(repository);
    const latest = new Map(
      bench.forge.checkRuns(repository.fullName, head).map((run) => [run.name, run.conclusion]),
    );
    expect(Object.fromEntries(latest)).toEqual({
      'Docloom links': 'neutral',
      'Docloom links / First': 'failure',
      'Docloom links / Second': 'failure',
      'Docloom links / Third': 'success',
    });

    // The button of one space mends that space.
    const button = bench.forge
      .checkRuns(repository.fullName, head)
      .findLast(({ name }) => name === 'Docloom links / First');
    bench.forge.requestAction({ checkRunId: button?.id ?? 0, identifier: 'fix-links', login: 'acme' });
    const fixed = await waitFor(() => {
      const { headSha = head } =
        bench.forge.pulls(repository.fullName).find((pull) => pull.number === number) ?? {};
      return headSha !== head && headSha;
    });
    await noPullIsLeft(repository);
    expect(runsOf(repository, fixed)).toEqual([['Docloom links / First', 'success', 0], told[1], told[2]]);

    const group = await bench.forge.queueMerge(repository.fullName, number);
    await waitFor(
      () =>
        runsOf(repository, group).length === 3 &&
        runsOf(repository, group).every(([, conclusion]) => conclusion),
    );
    expect(runsOf(repository, group)).toEqual(runsOf(repository, fixed));
  },
);

testAtLength(
  'the check of a space is reported, too, where the branch has no such space, or a mistake',
  async () => {
    const repository = await repositoryBy(PER_SPACE, 'less-spaces');
    const main = await repository.local.git(['rev-parse', 'main']);
    const less = await repository.local.commit(
      { [CONFIG]: PER_SPACE.replace(/.*Second.*\n/, ''), 'b/README.md': null },
      { branch: 'less', from: main },
    );
    await openPull(repository, 'less');
    const wrong = await repository.local.commit(
      { [CONFIG]: 'spaces: none\n' },
      { branch: 'wrong', from: main },
    );
    await openPull(repository, 'wrong');
    await noPullIsLeft(repository);
    expect(runsOf(repository, less)).toEqual([
      ['Docloom links / First', 'success', 0],
      ['Docloom links / Second', 'success', 0],
    ]);
    expect(runsOf(repository, wrong)).toEqual([
      ['Docloom links / First', 'failure', 1],
      ['Docloom links / Second', 'failure', 0],
    ]);
  },
);

testAtLength('a check is run again on request, in a new check run, once per request', async () => {
  const repository = await repositoryWithDocs('again');
  const head = await repository.local.commit(
    { 'docs/old.md': null },
    { branch: 'again', from: await repository.local.git(['rev-parse', 'main']) },
  );
  await openPull(repository, 'again');
  const first = await completed(repository, head);
  bench.forge.faults.set({ on: 'webhook', kind: 'duplicate' });
  bench.forge.rerequestCheckRun({ checkRunId: first.id, login: 'acme' });
  const runs = await waitFor(() => {
    const all = bench.forge.checkRuns(repository.fullName, head);
    return all.length > 1 && all.every((run) => run.status === 'completed') && all;
  });
  bench.forge.faults.clear();
  await noPullIsLeft(repository);
  expect(runs.map(({ conclusion }) => conclusion)).toEqual(['failure', 'failure']);
  expect(bench.forge.checkRuns(repository.fullName, head)).toHaveLength(2);

  // A killed process’s wish to open one comes now, behind the end, and hides those that tell it.
  const told = runs.at(-1) ?? first;
  const installationId = repository.install({ unheard: true });
  const late = await openRun(repository, { installationId, name: first.name, like: told });
  const other = await openRun(repository, { installationId, name: 'Docloom links / Gone', like: told });
  expect(await lookLate(bench)).toBeGreaterThan(0);
  const ended = await waitFor(() => {
    const all = bench.forge.checkRuns(repository.fullName, head);
    return all.every((run) => run.status === 'completed') && all;
  });
  const { conclusion, title, summary, actions } = told;
  expect(ended.find(({ id }) => id === late)).toMatchObject({ conclusion, title, summary, actions });
  expect(ended.find(({ id }) => id === other)).toMatchObject({ conclusion: 'neutral' });
  await noPullIsLeft(repository);

  // Somebody begins to work on it while late ones are looked for: what is open may be theirs.
  const { db } = bench.store;
  const reportId = told.detailsUrl?.split('/').at(-1) ?? '';
  const octokit = await bench.access.on(installationId, { signal: new AbortController().signal });
  const work = { installationId, repositoryId: repository.id, reportId };
  const look = () => completeLateRuns({ db, publicUrl: 'http://127.0.0.1:9' }, work, octokit);
  const run = (id: number) => bench.forge.checkRuns(repository.fullName, head).find((one) => one.id === id);
  const older = await openRun(repository, { installationId, name: first.name, like: told });
  const begin = () => concludeReport(db, reportId, IN_PROGRESS);
  octokit.hook.after('request', begin);
  await look();
  octokit.hook.remove('request', begin);
  expect(run(older)).toMatchObject({ status: 'in_progress' });
  await concludeReport(db, reportId, 'failure');

  // Of two that come late GitHub shows the newer, whichever is ended last.
  const newer = await openRun(repository, { installationId, name: first.name, like: told });
  await look();
  const [owner = '', repo = ''] = repository.fullName.split('/');
  await octokit.rest.checks.update({ owner, repo, check_run_id: older, status: 'in_progress' });
  await look();
  expect([run(older), run(newer)]).toMatchObject([{ conclusion }, { conclusion }]);

  // Its button works like that of the one whose place it took.
  bench.forge.rerequestCheckRun({ checkRunId: newer, login: 'acme' });
  const last = await waitFor(() => {
    const all = bench.forge.checkRuns(repository.fullName, head);
    return all.length === 7 && all.every((run) => run.status === 'completed') && all;
  });
  expect(last.filter((one) => one.conclusion !== 'failure').map(({ id }) => id)).toEqual([other]);
});

test('a merge queue gets the check of what it is about to merge', async () => {
  const repository = await repositoryWithDocs('queued');
  const head = await repository.local.commit(
    { 'docs/old.md': null },
    { branch: 'queued', from: await repository.local.git(['rev-parse', 'main']) },
  );
  const number = await openPull(repository, 'queued');
  const group = await bench.forge.queueMerge(repository.fullName, number);
  const run = await completed(repository, group);
  expect(run).toMatchObject({ name: 'Docloom links', conclusion: 'failure' });
  expect((await reportOf(run)).pullNumber).toBe(number);
  // Asked for again, it does not begin that of the pull request's own head anew.
  bench.forge.rerequestCheckRun({ checkRunId: run.id, login: 'acme' });
  await noPullIsLeft(repository);
  expect(bench.forge.checkRuns(repository.fullName, head)).toHaveLength(1);
});

// The last one, since the sandbox writes all that it knows anew with each change, and this leaves it much.
testAtLength(
  '500 broken links arrive in batches of 50, once each, even when a batch gets a 502',
  async () => {
    const repository = await repositoryWithDocs('many');
    const lines = Array.from({ length: 620 }, (_, index) => `[${index}](gone-${index}.md)`).join('\n\n');
    const head = await repository.local.commit(
      { 'docs/many.md': `# Many\n\n${lines}\n` },
      { branch: 'many', from: await repository.local.git(['rev-parse', 'main']) },
    );
    const fault = bench.forge.faults.set({
      on: 'api',
      kind: 'status',
      status: 502,
      method: 'PATCH',
      path: /check-runs/,
      times: 1,
    });
    // Counts the requests that arrive.
    const batches = bench.forge.faults.set({
      on: 'api',
      kind: 'slow',
      slowMs: 1,
      method: 'PATCH',
      path: /check-runs/,
      times: 100,
    });
    await openPull(repository, 'many');
    const run = await completed(repository, head);
    batches.clear();
    expect(fault.struck).toBe(1);
    expect(batches.struck).toBe(10);
    expect(run.conclusion).toBe('failure');
    expect(run.annotations).toHaveLength(500);
    expect(new Set(run.annotations.map((one) => one.start_line)).size).toBe(500);
    expect((await reportOf(run)).introduced).toHaveLength(620);
    expect(bench.forge.checkRuns(repository.fullName, head)).toHaveLength(1);
  },
);
