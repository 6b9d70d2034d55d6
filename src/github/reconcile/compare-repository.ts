import { type Binding, type KnownRepository, listBindings, recordReconciled } from '../../store/index.ts';
import { hasStatusCode, type Octokit, readIfChanged, splitName } from '../api/index.ts';

import { configInForce, namedBranches } from '../repository/index.ts';
import { enqueueRecheck, findBusy } from '../webhooks/index.ts';
import type { ReconcileDeps } from './deps.ts';
import { enqueueSync } from './enqueue-sync.ts';

/** A sync whose attempts have all failed is enqueued again after this time, not at every pass. */
const RETRY_AFTER_MS = 60 * 60_000;

/**
 * Compares the tips of a repository's bound branches with what is live, and enqueues the job of a push where they differ,
 * unless one is under way. Returns whether it did.
 */
export async function compareRepository(
  deps: ReconcileDeps,
  octokit: Octokit,
  repository: KnownRepository,
): Promise<boolean> {
  const { id, defaultBranch } = repository;
  // Recorded first, so that a repository which cannot be read does not block the others for ever.
  await recordReconciled(deps.db, id);
  const bindings = await listBindings(deps.db, id);
  const bound = bindings.flatMap(({ spaceId, disconnected }) =>
    disconnected === null ? (spaceId ?? []) : [],
  );
  const lossy = (await deps.findLossy?.(bound)) ?? new Set<string>();
  const isLossyOn = (branch: string) =>
    bindings.some((binding) => binding.branch === branch && lossy.has(binding.spaceId ?? ''));
  const enqueued: boolean[] = [];
  const tip = await readTip(deps, octokit, repository, defaultBranch);
  if (tip !== null && (differs(repository, tip, bindings) || isLossyOn(defaultBranch)))
    enqueued.push(await enqueueBranch(deps, repository, defaultBranch, tip));
  const inForce = configInForce(repository);
  for (const branch of inForce === null ? [] : namedBranches(inForce.config, defaultBranch)) {
    const named = await readTip(deps, octokit, repository, branch);
    const own = bindings.filter((binding) => binding.branch === branch && binding.disconnected === null);
    if (differsOnBranch(named, own) || isLossyOn(branch))
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

/** The tip of a branch; null when there is none. */
async function readTip(
  { db }: ReconcileDeps,
  octokit: Octokit,
  { id, fullName }: KnownRepository,
  branch: string,
): Promise<string | null> {
  const { owner, name: repo } = splitName(fullName);
  try {
    return await readIfChanged(
      db,
      `repositories/${id}/heads/${branch}`,
      (headers) => octokit.rest.git.getRef({ owner, repo, ref: `heads/${branch}`, headers }),
      ({ data }) => data.object.sha,
    );
  } catch (error) {
    // 409 is an empty repository; the list of repositories shows what is gone or not accessible.
    if (hasStatusCode(error, 404, 409)) return null;
    throw error;
  }
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
