import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { createClient, type PlatformClient, startGitOperation } from '../../src/client/index.ts';
import { type GitOperation, operations } from '../../src/contract/index.ts';
import { openRepositoryCache, type RepositoryCacheOptions } from '../../src/git/index.ts';
import { openMailer, type SmtpSettings } from '../../src/identity/index.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import { createHttp } from '../../src/net/http.ts';
import {
  createDeriver,
  createToken,
  httpOptions,
  mayHaveMail,
  type PlatformDeps,
  registerPlatform,
  startPlatformJobs,
} from '../../src/platform/index.ts';
import { openQueue } from '../../src/queue/index.ts';
import { openFolderBlobs, openSealer } from '../../src/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { createGitRepo, type TestRepo } from '../support/git-repo.ts';
import { type GitServer, startGitServer } from '../support/git-server.ts';
import { repositoryProgram } from '../support/repository-program.ts';
import { waitFor } from '../support/wait-for.ts';
import { type ApiCaller, createApiCaller } from './api-caller.ts';

export interface TestPlatform {
  readonly url: string;
  readonly deps: PlatformDeps;
  readonly database: TestDatabase;
  readonly git: GitServer;
  readonly client: PlatformClient;
  /** An administrator of the first organization. */
  readonly token: string;
  readonly organizationId: string;
  /** Calls the API as any program would, and holds each answer against the API's own description. */
  readonly api: ApiCaller;
  /** Lines of the platform's log. */
  readonly log: string[];
  createRepo(name: string): Promise<{ readonly repo: TestRepo; readonly url: string }>;
  createSpace(title?: string): Promise<string>;
  /** Waits until an operation of the space ends: the newest one, or the one that `isOurs` picks. */
  waitForEnd(spaceId: string, isOurs?: (one: GitOperation) => boolean): Promise<GitOperation>;
  /** Imports a branch and waits for the end. */
  importBranch(spaceId: string, body: Record<string, unknown>): Promise<GitOperation>;
  close(): Promise<void>;
}

/** A platform that listens, on a database of its own, with a git server beside it that it may reach. */
export async function startPlatform(
  options: {
    withJobs?: boolean;
    git?: Partial<RepositoryCacheOptions>;
    smtp?: SmtpSettings;
    publicUrl?: string;
    /** The byte store; a folder when absent. */
    blobs?: (db: PlatformDeps['db']) => Promise<PlatformDeps['blobs']>;
  } = {},
): Promise<TestPlatform> {
  const folder = await mkdtemp(join(tmpdir(), 'docloom-platform-'));
  const database = await openTestDatabase();
  const git = await startGitServer(join(folder, 'repos'));
  const guard = createAddressGuard({ allowHosts: [git.host] });
  const queue = await openQueue(database.store);
  const log: string[] = [];
  const write = (fields: object, message: string) =>
    void log.push(
      `${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? describeError(value) : value))}`,
    );
  const app = fastify({ ...httpOptions, forceCloseConnections: true });
  const sealer = openSealer({ dataDir: folder });
  const { db } = database.store;
  const deps: { -readonly [Key in keyof PlatformDeps]: PlatformDeps[Key] } = {
    db,
    queue,
    mailer: openMailer({ db, queue, sealer, smtp: options.smtp ?? null }),
    git: await openRepositoryCache({
      directory: join(folder, 'git'),
      guard,
      timeoutMs: 60_000,
      program: repositoryProgram,
      ...options.git,
    }),
    blobs: await (options.blobs?.(db) ?? openFolderBlobs(join(folder, 'blobs'))),
    sealer,
    guard,
    deriver: createDeriver(),
    publicUrl: options.publicUrl ?? 'http://docs.example',
    sitesUrl: null,
    refuseUndeclaredErrors: true,
    log: { info: write, warn: write, error: write },
  };
  await registerPlatform(app, deps);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  if (options.withJobs !== false) {
    await startPlatformJobs(deps);
    await deps.mailer.start(mayHaveMail(db));
  }

  const { token, organization } = await createToken(deps.db, { name: 'test', role: 'admin' });
  const http = createHttp({ userAgent: 'docloom-test' });
  const client = createClient({ baseUrl: url, token, http });
  const api = createApiCaller(url, token, log);

  const platform: TestPlatform = {
    url,
    deps,
    database,
    git,
    client,
    token,
    organizationId: organization.id,
    api,
    log,

    async createRepo(name) {
      const repo = await createGitRepo(join(folder, 'repos', `${name}.git`));
      return { repo, url: `${git.url}/${name}.git` };
    },

    async createSpace(title = 'Docs') {
      const space = await client.call(operations.createSpace, {
        params: { organizationId: organization.id },
        body: { title },
      });
      return space.id;
    },

    async waitForEnd(spaceId, isOurs = () => true) {
      let found: GitOperation | undefined;
      let seen: unknown = null;
      return await waitFor(
        async () => {
          // Asked of the platform where something has changed: a request costs ten times as much as a look at the rows.
          const { rows } = await database.store.pool.query<{ states: string | null }>(
            "select string_agg(id || state, ',' order by sequence) as states from git_operations where space_id = $1",
            [spaceId],
          );
          if (rows[0]?.states === seen) return false;
          seen = rows[0]?.states;
          const { items } = await client.call(operations.listGitOperations, { params: { spaceId } });
          found = items.find(isOurs);
          return found?.state !== 'running' && found;
        },
        () => `no end of ${JSON.stringify(found)}; log: ${log.join('\n')}`,
      );
    },

    async importBranch(spaceId, body) {
      const started = await startGitOperation(client, spaceId, {
        direction: 'import',
        body: { url: '', ref: 'refs/heads/main', ...body },
      });
      return await platform.waitForEnd(spaceId, ({ id }) => id === started);
    },

    async close() {
      await http.close();
      await app.close();
      await queue.stop({ graceMs: 2_000 });
      await git.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return platform;
}

/** An error's message with those of its causes: JSON has neither. */
function describeError({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${describeError(cause)}` : message;
}
