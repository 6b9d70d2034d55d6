/**
 * Measures what one first import, push, pull request, page view, search and export cost: processor
 * time of the server and of its PostgreSQL, rows and write-ahead log that the database writes, what it and the byte store
 * grow by, and calls to GitHub. The real server works for the stand-in for GitHub, with the real git. The figures are
 * printed, and with `UPDATE_FIGURES=1` written to `bench/capacity.json`, from which `docs/scale.md` is computed.
 */
import { randomBytes } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { waitFor } from '../src/cli/demo/narrator.ts';
import { waitForCheck, waitForStatuses } from '../src/cli/demo/observe.ts';
import { openStage, type Stage } from '../src/cli/demo/open-stage.ts';
import { operations } from '../src/client/index.ts';
import { openStore, type Store } from '../src/store/index.ts';
import { type Author, createAuthor } from '../test/e2e/support/author.ts';
import { findSpace, openPlatform } from '../test/e2e/support/platform.ts';
import { readCpu } from './read-cpu.ts';
import type { CapacityFigures, Cost } from './simulation/figures.ts';

const REPOSITORIES = Number(process.env['BENCH_REPOSITORIES'] ?? 6);
const PAGES = 100;
const PICTURES = 10;
const PICTURE_BYTES = 60_000;
const PUSHES = 36;
const PULLS = 12;
const VIEWS = 4_000;
const SEARCHES = 200;
const EXPORTS = 8;
/** A session of PostgreSQL hands its counters over at the latest ten seconds after its last transaction. */
const SETTLE_MS = 11_000;
const IDLE_MS = 20_000;

/** Counters that only grow. */
interface Counters extends Cost {
  readonly atMs: number;
}

