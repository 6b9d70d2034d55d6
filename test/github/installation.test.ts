/** What happens to an installation and its repositories, their spaces follow, or say why they cannot. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueRecheck } from '../../src/github/webhooks/delivery-job.ts';
import { tables } from '../../src/store/index.ts';
import { testAtLength } from '../support/describe-at-length.ts';
import { type AppBench, type BenchRepository, openAppBench, untilIdle, waitFor } from './app-bench.ts';
import { openBenchPlatform } from './bench-platform.ts';

let bench: AppBench;
let repository: BenchRepository;
let tip: string;
/** The head of a pull request that was open before the App was there. */
let topic: string;

beforeAll(async () => {
  bench = await openAppBench(openBenchPlatform);
  // Jobs that are done leave nothing behind: remember what is enqueued.
  await bench.store.pool.query(`
    create table enqueued (priority int, payload jsonb);
    create function remember() returns trigger language plpgsql as
      'begin insert into enqueued values (new.priority, new.payload); return null; end';
    create trigger remember after insert on jobs for each row execute function remember()`);
  repository = await bench.createRepository('followed');
  tip = await repository.local.commit({ 'README.md': '# Followed\n' });
  await repository.push();
  topic = await repository.local.commit({ 'topic.md': '[Gone](gone.md)\n' }, { branch: 'topic', from: tip });
  await repository.push('topic');
  await repository.api('POST', '/pulls', { title: 'Topic', head: 'topic', base: 'main' });
  repository.install();
});

afterAll(async () => {
  await bench?.close();
});

async function binding() {
  const { bindings } = tables;
  const rows = await bench.store.db.select().from(bindings).where(eq(bindings.repositoryId, repository.id));
  return rows[0];
}

const disconnected = (reason: RegExp) =>
  waitFor(async () => reason.test((await binding())?.disconnected ?? ''));
const connected = () =>
  waitFor(async () => {
    const row = await binding();
    return row?.disconnected === null && row.liveOid !== null && row;
  });

test('the default branch goes live when the App is installed, without a push', async () => {
  expect(await connected()).toMatchObject({ branch: 'main', liveOid: tip });
});

test('a pull request that was open before is checked, too', async () => {
  const { fullName } = repository;
  const run = await waitFor(() =>
    bench.forge.checkRuns(fullName, topic).find(({ status }) => status === 'completed'),
  );
  expect(run).toMatchObject({ name: 'Docloom links', conclusion: 'failure' });
  // What is pushed meanwhile goes before it.
  const { rows } = await bench.store.db.execute(
    sql`select priority from enqueued where payload -> 'look' is not null and payload ->> 'subject' like 'pull/%'`,
  );
  expect(rows).toContainEqual({ priority: -1 });
});

test.each([
  ['suspended', 'suspend', /suspended/, 'unsuspend'],
  ['uninstalled', 'deleted', /uninstalled/, null],
] as const)('%s: the space reports it, and continues afterwards', async (_name, action, reason, back) => {
  const before = await connected();
  bench.forge.changeInstallation('acme', action);
  await disconnected(reason);
  if (back === null) bench.forge.installApp({ owner: 'acme', repositories: 'all' });
  else bench.forge.changeInstallation('acme', back);
  expect((await connected()).spaceId).toBe(before.spaceId);
});

test('rechecks for an installation that no longer has the repository do not fail', async () => {
  await connected();
  // Of one that is suspended GitHub gives no token.
  const { installationId } = bench.forge.installApp({ owner: 'polaris', repositories: [] });
  bench.forge.changeInstallation('polaris', 'suspend');
  const { id: repositoryId, fullName } = repository;
  const recheck = { kind: 'pull-request', repositoryId, fullName, installationId, number: 1 } as const;
  await enqueueRecheck({ db: bench.store.db, queue: bench.queue }, recheck);
  const failed = await waitFor(async () => {
    const { rows } = await bench.store.db.execute(
      sql`select state from jobs where payload ->> 'subject' = 'pull/1' and payload ->> 'repositoryId' = ${String(repositoryId)}`,
    );
    return rows.every(({ state }) => state === 'failed') && rows;
  });
  expect(failed).toEqual([]);
});

test('archived, the space stays live and gives the reason; unarchived, it continues', async () => {
  bench.forge.editRepository(repository.fullName, { archived: true });
  await disconnected(/archived/);
  expect(await binding()).toMatchObject({ liveOid: tip });
  bench.forge.editRepository(repository.fullName, { archived: false });
  await connected();
});

test('the space is synced with another default branch, and under another name', async () => {
  const { spaceId } = await connected();
  await repository.local.git(['branch', 'trunk', 'main']);
  const next = await repository.local.commit({ 'trunk.md': '# Trunk\n' }, { branch: 'trunk' });
  await repository.push('trunk');
  bench.forge.editRepository(repository.fullName, { defaultBranch: 'trunk' });
  await waitFor(async () => (await binding())?.liveOid === next);
  expect(await binding()).toMatchObject({ branch: 'trunk', spaceId, disconnected: null });
  bench.forge.editRepository(repository.fullName, { name: 'renamed' });
  await waitFor(async () => (await binding())?.repository === 'acme/renamed');
  expect(await binding()).toMatchObject({ spaceId, disconnected: null });
});

