import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Probot } from 'probot';
import { operations, type PlatformClient } from '../client/index.ts';
import { createEngine } from '../content/index.ts';
import type { RepositoryCache } from '../git/index.ts';
import { type CallQueues, findPostponed, type JobContext, type Queue } from '../queue/index.ts';
import {
  claimCall,
  type Database,
  finishDelivery,
  loadDelivery,
  loadRepository,
  recordDeliveryError,
  recordPullState,
} from '../store/index.ts';
import { contentThreads } from '../threads/index.ts';
import {
  type AcquireCall,
  type AppAccess,
  type CallLimits,
  commitReader,
  createAppAccess,
  createHourlyLimits,
  createProbot,
  explainError,
  type GitHubAppCredentials,
  type Octokit,
  type OpenCommit,
  type RateLimit,
} from './api/index.ts';

import { handleInstallation, handleRepository } from './installation/index.ts';

import { handleClosedProposal, type Onboarding, reconcileProposal } from './onboarding/index.ts';

import {
  checkMergeGroup,
  checkPullRequest,
  closeAll,
  completeLateRuns,
  fixPullRequest,
  handleChecks,
  handleFixRequest,
  handlePullRequest,
  handleReviewComment,
  lateRunsJob,
  makePreviews,
  type OnPullDiscussed,
  type OnPullRequestSeen,
  previewJob,
  recheckPullRequests,
  removeSitePreview,
} from './pull-request/index.ts';

import {
  type AsAdministrator,
  completeLateStatuses,
  handlePush,
  lateStatusJob,
  type PushDeps,
  syncBranch,
} from './push/index.ts';

import { handleDiscussion, handleIssue, type OnQuestionChanged } from './questions/index.ts';
import {
  compareInstallations,
  type ReconcileDeps,
  reconcile,
  removeDisconnected,
} from './reconcile/index.ts';

import { type Connection, readConnection } from './registration/index.ts';
import { type RecheckRunners, runRecheck } from './run-recheck.ts';
import {
  type DeliveryRun,
  deliveryJob,
  type Handlers,
  registerWebhookRoute,
  type SubscriptionName,
  subscriptions,
  withDeliveryId,
  workOf,
} from './webhooks/index.ts';

export interface GitHubAppConfig extends GitHubAppCredentials {
  /** The public address of this server, for links to reports and spaces. */
  readonly publicUrl: string;
  /** Whether a configuration is proposed to repositories that have none; `off` by default. */
  readonly onboarding?: Onboarding;
  /** How long spaces that pushes no longer reach are retained; for ever where it is absent. */
  readonly retainDisconnectedDays?: number | null;
  /** How long after its start the App removes none of them, in milliseconds; an hour by default. */
  readonly removeDisconnectedAfterMs?: number;
}

