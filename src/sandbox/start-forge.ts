import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ensureAccount, findToken, issueToken } from './actions/accounts.ts';
import {
  commentOnDiscussion,
  deleteDiscussion,
  editDiscussion,
  openDiscussion,
} from './actions/discussions.ts';
import { editRepository } from './actions/edit-repository.ts';
import { announceRepository, changeInstallation, installApp } from './actions/install-app.ts';
import { deleteIssue, transferIssue } from './actions/issues.ts';
import { queueMerge } from './actions/queue-merge.ts';
import { recordPush } from './actions/record-push.ts';
import { createRepository, forkRepository } from './actions/repositories.ts';
import { transferRepository } from './actions/transfer-repository.ts';
import type { UnexpectedRequest } from './api/api-request.ts';
import { RequestQuota } from './api/rate-limits.ts';
import type { ApiLogEntry, Forge, ForgeOptions, ForgeRepository } from './forge.ts';
import { type OpenContext, openContext } from './open-context.ts';
import { repositoryUrls } from './present/repository.ts';
import { serveForge } from './serve-forge.ts';
import { claimFolder } from './state/claim-folder.ts';
import { accountById, findRepository, repositoryById } from './state/find-records.ts';
import type { CheckRunRecord, RepositoryRecord } from './state/records.ts';
import { type CheckRunChange, emitCheckRunEvent } from './webhooks/check-run-event.ts';

const DEFAULT_REQUESTS_PER_HOUR = 5000;
const MAX_LOG_ENTRIES = 10_000;

/**
 * Starts a forge with the state in its data folder; resolves when it listens. Throws when the port is in use, the state is
 * damaged, or another forge uses the folder.
 */
export async function startForge(options: ForgeOptions): Promise<Forge> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const releaseFolder = claimFolder(dataDir);
  try {
    return await startOn({ ...options, dataDir }, releaseFolder);
  } catch (error) {
    releaseFolder();
    throw error;
  }
}

async function startOn(options: ForgeOptions, releaseFolder: () => void): Promise<Forge> {
  const context = await openContext(options);
  if (options.app) delete context.data.app;
  const app = options.app ?? context.data.app;
  if (app) context.register(app);
  const unexpected: UnexpectedRequest[] = [];
  const apiLog: ApiLogEntry[] = [];
  const host = options.host ?? '127.0.0.1';
  const server = await serveForge(
    {
      context,
      limits: new RequestQuota(options.requestsPerHour ?? DEFAULT_REQUESTS_PER_HOUR),
      onUnexpected: (request) => unexpected.push(request),
      onRequest: (request) => options.onRequest?.(request),
      onResponse: (method, path, status) => {
        apiLog.push({ method, path, status });
        if (apiLog.length > MAX_LOG_ENTRIES) apiLog.shift();
        options.log?.(`${method} ${path} ${status}`);
      },
    },
    { host, port: options.port ?? 0 },
  );
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const bracketed = reachable.includes(':') ? `[${reachable}]` : reachable;
  context.url = options.publicUrl?.replace(/\/+$/, '') ?? `http://${bracketed}:${server.address.port}`;
  await emitMissedPushes(context);
  return {
    url: context.url,
    apiUrl: `${context.url}/api/v3`,
    unexpected,
    apiLog,
    deliveries: context.webhooks.deliveries,
    faults: context.faults,
    ...administration(context),
    ...readers(context),
    redeliver: (guid) => {
      const delivery = context.webhooks.deliveries.find((candidate) => candidate.guid === guid);
      if (!delivery) throw new Error(`The sandbox has no delivery ${guid}.`);
      context.webhooks.redeliver(delivery);
    },
    waitForIdle: async () => {
      await server.settled();
      await context.queues.settled();
      await context.webhooks.settled();
    },
    stop: async () => {
      await server.close();
      await server.settled();
      await context.webhooks.stop();
      await context.save();
      releaseFolder();
    },
  };
}

/** Sends the events of pushes that a crash interrupted, as pushes of the owner. */
async function emitMissedPushes(context: OpenContext): Promise<void> {
  for (const repository of context.data.repositories) {
    await recordPush(context, repository, accountById(context.data, repository.ownerId));
  }
}

function requireRepository(context: OpenContext, fullName: string): RepositoryRecord {
  const [owner = '', name = ''] = fullName.split('/');
  const found = findRepository(context.data, owner, name);
  if (!found) throw new Error(`The sandbox has no repository ${fullName}.`);
  return found;
}

function describe(context: OpenContext, repository: RepositoryRecord): ForgeRepository {
  const { fullName, clone } = repositoryUrls(context, repository);
  return { id: repository.id, fullName, cloneUrl: clone };
}

