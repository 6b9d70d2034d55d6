import type { Logger } from 'pino';
import { PlatformError } from '../../client/index.ts';
import { spacesAmong } from '../../content/index.ts';
import { GitError, type RepositoryCache } from '../../git/repository.ts';
import type { JobContext } from '../../queue/queue.ts';
import { recordSyncError, reserveBinding, retireBindings } from '../../store/bindings.ts';
import { newId } from '../../store/new-id.ts';
import { followBranch, settleBranch } from '../../store/repositories.ts';
import { refuseExhausted } from '../delivery-run.ts';
import { explainError } from '../explain-error.ts';
import { findSpaces } from '../find-spaces.ts';
import { noteRepository } from '../note-repository.ts';
import type { Octokit } from '../octokit.ts';
import {
  mintRemote,
  type Repository,
  type RepositoryName,
  readBranchTip,
  readRepository,
} from '../repository.ts';
import { CONFIG_PATH, readRepositoryConfig, type SpaceConfig } from '../repository-config.ts';
import { type CommitStatus, hasStatus, postCommitStatus, statusContexts } from './commit-status.ts';
import { ensureSpace } from './ensure-space.ts';
import { type SyncDeps, syncSpace } from './sync-space.ts';

export interface PushDeps extends SyncDeps {
  readonly organizationId: () => Promise<string>;
  readonly git: RepositoryCache;
  /** The Octokit of the App itself, which makes tokens. */
  readonly app: () => Promise<Octokit>;
  readonly log: Logger;
}

/** A hint that a branch changed. */
export interface BranchHint {
  readonly installationId: number;
  readonly repositoryId: number;
  readonly name: RepositoryName;
  readonly branch: string;
  /** When it changed; null when nobody told. */
  readonly at: Date | null;
}

/**
 * Brings the spaces of a branch to its tip. What happens follows from the tip as it is now, so late,
 * doubled and re-ordered hints lead to the same end. Only the default branch is bound for now.
 */
