import { PlatformError } from '../../client/index.ts';
import { type SpaceConfig as DeclaredConfig, spacesOn } from '../../config/index.ts';
import { spacesAmong } from '../../content/index.ts';
import { GitError } from '../../git/index.ts';
import type { JobContext } from '../../queue/index.ts';
import {
  disconnectBranch,
  loadRepository,
  moveBindingsToBranch,
  newId,
  recordBindingsSynced,
  recordBranchSynced,
  recordSyncError,
  recordUnsynced,
  reserveBinding,
  retireBindings,
  retireBranches,
} from '../../store/index.ts';
import {
  type CommitStatus,
  explainError,
  mintRemote,
  nullWhenMissing,
  type Octokit,
  postCommitStatus,
  type Repository,
  readBranchTip,
  readRepository,
  readStatus,
  repositoryCacheId,
  statusContexts,
} from '../api/index.ts';

import { isProposalDue } from '../onboarding/index.ts';
import { renamesCheckRuns } from '../pull-request/index.ts';
import {
  CONFIG_PATH,
  configInForce,
  findSpaces,
  namedBranches,
  ownTitles,
  putConfigInForce,
  type RepositorySpace,
  recordRepository,
  type SpaceBinding,
  type ValidConfig,
} from '../repository/index.ts';

import { enqueueRecheck, LATE_SECONDS, refuseExhausted } from '../webhooks/index.ts';

import type { BranchHint, PushDeps } from './deps.ts';
import { ensureSpace, SpaceRefusedError } from './ensure-space.ts';
import { lateStatusJob } from './late-status.ts';
import { type SiteInput, siteContext, syncSite } from './sync-site.ts';
import { syncSpace } from './sync-space.ts';

/**
 * Syncs the spaces of a branch to its current tip, so late, repeated and reordered hints lead to the same result. The
 * configuration is that of the default branch; other branches have the spaces that it names them for.
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
  if (!(await belongsTo(deps, repository, hint, run))) return;
  const before = await loadRepository(deps.db, repository.id);
  await recordRepository(deps.db, installationId, repository);
  if (repository.archived) return;
  const sync = {
    octokit,
    repository,
    installationId,
    run,
    branch,
    pushedOid: hint.pushedOid,
    isLater: isLater(hint, run),
  };
  const { defaultBranch } = repository;
  // The event about a new default branch would find it recorded already, and do nothing.
  if (before !== null && before.defaultBranch !== defaultBranch && branch !== defaultBranch)
    await enqueueFor(deps, sync, { kind: 'branch', branch: defaultBranch });
  if (branch === repository.defaultBranch) await syncDefaultBranch(deps, sync, hint);
  else await syncOtherBranch(deps, sync, hint);
}

/**
 * Whether the hint's installation still has the repository. A public one is readable by its old name after a transfer, too,
 * and a delayed job of the former account would take it from the installation that has it now.
 * https://docs.github.com/rest/apps/apps#get-a-repository-installation-for-the-authenticated-app
 */
async function belongsTo(
  deps: PushDeps,
  { owner, name: repo }: Repository,
  hint: BranchHint,
  run: JobContext,
): Promise<boolean> {
  if (owner === hint.name.owner) return true;
  const app = await deps.access.app(run);
  const answer = await nullWhenMissing(app.rest.apps.getRepoInstallation({ owner, repo }));
  return answer?.data.id === hint.installationId;
}

