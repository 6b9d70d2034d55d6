import { type Binding, type KnownRepository, listBindingsOf } from '../../store/index.ts';
import type { Octokit } from '../api/index.ts';

import { configInForce, namedBranches } from '../repository/index.ts';
import { enqueueRecheck, findBusy } from '../webhooks/index.ts';
import type { ReconcileDeps } from './deps.ts';
import { enqueueSync } from './enqueue-sync.ts';
import { readTips, type Tips } from './read-tips.ts';

/** A sync whose attempts have all failed is enqueued again after this time, not at every pass. */
const RETRY_AFTER_MS = 60 * 60_000;

/**
 * Compares the tips of the bound branches of repositories with what is live, and enqueues the job of a push where they
 * differ, unless one is under way. Returns of how many it did.
 */
export async function compareRepositories(
  deps: ReconcileDeps,
  octokit: Octokit,
  repositories: readonly KnownRepository[],
): Promise<number> {
  const ids = repositories.map(({ id }) => id);
  const tips = await readTips(
    octokit,
    repositories.map((repository) => ({ ...repository, branches: branchesOf(repository) })),
  );
  const bindings = Map.groupBy(await listBindingsOf(deps.db, ids), ({ repositoryId }) => repositoryId);
  const bound = [...bindings.values()]
    .flat()
    .flatMap(({ spaceId, disconnected }) => (disconnected === null ? (spaceId ?? []) : []));
  const lossy = (await deps.findLossy?.(bound)) ?? new Set<string>();
  let differing = 0;
  for (const repository of repositories) {
    const own = tips.get(repository.id);
    if (own === undefined)
      deps.log.warn({ repository: repository.fullName }, 'A repository could not be compared');
    else if (
      await compareRepository(deps, repository, {
        tips: own,
        bindings: bindings.get(repository.id) ?? [],
        lossy,
      })
    )
      differing += 1;
  }
  return differing;
}

/** The default branch, and those that the configuration in force names. */
function branchesOf(repository: KnownRepository): readonly string[] {
  const { defaultBranch } = repository;
  const inForce = configInForce(repository);
  return [defaultBranch, ...(inForce === null ? [] : namedBranches(inForce.config, defaultBranch))];
}

async function compareRepository(
  deps: ReconcileDeps,
  repository: KnownRepository,
  found: {
    readonly tips: Tips;
    readonly bindings: readonly Binding[];
    /** Spaces that lost bytes. */
    readonly lossy: ReadonlySet<string>;
  },
): Promise<boolean> {
  const { tips, bindings, lossy } = found;
  const isLossyOn = (branch: string) =>
    bindings.some((binding) => binding.branch === branch && lossy.has(binding.spaceId ?? ''));
  const enqueued: boolean[] = [];
  for (const branch of branchesOf(repository)) {
    const tip = tips.get(branch) ?? null;
    if (branch === repository.defaultBranch) {
      if (tip !== null && (differs(repository, tip, bindings) || isLossyOn(branch)))
        enqueued.push(await enqueueBranch(deps, repository, branch, tip));
      continue;
    }
    const own = bindings.filter((binding) => binding.branch === branch && binding.disconnected === null);
    if (differsOnBranch(tip, own) || isLossyOn(branch))
      enqueued.push(await enqueueBranch(deps, repository, branch, null));
  }
  return enqueued.includes(true);
}

/** `tip`, if not null, is recorded as tried: it is that of the default branch. */
async function enqueueBranch(
  deps: ReconcileDeps,
  repository: KnownRepository,
  branch: string,
  tip: string | null,
): Promise<boolean> {
  const { id, fullName, installationId } = repository;
  const recheck = { kind: 'branch', installationId, repositoryId: id, fullName, branch } as const;
  if ((await findBusy(deps.queue, [recheck])).size > 0) return false;
  if (tip === null) await enqueueRecheck(deps, recheck);
  else await enqueueSync(deps, repository, { tip });
  return true;
}

/** Whether the spaces of another branch than the default are behind it, or it is gone. After a failure they wait a while. */
function differsOnBranch(tip: string | null, bindings: readonly Binding[]): boolean {
  if (tip === null) return bindings.length > 0;
  if (bindings.length === 0) return true;
  return bindings.some(
    ({ syncedOid, lastError, updatedAt }) =>
      syncedOid !== tip && (lastError === null || Date.now() - updatedAt.getTime() > RETRY_AFTER_MS),
  );
}

function differs(repository: KnownRepository, tip: string, bindings: readonly Binding[]): boolean {
  const { syncedBranch, syncedOid, attemptedOid, attemptedAt, defaultBranch } = repository;
  const connected = bindings.filter(
    (binding) => binding.branch === defaultBranch && binding.disconnected === null,
  );
  const isBehind =
    syncedOid !== tip ||
    syncedBranch !== defaultBranch ||
    connected.some(
      ({ liveOid, lastError, pendingOids }) =>
        pendingOids.length > 0 || (liveOid !== tip && lastError === null),
    );
  if (!isBehind) return false;
  return attemptedOid !== tip || attemptedAt === null || Date.now() - attemptedAt.getTime() > RETRY_AFTER_MS;
}