export async function run(): Promise<void> {
  const stop = new AbortController();
  let calls = 0;
  const stage = await openStage({
    signal: stop.signal,
    env: { ONBOARDING: 'off', RECONCILE_SECONDS: '86400', SYNC_SECONDS: '2', LOG_LEVEL: 'error' },
    onRequest: ({ credential }) => {
      // Those of the App; the bench itself asks GitHub as a user.
      if (credential !== 'other') calls += 1;
    },
  });
  const store = await openStore({ dataDir: stage.env['DATA_DIR'] ?? '' });
  try {
    const count = () => readCounters(stage, store, () => calls);
    const idle = await idleRate(count);
    const measure = async (operationsDone: number, work: () => Promise<unknown>): Promise<Cost> => {
      const before = await count();
      await work();
      return perOperation(before, await count(), idle, operationsDone);
    };
    const authors: Author[] = [];
    const costs: Record<string, Cost> = {};
    const before = await sizes(store);
    costs['import'] = await measure(REPOSITORIES, async () => {
      for (let nth = 0; nth < REPOSITORIES; nth += 1) authors.push(await publishFirst(stage, nth));
    });
    const tables = growth(before, await sizes(store));
    const author = (nth: number) => authors[nth % authors.length] as Author;

    costs['push'] = await measure(PUSHES, async () => {
      for (let nth = 0; nth < PUSHES; nth += 1) {
        const pages = [0, 1, 2].map((of) => (7 * nth + of) % PAGES);
        const changes = Object.fromEntries(pages.map((page) => [pathOf(page), textOf(page, `Push ${nth}.`)]));
        const oid = await author(nth).publish(changes);
        await waitForStatuses(author(nth).octokit, author(nth), oid, 1);
      }
    });
    costs['pull'] = await measure(PULLS, async () => {
      for (let nth = 0; nth < PULLS; nth += 1) await openPull(author(nth), nth);
    });

    const platform = await openPlatform(stage);
    const { client, organizationId, token } = platform;
    const space = await findSpace(platform, 'capacity-0');
    const { id: siteId } = await client.call(operations.createSite, {
      params: { organizationId },
      body: { title: 'Docs', visibility: 'public', spaces: [space.id] },
    });
    const { urls } = await client.call(operations.publishSite, { params: { organizationId, siteId } });
    const site = (urls.published ?? '').replace(/\/$/, '');
    const view = async (nth: number) => {
      const answer = await fetch(`${site}/page-${nth % PAGES}`);
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${answer.url} answers ${answer.status}.`);
    };
    costs['firstView'] = await measure(PAGES, () => inTurn(PAGES, view));
    costs['view'] = await measure(VIEWS, () => inTurn(VIEWS, view));
    costs['search'] = await measure(SEARCHES, () =>
      inTurn(SEARCHES, async (nth) => {
        const query = `query=${encodeURIComponent(`page words ${nth % PAGES}`)}`;
        const answer = await fetch(`${stage.url}/v1/spaces/${space.id}/search?${query}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        const { items } = (await answer.json()) as { items: readonly unknown[] };
        if (items.length === 0) throw new Error('A search found nothing.');
      }),
    );
    costs['export'] = await measure(EXPORTS, async () => {
      for (let nth = 0; nth < EXPORTS; nth += 1) {
        const { fullName } = author(0);
        const tip = stage.forge.refs(fullName)['refs/heads/main'];
        const created = await client.call(operations.createChangeRequest, {
          params: { spaceId: space.id },
          body: {},
        });
        const params = { spaceId: space.id, changeRequestId: created.id };
        const text = textOf(nth, `Edit ${nth}.`);
        await client.call(operations.changeContent, {
          params,
          body: { changes: [{ type: 'write', path: pathOf(nth), text }] },
        });
        await client.call(operations.mergeChangeRequest, { params });
        await waitFor('the export', async () =>
          stage.forge.refs(fullName)['refs/heads/main'] === tip ? undefined : true,
        );
      }
    });
    const figures: CapacityFigures = {
      machine: {
        cores: availableParallelism(),
        model: cpus()[0]?.model ?? 'unknown',
        node: process.versions.node,
        postgres: await versionOf(store),
      },
      repository: {
        pages: PAGES,
        pageBytes: textOf(0, '').length,
        pictures: PICTURES,
        pictureBytes: PICTURE_BYTES,
      },
      costs: costs as CapacityFigures['costs'],
      tables,
    };
    print(figures);
    if (process.env['UPDATE_FIGURES'] === '1')
      await writeFile(join(import.meta.dirname, 'capacity.json'), `${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    await store.close();
    stop.abort();
    await stage.close();
  }
}

/** Makes a repository of ordinary docs, and waits until they are live. */
async function publishFirst(stage: Stage, nth: number): Promise<Author> {
  const author = await createAuthor(stage, { owner: 'capacity', repo: `capacity-${nth}` });
  const pages = Array.from({ length: PAGES }, (_page, at) => [pathOf(at), textOf(at, `In ${nth}.`)] as const);
  const config = `spaces:\n  - directory: docs\n    title: capacity-${nth}\n    direction: both\nexports:\n  mode: direct\n`;
  const { writeFile: write, mkdir } = await import('node:fs/promises');
  const workTree = (await author.git('rev-parse', '--show-toplevel')).trim();
  await mkdir(join(workTree, 'docs/pictures'), { recursive: true });
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000400000003000802000000', 'hex');
  for (let at = 0; at < PICTURES; at += 1)
    await write(join(workTree, `docs/pictures/${at}.png`), Buffer.concat([head, randomBytes(PICTURE_BYTES)]));
  const oid = await author.publish({
    '.github/docloom.yml': config,
    'docs/README.md': '# Welcome\n',
    ...Object.fromEntries(pages),
  });
  await waitForStatuses(author.octokit, author, oid, 1);
  return author;
}

/** A branch with one commit that breaks a link, its pull request, and the wait for the verdict. */
async function openPull(author: Author, nth: number): Promise<void> {
  const { owner, repo, octokit } = author;
  const branch = `topic-${nth}`;
  await author.git('fetch', '--quiet', 'origin');
  await author.git('checkout', '--quiet', '-B', branch, 'origin/main');
  const oid = await author.publish({ [pathOf(nth)]: `${textOf(nth, 'Topic.')}\n[Gone](gone.md)\n` }, branch);
  await octokit.rest.pulls.create({ owner, repo, title: branch, head: branch, base: 'main' });
  await waitForCheck(octokit, author, oid);
  await author.git('checkout', '--quiet', 'main');
  await author.git('reset', '--quiet', '--hard', 'origin/main');
}

const pathOf = (page: number) => `docs/page-${page}.md`;

/** About 4 KB with headings, text, a picture and ten links. */
function textOf(page: number, note: string): string {
  const links = Array.from(
    { length: 10 },
    (_link, at) => `[Page ${(page + at) % PAGES}](page-${(page + at) % PAGES}.md)`,
  );
  const paragraphs = links.map(
    (link, at) =>
      `## Section ${at} of page ${page}\n\n${`Words about page ${page} and its part ${at}, as documentation has them. `.repeat(5)}${link}.\n`,
  );
  return `# Page ${page}\n\n${note}\n\n![Picture](pictures/${page % PICTURES}.png)\n\n${paragraphs.join('\n')}`;
}

