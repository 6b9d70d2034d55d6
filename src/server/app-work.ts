import type { PlatformClient } from '../client/index.ts';
import type { RepositoryCache } from '../git/index.ts';
import { createGitHubApp, type GitHubApp, type GitHubAppDeps } from '../github/index.ts';
import type { Http } from '../net/index.ts';
import type { CallQueues, JobDefinition, Queue } from '../queue/index.ts';
import { findLossySpaces, type Store } from '../store/index.ts';
import {
  apiCheckJob,
  conversationSyncJob,
  createScheduler,
  issueJob,
  mirrorJob,
  watchBranches,
  watchPullDiscussions,
  watchPullRequests,
  watchQuestions,
} from '../sync/index.ts';
import { toAppCredentials } from './app-credentials.ts';
import type { GitHubConfig, ServerConfig } from './config/index.ts';
import type { Logger } from './log.ts';
import type { AppSlotParts, RunningApp } from './setup/app-slot.ts';
import { cleanUpAfterApp, hasStoredApp } from './setup/clean-up-after-app.ts';
import { startExclusiveInterval } from './start-exclusive-interval.ts';

/** How long running jobs may take to finish when their App is removed or gets another key. */
const GRACE_MS = 10_000;

/** The message of checks that are in progress when their App is removed. */
const UNCHECKED = 'The GitHub App was removed from the server of Docloom before this commit was checked.';

export interface AppWorkParts {
  readonly config: ServerConfig;
  readonly publicUrl: string;
  readonly store: Store;
  readonly queue: Queue;
  readonly client: PlatformClient;
  /** Deletes a space of the platform; with the client where it is absent. */
  readonly deleteSpace?: (spaceId: string) => Promise<void>;
  /** Does what only administrators may; with the client where it is absent. */
  readonly asAdministrator?: NonNullable<GitHubAppDeps['asAdministrator']>;
  readonly organizationId: () => Promise<string>;
  readonly git: RepositoryCache;
  readonly callQueues: CallQueues;
  readonly log: Logger;
  /** Reaches the web, for links to other sites and specifications at addresses. */
  readonly web: Http;
  readonly onResponse: NonNullable<GitHubAppDeps['onResponse']>;
  /** Called with the host of the App's repositories; null when there is no App any more. */
  readonly onHostChange: (host: string | null) => void;
}

/** Starts the jobs of a GitHub App in this process, and cleans up after an App that was removed. */
export function createAppWork(parts: AppWorkParts): Pick<AppSlotParts, 'startApp' | 'onRemoved'> {
  const { config, publicUrl, store, client, organizationId, git, callQueues, log } = parts;
  const { db } = store;
  const shared = { db, client, publicUrl, log };
  /** Kinds of jobs that belong to the installations of one App, so that no other App can run them. */
  const ofInstallations = new Map<string, Pick<JobDefinition, 'name'>>(
    [issueJob, apiCheckJob, conversationSyncJob, mirrorJob].map((job) => [job.name, job]),
  );

  async function startApp(credentials: GitHubConfig): Promise<RunningApp> {
    parts.onHostChange(credentials.host);
    const kinds = new Map<string, JobDefinition>();
    const queue = recordKinds(parts.queue, kinds);
    const app = createGitHubApp({
      ...shared,
      config: {
        ...toAppCredentials(credentials),
        publicUrl,
        onboarding: config.onboarding,
        retainDisconnectedDays: config.retainDisconnectedDays,
      },
      queue,
      organizationId,
      git,
      callQueues,
      ...(parts.deleteSpace && { deleteSpace: parts.deleteSpace }),
      ...(config.platform === null && { findLossy: (spaceIds) => findLossySpaces(db, spaceIds) }),
      ...(parts.asAdministrator && { asAdministrator: parts.asAdministrator }),
      onResponse: parts.onResponse,
      onBranchMoved: watchBranches({ db, queue }),
      onPullRequestSeen: watchPullRequests({ db, queue }),
      onPullDiscussed: watchPullDiscussions({ db, queue }),
      onQuestionChanged: watchQuestions({ db, queue }),
    });
    const { access, openCommit } = app;
    const scheduler = createScheduler({
      ...shared,
      queue,
      access,
      specs: { openCommit, organizationId, secretFor: config.secretFor },
      http: parts.web,
      now: () => new Date(),
    });
    await app.startJobs();
    for (const [name, job] of kinds) ofInstallations.set(name, job);
    await scheduler.startJobs();
    const reconciling = {
      name: 'reconcile',
      run: app.reconcile,
      share: app.shareComparison,
      failureMessage: 'GitHub could not be compared with the live content; it will be tried again soon.',
    };
    const syncing = {
      name: 'sync',
      run: scheduler.poll,
      failureMessage: 'Spaces could not be checked for edits; it will be tried again soon.',
    };
    const intervals =
      config.role === 'web'
        ? []
        : [
            startExclusiveInterval(reconciling, db, log, config.reconcileSeconds * 1000),
            startExclusiveInterval(syncing, db, log, config.syncSeconds * 1000),
          ];
    return {
      app,
      stop: async () => void (await Promise.all(intervals.map((stop) => stop()))),
      stopJobs: () => queue.stopWork([...kinds.values()], { graceMs: GRACE_MS }),
    };
  }

  async function onRemoved(app: GitHubApp): Promise<void> {
    parts.onHostChange(null);
    if (await hasStoredApp(db)) return;
    await app.closeChecks(UNCHECKED, AbortSignal.timeout(GRACE_MS)).catch((error: Error) => {
      log.warn({ reason: error.message }, 'Checks in progress could not be completed.');
    });
    await cleanUpAfterApp(db, parts.queue, [...ofInstallations.values()]);
  }

  return { startApp, onRemoved };
}

/** Wraps a queue so that `kinds` collects the kinds of jobs that get a handler. */
function recordKinds(queue: Queue, kinds: Map<string, JobDefinition>): Queue {
  return {
    ...queue,
    work(job, handler) {
      kinds.set(job.name, job as unknown as JobDefinition);
      return queue.work(job, handler);
    },
  };
}
