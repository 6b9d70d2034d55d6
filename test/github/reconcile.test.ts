/** What lost events would have brought, the reconciler brings: it compares, and lets the job of the event run. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordPending } from '../../src/store/bindings.ts';
import { loadDelivery, recordLostDelivery, recordRedelivery } from '../../src/store/deliveries.ts';
import { newId, tables } from '../../src/store/index.ts';
import { reserveReport } from '../../src/store/reports.ts';
import { type AppBench, type BenchRepository, openAppBench, untilIdle, waitFor } from './app-bench.ts';
import { openBenchPlatform } from './bench-platform.ts';

let bench: AppBench;
let deaf: { clear(): void };

beforeAll(async () => {
  bench = await openAppBench(openBenchPlatform);
  deaf = bench.forge.faults.set({ on: 'webhook', kind: 'drop' });
});

afterAll(async () => {
  deaf?.clear();
  await bench?.close();
});

const idle = () => untilIdle(bench);

async function reconciled(): Promise<void> {
  await bench.reconcile();
  await idle();
}

const states = (repository: BenchRepository, sha: string) =>
  bench.forge.statuses(repository.fullName, sha).map((one) => one.state);

async function bindingOf(repository: BenchRepository) {
  const { bindings } = tables;
  const [row] = await bench.store.db.select().from(bindings).where(eq(bindings.repositoryId, repository.id));
  if (row === undefined) throw new Error(`${repository.fullName} has no binding.`);
  return row;
}

test('a repository that was added and pushed to without any event goes live once', async () => {
  const repository = await bench.createRepository('unheard');
  const first = await repository.local.commit({ 'README.md': '# Unheard\n' });
  await repository.push();
  repository.install();
  await reconciled();
  expect(states(repository, first)).toEqual(['pending', 'success']);

  const second = await repository.local.commit({ 'more.md': '# More\n' });
  await repository.push();
  await reconciled();
  expect(states(repository, second)).toEqual(['pending', 'success']);
  expect(await bindingOf(repository)).toMatchObject({ liveOid: second, disconnected: null });

  const calls = bench.forge.apiLog.length;
  await reconciled();
  // The list of deliveries is the one that changes all the time.
  const spent = bench.forge.apiLog
    .slice(calls)
    .filter(({ method, path }) => method === 'GET' && !path.startsWith('/app/hook/deliveries'));
  expect(spent.length).toBeGreaterThan(0);
  expect(spent.filter(({ status }) => status !== 304)).toEqual([]);
  expect(states(repository, second)).toEqual(['pending', 'success']);
});

test('a commit that waits for an import without a job gets the status of what is live', async () => {
  const repository = await bench.createRepository('waiting');
  const lost = await repository.local.commit({ 'README.md': '# Waiting\n' });
  const tip = await repository.local.commit({ 'README.md': '# Live\n' });
  await repository.push();
  repository.install();
  await reconciled();
  await recordPending(bench.store.db, (await bindingOf(repository)).id, lost);
  // Asked for before, and nothing came of it: not at every pass, but again after a while.
  await bench.store.db
    .update(tables.repositories)
    .set({ attemptedAt: sql`now() - interval '2 hours'` })
    .where(eq(tables.repositories.id, repository.id));
  await reconciled();
  expect(states(repository, lost)).toEqual(['success']);
  expect(states(repository, tip)).toEqual(['pending', 'success']);
  expect((await bindingOf(repository)).pendingOids).toEqual([]);
});

test('checks without a job are completed: of the head with its links, of an older head as overtaken', async () => {
  const repository = await bench.createRepository('stuck');
  await repository.local.commit({ 'README.md': '# Stuck\n' });
  await repository.push();
  repository.install();
  await reconciled();
  const older = await repository.local.commit({ 'a.md': '# A\n' }, { branch: 'topic', from: 'main' });
  const head = await repository.local.commit({ 'b.md': '# B\n' }, { branch: 'topic' });
  await repository.push('topic');
  const { number } = await repository.api<{ number: number }>('POST', '/pulls', {
    title: 'Topic',
    head: 'topic',
    base: 'main',
  });
  const baseOid = await repository.local.git(['rev-parse', 'main']);
  const place = {
    repositoryId: repository.id,
    repository: repository.fullName,
    pullNumber: number,
    baseOid,
  };
  for (const headOid of [older, head]) {
    const { id } = await reserveReport(bench.store.db, { id: newId(), kind: 'links', headOid, ...place });
    await bench.store.db
      .update(tables.reports)
      .set({ createdAt: sql`now() - interval '1 minute'` })
      .where(eq(tables.reports.id, id));
  }
  await reconciled();
  expect(bench.forge.checkRuns(repository.fullName, head)).toMatchObject([
    { status: 'completed', conclusion: 'success' },
  ]);
  const rows = await bench.store.db
    .select({ headOid: tables.reports.headOid, conclusion: tables.reports.conclusion })
    .from(tables.reports)
    .where(eq(tables.reports.repositoryId, repository.id));
  expect(new Map(rows.map((row) => [row.headOid, row.conclusion]))).toEqual(
    new Map([
      [older, 'neutral'],
      [head, 'success'],
    ]),
  );
});

test('a failed delivery is requested again, and its outcome is recorded', async () => {
  const repository = await bench.createRepository('missed');
  await repository.local.commit({ 'README.md': '# Missed\n' });
  await repository.push();
  repository.install();
  await reconciled();
  const head = await repository.local.commit({ 'a.md': '# A\n' }, { branch: 'topic', from: 'main' });
  await repository.push('topic');
  await repository.api('POST', '/pulls', { title: 'Topic', head: 'topic', base: 'main' });
  await bench.forge.waitForIdle();
  expect(bench.forge.checkRuns(repository.fullName, head)).toEqual([]);
  await reconciled();
  await waitFor(() => bench.forge.checkRuns(repository.fullName, head)[0]?.status === 'completed');
  await idle();
  const opened = bench.forge.deliveries.findLast((one) => one.event === 'pull_request');
  expect(await loadDelivery(bench.store.db, opened?.guid ?? '')).toMatchObject({
    state: 'done',
    redeliveries: 1,
    error: null,
    payload: opened?.body,
  });
  const tries = opened?.attempts.length;
  await reconciled();
  expect(opened?.attempts).toHaveLength(tries ?? 0);
});

test('a delivery that never arrives is requested five times, then recorded as lost', async () => {
  const missed = {
    id: 'never-comes',
    event: 'push',
    action: null,
    installationId: 1,
    repositoryId: 1,
    reason: 'GitHub could not deliver it: timed out (504).',
  };
  const { db } = bench.store;
  for (let time = 1; time <= 5; time++) await recordRedelivery(db, missed);
  expect(await loadDelivery(db, missed.id)).toMatchObject({ state: 'redelivered', redeliveries: 5 });
  await recordLostDelivery(db, missed);
  expect(await loadDelivery(db, missed.id)).toMatchObject({ state: 'failed', error: missed.reason });
  await recordRedelivery(db, missed);
  expect(await loadDelivery(db, missed.id)).toMatchObject({ state: 'failed', redeliveries: 5 });
});
