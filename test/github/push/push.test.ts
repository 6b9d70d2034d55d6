import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { operations } from '../../../src/client/index.ts';
import { lateStatusJob } from '../../../src/github/push/late-status.ts';
import { deliveryJob, deliveryPayload } from '../../../src/github/webhooks/delivery-job.ts';
import { recordPending } from '../../../src/store/bindings.ts';
import { tables } from '../../../src/store/index.ts';
import { findReportOfRun } from '../../../src/store/report-runs.ts';
import { loadRepository } from '../../../src/store/repositories.ts';
import { testAtLength } from '../../support/describe-at-length.ts';
import {
  type AppBench,
  type BenchRepository,
  lookLate,
  openAppBench,
  untilIdle,
  waitFor,
  waitInHurry,
} from '../app-bench.ts';
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

const DOCS = {
  'README.md': '# Home\n\n[Guide](guide.md) [Nowhere](nowhere.md)\n',
  'guide.md': '# Guide\n\n[Home](README.md)\n',
};

async function installed(name: string): Promise<BenchRepository> {
  const repository = await bench.createRepository(name);
  repository.install();
  return repository;
}

function statuses(repository: BenchRepository, sha: string) {
  return bench.forge.statuses(repository.fullName, sha);
}

/** The last status of a commit, once it is a final one. */
function finalStatus(
  repository: BenchRepository,
  sha: string,
  context = `docloom/${repository.fullName.split('/')[1]}`,
) {
  return waitFor(() => {
    const last = statuses(repository, sha).findLast((one) => one.context === context);
    return last !== undefined && last.state !== 'pending' && last;
  });
}

const idle = () => untilIdle(bench);

async function bindings(repository: BenchRepository) {
  return bench.store.db.select().from(tables.bindings).where(eq(tables.bindings.repositoryId, repository.id));
}

test('a push goes live, and the status of the commit shows it', async () => {
  const repository = await installed('plain');
  const tip = await repository.local.commit(DOCS);
  await repository.push();
  const status = await finalStatus(repository, tip);
  const [binding] = await bindings(repository);
  expect(status).toMatchObject({
    state: 'success',
    description: 'Live: 2 pages, 3 links, 1 broken',
    targetUrl: `${bench.url}/spaces/${binding?.spaceId}`,
  });
  expect(statuses(repository, tip).map((one) => one.state)).toEqual(['pending', 'success']);
  const { pages } = await platform.client.call(operations.listPages, {
    params: { spaceId: binding?.spaceId ?? '' },
  });
  expect(pages.map((page) => page.title)).toContain('Guide');

  const next = await repository.local.commit({ 'nowhere.md': '# Nowhere\n' });
  await repository.push();
  expect(await finalStatus(repository, next)).toMatchObject({
    description: 'Live: 3 pages, 3 links, 0 broken',
  });
  expect(await bindings(repository)).toHaveLength(1);
});

testAtLength('each space of the configuration has its own space and status', async () => {
  const repository = await installed('several');
  const tip = await repository.local.commit({
    '.github/docloom.yml':
      'spaces:\n  - {directory: guide, title: Guide}\n  - {directory: api, title: API}\n',
    'guide/README.md': '# Guide\n',
    'api/README.md': '# API\n',
    'api/more.md': '# More\n',
    'api/vendor': { submodule: 'a'.repeat(40) },
  });
  await repository.push();
  expect(await finalStatus(repository, tip, 'docloom/Guide')).toMatchObject({
    description: 'Live: 1 page, 0 links, 0 broken',
  });
  expect(await finalStatus(repository, tip, 'docloom/API')).toMatchObject({
    description: 'Live: 2 pages, 0 links, 0 broken; 1 notice, first of api/vendor',
  });
});

