/**
 * Measures first imports a minute with one worker process and with two, on one database: once with a GitHub that answers at
 * once, once with one that takes as long as a remote one. All workers run, and have imported before, when the pushes that
 * GitHub holds back are sent at the same moment; what is counted lies between the first and the last tenth of the imports.
 * The processor time of each part tells what bounds them.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/cli/demo/free-port.ts';
import { waitFor } from '../src/cli/demo/narrator.ts';
import { openStage, type Stage } from '../src/cli/demo/open-stage.ts';
import { type RunningDocloom, startDocloom } from '../src/cli/demo/start-docloom.ts';
import { openStore } from '../src/store/index.ts';
import { type Author, createAuthor } from '../test/e2e/support/author.ts';
import { findPostmaster, readOwnCpu, readTreeCpu } from './read-cpu.ts';

const REPOSITORIES = Number(process.env['BENCH_REPOSITORIES'] ?? 60);
/** Imports of each worker before the clock starts. */
const WARM_UP = 4;
const PAGES = 100;

/** How long GitHub takes to answer a call, and a request of git, in milliseconds. */
const HOSTS = { 'at once': { api: 0, git: 0 }, 'as a remote one': { api: 150, git: 300 } } as const;

const PARTS = ['workers', 'git of workers', 'web', 'PostgreSQL', 'GitHub and its git'] as const;
type Cpu = Readonly<Record<(typeof PARTS)[number], number>>;

interface Rate {
  readonly perMinute: number;
  /** How many processors each part used on average. */
  readonly cores: Cpu;
}

export async function run(): Promise<void> {
  console.log(`${availableParallelism()} cores, ${REPOSITORIES} repositories of ${PAGES} pages`);
  for (const [name, latency] of Object.entries(HOSTS)) {
    console.log(`\nGitHub answers ${name} (${latency.api} ms a call, ${latency.git} ms a request of git)`);
    console.log(`workers | imports a minute | processors used by ${PARTS.join(' | ')} | together`);
    const rates: Rate[] = [];
    for (const workers of [1, 2]) {
      const rate = await measure(workers, latency);
      rates.push(rate);
      const used = PARTS.map((part) => rate.cores[part]);
      const cells = [...used, used.reduce((sum, cores) => sum + cores, 0)].map((cores) => cores.toFixed(2));
      console.log([workers, rate.perMinute.toFixed(0), ...cells].join(' | '));
    }
    const [one, two] = rates as [Rate, Rate];
    console.log(`Two workers import ${(two.perMinute / one.perMinute).toFixed(2)} times as much as one.`);
  }
}

async function measure(
  workers: number,
  latency: { readonly api: number; readonly git: number },
): Promise<Rate> {
  const stop = new AbortController();
  const env = { ROLE: 'web', ONBOARDING: 'off', RECONCILE_SECONDS: '86400', LOG_LEVEL: 'error' };
  const stage = await openStage({ signal: stop.signal, env });
  const running: RunningDocloom[] = [];
  try {
    for (let nth = 0; nth < workers; nth += 1) running.push(await startWorker(stage, nth, stop.signal));
    const warmUp = await publish(stage, 'warm-up', WARM_UP * workers);
    await waitFor('the first imports', async () => warmUp.every(isLive(stage)) || undefined, {
      withinMs: 600_000,
    });
    const held = stage.forge.faults.set({
      on: 'webhook',
      kind: 'delay',
      delayMs: 3_600_000,
      match: ({ event }) => event === 'push',
    });
    const waiting = new Set(await publish(stage, 'measured', REPOSITORIES));
    if (latency.git > 0) stage.forge.faults.set({ on: 'git', kind: 'slow', slowMs: latency.git });
    if (latency.api > 0) stage.forge.faults.set({ on: 'api', kind: 'slow', slowMs: latency.api });
    const count = await cpuOf(stage, running);
    const marks: { readonly atMs: number; readonly done: number; readonly cpu: Cpu }[] = [];
    const bounds = [Math.ceil(REPOSITORIES * 0.1), Math.floor(REPOSITORIES * 0.9)];
    held.clear();
    await waitFor(
      'the imports',
      async () => {
        for (const one of waiting) if (isLive(stage)(one)) waiting.delete(one);
        const done = REPOSITORIES - waiting.size;
        if (done >= (bounds[marks.length] ?? Number.POSITIVE_INFINITY))
          marks.push({ atMs: performance.now(), done, cpu: await count() });
        return waiting.size === 0 || undefined;
      },
      { withinMs: 600_000 },
    );
    const [from, to] = marks as [(typeof marks)[0], (typeof marks)[0]];
    const seconds = (to.atMs - from.atMs) / 1_000;
    const cores = PARTS.map((part) => [part, (to.cpu[part] - from.cpu[part]) / seconds] as const);
    return {
      perMinute: ((to.done - from.done) / seconds) * 60,
      cores: Object.fromEntries(cores) as Cpu,
    };
  } finally {
    await Promise.all(running.map((worker) => worker.stop()));
    stop.abort();
    await stage.close();
  }
}

