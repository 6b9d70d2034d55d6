/** What `.github/docloom.yml` says about branches and spaces is done, and a mistake in it costs nothing but a word. */
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../../src/client/index.ts';
import { findConfigError } from '../../../src/store/bindings.ts';
import { tables } from '../../../src/store/index.ts';
import { loadRepository } from '../../../src/store/repositories.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import { type AppBench, type BenchRepository, openAppBench, untilIdle, waitFor } from '../app-bench.ts';
import { openBenchPlatform, type RealPlatform } from '../bench-platform.ts';

let bench: AppBench;
let platform: RealPlatform;

beforeAll(async () => {
  bench = await openAppBench(async (parts) => {
    platform = await openBenchPlatform(parts);
    return platform;
  });
});

afterAll(async () => {
  await bench?.close();
});

const CONFIG = '.github/docloom.yml';

async function pushed(name: string, files: Readonly<Record<string, string>>): Promise<BenchRepository> {
  const repository = await bench.createRepository(name);
  repository.install({ unheard: true });
  await repository.local.commit(files);
  await repository.push();
  return repository;
}

const idle = () => untilIdle(bench);

async function bindingOf(repository: BenchRepository, directory: string, branch = 'main') {
  const { bindings } = tables;
  const rows = await bench.store.db.select().from(bindings).where(eq(bindings.repositoryId, repository.id));
  return rows.find((one) => one.directory === directory && one.branch === branch);
}

const live = (repository: BenchRepository, tip: string, directory = 'docs', branch = 'main') =>
  waitFor(async () => {
    const binding = await bindingOf(repository, directory, branch);
    return binding?.liveOid === tip && binding;
  });

const failed = (repository: BenchRepository, sha: string, context: string) =>
  waitFor(() =>
    bench.forge
      .statuses(repository.fullName, sha)
      .find((one) => one.context === context && one.state === 'failure'),
  );

function configChecks(repository: BenchRepository, sha: string) {
  return bench.forge
    .checkRuns(repository.fullName, sha)
    .filter((one) => one.name === 'Docloom configuration');
}

test('the last valid configuration stays in force, and the mistake is reported on its line', async () => {
  const repository = await pushed('mistaken', {
    [CONFIG]: 'spaces:\n  - {directory: docs, title: Handbook, format: github}\n',
    // As GitHub shows it, which the files alone would not tell.
    'docs/SUMMARY.md': '# Table of contents\n\n* [Docs](README.md)\n',
    'docs/README.md': '# Docs\n',
    'other/README.md': '# Other\n',
  });
  const first = await repository.local.git(['rev-parse', 'main']);
  await live(repository, first);
  // What was there from the beginning is no news.
  expect(configChecks(repository, first)).toEqual([]);

  const wrong = await repository.local.commit({
    [CONFIG]: 'spaces:\n  - {directory: other, title: Other}\n  - {directroy: docs, title: <b>*x*</b>}\n',
    'docs/more.md': '# More\n',
  });
  await repository.push();
  const { spaceId } = await live(repository, wrong);
  const [revision] = await bench.store.db
    .select()
    .from(tables.revisions)
    .where(eq(tables.revisions.spaceId, spaceId ?? ''))
    .orderBy(desc(tables.revisions.createdAt));
  expect(revision).toMatchObject({ format: 'github' });
  const [check, ...more] = configChecks(repository, wrong);
  expect(more).toEqual([]);
  expect(check).toMatchObject({ conclusion: 'failure', title: `2 mistakes in ${CONFIG}` });
  expect(check?.summary).toContain(`the configuration of ${first.slice(0, 7)} stays in force`);
  expect(check?.annotations).toMatchObject([
    { path: CONFIG, start_line: 3, message: 'The key “directory” is missing.' },
    { path: CONFIG, start_line: 3, message: expect.stringContaining('Did you mean “directory”?') },
  ]);
  expect(await bindingOf(repository, 'other')).toBeUndefined();
  expect(await loadRepository(bench.store.db, repository.id)).toMatchObject({
    configOid: first,
    configError: 'Line 3: The key `directory` is missing.',
  });
  expect(await findConfigError(bench.store.db, spaceId ?? '')).toBe(
    'Line 3: The key `directory` is missing.',
  );

  // A pull request that has nothing to do with it is judged by what is in force.
  const head = await repository.local.commit(
    { 'docs/README.md': '# Docs\n\n[Gone](gone.md)\n', 'other/README.md': '[Gone](gone.md)\n' },
    { branch: 'topic', from: wrong },
  );
  await repository.push('topic');
  await repository.api('POST', '/pulls', { title: 'Topic', head: 'topic', base: 'main' });
  const links = await waitFor(() =>
    bench.forge
      .checkRuns(repository.fullName, head)
      .find((one) => one.name === 'Docloom links' && one.status === 'completed'),
  );
  expect(links).toMatchObject({ conclusion: 'failure', title: '1 link broken by this pull request' });

  const mended = await repository.local.commit({
    [CONFIG]: 'spaces:\n  - {directory: other, title: Other}\n',
  });
  await repository.push();
  await live(repository, mended, 'other');
  expect(configChecks(repository, mended)).toMatchObject([{ conclusion: 'success' }]);
  expect(await bindingOf(repository, 'docs')).toMatchObject({
    disconnected: expect.stringMatching(/no space/),
  });
  expect(await loadRepository(bench.store.db, repository.id)).toMatchObject({ configError: null });
  expect(await findConfigError(bench.store.db, spaceId ?? '')).toBeNull();
});