/** The actions that a person takes on GitHub's pages. */
function administration(context: OpenContext) {
  return {
    configureApp: (app) => {
      delete context.data.app;
      context.register(app);
    },
    createUser: (login) => {
      const account = ensureAccount(context, login);
      const none = { installationId: null, repositoryIds: null, permissions: {}, expiresAt: null };
      const token = issueToken(context, 'ghp_', { accountId: account.id, ...none });
      saveSoon(context);
      return { login: account.login, token };
    },
    setEmails: (login, emails) => {
      ensureAccount(context, login).emails = emails;
      saveSoon(context);
    },
    addCollaborator: (fullName, login) => {
      const repository = requireRepository(context, fullName);
      const { id } = ensureAccount(context, login);
      repository.collaboratorIds = [...new Set([...repository.collaboratorIds, id])];
      saveSoon(context);
    },
    createRepository: async (options) => {
      const repository = await createRepository(context, {
        owner: ensureAccount(context, options.owner),
        name: options.name,
        private: options.private ?? false,
        defaultBranch: options.defaultBranch ?? 'main',
        forkOf: null,
      });
      announceRepository(context, repository);
      await context.save();
      return describe(context, repository);
    },
    fork: async (options) => {
      const owner = ensureAccount(context, options.owner);
      const repository = await forkRepository(
        context,
        requireRepository(context, options.source),
        owner,
        options.name,
      );
      announceRepository(context, repository);
      await context.save();
      return describe(context, repository);
    },
    installApp: ({ owner, repositories }) => {
      const selected =
        repositories === 'all'
          ? 'all'
          : repositories.map((name) => requireRepository(context, `${owner}/${name}`));
      const installation = installApp(context, ensureAccount(context, owner), selected);
      saveSoon(context);
      return { installationId: installation.id };
    },
    changeInstallation: (owner, action) => {
      changeInstallation(context, ensureAccount(context, owner), action);
      saveSoon(context);
    },
    editRepository: (fullName, change) => {
      editRepository(context, requireRepository(context, fullName), change);
      saveSoon(context);
    },
    transferRepository: (fullName, owner) => {
      const repository = requireRepository(context, fullName);
      transferRepository(context, repository, ensureAccount(context, owner));
      saveSoon(context);
      return describe(context, repository);
    },
    recordPush: async (fullName, login) => {
      await recordPush(context, requireRepository(context, fullName), ensureAccount(context, login));
    },
    queueMerge: async (fullName, number) => {
      const head = await queueMerge(context, requireRepository(context, fullName), number);
      await context.save();
      return head;
    },
    requestAction: ({ checkRunId, identifier, login }) =>
      emitAboutRun(context, checkRunId, {
        action: 'requested_action',
        identifier,
        sender: ensureAccount(context, login),
      }),
    deleteIssue: (fullName, number) => {
      deleteIssue(context, requireRepository(context, fullName), number);
      saveSoon(context);
    },
    transferIssue: (fullName, number, target) => {
      const repository = requireRepository(context, fullName);
      const moved = transferIssue(context, repository, number, requireRepository(context, target));
      saveSoon(context);
      return moved;
    },
    openDiscussion: (fullName, login, text) => {
      const author = ensureAccount(context, login);
      const number = openDiscussion(context, requireRepository(context, fullName), author, text);
      saveSoon(context);
      return number;
    },
    editDiscussion: (fullName, number, change) => {
      const repository = requireRepository(context, fullName);
      editDiscussion(context, repository, number, change, accountById(context.data, repository.ownerId));
      saveSoon(context);
    },
    commentOnDiscussion: (fullName, number, login, body) => {
      const author = ensureAccount(context, login);
      commentOnDiscussion(context, requireRepository(context, fullName), number, { author, body });
      saveSoon(context);
    },
    deleteDiscussion: (fullName, number) => {
      const repository = requireRepository(context, fullName);
      deleteDiscussion(context, repository, number, accountById(context.data, repository.ownerId));
      saveSoon(context);
    },
    rerequestCheckRun: ({ checkRunId, login }) =>
      emitAboutRun(context, checkRunId, { action: 'rerequested', sender: ensureAccount(context, login) }),
  } satisfies Partial<Forge>;
}

/** Saves a change without making the caller wait; `stop` and every later save write it, too. */
function saveSoon(context: OpenContext): void {
  context
    .save()
    .catch((error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)));
}

function emitAboutRun(context: OpenContext, id: number, change: CheckRunChange): void {
  const run = context.data.checkRuns.find((checkRun) => checkRun.id === id);
  if (!run) throw new Error(`The sandbox has no check run ${id}.`);
  emitCheckRunEvent(context, repositoryById(context.data, run.repositoryId), run, change);
}

function readers(context: OpenContext) {
  const of = <T extends { readonly repositoryId: number }>(list: readonly T[], fullName: string): T[] => {
    const { id } = requireRepository(context, fullName);
    return list.filter((candidate) => candidate.repositoryId === id);
  };
  return {
    knowsToken: (token) => findToken(context, token) !== undefined,
    repositories: () => context.data.repositories.map((candidate) => describe(context, candidate)),
    pulls: (repository) => of(context.data.pulls, repository),
    reviews: (repository, number) =>
      of(context.data.reviews ?? [], repository).filter((review) => review.pullNumber === number),
    statuses: (repository, sha) =>
      of(context.data.statuses, repository).filter((status) => sha === undefined || status.sha === sha),
    checkRuns: (repository, sha): CheckRunRecord[] =>
      of(context.data.checkRuns, repository).filter(
        (checkRun) => sha === undefined || checkRun.headSha === sha,
      ),
    refs: (repository) => requireRepository(context, repository).refs,
  } satisfies Partial<Forge>;
}