async function startWorker(stage: Stage, nth: number, signal: AbortSignal): Promise<RunningDocloom> {
  const port = await freePort(0);
  return await startDocloom({
    env: { ...stage.env, ROLE: 'worker', PORT: String(port) },
    url: `http://127.0.0.1:${port}`,
    logFile: join(stage.folder, `worker-${nth}.log`),
    signal,
  });
}

interface Published {
  readonly author: Author;
  readonly oid: string;
}

/** Each in an installation of its own, so that no limit of GitHub's is met. */
async function publish(stage: Stage, name: string, count: number): Promise<readonly Published[]> {
  const authors: Author[] = [];
  for (let nth = 0; nth < count; nth += 1)
    authors.push(await createAuthor(stage, { owner: `${name}-${nth}`, repo: `${name}-${nth}` }));
  // Otherwise what follows from the installation would import the push.
  await waitUntilIdle(stage);
  const published: Published[] = [];
  for (const [nth, author] of authors.entries()) {
    const pages = Array.from(
      { length: PAGES },
      (_page, at) => [`docs/page-${at}.md`, textOf(`${name} ${nth}`, at)] as const,
    );
    const oid = await author.publish({ 'docs/README.md': '# Home\n', ...Object.fromEntries(pages) });
    published.push({ author, oid });
  }
  return published;
}

async function waitUntilIdle({ forge, env }: Stage): Promise<void> {
  await forge.waitForIdle();
  const store = await openStore({ dataDir: env['DATA_DIR'] ?? '' });
  try {
    await waitFor('the installations', async () => {
      const { rowCount } = await store.pool.query(`select from jobs where state <> 'failed' limit 1`);
      return rowCount === 0 || undefined;
    });
  } finally {
    await store.close();
  }
}

const isLive =
  ({ forge }: Stage) =>
  ({ author: { fullName }, oid }: Published) =>
    forge.statuses(fullName, oid).at(-1)?.state === 'success';

/** Reads the processor time of each part so far, in seconds. */
async function cpuOf(stage: Stage, workers: readonly RunningDocloom[]): Promise<() => Promise<Cpu>> {
  const postmaster = await findPostmaster(stage.env['DATA_DIR'] ?? '');
  return async () => {
    const each = await Promise.all(workers.map(({ pid }) => readTreeCpu(pid, postmaster)));
    const web = await readTreeCpu(stage.docloom().pid, postmaster);
    const database = await readTreeCpu(postmaster ?? 0, null);
    const forge = await readOwnCpu();
    return {
      workers: each.reduce((sum, { running }) => sum + running, 0),
      // What a worker starts and that ends is git; its other children stay.
      'git of workers': each.reduce((sum, { ended }) => sum + ended, 0),
      web: web.running + web.ended,
      PostgreSQL: database.running + database.ended,
      'GitHub and its git': forge,
    };
  };
}

/** About 4 KB with ten links. */
function textOf(repository: string, page: number): string {
  const sections = Array.from(
    { length: 10 },
    (_section, at) =>
      `## Section ${at}\n\n${`Words of page ${page} in repository ${repository}, part ${at}, as documentation has them. `.repeat(4)}[Next](page-${(page + at) % PAGES}.md).\n`,
  );
  return `# Page ${page}\n\n${sections.join('\n')}`;
}