testAtLength(
  'a push that changes nothing of a space costs one comparison, and one to another branch nothing',
  async () => {
    const repository = await pushed('cheap', {
      [CONFIG]: 'spaces: [{directory: docs, title: Cheap}]\n',
      'docs/README.md': '# Docs\n\n[Code](../src/a.ts)\n',
      'src/a.ts': '1;\n',
    });
    await live(repository, await repository.local.git(['rev-parse', 'main']));
    await idle();
    const before = bench.forge.apiLog.length;
    const code = await repository.local.commit({ 'src/a.ts': '2;\n' });
    await repository.push();
    await live(repository, code);
    await repository.local.commit({ 'docs/x.md': '# X\n' }, { branch: 'topic', from: code });
    await repository.push('topic');
    await repository.local.git(['tag', 'v1', 'main']);
    await repository.push('refs/tags/v1');
    await idle();
    const asked = bench.forge.apiLog.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(asked).toEqual([expect.stringMatching(/^GET \/repos\/acme\/cheap\/compare\//)]);
    // Nothing was left to be made good.
    await bench.reconcile();
    await idle();
    const binding = await live(repository, code);
    const { items } = await platform.client.call(operations.listGitOperations, {
      params: { spaceId: binding.spaceId ?? '' },
    });
    expect(items).toHaveLength(1);

    // A file that comes or goes may be the end of a link.
    const gone = await repository.local.commit({ 'src/a.ts': null });
    await repository.push();
    await waitFor(() =>
      bench.forge.statuses(repository.fullName, gone).find((one) => one.description?.includes('1 broken')),
    );
  },
);

testAtLength('a space shows the branch that the configuration names, while it is there', async () => {
  const repository = await pushed('branched', { 'docs/README.md': '# Docs\n' });
  const old = await repository.local.git(['rev-parse', 'main']);
  await repository.local.git(['branch', 'v1', 'main']);
  await repository.push('v1');
  const tip = await repository.local.commit({
    [CONFIG]: 'spaces:\n  - {directory: docs, title: Next}\n  - {directory: docs, title: One, branch: v1}\n',
  });
  await repository.push();
  await live(repository, tip);
  const { spaceId } = await live(repository, old, 'docs', 'v1');

  const fix = await repository.local.commit({ 'docs/fix.md': '# Fix\n' }, { branch: 'v1', from: old });
  await repository.push('v1');
  await live(repository, fix, 'docs', 'v1');
  expect(await bindingOf(repository, 'docs')).toMatchObject({ liveOid: tip, pinned: false });

  await repository.deleteBranch('v1');
  await waitFor(async () =>
    (await bindingOf(repository, 'docs', 'v1'))?.disconnected?.includes('does not exist'),
  );

  // The event of its coming back is lost, and it came back as something else.
  const forced = await repository.local.commit(
    { 'docs/README.md': '# Docs\n' },
    { branch: 'v1', from: null },
  );
  bench.forge.faults.set({ on: 'webhook', kind: 'drop', times: 2 });
  await repository.push('v1', { force: true });
  bench.forge.faults.clear();
  await bench.reconcile();
  expect(await live(repository, forced, 'docs', 'v1')).toMatchObject({ spaceId, disconnected: null });

  await repository.local.commit({ [CONFIG]: 'spaces: [{directory: docs, title: Next}]\n' });
  await repository.push();
  await waitFor(async () =>
    (await bindingOf(repository, 'docs', 'v1'))?.disconnected?.includes('synced from this branch'),
  );
});

testAtLength('an existing space is bound by its id, unless this repository may not use it', async () => {
  const make = async (title: string) => {
    const params = { organizationId: platform.organization };
    return (await platform.client.call(operations.createSpace, { params, body: { title } })).id;
  };
  const mine = await make('Mine');
  const entry = (id: string, directory = 'docs') =>
    `spaces:\n  - {directory: ${directory}, title: Named, space: ${id}}\n`;
  const repository = await pushed('named', { [CONFIG]: entry(mine), 'docs/README.md': '# Docs\n' });
  const first = await repository.local.git(['rev-parse', 'main']);
  expect(await live(repository, first)).toMatchObject({ spaceId: mine });

  // It goes with the directory.
  const moved = await repository.local.commit({
    [CONFIG]: entry(mine, 'guide'),
    'docs/README.md': null,
    'guide/README.md': '# Docs\n',
  });
  await repository.push();
  expect(await live(repository, moved, 'guide')).toMatchObject({ spaceId: mine });

  const foreign = await bench.store.db
    .insert(tables.organizations)
    .values({ id: 'anotherorganization0', title: 'Another' })
    .returning();
  const theirs = await make('Theirs');
  await bench.store.db
    .update(tables.spaces)
    .set({ organizationId: foreign[0]?.id ?? '' })
    .where(eq(tables.spaces.id, theirs));
  const cases = [
    [theirs, /docloom\.yml:2: The organization has no space/],
    ['nosuchspace', /docloom\.yml:2: The organization has no space/],
    [mine, /docloom\.yml:2: .* is bound to another/],
  ] as const;
  const other = await pushed('grabbing', { 'docs/README.md': '# Other\n' });
  for (const [id, reason] of cases) {
    const tip = await other.local.commit({ [CONFIG]: entry(id) });
    await other.push();
    expect((await failed(other, tip, 'docloom/Named')).description).toMatch(reason);
  }
  expect(await live(repository, moved, 'guide')).toMatchObject({ spaceId: mine });
});
