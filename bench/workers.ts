/**
 * Measures first imports a minute with one worker process and with two, on one database: pushes wait in the queue while only
 * a `web` process runs, then the workers start. The processor time of each part tells what bounds them.
 */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/cli/demo/free-port.ts';
import { waitFor } from '../src/cli/demo/narrator.ts';
import { openStage } from '../src/cli/demo/open-stage.ts';
import { type RunningDocloom, startDocloom } from '../src/cli/demo/start-docloom.ts';
import { type Author, createAuthor } from '../test/e2e/support/author.ts';
import { readCpu } from './platform-server.ts';

const REPOSITORIES = Number(process.env['BENCH_REPOSITORIES'] ?? 24);
const PAGES = 100;

export async function run(): Promise<void> {
  console.log(`${availableParallelism()} cores, ${REPOSITORIES} repositories of ${PAGES} pages`);
  console.log(
    'workers | imports a minute | CPU s of workers | of web | of PostgreSQL | of the stand-in for GitHub',
  );
  const rates: number[] = [];
  for (const workers of [1, 2]) rates.push(await measure(workers));
  console.log(`Two workers import ${((rates[1] ?? 0) / (rates[0] ?? 1)).toFixed(2)} times as much as one.`);
}

async function measure(workers: number): Promise<number> {
  const stop = new AbortController();
  const env = { ROLE: 'web', ONBOARDING: 'off', RECONCILE_SECONDS: '86400', LOG_LEVEL: 'error' };
  const stage = await openStage({ signal: stop.signal, env });
  const running: RunningDocloom[] = [];
  try {
    const authors: { readonly author: Author; readonly oid: string }[] = [];
    for (let nth = 0; nth < REPOSITORIES; nth += 1) {
      const author = await createAuthor(stage, { owner: `owner-${nth}`, repo: `workers-${nth}` });
      const pages = Array.from(
        { length: PAGES },
        (_page, at) => [`docs/page-${at}.md`, textOf(nth, at)] as const,
      );
      const oid = await author.publish({ 'docs/README.md': '# Home\n', ...Object.fromEntries(pages) });
      authors.push({ author, oid });
    }
    await stage.forge.waitForIdle();
    const dataDir = stage.env['DATA_DIR'] ?? '';
    for (let nth = 0; nth < workers; nth += 1) {
      const port = await freePort(0);
      running.push(
        await startDocloom({
          env: { ...stage.env, ROLE: 'worker', PORT: String(port) },
          url: `http://127.0.0.1:${port}`,
          logFile: join(stage.folder, `worker-${nth}.log`),
          signal: stop.signal,
        }),
      );
    }
    const cpu = async () => {
      const own = process.cpuUsage();
      const web = await readCpu(stage.docloom().pid, dataDir);
      const each = await Promise.all(running.map(({ pid }) => readCpu(pid, dataDir)));
      return {
        workers: each.reduce((sum, { server }) => sum + server, 0),
        web: web.server,
        database: web.database,
        forge: (own.user + own.system) / 1e6,
      };
    };
    // What was done before the last worker answered is not counted.
    const isLive = ({ author: { fullName }, oid }: (typeof authors)[number]) =>
      stage.forge.statuses(fullName, oid).at(-1)?.state === 'success';
    const done = authors.filter(isLive).length;
    const before = await cpu();
    const started = performance.now();
    await waitFor('the imports', async () => (authors.every(isLive) ? true : undefined), {
      withinMs: 600_000,
    });
    const minutes = (performance.now() - started) / 60_000;
    const after = await cpu();
    const rate = (REPOSITORIES - done) / minutes;
    const cells = (['workers', 'web', 'database', 'forge'] as const).map((part) =>
      (after[part] - before[part]).toFixed(1),
    );
    console.log([workers, rate.toFixed(0), ...cells].join(' | '));
    return rate;
  } finally {
    await Promise.all(running.map((worker) => worker.stop()));
    stop.abort();
    await stage.close();
  }
}

/** About 4 KB with ten links. */
function textOf(nth: number, page: number): string {
  const sections = Array.from(
    { length: 10 },
    (_section, at) =>
      `## Section ${at}\n\n${`Words of page ${page} in repository ${nth}, part ${at}, as documentation has them. `.repeat(4)}[Next](page-${(page + at) % PAGES}.md).\n`,
  );
  return `# Page ${page}\n\n${sections.join('\n')}`;
}