async function syncDefaultBranch(deps: PushDeps, sync: BranchSync, hint: BranchHint): Promise<void> {
  const { octokit, repository, branch } = sync;
  const tip = await readBranchTip(octokit, repository, branch);
  if (tip === null) return;
  await moveBindingsToBranch(deps.db, repository.id, branch);
  const settle = () => recordBranchSynced(deps.db, repository.id, { branch, oid: tip });
  const config = await putConfigInForce(deps.db, octokit, repository, tip);
  await deps.onBranchMoved?.(hint);
  const waits = await proposeConfig(deps, sync, config);
  if (config === null || waits) return await settle();
  const branches = namedBranches(config.config, branch);
  await retireBranches(
    deps.db,
    repository.id,
    [branch, ...branches],
    `Since commit ${tip.slice(0, 7)} no space of the repository is synced from this branch.`,
  );
  if (config.changed) {
    await enqueueBranches(deps, sync, branches);
    if (renamesCheckRuns(repository, config)) await enqueueFor(deps, sync, { kind: 'pull-requests' });
  }
  const spaces =
    config.declared === null
      ? await detect(deps, { ...sync, tip })
      : describeSpaces(spacesOn(config.config, branch, branch), repository);
  if (spaces === null) return await settle();
  await syncSpaces(deps, sync, spaces, tip, hint);
  await syncRepositorySite(deps, { ...sync, tip }, { config: config.config, spaces });
  await settle();
}

/**
 * Enqueues the proposal of a configuration where there is none. Returns whether the sync waits for its outcome.
 */
async function proposeConfig(deps: PushDeps, sync: BranchSync, config: ValidConfig | null): Promise<boolean> {
  const { repository } = sync;
  const known = await loadRepository(deps.db, repository.id);
  const hasFile = config === null || config.text !== null || known?.configError != null;
  if (!isProposalDue(deps.onboarding, repository, known, hasFile)) return false;
  await enqueueFor(deps, sync, { kind: 'onboarding' });
  return deps.onboarding === 'wait' && !hasFile && known?.onboarding !== 'refused';
}

/** A branch that the configuration names for some spaces. */
async function syncOtherBranch(deps: PushDeps, sync: BranchSync, hint: BranchHint): Promise<void> {
  const { octokit, repository, branch } = sync;
  const config = configInForce(await loadRepository(deps.db, repository.id));
  const spaces = config === null ? [] : spacesOn(config.config, branch, repository.defaultBranch);
  if (spaces.length === 0) return;
  const tip = await readBranchTip(octokit, repository, branch);
  const syncedBranch = { repositoryId: repository.id, branch };
  if (tip === null) {
    const reason = `The branch ${branch} does not exist; what was live stays live. Push it again to continue.`;
    return await disconnectBranch(deps.db, syncedBranch, reason);
  }
  await syncSpaces(deps, sync, describeSpaces(spaces, repository), tip, hint);
  if (config !== null) await syncRepositorySite(deps, { ...sync, tip }, { config: config.config, spaces });
  await recordBindingsSynced(deps.db, syncedBranch, tip);
}

