import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import fastify from 'fastify';
import { type Logger, pino } from 'pino';
import { expect } from 'vitest';
import type { PlatformClient } from '../../src/client/index.ts';
import { openRepositoryCache } from '../../src/git/index.ts';
import {
  type AcquireCall,
  createGitHubApp,
  type GitHubApp,
  type GitHubAppDeps,
  WEBHOOK_PATH,
} from '../../src/github/index.ts';
import { lateRunsJob } from '../../src/github/pull-request/late-runs.ts';
import { lateStatusJob } from '../../src/github/push/late-status.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { openCallQueues, openQueue, type Queue } from '../../src/queue/index.ts';
import { type Forge, startForge } from '../../src/sandbox/index.ts';
import { claimCall } from '../../src/store/call-windows.ts';
import { findLossySpaces, type Store } from '../../src/store/index.ts';
import { openTestDatabase } from '../support/database.ts';
import { createGitRepo, moveRef, readRef, type TestRepo } from '../support/git-repo.ts';
import { watchRequests } from '../support/github/watch-requests.ts';
import { pickPort } from '../support/pick-port.ts';
import { repositoryProgram } from '../support/repository-program.ts';
import { waitFor } from '../support/wait-for.ts';

export { waitFor } from '../support/wait-for.ts';

const SECRET = 'the webhook secret of a test';
const APP_ID = 41;

/** One key for all tests of a file: making one takes a while. */
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = keys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const publicKeyPem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** What stands behind the App's client in a test: routes on its server, and jobs. */
export interface BenchPlatform {
  readonly client: PlatformClient;
  readonly organizationId: () => Promise<string>;
  start(): Promise<void>;
}

export interface BenchParts {
  readonly server: ReturnType<typeof fastify>;
  readonly store: Store;
  readonly queue: Queue;
  readonly git: Awaited<ReturnType<typeof openRepositoryCache>>;
  readonly guard: ReturnType<typeof createAddressGuard>;
  readonly url: string;
  readonly dataDir: string;
  readonly log: Logger;
}

export interface BenchOptions {
  readonly onboarding?: 'on' | 'off' | 'wait';
  readonly branchMoved?: (parts: BenchParts) => NonNullable<GitHubAppDeps['onBranchMoved']>;
  readonly pullSeen?: (parts: BenchParts) => NonNullable<GitHubAppDeps['onPullRequestSeen']>;
  readonly pullDiscussed?: (parts: BenchParts) => NonNullable<GitHubAppDeps['onPullDiscussed']>;
  readonly questionChanged?: (parts: BenchParts) => NonNullable<GitHubAppDeps['onQuestionChanged']>;
}

export interface AppBench {
  readonly forge: Forge;
  readonly store: Store;
  readonly queue: Queue;
  readonly url: string;
  readonly dataDir: string;
  readonly client: PlatformClient;
  /** GitHub as the App sees it. */
  readonly access: GitHubApp['access'];
  readonly openCommit: GitHubApp['openCommit'];
  readonly organizationId: () => Promise<string>;
  readonly log: Logger;
  /** The App's log, one JSON object a line. */
  readonly logLines: readonly string[];
  /** The calls whose rate is limited, with the moment at which each began by a clock that skips what they wait. */
  readonly calls: readonly BegunCall[];
  /** Changes what the App may do on the forge. */
  permit(permissions: Readonly<Record<string, 'read' | 'write'>>): void;
  /** Lets the App compare itself with the forge once. */
  reconcile(): Promise<void>;
  /** A repository on the forge with a clone to work in; the App is installed on it when `install` is called. */
  createRepository(name: string, options?: { readonly private?: boolean }): Promise<BenchRepository>;
  /** Ends everything; fails when the App made a call that the forge does not know, or that GitHub would not take. */
  close(): Promise<void>;
}

