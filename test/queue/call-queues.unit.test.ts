import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallQueueFull, openCallQueues } from '../../src/queue/index.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const one = { concurrency: 1 };

test('calls of one queue wait for each other, higher priorities first; queues are independent', async () => {
  const queues = openCallQueues();
  const queue = queues.queue('a', one);
  const first = Promise.withResolvers<void>();
  const ran: string[] = [];
  const calls = [
    queue.run(async () => {
      ran.push('first');
      await first.promise;
    }),
    queue.run(async () => void ran.push('low'), { priority: -1 }),
    queue.run(async () => void ran.push('high'), { priority: 5 }),
    queues.queue('b', one).run(async () => void ran.push('other queue')),
  ];
  await calls[3];
  expect(ran).toEqual(['first', 'other queue']);
  first.resolve();
  await Promise.all(calls);
  expect(ran).toEqual(['first', 'other queue', 'high', 'low']);
});

test('a rate limits how many calls start in any window', async () => {
  const queue = openCallQueues().queue('a', { concurrency: 10, rate: { count: 2, ms: 1000 } });
  let ran = 0;
  const calls = Array.from({ length: 5 }, () => queue.run(async () => void ran++));
  const counts: number[] = [];
  for (let window = 0; window < 3; window++) {
    await vi.advanceTimersByTimeAsync(window === 0 ? 10 : 1000);
    counts.push(ran);
  }
  await Promise.all(calls);
  expect(counts).toEqual([2, 4, 5]);
});

test('a pause stops the queue until its moment, and a shorter one does not end it', async () => {
  const queue = openCallQueues().queue('a', one);
  let ran = false;
  queue.pauseUntil(new Date(Date.now() + 60_000));
  queue.pauseUntil(new Date(Date.now() + 1_000));
  const call = queue.run(async () => {
    ran = true;
  });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(ran).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  await call;
  expect(ran).toBe(true);
});

test('a pause remains when the queue is idle in the meantime', async () => {
  const queues = openCallQueues();
  queues.queue('a', one).pauseUntil(new Date(Date.now() + 600_000));
  await vi.advanceTimersByTimeAsync(300_000);
  let ran = false;
  const call = queues.queue('a', one).run(async () => {
    ran = true;
  });
  await vi.advanceTimersByTimeAsync(299_000);
  expect(ran).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  await call;
});

test('an aborted waiting call is removed, a running one gets the signal, and errors are passed on', async () => {
  const queue = openCallQueues().queue('a', one);
  const abort = new AbortController();
  const running = queue.run(
    (signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped')))),
    { signal: abort.signal },
  );
  const waiting = queue.run(async () => expect.unreachable(), { signal: abort.signal });
  const failing = queue.run(() => Promise.reject(new Error('refused')));
  abort.abort();
  await expect(running).rejects.toThrow();
  await expect(waiting).rejects.toThrow();
  await expect(failing).rejects.toThrow('refused');
});

test('a full queue rejects calls', async () => {
  const queues = openCallQueues();
  const queue = queues.queue('api.example', { concurrency: 1, waiting: 2 });
  const calls = [1, 2, 3].map(() => queue.run(() => new Promise(() => {})));
  for (const call of calls) call.catch(() => {});
  const refused = queue.run(async () => {});
  await expect(refused).rejects.toThrow(CallQueueFull);
  await expect(refused).rejects.toThrow('More than 2 calls are waiting for api.example; try again later.');
  queues.close();
  await expect(calls[2]).rejects.toThrow();
});

test('idle queues are dropped when their rate counts no call any more', async () => {
  const queues = openCallQueues();
  const queue = queues.queue('a', { concurrency: 1, rate: { count: 1, ms: 5_000 } });
  await queue.run(async () => {});
  await vi.advanceTimersByTimeAsync(4_000);
  expect(queues.size).toBe(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(queues.size).toBe(0);
  await queue.run(async () => {});
  expect(queues.size).toBe(1);
});
