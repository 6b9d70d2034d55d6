import {
  type GitOperation,
  operations,
  type PageResource,
  type PlatformClient,
  startGitOperation,
} from '../../client/index.ts';
import type { GitRemote } from '../../git/index.ts';
import { type Binding, recordFailedImport, recordLive, recordPending } from '../../store/index.ts';
import {
  type CommitStatus,
  hasStatus,
  hasStatusCode,
  type Octokit,
  postCommitStatus,
  type Repository,
  readStatus,
} from '../api/index.ts';

import { findLive, gitBody, listImports, SyncError, waitForImport } from '../repository/index.ts';
import type { ImportDeps } from './deps.ts';

/** The state that a sync reaches: the space shows this commit of its branch. */
export interface SyncGoal {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly binding: Binding;
  readonly spaceId: string;
  /** The commit status's name. */
  readonly context: string;
  /** The branch's tip when it was read. */
  readonly tip: string;
  /** The commit that the push behind it made the tip, which a newer push may have overtaken; null when there was no push. */
  readonly pushedOid: string | null;
  /** The time of the event behind it. */
  readonly timestamp: Date;
  /** Whether an earlier attempt may have posted a final status, and died before it could record that. */
  readonly resumed: boolean;
  /** Schedules another inspection of these commits' statuses, a while after their final status. */
  readonly recheckLater: (oids: readonly string[]) => Promise<void>;
  /** A fresh token for git, made only when an import starts. */
  readonly remote: () => Promise<GitRemote>;
  readonly signal: AbortSignal;
}

/** How often a goal is checked again because another import came in between. */
const MAX_ROUNDS = 5;

/** A call that took longer may have been given up and made again, and may still be under way. */
const SLOW_CALL_MS = 10_000;

/**
 * Makes a space show its branch's tip, and posts the result on the commit. What is live already is not
 * imported again, and an import that an earlier attempt started is waited for, so running this twice costs nothing.
 */
export async function syncSpace(deps: ImportDeps, goal: SyncGoal): Promise<void> {
  const ref = `refs/heads/${goal.binding.branch}`;
  // An earlier attempt was about to post *pending* on these, and that call may still be under way.
  const doubtful = new Set(goal.binding.pendingOids);
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const imports = await listImports(deps.client, goal.spaceId, ref);
    const live = findLive(imports);
    if (live?.commit === goal.tip) {
      const { liveOid, pendingOids } = goal.binding;
      const silent = await findSilentPush(goal);
      if (liveOid !== goal.tip || pendingOids.length > 0 || silent !== null)
        await reportCompletion(deps, goal, live, { known: true, doubtful, silent });
      return;
    }
    // An import that has not fetched yet will see this tip or a newer one.
    const running = imports.find(
      ({ state, commit = goal.tip }) => state === 'running' && commit === goal.tip,
    );
    const id = running?.id ?? (await startImport(deps, goal, { ref, imports, doubtful }));
    const operation = await waitForImport(deps.client, { spaceId: goal.spaceId, ref, id }, goal.signal);
    // A skipped import gave way to a newer one, which is then waited for.
    if (!operation.skipped) {
      const silent = await findSilentPush(goal);
      await reportCompletion(deps, goal, operation, { known: false, doubtful, silent });
      return;
    }
  }
  throw new SyncError(`Other imports of ${ref} kept coming in between.`);
}

/** Starts an import, and returns the id of its operation. */
async function startImport(
  deps: ImportDeps,
  goal: SyncGoal,
  {
    ref,
    imports,
    doubtful,
  }: {
    readonly ref: string;
    readonly imports: readonly GitOperation[];
    readonly doubtful: Set<string>;
  },
): Promise<string> {
  const { repository, binding, spaceId, timestamp } = goal;
  await recordPending(deps.db, binding.id, goal.tip);
  const startedAt = performance.now();
  await post(deps, goal, goal.tip, { state: 'pending', description: 'Importing the docs.' });
  if (performance.now() - startedAt > SLOW_CALL_MS) doubtful.add(goal.tip);
  const body = {
    ...gitBody(repository, binding, await goal.remote()),
    ref,
    // The tip was read just now, so it is never older than what an earlier operation imported.
    timestamp: latest([timestamp, ...imports.map(({ timestamp }) => new Date(timestamp))]).toISOString(),
  };
  return await startGitOperation(deps.client, spaceId, { direction: 'import', body }, goal.signal);
}

/**
 * Posts the result of an operation on the commit that it imported, which may not be the tip after a newer push, and on the
 * commits that it overtook: the tip, and those of earlier attempts that were never completed.
 *
 * @param known the operation is older than this attempt, and may have been reported already
 * @param doubtful commits with a call that may reach GitHub late
 * @param silent the pushed commit without a final status that a newer push overtook; null for none
 */
