/** Many jobs through many lanes while their processes are killed. Its full size: `DOCLOOM_STORM=1`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openQueue, type Queue } from '../../src/queue/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { calling, hostRate } from './calling.ts';

const full = process.env['DOCLOOM_STORM'] === '1';
const size = full ? { jobs: 5_000, hosts: 20, kills: 20 } : { jobs: 120, hosts: 6, kills: 2 };
const organizations = 5;
const idealMs = (size.jobs / size.hosts / hostRate.count) * hostRate.ms;

let database: TestDatabase;
let queue: Queue;
const children = new Set<ChildProcess>();
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** The first organization has 60 % of the jobs and put them in first; the others have equal parts. */
const ownerOf = (n: number) => (n < size.jobs * 0.6 ? 0 : 1 + (n % (organizations - 1)));

interface Arrival {
  readonly host: string;
  readonly n: number;
  readonly at: number;
}

/** Stands in for all hosts: notes when a call arrives, and answers it a moment later. */
async function standIn() {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const [, host = '', n] = (request.url ?? '').split('/');
    arrivals.push({ host, n: Number(n), at: performance.now() });
    setTimeout(() => response.writeHead(204).end(), 5 + Math.random() * 25);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { arrivals, url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() };
}

async function startWorker(url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [new URL('./calling-process.ts', import.meta.url).pathname], {
    env: { PATH, NODE_COMPILE_CACHE, DATABASE_URL: database.url, CALL_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

beforeAll(async () => {
  database = await openTestDatabase();
  queue = await openQueue(database.store);
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await queue.stop();
  await database.close();
});

test.each(full ? [1, 2] : [1])(
  'nothing is lost, no limit exceeded and nobody starved, with %i processes that are killed',
  async (processes) => {
    const stand = await standIn();
    await database.store.db.transaction(async (tx) => {
      for (let n = 0; n < size.jobs; n++) {
        const who = `org${ownerOf(n)}`;
        await queue.enqueue(tx, calling, { n, host: `h${n % size.hosts}`, who });
      }
    });
    const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(stand.url)));
    const started = performance.now();
    for (let kill = 0; kill < size.kills; kill++) {
      await pause((idealMs / (size.kills + 1)) * (0.5 + Math.random()));
      const at = kill % processes;
      const victim = workers[at] as ChildProcess;
      const exit = once(victim, 'exit');
      victim.kill('SIGKILL');
      await exit;
      children.delete(victim);
      workers[at] = await startWorker(stand.url);
    }
    const done = async () => {
      const counts = (await queue.counts()).find(({ name }) => name === calling.name);
      expect(counts).toMatchObject({ waiting: 0, active: 0, failed: 0 });
    };
    await vi.waitFor(done, { timeout: idealMs * 4 + 60_000, interval: 50 });
    const tookMs = performance.now() - started;
    for (const worker of workers) worker.kill('SIGKILL');
    stand.close();

    const calls = new Map<number, number>();
    for (const { n } of stand.arrivals) calls.set(n, (calls.get(n) ?? 0) + 1);
    const again = [...calls.values()].filter((count) => count > 1).length;
    const worst = Math.max(
      ...Array.from({ length: size.hosts }, (_, host) =>
        mostWithin(
          stand.arrivals.filter((one) => one.host === `h${host}`).map(({ at }) => at),
          hostRate.ms,
        ),
      ),
    );
    // Served in turns, the others, with a tenth of the jobs each, are through after half of all; what a kill delayed, later.
    const places = stand.arrivals.flatMap(({ n }, place) => (ownerOf(n) === 0 ? [] : [place]));
    const through = (places[Math.floor(places.length * 0.9)] ?? 0) / stand.arrivals.length;
    if (full) {
      process.stdout.write(
        `${processes} processes: ${size.jobs} jobs in ${(tookMs / 1000).toFixed(1)} s (${(idealMs / 1000).toFixed(1)} s at the limit), ` +
          `${again} called again after a kill, at most ${worst} of ${hostRate.count} in any window, ` +
          `nine tenths of the small organizations' jobs were done after ${(through * 100).toFixed(0)} % of the calls\n`,
      );
    }
    expect(calls.size).toBe(size.jobs);
    expect(worst).toBeLessThanOrEqual(hostRate.count);
    expect(through).toBeLessThan(full ? 0.65 : 0.8);
    // Only what a killed process had under way is called again.
    expect(again).toBeLessThanOrEqual(size.kills * size.hosts * 3);
  },
  idealMs * 5 + 120_000,
);

function mostWithin(moments: readonly number[], ms: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < moments.length; last++) {
    while ((moments[last] as number) - (moments[first] as number) >= ms) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