async function inTurn(times: number, work: (nth: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < times) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
}

async function readCounters(stage: Stage, store: Store, calls: () => number): Promise<Counters> {
  await sleep(SETTLE_MS);
  const dataDir = stage.env['DATA_DIR'] ?? '';
  const cpu = await readCpu(stage.docloom().pid, dataDir);
  const { rows } = await store.db.execute<
    Record<'rows' | 'transactions' | 'active' | 'wal' | 'size', string>
  >(
    sql`select tup_inserted + tup_updated + tup_deleted as rows, xact_commit as transactions, active_time as active,
          pg_current_wal_lsn() - '0/0'::pg_lsn as wal, pg_database_size(current_database()) as size
        from pg_stat_database where datname = current_database()`,
  );
  const [row] = rows;
  return {
    atMs: performance.now(),
    serverCpuMs: 1_000 * cpu.server,
    databaseCpuMs: 1_000 * cpu.database,
    databaseActiveMs: Number(row?.active),
    rows: Number(row?.rows),
    transactions: Number(row?.transactions),
    walBytes: Number(row?.wal),
    databaseBytes: Number(row?.size),
    storeBytes: await folderBytes(join(dataDir, 'blobs')),
    calls: calls(),
  };
}

const KEYS = [
  'serverCpuMs',
  'databaseCpuMs',
  'databaseActiveMs',
  'rows',
  'transactions',
  'walBytes',
  'databaseBytes',
  'storeBytes',
  'calls',
] as const satisfies readonly (keyof Cost)[];

/** What a server costs in a millisecond in which nobody asks for anything. */
async function idleRate(count: () => Promise<Counters>): Promise<Cost> {
  const before = await count();
  await sleep(IDLE_MS);
  const after = await count();
  const ms = after.atMs - before.atMs;
  return Object.fromEntries(KEYS.map((key) => [key, (after[key] - before[key]) / ms])) as unknown as Cost;
}

function perOperation(before: Counters, after: Counters, idle: Cost, times: number): Cost {
  const ms = after.atMs - before.atMs;
  return Object.fromEntries(
    KEYS.map((key) => [key, round(Math.max(0, after[key] - before[key] - idle[key] * ms) / times)]),
  ) as unknown as Cost;
}

/** Bytes of each table with its indexes. */
async function sizes(store: Store): Promise<ReadonlyMap<string, number>> {
  const { rows } = await store.db.execute<{ name: string; bytes: string }>(
    sql`select relname as name, pg_total_relation_size(oid) as bytes from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** Bytes for each imported repository, the largest tables first. */
function growth(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Record<string, number> {
  const grown = [...after].map(([name, bytes]): [string, number] => [
    name,
    Math.round((bytes - (before.get(name) ?? 0)) / REPOSITORIES),
  ]);
  return Object.fromEntries(
    grown.filter(([, bytes]) => bytes > 4_096).sort((one, other) => other[1] - one[1]),
  );
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return found.reduce((sum, one) => sum + (one?.isFile() ? one.size : 0), 0);
}

async function versionOf(store: Store): Promise<string> {
  const { rows } = await store.db.execute<{ server_version: string }>(sql`show server_version`);
  return rows[0]?.server_version ?? '';
}

const round = (value: number) => Math.round(value * 100) / 100;

function print({ costs, tables }: CapacityFigures): void {
  console.log(['what', ...KEYS].join(' | '));
  for (const [name, cost] of Object.entries(costs))
    console.log([name, ...KEYS.map((key) => cost[key])].join(' | '));
  console.log(`Bytes of tables for each repository: ${JSON.stringify(tables)}`);
}