testAtLength('without a configuration the spaces are detected from the files', async () => {
  const repository = await installed('shown');
  const tip = await repository.local.commit({
    'README.md': '# Repository\n',
    'docs/.gitbook.yaml': '',
    'docs/SUMMARY.md': '* [Home](README.md)\n* [More](more.md)\n',
    'docs/README.md': '# Home\n\n[Gone](gone.md) [Unlisted](unlisted.md) [More](more.md)\n',
    'docs/more.md': '# More\n',
    'docs/unlisted.md': '# Nobody sees this\n',
    'api/SUMMARY.md': '* [API](README.md)\n',
    'api/README.md': '# API\n',
  });
  await repository.push();
  expect(await finalStatus(repository, tip, 'docloom/docs')).toMatchObject({
    description: 'Live: 2 pages, 5 links, 1 broken',
  });
  expect(await finalStatus(repository, tip, 'docloom/api')).toMatchObject({
    description: 'Live: 1 page, 1 link, 0 broken',
  });
  expect((await bindings(repository)).map((one) => one.directory).toSorted()).toEqual(['api', 'docs']);
});

test('duplicate deliveries and deliveries in the wrong order lead to one right result', async () => {
  const repository = await installed('disordered');
  // Held until both pushes are there: so neither import can begin before the second push.
  bench.forge.faults.set({
    on: 'webhook',
    kind: 'reorder',
    count: 2,
    times: 1,
    match: ({ event }) => event === 'push',
  });
  const first = await repository.local.commit(DOCS);
  await repository.push();
  const second = await repository.local.commit({ 'late.md': '# Late\n' });
  await repository.push();
  expect(await finalStatus(repository, second)).toMatchObject({
    state: 'success',
    description: expect.stringContaining('3 pages'),
  });
  bench.forge.faults.clear();
  await idle();
  for (const { guid, event, repositoryId } of [...bench.forge.deliveries]) {
    if (event === 'push' && repositoryId === repository.id) bench.forge.redeliver(guid);
  }
  await idle();
  const [binding] = await bindings(repository);
  expect(binding).toMatchObject({ liveOid: second, lastError: null });
  // The import of the first push may have brought the second commit already: then that one is told only its end.
  expect(statuses(repository, second).filter((one) => one.state !== 'pending')).toHaveLength(1);
  // The first may have been told that its import waits, when its delivery came in first.
  const told = statuses(repository, first).map(({ state, description }) => `${state}: ${description}`);
  const overtaken = `success: Overtaken by ${second.slice(0, 7)}, which is live.`;
  expect(told.filter((status) => !status.startsWith('pending'))).toEqual([overtaken]);
  const { items } = await platform.client.call(operations.listGitOperations, {
    params: { spaceId: binding?.spaceId ?? '' },
  });
  expect(items).toHaveLength(1);
});

testAtLength('each commit of a quick row of pushes gets a final status', async () => {
  const repository = await installed('hurried');
  // The sync of the installation is over, or it may bring one of the pushes on its own.
  await idle();
  // Held until all are there, and delivered with the newest first.
  const held = bench.forge.faults.set({
    on: 'webhook',
    kind: 'reorder',
    count: 5,
    times: 1,
    match: ({ event }) => event === 'push',
  });
  onTestFinished(() => held.clear());
  const oids: string[] = [];
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    oids.push(await repository.local.commit({ ...DOCS, [`${name}.md`]: `# ${name}\n` }));
    await repository.push();
  }
  await idle();
  const tip = oids.at(-1) ?? '';
  const final = oids.map((oid) =>
    statuses(repository, oid)
      .filter(({ state }) => state !== 'pending')
      .map(({ state, description }) => `${state}: ${description?.replace(/ [0-9]+ .*/, '')}`),
  );
  const overtaken = [`success: Overtaken by ${tip.slice(0, 7)}, which is live.`];
  expect(final).toEqual([overtaken, overtaken, overtaken, overtaken, ['success: Live:']]);
});

test('tags, other branches and deleted branches change nothing', async () => {
  const repository = await installed('quiet');
  await repository.local.commit(DOCS);
  await repository.push();
  await idle();
  const before = bench.forge.statuses(repository.fullName).length;
  await repository.local.commit(
    { 'x.md': '# X\n' },
    { branch: 'topic', from: await repository.local.git(['rev-parse', 'main']) },
  );
  await repository.push('topic');
  await repository.local.git(['tag', 'v1', 'main']);
  await repository.push('refs/tags/v1');
  await repository.deleteBranch('topic');
  await idle();
  expect(bench.forge.statuses(repository.fullName)).toHaveLength(before);
});

