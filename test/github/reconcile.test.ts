/** What lost events would have brought, the reconciler brings: it compares, and lets the job of the event run. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/client/index.ts';
import { enqueueRecheck, removalTime } from '../../src/github/index.ts';
import { recordPending } from '../../src/store/bindings.ts';
import { loadDelivery, recordLostDelivery, recordRedelivery } from '../../src/store/deliveries.ts';
import { disconnectRepository, newId, tables } from '../../src/store/index.ts';
import { reserveReport } from '../../src/store/reports.ts';
import { testAtLength } from '../support/describe-at-length.ts';
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

test('an installation that GitHub is slow with holds up no other', async () => {
  const { forge } = bench;
  for (const owner of ['slow', 'quick']) {
    forge.createUser(owner);
    await forge.createRepository({ owner, name: 'docs' });
    forge.installApp({ owner, repositories: 'all' });
  }
  const from = forge.apiLog.length;
  const listed = () =>
    forge.apiLog.slice(from).filter(({ path }) => path.startsWith('/installation/repositories'));
  const answeredBefore: number[] = [];
  const bothAsked = Promise.withResolvers<void>();
  const fault = forge.faults.set({
    on: 'api',
    kind: 'slow',
    slowMs: 10_000,
    until: bothAsked.promise,
    path: /^\/installation\/repositories$/,
    match: () => {
      const asked = answeredBefore.push(listed().length);
      if (asked === 2) bothAsked.resolve();
      return asked === 1;
    },
  });
  await reconciled();
  fault.clear();
  expect(fault.struck).toBe(1);
  // The second is asked for before the first is there.
  expect(answeredBefore.slice(0, 2)).toEqual([0, 0]);
});

test('processes that compare at once ask for the tips of all repositories of an installation once, with one call', async () => {
  const { forge } = bench;
  forge.createUser('many');
  for (const name of ['a', 'b', 'c', 'd', 'e']) await forge.createRepository({ owner: 'many', name });
  forge.installApp({ owner: 'many', repositories: 'all' });
  await reconciled();
  const from = forge.apiLog.length;
  await Promise.all([bench.reconcile(), bench.reconcile()]);
  await idle();
  const queries = forge.apiLog.slice(from).filter(({ path }) => path === '/graphql');
  const { rows } = await bench.store.db.execute(sql`select installation_id from installation_comparisons`);
  // A second request may come when the first was worked on already.
  expect(queries.length).toBeGreaterThanOrEqual(rows.length);
  expect(queries.length).toBeLessThanOrEqual(2 * rows.length);
  expect(forge.apiLog.slice(from).filter(({ path }) => path.includes('/git/ref/'))).toEqual([]);
});

test('a repository that cannot be read keeps no other from being compared', async () => {
  const gone = await bench.createRepository('unreadable');
  await gone.local.commit({ 'README.md': '# Unreadable\n' });
  await gone.push();
  gone.install();
  const other = await bench.createRepository('readable');
  const tip = await other.local.commit({ 'README.md': '# Readable\n' });
  await other.push();
  other.install();
  await reconciled();
  // Others have the name by now, as after a transfer that was not told.
  await bench.store.db
    .update(tables.repositories)
    .set({ fullName: other.fullName, syncedOid: 'f'.repeat(40) })
    .where(eq(tables.repositories.fullName, gone.fullName));
  const compare = () => bench.reconcile();
  await bench.store.db
    .update(tables.repositories)
    .set({ syncedOid: 'e'.repeat(40) })
    .where(eq(tables.repositories.id, other.id));
  await compare();
  await idle();
  expect(states(other, tip).at(-1)).toBe('success');
  const [row] = await bench.store.db
    .select()
    .from(tables.repositories)
    .where(eq(tables.repositories.id, other.id));
  expect(row?.syncedOid).toBe(tip);
});

testAtLength('a commit that waits for an import without a job gets the status of what is live', async () => {
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

testAtLength('bytes that the platform lost are fetched again, although nothing was pushed', async () => {
  const repository = await bench.createRepository('lossy');
  const picture = '<svg xmlns="http://www.w3.org/2000/svg"/>\n';
  const tip = await repository.local.commit({
    'README.md': '# Lossy\n\n![dot](dot.svg)\n',
    'dot.svg': picture,
  });
  await repository.push();
  repository.install();
  await reconciled();
  const { spaceId } = await bindingOf(repository);
  const params = { spaceId: spaceId ?? '' };
  const { items } = await bench.client.call(operations.listFiles, { params });
  const read = async () => {
    const { bytes } = await bench.client.download(items[0] as (typeof items)[0]);
    return Buffer.from(bytes).toString();
  };
  expect(await read()).toBe(picture);

  const oid = await repository.local.git(['rev-parse', 'main:dot.svg']);
  await rm(join(bench.dataDir, 'blobs', oid.slice(0, 2), oid.slice(2)));
  await expect(read()).rejects.toThrow('The bytes of this file were lost on this server');
  // Compared just now and live since then, but for these bytes.
  await bench.store.db
    .update(tables.repositories)
    .set({ attemptedAt: sql`now() - interval '2 hours'` })
    .where(eq(tables.repositories.id, repository.id));
  await reconciled();
  expect(await read()).toBe(picture);
  expect(states(repository, tip)).toEqual(['pending', 'success', 'pending', 'success']);
  await reconciled();
  expect(states(repository, tip)).toHaveLength(4);
});

testAtLength(
  'checks without a job are completed: of the head with its links, of an older head as overtaken',
  async () => {
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
  },
);

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

testAtLength(
  'a sync that failed although the tip did not change is requested again, without a push',
  async () => {
    const repository = await bench.createRepository('unlucky');
    const tip = await repository.local.commit({ 'README.md': '# Unlucky\n' });
    await repository.push();
    repository.install();
    await reconciled();
    const before = await bindingOf(repository);
    expect(before).toMatchObject({ liveOid: tip });
    const { db } = bench.store;
    // The space is gone, and for a while no other can be created.
    await bench.client.call(operations.deleteSpace, { params: { spaceId: before.spaceId ?? '' } });
    await db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$`);
    await db.execute(
      sql`create trigger refuse before insert on spaces for each row execute function refuse()`,
    );
    const recheck = { kind: 'branch', repositoryId: repository.id, branch: 'main' } as const;
    const { fullName } = repository;
    const { installationId } = before;
    await enqueueRecheck({ db, queue: bench.queue }, { ...recheck, fullName, installationId });
    await waitFor(async () => (await bindingOf(repository)).lastError !== null);
    // As after its last attempt.
    await waitFor(async () => {
      const { rowCount } = await db.execute(sql`delete from jobs where state = 'waiting' and attempt > 0`);
      return (rowCount ?? 0) > 0;
    });
    await db.execute(sql`drop trigger refuse on spaces`);
    await db.execute(sql`drop function refuse()`);
    await reconciled();
    expect((await bindingOf(repository)).spaceId).toBeNull();
    await db
      .update(tables.repositories)
      .set({ attemptedAt: sql`now() - interval '2 hours'` })
      .where(eq(tables.repositories.id, repository.id));
    await reconciled();
    const after = await bindingOf(repository);
    expect(after).toMatchObject({ liveOid: tip, lastError: null });
    expect(after.spaceId).not.toBe(before.spaceId);
  },
);

testAtLength(
  'a space that was disconnected for long is deleted, but none that people edited or whose repository is archived',
  async () => {
    const names = ['abandoned', 'edited', 'claimed', 'archived', 'recent', 'back', 'again'] as const;
    const { client } = bench;
    const wanted = await client.call(operations.createSpace, {
      params: { organizationId: await bench.organizationId() },
      body: { title: 'Was there before' },
    });
    const repositories = await Promise.all(names.map((name) => bench.createRepository(name)));
    for (const [index, repository] of repositories.entries()) {
      const config = `spaces:\n  - directory: docs\n    space: ${wanted.id}\n`;
      await repository.local.commit({
        'docs/README.md': '# Home\n',
        ...(names[index] === 'claimed' && { '.github/docloom.yml': config }),
      });
      await repository.push();
      repository.install();
    }
    await reconciled();
    const bound = new Map<string, Awaited<ReturnType<typeof bindingOf>>>();
    for (const [index, repository] of repositories.entries())
      bound.set(names[index] ?? '', await bindingOf(repository));
    const spaceOf = (name: (typeof names)[number]) => bound.get(name)?.spaceId ?? '';
    expect(spaceOf('claimed')).toBe(wanted.id);
    await client.call(operations.createChangeRequest, {
      params: { spaceId: spaceOf('edited') },
      body: { subject: 'Not finished' },
    });

    bench.forge.editRepository('acme/archived', { archived: true });
    bench.forge.installApp({ owner: 'acme', repositories: ['archived'] });
    await reconciled();
    const { bindings, repositories: known } = tables;
    const ids = repositories.map(({ id }) => id);
    const stillBound = async () => {
      const rows = await bench.store.db.select().from(bindings).where(inArray(bindings.repositoryId, ids));
      return names.filter((name) => rows.some(({ spaceId }) => spaceId === spaceOf(name)));
    };
    expect(await stillBound()).toEqual(names);
    const recent = await bindingOf(repositories[4] as BenchRepository);
    expect(removalTime(recent, 90)?.getTime()).toBeGreaterThan(Date.now() + 89 * 24 * 60 * 60 * 1000);
    expect(removalTime(await bindingOf(repositories[3] as BenchRepository), 90)).toBeNull();

    const past = sql`now() - interval '91 days'`;
    await bench.store.db.update(bindings).set({ disconnectedAt: past, updatedAt: past });
    await bench.store.db.update(known).set({ disconnectedAt: past });
    // It is back, and its sync has not run yet.
    await bench.store.db
      .update(known)
      .set({ disconnected: null, disconnectedAt: null })
      .where(eq(known.id, ids[5] ?? 0));
    // Whatever it was disconnected for before, it is removed only now.
    await disconnectRepository(
      bench.store.db,
      {
        id: ids[6] ?? 0,
        installationId: (await bindingOf(repositories[6] as BenchRepository)).installationId,
      },
      'Another reason.',
    );
    // As a process of 0.1.0 leaves it, which records no time: the days count from now.
    for (const [table, id] of [
      [bindings, bindings.repositoryId],
      [known, known.id],
    ] as const)
      await bench.store.db
        .update(table)
        .set({ disconnectedAt: null })
        .where(eq(id, ids[4] ?? 0));
    await reconciled();
    expect(await stillBound()).toEqual(['archived', 'recent', 'back', 'again']);
    const left = await bench.store.db.select({ id: known.id }).from(known).where(inArray(known.id, ids));
    expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(3).sort());
    const restorable = await client.call(operations.listSpaces, {
      params: { organizationId: await bench.organizationId() },
      query: { deleted: true },
    });
    const deletedIds = new Set(restorable.items.map(({ id }) => id));
    expect(names.filter((name) => deletedIds.has(spaceOf(name)))).toEqual(['abandoned']);
    expect((await bindingOf(repositories[4] as BenchRepository)).disconnectedAt).not.toBeNull();
  },
);