export interface GitHubAppDeps {
  readonly config: GitHubAppConfig;
  readonly db: Database;
  readonly queue: Queue;
  readonly client: PlatformClient;
  /** Deletes a space, for which the client's token may have too few rights; with the client where it is absent. */
  readonly deleteSpace?: (spaceId: string) => Promise<void>;
  /** Which of these spaces lost bytes that another import fetches; none when absent. */
  readonly findLossy?: (spaceIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Does what only administrators of the platform may; with the client where it is absent. */
  readonly asAdministrator?: AsAdministrator;
  /** The organization that new spaces belong to. */
  readonly organizationId: () => Promise<string>;
  readonly git: RepositoryCache;
  readonly callQueues: CallQueues;
  readonly log: Logger;
  /** Called with the status of each of GitHub's responses; null where none came. */
  readonly onResponse?: (status: number | null) => void;
  /** Counts the calls that GitHub limits; in the database where it is absent. */
  readonly acquireCall?: AcquireCall;
  /** Called when a default branch moved and its configuration is in force, for work on files other than pages. */
  readonly onBranchMoved?: PushDeps['onBranchMoved'];
  /** Called for each pull request that is checked, and for those whose other checks were requested again. */
  readonly onPullRequestSeen?: OnPullRequestSeen;
  /** Called for each pull request on whose lines something was said, changed or deleted. */
  readonly onPullDiscussed?: OnPullDiscussed;
  /** Called for each issue and discussion that changed. */
  readonly onQuestionChanged?: OnQuestionChanged;
}

export interface GitHubApp {
  readonly access: AppAccess;
  readonly openCommit: OpenCommit;
  /** Reads from GitHub who the App is, what it may do and where it is installed. */
  connection(signal: AbortSignal): Promise<Connection>;
  /** GitHub's hourly limits as this process saw them last. */
  rateLimits(): readonly RateLimit[];
  /** `POST /api/github/webhooks`. */
  registerRoutes(fastify: FastifyInstance): void;
  /**
   * Compares GitHub with the database once and enqueues jobs for the differences: missed deliveries, repositories,
   * branches, checks. Then removes spaces that were disconnected for long. Throws only when GitHub or the database cannot be reached at all.
   */
  reconcile(signal: AbortSignal): Promise<void>;
  /** Takes part in a comparison that another process began. */
  shareComparison(signal: AbortSignal): Promise<void>;
  /** Completes the checks in progress before the App is removed, with the reason why they have no verdict. */
  closeChecks(reason: string, signal: AbortSignal): Promise<void>;
  /** Starts working on deliveries. Throws when the App's credentials cannot be used. */
  startJobs(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The GitHub App. Probot dispatches events and authenticates; the webhook route and the jobs are our own, because
 * a delivery must be durable before it is answered. Throws at once for a key or secret that cannot work.
 */
export function createGitHubApp(deps: GitHubAppDeps): GitHubApp {
  const { config, db, queue } = deps;
  const publicUrl = config.publicUrl.replace(/\/+$/, '');
  const log = deps.log.child({}, { serializers: { err: describeForLog } });
  const limits = createHourlyLimits();
  const calls: CallLimits = {
    callQueues: deps.callQueues,
    limits,
    ...(deps.onResponse && { onResponse: deps.onResponse }),
    acquireCall: deps.acquireCall ?? ((key, rate) => claimCall(db, key, rate)),
  };
  const probot = createProbot(config, calls, log);
  const access = createAppAccess(probot);
  const octokitFor = (
    { installation }: { readonly installation: { readonly id: number } },
    run: DeliveryRun,
  ) => access.on(installation.id, run);
  const { onPullRequestSeen, onBranchMoved } = deps;
  const shared = { db, queue, publicUrl, access, log, ...(onPullRequestSeen && { onPullRequestSeen }) };
  const pullRequestDeps = {
    ...shared,
    git: deps.git,
    engine: createEngine({ readFacts: contentThreads.readFacts, readValues: contentThreads.readValues }),
  };
  const onboardingDeps = { ...pullRequestDeps, onboarding: config.onboarding ?? 'off' };
  const pushDeps = {
    ...onboardingDeps,
    client: deps.client,
    organizationId: deps.organizationId,
    ...(deps.asAdministrator && { asAdministrator: deps.asAdministrator }),
    ...(onBranchMoved && { onBranchMoved }),
  };

  const reconcileDeps: ReconcileDeps = {
    ...shared,
    ...(deps.findLossy && { findLossy: deps.findLossy }),
  };
  const { retainDisconnectedDays = null, removeDisconnectedAfterMs = 60 * 60_000 } = config;
  const openedAt = performance.now();
  const {
    client,
    deleteSpace = (spaceId: string) => client.call(operations.deleteSpace, { params: { spaceId } }),
  } = deps;
  const handlers: Handlers<DeliveryRun> = {
    push: async (event, run) => handlePush(pushDeps, event, await octokitFor(event, run), run),
    pullRequest: async (event, run) =>
      handlePullRequest(pullRequestDeps, event, await octokitFor(event, run), run),
    async closedPullRequest(event) {
      await handleClosedProposal(shared, event);
      await removeSitePreview(pushDeps, event);
      const { repository, number } = event;
      await recordPullState(db, { repositoryId: repository.id, pullNumber: number }, 'closed');
    },
    reviewComment: (event) => handleReviewComment(deps.onPullDiscussed, event),
    installation: (event, run) => handleInstallation(reconcileDeps, event, run),
    repository: async (event, run) => handleRepository(reconcileDeps, event, await octokitFor(event, run)),
    checkRun: (event, { delivery = '' }) => handleChecks(shared, event, delivery),
    checkSuite: (event, { delivery = '' }) => handleChecks(shared, event, delivery),
    requestedAction: (event) => handleFixRequest(shared, event),
    issue: (event) => handleIssue(deps.onQuestionChanged, event),
    discussion: (event) => handleDiscussion(deps.onQuestionChanged, event),
    mergeGroup: async (event, run) =>
      checkMergeGroup(pullRequestDeps, event, await octokitFor(event, run), run),
  };
  const deliver = subscribe(probot, handlers);

  const runners: RecheckRunners = {
    branch: (hint, octokit, run) => syncBranch(pushDeps, hint, octokit, run),
    pullRequest: (hint, octokit, run) => checkPullRequest(pullRequestDeps, hint, octokit, run),
    fix: (hint, request, octokit, run) => fixPullRequest(pullRequestDeps, hint, request, octokit, run),
    pullRequests: (hint, octokit) => recheckPullRequests(shared, hint, octokit),
    onboarding: (hint, octokit, run) => reconcileProposal(onboardingDeps, hint, octokit, run),
    async isCutOff({ repositoryId, installationId }) {
      const known = await loadRepository(db, repositoryId);
      return known !== null && (known.disconnected !== null || known.installationId !== installationId);
    },
  };

  /** A handler whose calls are made as the installation in its payload. */
  const asInstallation =
    <P extends { readonly installationId: number }>(
      work: (payload: P, octokit: Octokit, run: JobContext) => Promise<void>,
    ) =>
    async (payload: P, run: JobContext) =>
      work(payload, await access.on(payload.installationId, run), run);

  return {
    access,
    openCommit: commitReader(deps.git, access),
    connection: (signal) => readConnection(access, signal),
    rateLimits: () => limits.list(),
    async reconcile(signal) {
      const isComplete = await reconcile(reconcileDeps, signal);
      // What came back while no process ran is synced first.
      if (isComplete && performance.now() - openedAt >= removeDisconnectedAfterMs)
        await removeDisconnected({ db, client, deleteSpace, log, retainDisconnectedDays }, signal);
    },
    shareComparison: (signal) => compareInstallations(reconcileDeps, signal),
    closeChecks: (reason, signal) => closeAll(shared, reason, signal),
    registerRoutes: (fastify) =>
      registerWebhookRoute(fastify, { secrets: () => config.webhookSecrets, db, queue }),
    async startJobs() {
      await probot.ready();
      await queue.work(deliveryJob, async (payload, context) => {
        const work = workOf(payload);
        if (work?.kind === 'delivery') return await runDelivery(deliver, db, work.deliveryId, context);
        const { repositoryId } = payload;
        if (work !== null && repositoryId !== null)
          await runRecheck(runners, access, { ...work, repositoryId }, context);
      });
      await queue.work(
        previewJob,
        asInstallation((payload, octokit, run) => makePreviews(pushDeps, payload, octokit, run)),
      );
      await queue.work(
        lateStatusJob,
        asInstallation((payload, octokit) => completeLateStatuses(db, payload, octokit)),
      );
      await queue.work(
        lateRunsJob,
        asInstallation((payload, octokit) => completeLateRuns(shared, payload, octokit)),
      );
    },
    async close() {
      // Probot has nothing to close: it runs no server here, and its calls stop with the jobs' signals.
    },
  };
}

type Deliver = (
  event: { readonly id: string; readonly name: string; readonly payload: object },
  run: DeliveryRun,
) => Promise<void>;

/**
 * Registers the handlers with Probot. Returns a function that delivers an event together with its job. Probot forwards only
 * the event, but its payload reaches the handler as the same object, so the job is found by the payload.
 */
function subscribe(probot: Probot, handlers: Handlers<DeliveryRun>): Deliver {
  const runs = new WeakMap<object, DeliveryRun>();
  for (const [name, { events }] of Object.entries(subscriptions)) {
    // The webhook route has checked the event's shape.
    const handle = handlers[name as SubscriptionName] as (event: object, run: DeliveryRun) => Promise<void>;
    probot.on(events as Parameters<Probot['on']>[0], ({ payload }: { payload: object }) => {
      const run = runs.get(payload);
      if (run === undefined) throw new Error('A handler of GitHub events was called outside its job.');
      return handle(payload, run);
    });
  }
  return async (event, run) => {
    runs.set(event.payload, run);
    await probot.receive(event as Parameters<Probot['receive']>[0]);
  };
}

async function runDelivery(
  deliver: Deliver,
  db: Database,
  deliveryId: string,
  context: JobContext,
): Promise<void> {
  const delivery = await loadDelivery(db, deliveryId);
  if (delivery === null || delivery.state === 'done') return;
  const { id, event: name } = delivery;
  if (delivery.payload === '')
    throw new Error('The content of the delivery is not stored any more; request it again from GitHub.');
  const payload = JSON.parse(delivery.payload);
  try {
    await withDeliveryId(id, () => deliver({ id, name, payload }, { ...context, delivery: id }));
  } catch (error) {
    if (!context.signal.aborted) {
      const final = context.lastAttempt && findPostponed(error) === null;
      await recordDeliveryError(db, deliveryId, { error: explainError(error), final });
    }
    throw new Error(explainError(error), { cause: error });
  }
  await finishDelivery(db, deliveryId);
}

/** Errors of handlers contain the whole payload, and those of calls the whole request: neither belongs in a log. */
function describeForLog(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const status = 'status' in error ? { status: error.status } : {};
  return { type: error.name, message: error.message, stack: error.stack, ...status };
}