test('removed from the installation, it reports it', async () => {
  bench.forge.installApp({ owner: 'acme', repositories: [] });
  await disconnected(/no access/);
});

test('transferred to another account, it continues there, whichever event arrives first', async () => {
  bench.forge.installApp({ owner: 'acme', repositories: 'all' });
  const before = await connected();
  bench.forge.installApp({ owner: 'zenith', repositories: 'all' });
  bench.forge.faults.set({ on: 'webhook', kind: 'reorder', count: 3, times: 1 });
  const { cloneUrl: to } = bench.forge.transferRepository(before.repository, 'zenith');
  const moved = await waitFor(async () => {
    const row = await binding();
    return row?.repository === 'zenith/renamed' && row.disconnected === null && row;
  });
  expect(moved).toMatchObject({ spaceId: before.spaceId });
  expect(moved.installationId).not.toBe(before.installationId);
  const next = await repository.local.commit({ 'zenith.md': '# Zenith\n' }, { branch: 'trunk' });
  await repository.push('trunk', { to, token: bench.forge.createUser('zenith').token });
  await waitFor(async () => (await binding())?.liveOid === next);
});

test('transferred to an account without the App, it reports it, and continues when the App is installed there', async () => {
  const { spaceId } = await connected();
  bench.forge.transferRepository('zenith/renamed', 'nadir');
  await disconnected(/no access/);
  bench.forge.installApp({ owner: 'nadir', repositories: 'all' });
  await waitFor(async () => (await binding())?.repository === 'nadir/renamed');
  expect(await connected()).toMatchObject({ spaceId });
});

test('a delayed job of the account that a public repository left does not claim it back', async () => {
  const open = await bench.createRepository('open', { private: false });
  await open.local.commit({ 'README.md': '# Open\n' });
  await open.push();
  bench.forge.installApp({ owner: 'acme', repositories: 'all' });
  const { repositories } = tables;
  const known = async () => {
    const [row] = await bench.store.db.select().from(repositories).where(eq(repositories.id, open.id));
    return row;
  };
  const before = await waitFor(async () => {
    const row = await known();
    return row?.syncedOid != null && row;
  });
  bench.forge.transferRepository(open.fullName, 'zenith');
  const after = await waitFor(async () => {
    const row = await known();
    return row?.fullName === 'zenith/open' && row.syncedOid !== null && row;
  });
  expect(after.installationId).not.toBe(before.installationId);
  // It is readable by its old name.
  const { installationId, fullName } = before;
  const stale = { kind: 'branch', installationId, fullName, repositoryId: open.id, branch: 'main' } as const;
  await enqueueRecheck({ db: bench.store.db, queue: bench.queue }, stale);
  await untilIdle(bench);
  expect(await known()).toMatchObject({ installationId: after.installationId, disconnected: null });
});

testAtLength('a transfer whose event comes after that of the installation is synced, too', async () => {
  const late = await bench.createRepository('late');
  await late.local.commit({ 'README.md': '# Late\n' });
  await late.push();
  bench.forge.installApp({ owner: 'acme', repositories: 'all' });
  const { bindings } = tables;
  const own = async () => {
    const [row] = await bench.store.db.select().from(bindings).where(eq(bindings.repositoryId, late.id));
    return row;
  };
  await waitFor(async () => (await own())?.liveOid);
  await untilIdle(bench);
  const transferred = bench.forge.faults.set({
    on: 'webhook',
    kind: 'delay',
    delayMs: 60_000,
    match: ({ event }) => event === 'repository',
  });
  bench.forge.transferRepository(late.fullName, 'zenith');
  await waitFor(async () => (await own())?.repository === 'zenith/late');
  transferred.clear();
});

test('a renamed default branch is synced, even where the deletion of the old branch is reported first', async () => {
  const { spaceId } = await connected();
  const { token } = bench.forge.createUser('nadir');
  const to = `${bench.forge.url}/nadir/renamed.git`;
  const deaf = bench.forge.faults.set({
    on: 'webhook',
    kind: 'delay',
    delayMs: 60_000,
    match: ({ event }) => event === 'repository',
  });
  const next = await repository.local.commit({ 'next.md': '# Next\n' }, { branch: 'next', from: 'trunk' });
  await repository.push('next', { to, token });
  bench.forge.editRepository('nadir/renamed', { defaultBranch: 'next' });
  await repository.local.git(['push', '--quiet', to.replace('://', `://x:${token}@`), ':trunk']);
  await waitFor(async () => (await binding())?.liveOid === next);
  expect(await binding()).toMatchObject({ branch: 'next', spaceId, disconnected: null });
  deaf.clear();
});