async function reportCompletion(
  deps: ImportDeps,
  goal: SyncGoal,
  operation: GitOperation,
  {
    known,
    doubtful,
    silent,
  }: { readonly known: boolean; readonly doubtful: ReadonlySet<string>; readonly silent: string | null },
): Promise<void> {
  const commit = operation.state === 'failure' ? goal.tip : (operation.commit ?? goal.tip);
  const overtaken = new Set([...goal.binding.pendingOids, goal.tip]);
  if (silent !== null) overtaken.add(silent);
  overtaken.delete(commit);
  if (operation.state === 'failure') {
    const reason = describeFailure(operation);
    await postOnce(deps, goal, [commit], { state: 'failure', description: reason });
    const instead = `Overtaken by ${commit.slice(0, 7)}, whose import failed: ${reason}`;
    await postOnce(deps, goal, overtaken, { state: 'failure', description: instead });
    if (doubtful.size > 0) await goal.recheckLater([...doubtful]);
    await recordFailedImport(deps.db, goal.binding.id, reason);
    return;
  }
  const instead = `Overtaken by ${commit.slice(0, 7)}, which is live.`;
  await postOnce(deps, goal, overtaken, { state: 'success', description: instead });
  const { liveOid, pendingOids } = goal.binding;
  if (commit !== liveOid || !known || pendingOids.includes(commit)) {
    const description = await describeLive(deps.client, goal.spaceId, operation);
    await postOnce(deps, goal, [commit], { state: 'success', description });
  }
  if (doubtful.size > 0) await goal.recheckLater([...doubtful]);
  await recordLive(deps.db, goal.binding.id, commit);
}

/** The commit that was pushed, if a newer push overtook it before it got a final status; null otherwise. */
async function findSilentPush({
  octokit,
  repository,
  context,
  pushedOid,
  tip,
}: SyncGoal): Promise<string | null> {
  if (pushedOid === null || pushedOid === tip) return null;
  try {
    const state = await readStatus(octokit, repository, pushedOid, context);
    return state === null || state === 'pending' ? pushedOid : null;
  } catch (error) {
    // A force push removed it.
    if (hasStatusCode(error, 404, 422)) return null;
    throw error;
  }
}

/** Posts a final status, unless an earlier attempt did. A commit that a force push removed is skipped. */
async function postOnce(
  deps: ImportDeps,
  goal: SyncGoal,
  commits: Iterable<string>,
  status: Pick<CommitStatus, 'state' | 'description'>,
): Promise<void> {
  const { octokit, repository, context } = goal;
  for (const commit of commits) {
    if (goal.resumed && (await hasStatus(octokit, repository, commit, { ...status, context }))) continue;
    try {
      await post(deps, goal, commit, status);
    } catch (error) {
      if (commit === goal.tip || !hasStatusCode(error, 404, 422)) throw error;
    }
  }
}

function describeFailure({ error }: GitOperation): string {
  if (error === undefined) return 'The import failed; the platform gave no reason.';
  const location =
    error.path === undefined ? '' : `${error.path}${error.line === undefined ? '' : `:${error.line}`}: `;
  return `${location}${error.message}`;
}

async function describeLive(
  client: PlatformClient,
  spaceId: string,
  operation: GitOperation,
): Promise<string> {
  const { pages, links, broken } = operation.counts ?? (await countContent(client, spaceId));
  const { notices } = operation;
  const seen =
    notices === undefined ? '' : `; ${plural(notices.count, 'notice')}, first of ${notices.items[0]?.path}`;
  return `Live: ${plural(pages, 'page')}, ${plural(links, 'link')}, ${broken} broken${seen}`;
}

async function countContent(client: PlatformClient, spaceId: string) {
  const [{ stats }, { pages }] = await Promise.all([
    client.call(operations.listLinks, { params: { spaceId }, query: { limit: 1 } }),
    client.call(operations.listPages, { params: { spaceId } }),
  ]);
  return { pages: countPages(pages), links: stats.total, broken: stats.broken.total };
}

/** Groups below other pages are documents without a file. */
function countPages(pages: readonly PageResource[]): number {
  const isPage = ({ type, git }: PageResource) => type === 'document' && git !== undefined;
  return pages.reduce((sum, page) => sum + (isPage(page) ? 1 : 0) + countPages(page.pages), 0);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

async function post(
  deps: ImportDeps,
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

function latest(moments: readonly Date[]): Date {
  return new Date(Math.max(...moments.map((moment) => moment.getTime())));
}
