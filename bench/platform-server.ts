/** Starts a Docloom for a benchmark: the real server with its embedded PostgreSQL, a git host, and a client. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/cli/demo/free-port.ts';
import { runDocloom, startDocloom } from '../src/cli/demo/start-docloom.ts';
import { createClient, operations, type PlatformClient } from '../src/client/index.ts';
import { createHttp } from '../src/net/http.ts';
import type { Environment } from '../src/server/config/settings.ts';
import { startGitServer } from '../test/support/git-server.ts';
import { type CpuSeconds, readCpu } from './read-cpu.ts';

export interface PlatformServer {
  readonly client: PlatformClient;
  /** Without a trailing slash. */
  readonly url: string;
  /** Of the administrator’s session in a browser. */
  readonly cookie: string;
  /** The folder of the repositories that the git host serves, and its address, without a trailing slash. */
  readonly repositories: string;
  readonly gitUrl: string;
  /** For temporary files such as clones; removed when the server is closed. */
  readonly folder: string;
  createSpace(title: string): Promise<string>;
  /** Makes a public site of a space. @returns its address, without a slash at its end */
  publishSite(spaceId: string): Promise<string>;
  /** Imports `main` and waits until the operation is complete, which is when readers see the content. */
  importBranch(spaceId: string, address: string, directory: string): Promise<void>;
  /** Reads an address of the API or of the pages for people, signed in, to its end. */
  get(path: string): Promise<void>;
  firstPage(spaceId: string): Promise<string>;
  /** The memory of the server's process, in MB; null where the system does not report it. */
  memory(): Promise<number | null>;
  /** The largest memory since the start or the last `resetPeak`. */
  peak(): Promise<number | null>;
  resetPeak(): Promise<void>;
  /** CPU time of the server, its exited children and its database so far, in seconds. */
  cpu(): Promise<number>;
  cpuOf(): Promise<CpuSeconds>;
  close(): Promise<void>;
}

export async function startPlatformServer(): Promise<PlatformServer> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-bench-'));
  // Started by root, the database runs as another user, who needs access to its folder.
  await chmod(folder, 0o711);
  const repositories = join(folder, 'repos');
  await mkdir(repositories);
  const git = await startGitServer(repositories);
  const http = createHttp({ userAgent: 'docloom-bench' });
  const url = `http://127.0.0.1:${await freePort(0)}`;
  const dataDir = join(folder, 'data');
  const env: Environment = {
    ...process.env,
    DATA_DIR: dataDir,
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
  const token = await runDocloom(['token', 'create', '--name', 'bench', '--role', 'admin'], env);
  const secret = token.trim().split('\n').at(-1) ?? '';
  const client = createClient({ baseUrl: url, token: secret, http });
  const signIn = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ token: secret }),
    redirect: 'manual',
  });
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { items } = await client.call(operations.listOrganizations, {});
  const organizationId = items[0]?.id ?? '';
  return {
    client,
    url,
    cookie,
    repositories,
    gitUrl: git.url,
    folder,
    async createSpace(title) {
      const space = await client.call(operations.createSpace, {
        params: { organizationId },
        body: { title },
      });
      return space.id;
    },
    async publishSite(spaceId) {
      const { id: siteId } = await client.call(operations.createSite, {
        params: { organizationId },
        body: { title: 'Docs', visibility: 'public', spaces: [spaceId] },
      });
      const { urls } = await client.call(operations.publishSite, { params: { organizationId, siteId } });
      return (urls.published ?? '').replace(/\/$/, '');
    },
    importBranch: (spaceId, address, directory) => importBranch(client, spaceId, { address, directory }),
    async get(path) {
      const headers: Record<string, string> = path.startsWith('/v1/')
        ? { authorization: `Bearer ${secret}` }
        : { cookie };
      const answer = await fetch(url + path, { headers, redirect: 'manual' });
      await answer.arrayBuffer();
      if (answer.status >= 500) throw new Error(`${path} answers ${answer.status}.`);
    },
    async firstPage(spaceId) {
      const { pages } = await client.call(operations.listPages, { params: { spaceId } });
      return pages[0]?.id ?? '';
    },
    memory: () => readStatus(docloom.pid, 'VmRSS'),
    peak: () => readStatus(docloom.pid, 'VmHWM'),
    // proc(5): 5 resets the peak.
    resetPeak: () => writeFile(`/proc/${docloom.pid}/clear_refs`, '5').catch(() => {}),
    async cpu() {
      const { server, database } = await readCpu(docloom.pid, dataDir);
      return server + database;
    },
    cpuOf: () => readCpu(docloom.pid, dataDir),
    async close() {
      await docloom.stop();
      await http.close();
      await git.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function importBranch(
  client: PlatformClient,
  spaceId: string,
  { address, directory }: { readonly address: string; readonly directory: string },
): Promise<void> {
  const params = { spaceId };
  const before = await client.call(operations.listGitOperations, { params, query: { limit: 1 } });
  await client.call(operations.importGit, {
    params,
    body: { url: address, ref: 'refs/heads/main', repoProjectDirectory: directory },
  });
  for (;;) {
    const { items, count } = await client.call(operations.listGitOperations, { params, query: { limit: 1 } });
    const [newest] = items;
    if (count > before.count && newest && newest.state !== 'running') {
      if (newest.state === 'failure') throw new Error(newest.error?.message);
      return;
    }
    // Polling more often would slow down the server that is measured.
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function readStatus(pid: number, field: string): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

/** Wall time in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Runs a program until it exits; its exit code is ignored. */
export async function runProgram(cwd: string, [command = '', ...args]: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: 'ignore' });
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
