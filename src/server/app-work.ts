import type { PlatformClient } from '../client/index.ts';
import type { RepositoryCache } from '../git/index.ts';
import { createGitHubApp, type GitHubApp, type GitHubAppDeps } from '../github/index.ts';
import type { Http } from '../net/index.ts';
import type { CallQueues, JobDefinition, Queue } from '../queue/index.ts';
import type { Store } from '../store/index.ts';
import { apiCheckJob, createScheduler, issueJob, watchBranches, watchPullRequests } from '../sync/index.ts';
import { toAppCredentials } from './app-credentials.ts';
import type { GitHubConfig, ServerConfig } from './config/index.ts';
import type { Logger } from './log.ts';
import type { AppSlotParts, BegunApp } from './setup/app-slot.ts';
import { hasStoredApp, leaveApp } from './setup/leave-app.ts';
import { startExclusiveInterval } from './start-exclusive-interval.ts';

/** So long running jobs may take to end when their App is removed or gets another key. */
const GRACE_MS = 10_000;

/** What a check that is in progress says when its App is removed. */
const UNCHECKED = 'The GitHub App was removed from the server of Docloom before this commit was checked.';

export interface AppWorkParts {
  readonly config: ServerConfig;
  readonly publicUrl: string;
  readonly store: Store;
  readonly queue: Queue;
  readonly client: PlatformClient;
  readonly organizationId: () => Promise<string>;
  readonly git: RepositoryCache;
  readonly callQueues: CallQueues;
  readonly log: Logger;
  /** Reaches the web, for links to other sites and specifications at addresses. */
  readonly web: Http;
  readonly answered: NonNullable<GitHubAppDeps['onResponse']>;
  /** Tells which host the App's repositories lie on; null when there is no App any more. */
  readonly nameHost: (host: string | null) => void;
}

/** What a GitHub App does in this process, from its first job to its last. */
export function createAppWork(parts: AppWorkParts): Pick<AppSlotParts, 'begin' | 'leave'> {
  const { config, publicUrl, store, client, organizationId, git, callQueues, log } = parts;
  const { db } = store;
  const shared = { db, client, publicUrl, log };
  /** Kinds of jobs that belong to an App's own installations, so that no other App can do them. */
  const ofInstallations = new Map<string, Pick<JobDefinition, 'name'>>(
    [issueJob, apiCheckJob].map((job) => [job.name, job]),
  );

  async function begin(credentials: GitHubConfig): Promise<BegunApp> {
    parts.nameHost(credentials.host);
    const kinds = new Map<string, JobDefinition>();
    const queue = recordKinds(parts.queue, kinds);
    const app = createGitHubApp({
      ...shared,
      config: { ...toAppCredentials(credentials), publicUrl, onboarding: config.onboarding },
      queue,
      organizationId,
      git,
      callQueues,
      onResponse: parts.answered,
      onBranchMoved: watchBranches({ db, queue }),
      onPullRequestSeen: watchPullRequests({ db, queue }),
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
      trouble: 'What GitHub has could not be compared with what is live; tried again soon.',
    };
    const syncing = {
      name: 'sync',
      run: scheduler.poll,
      trouble: 'Spaces could not be checked for edits; tried again soon.',
    };
    const ends = [
      startExclusiveInterval(reconciling, db, log, config.reconcileSeconds * 1000),
      startExclusiveInterval(syncing, db, log, config.syncSeconds * 1000),
    ];
    return {
      app,
      stop: async () => void (await Promise.all(ends.map((end) => end()))),
      rest: () => queue.stopWork([...kinds.values()], { graceMs: GRACE_MS }),
    };
  }

  async function leave(gone: GitHubApp): Promise<void> {
    parts.nameHost(null);
    if (await hasStoredApp(db)) return;
    await gone.closeChecks(UNCHECKED, AbortSignal.timeout(GRACE_MS)).catch((error: Error) => {
      log.warn({ reason: error.message }, 'Checks in progress could not be completed.');
    });
    await leaveApp(db, parts.queue, [...ofInstallations.values()]);
  }

  return { begin, leave };
}

/** The same queue, which notes the kinds of jobs that are worked on. */
function recordKinds(queue: Queue, kinds: Map<string, JobDefinition>): Queue {
  return {
    ...queue,
    work(job, handler) {
      kinds.set(job.name, job as unknown as JobDefinition);
      return queue.work(job, handler);
    },
  };
}