testAtLength('a force push goes live like any other', async () => {
  const repository = await installed('forced');
  await repository.local.commit(DOCS);
  await repository.push();
  const tip = await repository.local.commit({ 'only.md': '# Only\n' }, { from: null });
  await repository.push('main', { force: true });
  expect(await finalStatus(repository, tip)).toMatchObject({
    state: 'success',
    description: 'Live: 1 page, 0 links, 0 broken',
  });
});

testAtLength('responses 502 and 429 of GitHub only cost time', async () => {
  const repository = await installed('stormy');
  bench.forge.faults.set({ on: 'api', kind: 'status', status: 502, times: 3 });
  bench.forge.faults.set({
    on: 'api',
    kind: 'too-many-requests',
    retryAfterSeconds: 1,
    path: /statuses/,
    times: 1,
  });
  const tip = await repository.local.commit(DOCS);
  await repository.push();
  expect(await finalStatus(repository, tip)).toMatchObject({ state: 'success' });
  bench.forge.faults.clear();
});

testAtLength('the binding’s space is found again after a crash between creating and binding it', async () => {
  const repository = await installed('crashed');
  await repository.local.commit(DOCS);
  await repository.push();
  await idle();
  const [binding] = await bindings(repository);
  // As a crash leaves it: the space is there, empty, and the binding does not know it.
  const params = { organizationId: platform.organization };
  const orphan = await platform.client.call(operations.createSpace, {
    params,
    body: { title: binding?.title ?? '' },
  });
  await bench.store.db
    .update(tables.bindings)
    .set({ spaceId: null, liveOid: null })
    .where(eq(tables.bindings.id, binding?.id ?? ''));
  const tip = await repository.local.commit({ 'again.md': '# Again\n' });
  await repository.push();
  await finalStatus(repository, tip);
  expect((await bindings(repository)).map((one) => one.spaceId)).toEqual([orphan.id]);
});

testAtLength('a space that was deleted on the platform is created again', async () => {
  const repository = await installed('deleted');
  await repository.local.commit(DOCS);
  await repository.push();
  await idle();
  const [before] = await bindings(repository);
  await platform.client.call(operations.deleteSpace, { params: { spaceId: before?.spaceId ?? '' } });
  const tip = await repository.local.commit({ 'again.md': '# Again\n' });
  await repository.push();
  expect(await finalStatus(repository, tip)).toMatchObject({ state: 'success' });
  expect((await bindings(repository))[0]?.spaceId).not.toBe(before?.spaceId);
});

test('what the platform refuses is reported on the commit at once', async () => {
  const repository = await installed('locked');
  await repository.local.commit(DOCS);
  await repository.push();
  await idle();
  const [binding] = await bindings(repository);
  const params = { spaceId: binding?.spaceId ?? '' };
  await platform.client.call(operations.updateSpace, { params, body: { editMode: 'locked' } });
  const tip = await repository.local.commit({ 'more.md': '# More\n' });
  await repository.push();
  const status = await finalStatus(repository, tip);
  expect(status).toMatchObject({ state: 'failure', description: expect.stringMatching(/locked/i) });
  expect((await bindings(repository))[0]).toMatchObject({ lastError: expect.stringMatching(/locked/i) });
});

testAtLength(
  'a commit that was overtaken after a crash gets the status of what went live instead',
  async () => {
    const repository = await installed('overtaken');
    const first = await repository.local.commit(DOCS);
    await repository.push();
    await finalStatus(repository, first);
    await idle();
    // As a process leaves it that died after it had told `pending` on a commit, and a push came meanwhile.
    const lost = await repository.local.commit({ 'guide.md': '# Lost\n' });
    const gone = 'f'.repeat(40);
    bench.forge.faults.set({ on: 'webhook', kind: 'drop', times: 1 });
    await repository.push();
    await bench.forge.waitForIdle();
    const [binding] = await bindings(repository);
    for (const oid of [lost, gone]) await recordPending(bench.store.db, binding?.id ?? '', oid);
    const tip = await repository.local.commit({ 'guide.md': '# Found\n' });
    await repository.push();

    expect(await finalStatus(repository, tip)).toMatchObject({ state: 'success' });
    expect(await finalStatus(repository, lost)).toMatchObject({
      state: 'success',
      description: `Overtaken by ${tip.slice(0, 7)}, which is live.`,
    });
    await waitFor(async () => (await bindings(repository))[0]?.pendingOids.length === 0);

    // What the dead process sent last comes now, behind the end.
    await repository.api('POST', `/statuses/${lost}`, { state: 'pending', context: 'docloom/overtaken' });
    expect(statuses(repository, lost).at(-1)).toMatchObject({ state: 'pending' });
    expect(await lookLate(bench)).toBe(1);
    expect(await finalStatus(repository, lost)).toMatchObject({
      state: 'success',
      description: `Overtaken by ${tip.slice(0, 7)}, which is live.`,
    });
    await idle();
    expect(statuses(repository, tip).map(({ state }) => state)).toEqual(['pending', 'success']);

    // The end that was told is told again, also where it was a bad one and something else is live.
    const told = { state: 'failure', context: 'docloom/overtaken', description: 'It went wrong.' };
    await repository.api('POST', `/statuses/${first}`, told);
    await repository.api('POST', `/statuses/${first}`, { ...told, state: 'pending', description: '' });
    await bench.queue.enqueue(bench.store.db, lateStatusJob, {
      installationId: binding?.installationId ?? 0,
      repositoryId: repository.id,
      bindingId: binding?.id ?? '',
      context: told.context,
      oids: [first],
    });
    expect(await finalStatus(repository, first)).toMatchObject(told);
  },
);