export interface BenchRepository {
  readonly id: number;
  readonly fullName: string;
  readonly local: TestRepo;
  /** `unheard`: the App is not told, so nothing is synced before the first push. */
  install(options?: { readonly unheard?: boolean }): number;
  /** Pushes a local branch, as the owner when no token is given. */
  push(
    branch?: string,
    options?: { readonly force?: boolean; readonly to?: string; readonly token?: string },
  ): Promise<void>;
  /** Lets the forge refuse pushes to a branch as GitHub does for a protected one; answers how to end that. */
  protect(branch: string): Promise<() => Promise<void>>;
  /** Deletes a branch on the forge. */
  deleteBranch(branch: string): Promise<void>;
  /** A REST call as the repository's owner, below `/repos/{owner}/{repo}`. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
}

/** They wait longer than a test does; `lookLate` begins them. */
const LATE: ReadonlySet<string> = new Set([lateStatusJob.name, lateRunsJob.name]);

/** Lets all looks that are to come a while later come now. Answers how many there are. */
export async function lookLate({ store }: Pick<AppBench, 'store'>): Promise<number> {
  const names = sql.join(
    [...LATE].map((name) => sql`${name}`),
    sql`, `,
  );
  const { rowCount } = await store.db.execute(
    sql`update jobs set start_after = now() where state = 'waiting' and attempt = 0 and name in (${names})`,
  );
  return rowCount ?? 0;
}

/** Like `waitFor`, where work that failed is tried again at once, and not after its pause. */
export async function waitInHurry<T>(
  { store }: Pick<AppBench, 'store'>,
  read: () => T | null | undefined | false | Promise<T | null | undefined | false>,
): Promise<T> {
  return await waitFor(
    async () => {
      await store.db.execute(
        sql`update jobs set start_after = now() where state = 'waiting' and attempt > 0`,
      );
      return await read();
    },
    () => read.toString(),
  );
}

/**
 * Until no job waits or runs, but for looks at statuses and checks that are to come a while later, and nothing that the last one
 * pushed is still to be told of.
 */
export async function untilIdle(
  { forge, queue }: Pick<AppBench, 'forge' | 'queue'>,
  { except }: { readonly except?: string } = {},
): Promise<void> {
  const isQuiet = async () => {
    await forge.waitForIdle();
    return (await queue.counts()).every(
      ({ name, waiting, active }) => LATE.has(name) || name === except || waiting + active === 0,
    );
  };
  await waitFor(async () => (await isQuiet()) && (await isQuiet()));
}

/** The App on its real parts: a forge over HTTP, PostgreSQL, the queue, git, and what `platform` brings. */
export async function openAppBench(
  platformOf: (parts: BenchParts) => Promise<BenchPlatform>,
  { onboarding = 'off', branchMoved, pullSeen, pullDiscussed, questionChanged }: BenchOptions = {},
): Promise<AppBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'docloom-app-'));
  const database = await openTestDatabase();
  const { store } = database;
  const queue = await openQueue(store);
  const port = await pickPort();
  const url = `http://127.0.0.1:${port}`;
  const watch = watchRequests();
  const registration = {
    id: APP_ID,
    slug: 'docloom',
    publicKeyPem,
    webhookUrl: `${url}${WEBHOOK_PATH}`,
    webhookSecret: SECRET,
  };
  const forge = await startForge({
    onRequest: watch.onRequest,
    dataDir: join(dataDir, 'forge'),
    app: registration,
  });
  const guard = createAddressGuard({ allowHosts: [new URL(forge.url).host] });
  const git = await openRepositoryCache({
    directory: join(dataDir, 'git'),
    guard,
    program: repositoryProgram,
  });
  const server = fastify({ forceCloseConnections: true });
  const logLines: string[] = [];
  const installed: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
  const parts = { server, store, queue, git, guard, url, dataDir, log };
  const platform = await platformOf(parts);
  const lanes = openCallQueues();
  const calls = countCalls(store.db);
  const app = createGitHubApp({
    config: {
      appId: APP_ID,
      privateKey,
      webhookSecrets: [SECRET],
      gheHost: new URL(forge.url).host,
      gheProtocol: 'http',
      publicUrl: url,
      onboarding,
      retainDisconnectedDays: 90,
      removeDisconnectedAfterMs: 0,
    },
    db: store.db,
    queue,
    client: platform.client,
    organizationId: platform.organizationId,
    git,
    callQueues: lanes,
    acquireCall: calls.take,
    findLossy: (spaceIds) => findLossySpaces(store.db, spaceIds),
    log,
    ...(branchMoved && { onBranchMoved: branchMoved(parts) }),
    ...(pullSeen && { onPullRequestSeen: pullSeen(parts) }),
    ...(pullDiscussed && { onPullDiscussed: pullDiscussed(parts) }),
    ...(questionChanged && { onQuestionChanged: questionChanged(parts) }),
  });
  app.registerRoutes(server);
  await server.listen({ port, host: '127.0.0.1' });
  await platform.start();
  await app.startJobs();

  return {
    forge,
    store,
    queue,
    url,
    dataDir,
    client: platform.client,
    access: app.access,
    openCommit: app.openCommit,
    organizationId: platform.organizationId,
    log,
    logLines,
    calls: calls.begun,
    permit: (permissions) => forge.configureApp({ ...registration, permissions }),
    reconcile: () => app.reconcile(AbortSignal.timeout(60_000)),
    createRepository: (name, { private: hidden = true } = {}) =>
      createRepository(forge, dataDir, { name, private: hidden }, installed),
    async close() {
      const { unexpected } = forge;
      await forge.waitForIdle();
      await queue.stop();
      await app.close();
      await server.close();
      await forge.stop();
      lanes.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
      expect(unexpected).toEqual([]);
      expect([...watch.problems]).toEqual([]);
      expect(logLines.filter((line) => /\bghs_\w{20}|x-access-token:|BEGIN .*PRIVATE/.test(line))).toEqual(
        [],
      );
    },
  };
}