/** Syncs all spaces of a branch to its tip, and retires spaces that it no longer has. */
async function syncSpaces(
  deps: PushDeps,
  sync: BranchSync,
  spaces: readonly BoundSpace[],
  tip: string,
  hint: BranchHint,
): Promise<void> {
  const { repository, branch } = sync;
  const contexts = statusContexts(spaces);
  const timestamp = repository.pushedAt ?? hint.at ?? new Date();
  // First, so that a space can move from one directory to another.
  await retireBindings(
    deps.db,
    { repositoryId: repository.id, branch },
    spaces.map(({ directory }) => directory),
    `Since commit ${tip.slice(0, 7)} this directory is no space of the repository.`,
  );
  const results = await Promise.allSettled(
    spaces.map((space, index) =>
      syncBoundSpace(deps, { ...sync, space, tip, timestamp, context: contexts[index] ?? 'docloom' }),
    ),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function syncRepositorySite(deps: PushDeps, sync: CommitSync, source: SiteInput): Promise<void> {
  const { repository, branch, tip } = sync;
  try {
    refuseExhausted(sync.run);
    await syncSite(deps, sync, source);
  } catch (error) {
    if (sync.run.signal.aborted) throw error;
    const { site } = source.config;
    if (site !== undefined) {
      const context = siteContext(site.title);
      await reportFailure(deps, { ...sync, context }, explainError(error), false);
    }
    await recordUnsynced(deps.db, repository.id, { branch, oid: tip });
    throw error;
  }
}

/** A changed configuration may change their spaces, and no push to them announces that. */
async function enqueueBranches(deps: PushDeps, sync: BranchSync, branches: readonly string[]): Promise<void> {
  for (const branch of branches) await enqueueFor(deps, sync, { kind: 'branch', branch });
}

async function enqueueFor(
  deps: PushDeps,
  { repository, installationId }: BranchSync,
  work:
    | { readonly kind: 'branch'; readonly branch: string }
    | { readonly kind: 'onboarding' | 'pull-requests' },
): Promise<void> {
  const { id: repositoryId, fullName } = repository;
  await enqueueRecheck(deps, { ...work, installationId, repositoryId, fullName });
}

/** A space to sync with a branch. */
interface BoundSpace extends SpaceBinding {
  readonly pinned: boolean;
  readonly direction: 'import' | 'export' | 'both';
  /** The id of the space on the platform and the line that names it, where the configuration does. */
  readonly wanted: { readonly spaceId: string; readonly line: number } | null;
}

function describeSpaces(declared: readonly DeclaredConfig[], { name }: Repository): readonly BoundSpace[] {
  const titles = ownTitles(declared, name);
  return declared.map(({ directory, branch, direction, space, line }, at) => {
    const wanted = space === undefined ? null : { spaceId: space, line };
    const title = titles[at] ?? name;
    return { directory, title, direction, pinned: branch !== undefined, wanted };
  });
}

/** Whether an earlier run may already have posted what this run is about to post. */
function isLater(hint: BranchHint, run: JobContext): boolean {
  return hint.at === null || run.attempt > 1;
}

interface BranchSync {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly branch: string;
  readonly installationId: number;
  readonly run: JobContext;
  /** The commit that the push behind it made the branch's tip; null when there was no push. */
  readonly pushedOid: string | null;
  /** Whether an earlier run may have posted a final status. */
  readonly isLater: boolean;
}

/** One commit that gets the status. */
interface CommitSync extends BranchSync {
  readonly tip: string;
}

interface SpaceSync extends CommitSync {
  readonly space: BoundSpace;
  readonly timestamp: Date;
  readonly context: string;
}

/**
 * Without a configuration the spaces are detected from the files, so the commit is fetched. Null when that failed for a
 * permanent reason, which was posted on the commit.
 */
async function detect(deps: PushDeps, push: CommitSync): Promise<readonly BoundSpace[] | null> {
  const { repository, tip, installationId, run } = push;
  try {
    refuseExhausted(run);
    const remote = await mintRemote(await deps.access.app(run), installationId, repository);
    const cached = await deps.git.repository(repositoryCacheId(repository));
    await cached.fetchCommit(remote, tip, { signal: run.signal });
    const tree = await cached.readTree(tip);
    const source = { repository: cached, remote, tree, signal: run.signal, name: repository.name };
    const found = inOrderOfSite(spacesAmong(await findSpaces(source, null)));
    if (push.isLater) await completeSearch(push, statusContexts(found));
    return found.map(({ directory, title }) => ({
      directory,
      title,
      pinned: false,
      direction: 'import',
      wanted: null,
    }));
  } catch (error) {
    if (run.signal.aborted) throw error;
    const context = searchContext(repository);
    const permanent = error instanceof GitError && !error.retryable;
    await reportFailure(deps, { ...push, context }, explainError(error), permanent);
    if (!permanent) {
      await recordUnsynced(deps.db, repository.id, { branch: push.branch, oid: tip });
      throw error;
    }
    deps.log.warn(
      { err: error, repository: repository.fullName },
      'The spaces of a repository could not be found',
    );
    return null;
  }
}

/** As the builder's site has them; spaces that it does not describe stay by their folders, after the others. */
function inOrderOfSite(found: readonly RepositorySpace[]): readonly RepositorySpace[] {
  const placeOf = ({ position = found.length }: RepositorySpace) => position;
  return found.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The context of the status about the search for spaces, before their titles are known. */
function searchContext({ name }: Repository): string {
  return statusContexts([{ directory: '', title: name }])[0] ?? 'docloom';
}

/** Completes the status of an earlier failed search, whose context no space may have: nothing else would complete it. */
async function completeSearch(
  { octokit, repository, tip }: CommitSync,
  contexts: readonly string[],
): Promise<void> {
  const context = searchContext(repository);
  if (contexts.includes(context)) return;
  const state = await readStatus(octokit, repository, tip, context);
  if (state === null || state === 'success') return;
  const description = `The spaces were found: ${contexts.map((context) => context.slice('docloom/'.length)).join(', ')}.`;
  await postCommitStatus(octokit, repository, tip, { context, state: 'success', description });
}

async function syncBoundSpace(deps: PushDeps, sync: SpaceSync): Promise<void> {
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
    pinned: sync.space.pinned,
    direction: sync.space.direction,
  });
  try {
    refuseExhausted(run);
    const spaceId = await ensureSpace(deps, binding, {
      isNew: binding.id === id,
      wanted: sync.space.wanted?.spaceId ?? null,
      mayContainPages: sync.space.direction === 'export',
    });
    // Edits of the space are exported to the branch; nothing is imported.
    if (sync.space.direction === 'export') return;
    await syncSpace(deps, {
      octokit,
      repository,
      binding,
      spaceId,
      context,
      tip,
      pushedOid: sync.pushedOid,
      timestamp: sync.timestamp,
      resumed: sync.isLater,
      recheckLater: async (oids) => {
        const commits = { repositoryId: repository.id, bindingId: binding.id, context, oids: [...oids] };
        const work = { installationId, ...commits };
        await deps.queue.enqueue(deps.db, lateStatusJob, work, { startAfter: LATE_SECONDS });
      },
      remote: async () => mintRemote(await deps.access.app(run), installationId, repository),
      signal: run.signal,
    });
  } catch (error) {
    // A stopped run says nothing about the commit: the next run continues.
    if (run.signal.aborted) throw error;
    const line = error instanceof SpaceRefusedError ? sync.space.wanted?.line : undefined;
    const reason = `${line === undefined ? '' : `${CONFIG_PATH}:${line}: `}${explainError(error)}`;
    await recordSyncError(deps.db, binding.id, reason);
    const permanent =
      error instanceof SpaceRefusedError || (error instanceof PlatformError && !error.retryable);
    await reportFailure(deps, sync, reason, permanent);
    if (!permanent) {
      await recordUnsynced(deps.db, repository.id, { branch: sync.branch, oid: tip });
      throw error;
    }
    deps.log.warn({ err: error, binding: binding.id }, 'A space could not be synced');
  }
}

/** The first failure is retried silently; later ones are posted on the commit. */
async function reportFailure(
  deps: PushDeps,
  sync: CommitSync & Pick<SpaceSync, 'context'>,
  reason: string,
  permanent: boolean,
): Promise<void> {
  const { octokit, repository, tip, context, run } = sync;
  if (!permanent && run.attempt === 1 && !run.lastAttempt) return;
  const status: Pick<CommitStatus, 'state' | 'description'> = permanent
    ? { state: 'failure', description: reason }
    : run.lastAttempt
      ? { state: 'error', description: reason }
      : { state: 'pending', description: `Waits for the next attempt: ${reason}` };
  try {
    await postCommitStatus(octokit, repository, tip, { ...status, context });
  } catch (error) {
    // The first error matters; this is most likely the same.
    deps.log.warn({ err: error }, 'A commit status could not be posted');
  }
}
