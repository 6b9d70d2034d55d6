import { type GitOperation, operations, type Page, type PlatformClient } from '../../client/index.ts';
import type { GitRemote } from '../../git/repository.ts';
import { type Binding, recordLive, recordSyncError } from '../../store/bindings.ts';
import type { Database } from '../../store/db.ts';
import type { Octokit } from '../octokit.ts';
import type { Repository } from '../repository.ts';
import { type CommitStatus, postCommitStatus } from './commit-status.ts';
import { findLive, listImports, SyncError, waitForEnd } from './operations.ts';

export interface SyncDeps {
  readonly db: Database;
  readonly client: PlatformClient;
  readonly publicUrl: string;
}

/** What is to be made true: this space shows this commit of this branch. */
export interface SyncGoal {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly binding: Binding;
  readonly spaceId: string;
  /** The commit status's name. */
  readonly context: string;
  /** The branch's tip when it was read. */
  readonly tip: string;
  /** When the event happened that asked for it. */
  readonly timestamp: Date;
  /** A fresh token for git, made only when an import starts. */
  readonly remote: () => Promise<GitRemote>;
  readonly signal: AbortSignal;
}

/** How often a goal is looked at again because another import came in between. */
const LOOKS = 5;

/**
 * Makes a space show its branch's tip, and tells on the commit how it went. What is live already is not
 * imported again, and an import that an earlier try started is waited for, so running this twice costs nothing.
 */
export async function syncSpace(deps: SyncDeps, goal: SyncGoal): Promise<void> {
  const ref = `refs/heads/${goal.binding.branch}`;
  for (let look = 1; look <= LOOKS; look++) {
    const imports = await listImports(deps.client, goal.spaceId, ref);
    const live = findLive(imports);
    if (live?.commit === goal.tip) {
      if (goal.binding.liveOid !== goal.tip) await tellEnd(deps, goal, live);
      return;
    }
    // One that has not fetched yet will see this tip or a newer one.
    const running = imports.find((one) => one.state === 'running' && (one.commit ?? goal.tip) === goal.tip);
    const ended = await waitForEnd(
      deps.client,
      goal.spaceId,
      ref,
      running === undefined ? await startImport(deps, goal, ref, imports) : (one) => one.id === running.id,
      goal.signal,
    );
    // Skipped in favour of a newer one, which is then what to wait for.
    if (!ended.skipped) {
      await tellEnd(deps, goal, ended);
      return;
    }
  }
  throw new SyncError(`Other imports of ${ref} kept coming in between; it is tried again.`);
}

/** Starts an import, and answers how to know it: by not having been there before. */
async function startImport(
  deps: SyncDeps,
  goal: SyncGoal,
  ref: string,
  imports: readonly GitOperation[],
): Promise<(operation: GitOperation) => boolean> {
  const { repository, binding, spaceId, timestamp } = goal;
  await tell(deps, goal, goal.tip, { state: 'pending', description: 'Importing the docs.' });
  const { url, credentials } = await goal.remote();
  const address = new URL(url);
  address.username = credentials?.username ?? '';
  address.password = credentials?.password ?? '';
  await deps.client.call(operations.importGit, {
    params: { spaceId },
    body: {
      url: address.href,
      ref,
      repoCacheID: String(repository.id),
      repoProjectDirectory: binding.directory,
      repoTreeURL: `${repository.htmlUrl}/blob/${encodePath(binding.branch)}/`,
      repoCommitURL: `${repository.htmlUrl}/commit/`,
      // The tip was read just now, so it is never older than what an earlier operation imported.
      timestamp: latest([timestamp, ...imports.map((one) => new Date(one.timestamp))]).toISOString(),
      gitInfo: { provider: 'github', url: repository.htmlUrl },
    },
  });
  const known = new Set(imports.map((one) => one.id));
  return (operation) => !known.has(operation.id);
}

/** Tells the end of an operation on the commit that it imported, which a newer push may have made another than the tip. */
async function tellEnd(deps: SyncDeps, goal: SyncGoal, operation: GitOperation): Promise<void> {
  if (operation.state === 'failure') {
    const reason = describeFailure(operation);
    await tell(deps, goal, goal.tip, { state: 'failure', description: reason });
    await recordSyncError(deps.db, goal.binding.id, reason);
    return;
  }
  const commit = operation.commit ?? goal.tip;
  if (commit !== goal.tip) {
    await tell(deps, goal, goal.tip, {
      state: 'pending',
      description: `Superseded by ${commit.slice(0, 7)}, which came before this commit was imported.`,
    });
  }
  await tell(deps, goal, commit, {
    state: 'success',
    description: await describeLive(deps.client, goal.spaceId, operation),
  });
  await recordLive(deps.db, goal.binding.id, commit);
}

function describeFailure({ error }: GitOperation): string {
  if (error === undefined) return 'The import failed; the platform gave no reason.';
  const place =
    error.path === undefined ? '' : `${error.path}${error.line === undefined ? '' : `:${error.line}`}: `;
  return `${place}${error.message}`;
}

async function describeLive(
  client: PlatformClient,
  spaceId: string,
  operation: GitOperation,
): Promise<string> {
  const { pages, links, broken } = operation.counts ?? (await countContent(client, spaceId));
  return `Live: ${plural(pages, 'page')}, ${plural(links, 'link')}, ${broken} broken`;
}

async function countContent(client: PlatformClient, spaceId: string) {
  const [{ stats }, { pages }] = await Promise.all([
    client.call(operations.listSpaceLinks, { params: { spaceId }, query: { limit: 1 } }),
    client.call(operations.listPages, { params: { spaceId } }),
  ]);
  return { pages: countPages(pages), links: stats.total, broken: stats.broken.total };
}

function countPages(pages: readonly Page[]): number {
  return pages.reduce((sum, page) => sum + (page.type === 'document' ? 1 : 0) + countPages(page.pages), 0);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

async function tell(
  deps: SyncDeps,
  goal: SyncGoal,
  commitOid: string,
  status: Pick<CommitStatus, 'state' | 'description'>,
): Promise<void> {
  await postCommitStatus(goal.octokit, goal.repository, commitOid, {
    ...status,
    context: goal.context,
    targetUrl: `${deps.publicUrl}/spaces/${goal.spaceId}`,
  });
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function latest(moments: readonly Date[]): Date {
  return new Date(Math.max(...moments.map((moment) => moment.getTime())));
}
