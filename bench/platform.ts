/**
 * What the platform takes for its main jobs, with a real server, its embedded PostgreSQL, and git over HTTP: the first
 * import of made repositories, how soon a push of 3 files is visible, and reads of a large space. The floors are a
 * shallow clone of the same repository by the git program, and the same push in the small repository.
 */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/cli/demo/free-port.ts';
import { type RunningDocloom, runDocloom, startDocloom } from '../src/cli/demo/start-docloom.ts';
import { createClient, operations, type PlatformClient } from '../src/client/index.ts';
import { createHttp } from '../src/net/http.ts';
import type { Environment } from '../src/server/config.ts';
import { createGitRepo, type TestRepo } from '../test/support/git-repo.ts';
import { startGitServer } from '../test/support/git-server.ts';

const SIZES = (process.env['BENCH_PAGES'] ?? '1000,10000').split(',').map(Number);
const LINKS = 10;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);

export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-bench-'));
  // Started by root, the database runs as another user, who has to get through to its folder.
  await chmod(folder, 0o711);
  const git = await startGitServer(join(folder, 'repos'));
  const http = createHttp({ userAgent: 'docloom-bench' });
  const url = `http://127.0.0.1:${await freePort(0)}`;
  const env: Environment = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    PORT: new URL(url).port,
    ALLOWED_HOSTS: git.host,
    LOG_LEVEL: 'error',
  };
  const docloom = await startDocloom({
    env,
    url,
    logFile: join(folder, 'log'),
    signal: AbortSignal.timeout(120_000),
  });
  try {
    const token = await runDocloom(['token', 'create', '--name', 'bench', '--role', 'admin'], env);
    const client = createClient({ baseUrl: url, token: token.split('\n').at(-1) ?? '', http });
    const { items } = await client.call(operations.listOrganizations, {});
    const organizationId = items[0]?.id ?? '';
    console.log('pages | clone ms | first import ms | ratio | push of 3 files visible, median ms | max');
    const medians: number[] = [];
    let largest = '';
    for (const pages of SIZES) {
      const made = await makeRepo(join(folder, 'repos', `r${pages}.git`), pages);
      const address = `${git.url}/r${pages}.git`;
      const clone = await timed(() =>
        call(folder, ['git', 'clone', '-q', '--depth', '1', address, `c${pages}`]),
      );
      const space = await client.call(operations.createSpace, {
        params: { organizationId },
        body: { title: `${pages} pages` },
      });
      const first = await timed(() => importBranch(client, space.id, address));
      const pushes: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await changeThree(made, pages, round);
        pushes.push(await timed(() => importBranch(client, space.id, address)));
      }
      const median = medianOf(pushes);
      medians.push(median);
      largest = space.id;
      console.log(
        [pages, clone, first, (first / clone).toFixed(2), median, Math.max(...pushes)]
          .map((cell) => (typeof cell === 'number' ? Math.round(cell) : cell))
          .join(' | '),
      );
    }
    const [small = 0, large = 0] = [medians[0], medians.at(-1)];
    console.log(
      `A push into ${SIZES.at(-1)} pages takes ${(large / small).toFixed(2)} times that into ${SIZES[0]}.`,
    );
    await measureReads(client, largest);
    console.log(`The server holds ${await memoryOf(docloom)} MB, ${await peakOf(docloom)} MB at most.`);
  } finally {
    await docloom.stop();
    await http.close();
    await git.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function textOf(page: number, pages: number, salt: string): string {
  const links = Array.from({ length: LINKS }, (_, at) => {
    const target = (page * 7 + at * 13 + 1) % pages;
    return `See [page ${target}](../${Math.floor(target / 100)}/p${target}.md#part) for more.`;
  });
  return `# Page ${page}\n\n## Part\n\nSome words ${salt}.\n\n${links.join('\n\n')}\n`;
}

const pathOf = (page: number) => `docs/${Math.floor(page / 100)}/p${page}.md`;

async function makeRepo(dir: string, pages: number): Promise<TestRepo> {
  const repo = await createGitRepo(dir);
  const files = Array.from(
    { length: pages },
    (_, page) => [pathOf(page), textOf(page, pages, 'first')] as const,
  );
  await repo.commit(Object.fromEntries(files));
  return repo;
}

async function changeThree(repo: TestRepo, pages: number, round: number): Promise<void> {
  const changed = [1, Math.floor(pages / 2), pages - 2].map(
    (page) => [pathOf(page), textOf(page, pages, `of round ${round}`)] as const,
  );
  await repo.commit(Object.fromEntries(changed));
}

/** Until the operation's end is told, which is when readers see the content. */
async function importBranch(client: PlatformClient, spaceId: string, url: string): Promise<void> {
  const params = { spaceId };
  const before = await client.call(operations.listGitOperations, { params, query: { limit: 1 } });
  await client.call(operations.importGit, {
    params,
    body: { url, ref: 'refs/heads/main', repoProjectDirectory: 'docs' },
  });
  for (;;) {
    const { items, count } = await client.call(operations.listGitOperations, { params, query: { limit: 1 } });
    const [newest] = items;
    if (count > before.count && newest && newest.state !== 'running') {
      if (newest.state === 'failure') throw new Error(newest.error?.message);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function measureReads(client: PlatformClient, spaceId: string): Promise<void> {
  const { pages } = await client.call(operations.listPages, { params: { spaceId } });
  const leaf = (page: (typeof pages)[number]): string => (page.pages[0] ? leaf(page.pages[0]) : page.id);
  const pageId = pages[0] ? leaf(pages[0]) : '';
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    'a page': () =>
      client.call(operations.getPage, { params: { spaceId, pageId }, query: { format: 'markdown' } }),
    "a page's links": () => client.call(operations.listPageLinks, { params: { spaceId, pageId } }),
    "a page's backlinks": () => client.call(operations.listPageBacklinks, { params: { spaceId, pageId } }),
    "a space's links": () => client.call(operations.listSpaceLinks, { params: { spaceId } }),
    'broken links': () =>
      client.call(operations.listSpaceLinks, { params: { spaceId }, query: { status: 'broken' } }),
    files: () => client.call(operations.listFiles, { params: { spaceId } }),
    'a search': () =>
      client.call(operations.searchSpace, { params: { spaceId }, query: { query: 'page 4321' } }),
    'a search for a word of all pages': () =>
      client.call(operations.searchSpace, { params: { spaceId }, query: { query: 'words' } }),
    'all pages': () => client.call(operations.listPages, { params: { spaceId } }),
  };
  for (const [name, read] of Object.entries(reads)) {
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1) times.push(await timed(read));
    console.log(`Reading ${name}: median ${medianOf(times.slice(5)).toFixed(1)} ms.`);
  }
}

async function memoryOf({ pid }: RunningDocloom): Promise<string> {
  return megabytes(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''), 'VmRSS');
}

async function peakOf({ pid }: RunningDocloom): Promise<string> {
  return megabytes(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''), 'VmHWM');
}

function megabytes(status: string, field: string): string {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1];
  return kilobytes === undefined ? '?' : String(Math.round(Number(kilobytes) / 1024));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

async function call(cwd: string, [command = '', ...args]: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: 'ignore' });
  await new Promise((resolve) => child.on('close', resolve));
}