export async function syncBranch(
  deps: PushDeps,
  hint: BranchHint,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const { branch, installationId } = hint;
  const repository = await readRepository(octokit, hint.name);
  if (repository === null || repository.id !== hint.repositoryId) return;
  await noteRepository(deps.db, installationId, repository);
  if (repository.archived || branch !== repository.defaultBranch) return;
  const tip = await readBranchTip(octokit, repository, branch);
  if (tip === null) return;
  await followBranch(deps.db, repository.id, branch);
  const settle = () => settleBranch(deps.db, repository.id, { branch, oid: tip });
  const config = await readRepositoryConfig(octokit, repository, tip);
  if ('problems' in config) {
    const [problem] = config.problems;
    const line = problem?.line == null ? '' : `:${problem.line}`;
    const status: CommitStatus = {
      context: 'docloom/config',
      state: 'failure',
      description: `${CONFIG_PATH}${line}: ${problem?.message ?? 'cannot be read.'}`,
      targetUrl: `${repository.htmlUrl}/blob/${tip}/${CONFIG_PATH}${line.replace(':', '#L')}`,
    };
    const told = isLater(hint, run) && (await hasStatus(octokit, repository, tip, status));
    if (!told) await postCommitStatus(octokit, repository, tip, status);
    await settle();
    return;
  }
  const spaces = config.declared ?? (await detect(deps, { octokit, repository, tip, installationId, run }));
  if (spaces === null) return await settle();
  const contexts = statusContexts(spaces);
  const timestamp = repository.pushedAt ?? hint.at ?? new Date();
  const results = await Promise.allSettled(
    spaces.map((space, index) =>
      syncOne(deps, {
        octokit,
        repository,
        space,
        branch,
        tip,
        timestamp,
        context: contexts[index] ?? 'docloom',
        installationId,
        resumed: isLater(hint, run),
        run,
      }),
    ),
  );
  await retireBindings(
    deps.db,
    { repositoryId: repository.id, branch },
    spaces.map(({ directory }) => directory),
    `Since commit ${tip.slice(0, 7)} this directory is no space of the repository.`,
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  await settle();
}

/** Whether somebody may have told already what this run is about to tell. */
function isLater(hint: BranchHint, run: JobContext): boolean {
  return hint.at === null || run.attempt > 1;
}

/** One commit, and where to say how it went. */
interface Told {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly tip: string;
  readonly installationId: number;
  readonly run: JobContext;
}

interface SpaceSync extends Told {
  readonly space: SpaceConfig;
  readonly branch: string;
  readonly timestamp: Date;
  readonly context: string;
  /** An earlier run may have told an end. */
  readonly resumed: boolean;
}

/**
 * Without a configuration the files show what the spaces are, so the commit is fetched to look. Null when that failed
 * for a reason that stays, which the commit was told.
 */
async function detect(deps: PushDeps, push: Told): Promise<readonly SpaceConfig[] | null> {
  const { repository, tip, installationId, run } = push;
  try {
    refuseExhausted(run);
    const remote = await mintRemote(await deps.app(), installationId, repository);
    const cached = await deps.git.repository(String(repository.id));
    await cached.fetchCommit(remote, tip, { signal: run.signal });
    const tree = await cached.readTree(tip);
    const source = { repository: cached, remote, tree, signal: run.signal, name: repository.name };
    return spacesAmong(await findSpaces(source, null));
  } catch (error) {
    if (run.signal.aborted) throw error;
    const [context = 'docloom'] = statusContexts([{ directory: '', title: repository.name }]);
    const permanent = error instanceof GitError && !error.retryable;
    await tellFailure(deps, { ...push, context }, explainError(error), permanent);
    if (!permanent) throw error;
    deps.log.warn(
      { err: error, repository: repository.fullName },
      'The spaces of a repository could not be found',
    );
    return null;
  }
}

async function syncOne(deps: PushDeps, sync: SpaceSync): Promise<void> {
  const { octokit, repository, tip, context, installationId, run } = sync;
  const id = newId();
  const binding = await reserveBinding(deps.db, {
    id,
    installationId,
    repositoryId: repository.id,
    repository: repository.fullName,
    branch: sync.branch,
    directory: sync.space.directory,
    title: sync.space.title,
  });
  try {
    refuseExhausted(run);
    const spaceId = await ensureSpace(deps, binding, binding.id === id);
    await syncSpace(deps, {
      octokit,
      repository,
      binding,
      spaceId,
      context,
      tip,
      timestamp: sync.timestamp,
      resumed: sync.resumed,
      remote: async () => mintRemote(await deps.app(), installationId, repository),
      signal: run.signal,
    });
  } catch (error) {
    // A stopped run says nothing about the commit: the next one goes on with it.
    if (run.signal.aborted) throw error;
    const reason = explainError(error);
    await recordSyncError(deps.db, binding.id, reason);
    const permanent = error instanceof PlatformError && !error.retryable;
    await tellFailure(deps, sync, reason, permanent);
    if (!permanent) throw error;
    deps.log.warn({ err: error, binding: binding.id }, 'A space could not be synced');
  }
}

/** The first failure is tried again in silence; after that people are told on the commit. */
async function tellFailure(
  deps: PushDeps,
  sync: Told & Pick<SpaceSync, 'context'>,
  reason: string,
  permanent: boolean,
): Promise<void> {
  const { octokit, repository, tip, context, run } = sync;
  if (!permanent && run.attempt === 1 && !run.lastAttempt) return;
  const status: Pick<CommitStatus, 'state' | 'description'> = permanent
    ? { state: 'failure', description: reason }
    : run.lastAttempt
      ? { state: 'error', description: reason }
      : { state: 'pending', description: `Waits for the next try: ${reason}` };
  try {
    await postCommitStatus(octokit, repository, tip, { ...status, context });
  } catch (error) {
    // What matters is the first error; this one is most likely the same.
    deps.log.warn({ err: error }, 'A commit status could not be posted');
  }
}
