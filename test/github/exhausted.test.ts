/** Work that killed its process at every try, or never got done in time, ends in words where people look. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryJob, deliveryPayload } from '../../src/github/webhooks/delivery-job.ts';
import { readDelivery } from '../../src/github/webhooks/read-delivery.ts';
import { loadDelivery, storeDelivery } from '../../src/store/deliveries.ts';
import { type AppBench, openAppBench, waitFor } from './app-bench.ts';
import { openBenchPlatform } from './bench-platform.ts';

let bench: AppBench;

beforeAll(async () => {
  bench = await openAppBench(openBenchPlatform);
});

afterAll(async () => {
  await bench?.close();
});

/** Takes a delivery whose job has used up all its tries without a word. */
async function takeExhausted(event: string, mark: string): Promise<string> {
  const sent = bench.forge.deliveries.find((one) => one.event === event && one.body.includes(mark));
  const read = readDelivery({ delivery: sent?.guid, event }, Buffer.from(sent?.body ?? ''));
  await bench.store.db.transaction(async (tx) => {
    await storeDelivery(tx, read.delivery);
    if (read.work) await bench.queue.enqueue(tx, deliveryJob, deliveryPayload(read.delivery.id, read.work));
    await tx.execute(sql`update jobs set attempt = attempt_limit, started_at = now()
      where payload->>'deliveryId' = ${read.delivery.id}`);
  });
  return read.delivery.id;
}

async function expectFailed(id: string): Promise<void> {
  const delivery = await waitFor(async () => {
    const row = await loadDelivery(bench.store.db, id);
    return row?.state !== 'received' && row;
  });
  expect(delivery).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/Docloom stopped during each attempt/),
  });
}

test('a push: the commit’s status reports it, and nothing is imported', async () => {
  const repository = await bench.createRepository('heavy');
  repository.install({ unheard: true });
  const tip = await repository.local.commit({ 'README.md': '# Heavy\n' });
  bench.forge.faults.set({ on: 'webhook', kind: 'drop' });
  await repository.push();
  await bench.forge.waitForIdle();
  bench.forge.faults.clear();
  await expectFailed(await takeExhausted('push', tip));
  expect(bench.forge.statuses(repository.fullName, tip)).toMatchObject([
    {
      context: 'docloom/heavy',
      state: 'error',
      description: expect.stringMatching(/Docloom stopped during each attempt/),
    },
  ]);
});

test('a pull request: its check run is completed, and reports it', async () => {
  const repository = await bench.createRepository('heavier');
  repository.install({ unheard: true });
  bench.forge.faults.set({ on: 'webhook', kind: 'drop' });
  await repository.local.commit({ 'README.md': '# Heavier\n' });
  await repository.push();
  const head = await repository.local.commit({ 'more.md': '# More\n' }, { branch: 'more', from: 'main' });
  await repository.push('more');
  await repository.api('POST', '/pulls', { title: 'More', head: 'more', base: 'main' });
  await bench.forge.waitForIdle();
  bench.forge.faults.clear();
  await expectFailed(await takeExhausted('pull_request', head));
  expect(bench.forge.checkRuns(repository.fullName, head)).toMatchObject([
    { status: 'completed', conclusion: 'neutral' },
  ]);
});