export interface BegunCall {
  readonly key: string;
  /** Milliseconds. */
  readonly at: number;
}

/** Counts calls as the App does, and lets the minutes that they wait pass at once. */
function countCalls(db: Store['db']): { readonly take: AcquireCall; readonly begun: readonly BegunCall[] } {
  const begun: BegunCall[] = [];
  let now = Date.now();
  const take: AcquireCall = async (key, rate) => {
    const at = now;
    const wait = await claimCall(db, key, rate, new Date(at));
    if (wait === 0) begun.push({ key, at });
    if (wait === 0 || rate.ms > 60_000) return wait;
    now = Math.max(now, at + wait);
    return 1;
  };
  return { take, begun };
}

async function createRepository(
  forge: Forge,
  dataDir: string,
  options: { readonly name: string; readonly private: boolean },
  installed: string[],
): Promise<BenchRepository> {
  const owner = 'acme';
  const { name } = options;
  const { token } = forge.createUser(owner);
  const { id, fullName, cloneUrl } = await forge.createRepository({ owner, ...options });
  const remote = join(dataDir, 'forge/repositories', `${id}.git`);
  const local = await createGitRepo(join(dataDir, `${name}.git`), { objects: join(remote, 'objects') });
  const pushWithGit = (to: string, pusher: string, refs: string) =>
    local.git(['push', '--quiet', to.replace('://', `://x:${pusher}@`), refs]);
  const pushed = new Map<string, string | null>();
  /** Where nobody else moved the branch meanwhile, a push is a ref: the objects are there already. */
  const pushDirectly = async (branch: string, oid: string | null) => {
    const known = branch.includes('*') ? undefined : (pushed.get(branch) ?? null);
    if (known === undefined || !(await moveRef(remote, `refs/heads/${branch}`, { from: known, to: oid })))
      return false;
    const { fullName: now = fullName } = forge.repositories().find((listed) => listed.id === id) ?? {};
    await forge.recordPush(now, owner);
    return true;
  };
  return {
    id,
    fullName,
    local,
    install({ unheard = false } = {}) {
      installed.push(name);
      // The event may go out a little later; the fault waits for it.
      const isInstallation = ({ event }: { readonly event: string }) => event.startsWith('installation');
      if (unheard) forge.faults.set({ on: 'webhook', kind: 'drop', times: 1, match: isInstallation });
      return forge.installApp({ owner, repositories: installed }).installationId;
    },
    async push(branch = 'main', { force = false, to = cloneUrl, token: pusher = token } = {}) {
      const oid = to === cloneUrl ? await readRef(local.dir, `refs/heads/${branch}`) : null;
      if (oid === null || pusher !== token || !(await pushDirectly(branch, oid)))
        await pushWithGit(to, pusher, `${force ? '+' : ''}${branch}:${branch}`);
      if (to === cloneUrl) pushed.set(branch, oid);
      await forge.waitForIdle();
    },
    async protect(branch) {
      const hook = join(remote, 'hooks/update');
      const words = `GH006: Protected branch update failed for refs/heads/${branch}.`;
      const script = `#!/bin/sh\n[ "$1" = refs/heads/${branch} ] || exit 0\necho "${words}" >&2\nexit 1\n`;
      await mkdir(dirname(hook), { recursive: true });
      await writeFile(hook, script, { mode: 0o755 });
      return () => rm(hook);
    },
    async deleteBranch(branch) {
      if (!(await pushDirectly(branch, null))) await pushWithGit(cloneUrl, token, `:${branch}`);
      pushed.delete(branch);
      await forge.waitForIdle();
    },
    async api(method, path, body) {
      const answer = await fetch(`${forge.apiUrl}/repos/${fullName}${path}`, {
        method,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([method, path, answer.status, answer.ok ? '' : await answer.clone().text()]).toEqual([
        method,
        path,
        answer.status,
        '',
      ]);
      return (answer.status === 204 ? undefined : await answer.json()) as never;
    },
  };
}