testAtLength('a final status that was posted before a crash is not posted again', async () => {
  const repository = await installed('once');
  const tip = await repository.local.commit(DOCS);
  await repository.push();
  await finalStatus(repository, tip);
  await idle();
  const [binding] = await bindings(repository);
  const told = statuses(repository, tip).length;
  await bench.store.db
    .update(tables.bindings)
    .set({ liveOid: null })
    .where(eq(tables.bindings.id, binding?.id ?? ''));
  // The first try dies: what it would have done is there, but not noted.
  const push = bench.forge.deliveries.findLast((one) => one.event === 'push' && one.body.includes(tip));
  await bench.store.db.transaction(async (tx) => {
    await tx
      .update(tables.deliveries)
      .set({ state: 'received' })
      .where(eq(tables.deliveries.id, push?.guid ?? ''));
    const about = { repositoryId: repository.id, subject: 'refs/heads/main' };
    await bench.queue.enqueue(tx, deliveryJob, deliveryPayload(push?.guid ?? '', about));
    await tx.execute(sql`update jobs set attempt = 1, started_at = now()
      where payload->>'deliveryId' = ${push?.guid} and state = 'waiting'`);
  });
  await waitFor(async () => (await bindings(repository))[0]?.liveOid === tip);
  expect(statuses(repository, tip)).toHaveLength(told);
});

testAtLength(
  'a search for spaces that failed at first leaves no status pending under a name that no space has',
  async () => {
    const repository = await installed('searched');
    const tip = await repository.local.commit({
      'site/.vitepress/config.ts': 'export default { title: "Lantern" }\n',
      'site/index.md': '# Lantern\n',
    });
    // Those who only fetch; the push itself arrives.
    bench.forge.faults.set({ on: 'git', kind: 'status', status: 503, path: /git-upload-pack$/ });
    await repository.push();
    const last = (context: string) =>
      statuses(repository, tip)
        .filter((one) => one.context === context)
        .at(-1);
    await waitFor(() => last('docloom/searched')?.state === 'pending');
    bench.forge.faults.clear();
    await waitInHurry(bench, () => last('docloom/searched')?.state === 'success');
    expect(last('docloom/searched')?.description).toBe('The spaces were found: Lantern.');
    await waitFor(() => last('docloom/Lantern')?.state === 'success');
  },
);

test('a pull request leads to a preview, and what is live stays', async () => {
  const repository = await installed('previewed');
  const first = await repository.local.commit(DOCS);
  await repository.push();
  await finalStatus(repository, first);
  const head = await repository.local.commit(
    { 'guide.md': '# Another guide\n' },
    { branch: 'next', from: first },
  );
  await repository.push('next');
  const { number } = await repository.api<{ number: number }>('POST', '/pulls', {
    title: 'Next',
    head: 'next',
    base: 'main',
  });
  const run = await waitFor(() =>
    bench.forge
      .checkRuns(repository.fullName, head)
      .find(({ status, summary }) => status === 'completed' && summary?.includes('Preview')),
  );
  const [, spaceId = '', revisionId = ''] =
    /\/spaces\/([^/]+)\/revisions\/([^)\s]+)\)/.exec(run.summary ?? '') ?? [];
  const preview = await bench.client.call(operations.getRevisionContent, { params: { spaceId, revisionId } });
  expect(preview.git).toMatchObject({ oid: head, ref: `refs/pull/${number}/head` });
  const live = await bench.client.call(operations.getContent, { params: { spaceId } });
  expect(live.git?.oid).toBe(first);
  expect(run.conclusion).toBe('success');
  await idle();
  // It is what the check run says, and would say in a late one's place.
  const known = await findReportOfRun(bench.store.db, repository.id, run.id);
  expect(known?.run.verdict).toMatchObject({ title: run.title, summary: run.summary });
});

