/** Many jobs of many rate-limit groups while their processes are killed. Its full size: `DOCLOOM_STORM=1`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openQueue, type Queue } from '../../src/queue/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeAtLength } from '../support/describe-at-length.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { calling, hostLimits } from './calling.ts';

const isFull = process.env['DOCLOOM_STORM'] === '1';
const size = isFull ? { jobs: 5_000, hosts: 20 } : { jobs: 120, hosts: 6 };
const organizations = 5;
const [rate] = hostLimits.rates;
/** What the limits allow: a full window's calls at once, and as many again after each window. */
const idealMs = (size.jobs / size.hosts / rate.count - 1) * rate.ms;

let database: TestDatabase;
let queue: Queue;
const children = new Set<ChildProcess>();
const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;

/** The first organization has 60 % of the jobs and enqueued them first; the others have equal parts at every host. */
const ownerOf = (n: number) =>
  n < size.jobs * 0.6 ? 0 : 1 + (Math.floor(n / size.hosts) % (organizations - 1));
const hostOf = (n: number) => n % size.hosts;

interface Arrival {
  readonly host: number;
  readonly n: number;
  readonly at: number;
}

/** Simulates all hosts: records when a call arrives, and answers it a moment later. */
async function standIn() {
  const arrivals: Arrival[] = [];
  const underWay = Array.from({ length: size.hosts }, () => 0);
  let together = 0;
  const server = createServer((request, response) => {
    const [, host, n] = (request.url ?? '').split('/').map(Number) as [number, number, number];
    arrivals.push({ host, n, at: performance.now() });
    const here = (underWay[host] ?? 0) + 1;
    underWay[host] = here;
    together = Math.max(together, here);
    response.on('close', () => (underWay[host] = (underWay[host] ?? 0) - 1));
    setTimeout(() => response.writeHead(204).end(), 5 + Math.random() * 25);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    arrivals,
    /** The most calls of one host that were under way at once. */
    together: () => together,
    url: `http://127.0.0.1:${port}`,
    close: () => server.closeAllConnections(),
  };
}

async function startWorker(url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [new URL('./calling-process.ts', import.meta.url).pathname], {
    env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, DATABASE_URL: database.url, CALL_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  children.delete(child);
}

describeAtLength('many jobs of many rate-limit groups', isFull, () => {
  beforeAll(async () => {
    database = await openTestDatabase();
    queue = await openQueue(database.store);
  });

  afterAll(async () => {
    await Promise.all([...children].map(end));
    await queue.stop();
    await database.close();
  });

  test.each(
    isFull
      ? [
          { processes: 1, kills: 0 },
          { processes: 2, kills: 0 },
          { processes: 1, kills: 20 },
          { processes: 2, kills: 20 },
        ]
      : [{ processes: 1, kills: 2 }],
  )(
    'nothing is lost, no limit exceeded and nobody starved with processes: $processes, kills: $kills',
    async ({ processes, kills }) => {
      const stand = await standIn();
      await database.store.db.transaction(async (tx) => {
        for (let n = 0; n < size.jobs; n++) {
          await queue.enqueue(tx, calling, { n, host: String(hostOf(n)), who: `org${ownerOf(n)}` });
        }
      });
      const busyBefore = readBusy();
      const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(stand.url)));
      for (let kill = 0; kill < kills; kill++) {
        await pause((idealMs / (kills + 1)) * (0.5 + Math.random()));
        const at = kill % processes;
        await end(workers[at] as ChildProcess);
        workers[at] = await startWorker(stand.url);
      }
      const done = async () => {
        const counts = (await queue.counts()).find(({ name }) => name === calling.name);
        expect(counts).toMatchObject({ waiting: 0, active: 0, failed: 0 });
      };
      await vi.waitFor(done, { timeout: idealMs * 4 + PATIENCE_MS, interval: 100 });
      const busy = shareBusy(busyBefore, readBusy());
      await Promise.all(workers.map(end));
      stand.close();

      const { arrivals } = stand;
      const tookMs = (arrivals.at(-1)?.at ?? 0) - (arrivals[0]?.at ?? 0);
      const calls = Map.groupBy(arrivals, ({ n }) => n);
      const again = [...calls.values()].filter((some) => some.length > 1).length;
      const hosts = [...Map.groupBy(arrivals, ({ host }) => host).values()];
      const worst = Math.max(
        ...hosts.map((some) =>
          mostWithin(
            some.map(({ at }) => at),
            rate.ms,
          ),
        ),
      );
      const late = Math.max(...hosts.map(latestTurn));
      if (isFull) {
        console.info(
          `${processes} processes, ${kills} kills: ${size.jobs} jobs in ${(tookMs / 1000).toFixed(1)} s (${(idealMs / 1000).toFixed(1)} s at the limit), ` +
            `the machine ${(busy * 100).toFixed(0)} % busy; ${again} called again after a kill, ` +
            `at most ${worst} of ${rate.count} in any window and ${stand.together()} of ${hostLimits.concurrency} at once; ` +
            `a turn came at most ${late} calls late`,
        );
      }
      expect(calls.size).toBe(size.jobs);
      expect(worst).toBeLessThanOrEqual(rate.count);
      expect(late).toBeLessThanOrEqual(organizations * (kills === 0 ? 2 : 8));
      if (kills === 0) {
        expect(stand.together()).toBeLessThanOrEqual(hostLimits.concurrency);
        expect(again).toBe(0);
        expect(tookMs).toBeLessThanOrEqual(idealMs * 1.1);
      }
      // Only the running calls of a killed process are repeated.
      expect(again).toBeLessThanOrEqual(kills * size.hosts * hostLimits.concurrency);
    },
    idealMs * 5 + PATIENCE_MS * 2,
  );
});

/**
 * By how many calls of a host the small organizations' calls came later, at most, than if all took strict turns. The last
 * fifth of their calls is omitted: when a kill delays a job there, its organization has no later job to run instead.
 */
function latestTurn(arrivals: readonly Arrival[]): number {
  const turns = new Map<number, number[]>();
  const seen = new Set<number>();
  for (const [place, { n }] of arrivals.entries()) {
    const owner = ownerOf(n);
    if (owner === 0 || seen.has(n)) continue;
    seen.add(n);
    turns.set(owner, [...(turns.get(owner) ?? []), place]);
  }
  const lateness = [...turns.values()].flatMap((places) =>
    places.slice(0, Math.ceil(places.length * 0.8)).map((place, turn) => place - turn * organizations),
  );
  return Math.max(...lateness);
}

function mostWithin(moments: readonly number[], ms: number): number {
  let most = 0;
  for (let first = 0, last = 0; last < moments.length; last++) {
    while ((moments[last] as number) - (moments[first] as number) >= ms) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

interface Busy {
  readonly busy: number;
  readonly all: number;
}

function readBusy(): Busy {
  let all = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    all += times.user + times.nice + times.sys + times.idle + times.irq;
    idle += times.idle;
  }
  return { busy: all - idle, all };
}

const shareBusy = (from: Busy, to: Busy) => (to.busy - from.busy) / (to.all - from.all);