testAtLength(
  'a fork gets a preview only where the default branch allows it, whatever its own configuration says',
  async () => {
    const repository = await bench.createRepository('previewed-fork', { private: false });
    repository.install();
    const config = (previews: string) =>
      `spaces: [{ directory: ., title: Docs }]\nchecks: { previews: ${previews} }\n`;
    const CONFIG = '.github/docloom.yml';
    const first = await repository.local.commit({ ...DOCS, [CONFIG]: config('branches') });
    await repository.push();
    await finalStatus(repository, first, 'docloom/Docs');
    const { token } = bench.forge.createUser('stranger');
    const { cloneUrl: to } = await bench.forge.fork({ source: repository.fullName, owner: 'stranger' });
    const greedy = `spaces: [{ directory: ., title: Theirs, direction: both }]
exports: { mode: direct }
checks: { previews: all }
openapi: [{ name: petstore, url: "https://collector.example/", headers: { Authorization: PETSTORE_TOKEN } }]
translations: [{ space: ., languages: [de] }]
`;
    const files = {
      [CONFIG]: greedy,
      'guide.md': '# Their guide\n\n<script>alert(1)</script> [Secrets](../../../../etc/passwd)\n',
      'passwd.md': { symlink: '/etc/passwd' },
    };
    const head = await repository.local.commit(files, { branch: 'theirs', from: first });
    await repository.push('theirs', { to, token });
    await repository.api('POST', '/pulls', { title: 'Theirs', head: 'stranger:theirs', base: 'main' });
    const runOf = (sha: string) =>
      waitFor(() =>
        bench.forge.checkRuns(repository.fullName, sha).find(({ status }) => status === 'completed'),
      );
    expect((await runOf(head)).summary).not.toContain('Preview');
    await idle();
    const [binding, ...others] = await bindings(repository);
    const spaceId = binding?.spaceId ?? '';
    const listed = async () =>
      (await platform.client.call(operations.listGitOperations, { params: { spaceId } })).items.length;
    expect(await listed()).toBe(1);

    const allowed = await repository.local.commit({ [CONFIG]: config('all') });
    await repository.push();
    await finalStatus(repository, allowed, 'docloom/Docs');
    const again = await repository.local.commit({ 'more.md': '# More\n' }, { branch: 'theirs' });
    await repository.push('theirs', { to, token });
    const run = await waitFor(() =>
      bench.forge.checkRuns(repository.fullName, again).find(({ summary }) => summary?.includes('Preview')),
    );
    const [, revisionId = ''] = /\/revisions\/([^)\s]+)\)/.exec(run.summary ?? '') ?? [];
    await idle();
    const preview = await bench.client.call(operations.getRevisionContent, {
      params: { spaceId, revisionId },
    });
    expect(preview.git?.oid).toBe(again);
    const live = await bench.client.call(operations.getContent, { params: { spaceId } });
    expect(live.git?.oid).toBe(allowed);
    // Nothing of it is in force: neither its space, nor its exports, nor its specification with its secret.
    expect(others).toEqual([]);
    expect(await bindings(repository)).toMatchObject([
      { title: 'Docs', direction: 'import', branch: 'main', liveOid: allowed },
    ]);
    expect(await loadRepository(bench.store.db, repository.id)).toMatchObject({ configText: config('all') });
    expect(bench.logLines.filter((line) => line.includes('collector.example'))).toEqual([]);
    const { pages } = await bench.client.call(operations.listPages, { params: { spaceId } });
    expect(JSON.stringify(pages)).not.toContain('root:');
  },
);
