import { type Binding, listBindings } from '../../store/bindings.ts';
import { type KnownRepository, noteLook, noteTry } from '../../store/repositories.ts';
import type { Octokit } from '../octokit.ts';
import { hasStatusCode, splitName } from '../repository.ts';
import { enqueueLook, findBusy } from '../webhooks/delivery-job.ts';
import { readIfChanged } from './read-if-changed.ts';
import type { ReconcileDeps } from './reconcile.ts';

/** A sync that failed at all its tries is asked for again after this time, not at every pass. */
const REST_MS = 60 * 60_000;

/**
 * Compares the tip of a repository's bound branch with what is live, and lets the job of a push run where they differ,
 * unless one is under way. Answers whether it did.
 */
export async function compareRepository(
  deps: ReconcileDeps,
  octokit: Octokit,
  repository: KnownRepository,
): Promise<boolean> {
  const { id, defaultBranch: branch, fullName } = repository;
  // Noted first, so that one which cannot be read does not stand in the way of the others for ever.
  await noteLook(deps.db, id);
  const tip = await readTip(deps, octokit, repository);
  if (tip === null || !differs(repository, tip, await listBindings(deps.db, id))) return false;
  const look = {
    installationId: repository.installationId,
    repositoryId: id,
    fullName,
    subject: `refs/heads/${branch}`,
  };
  if ((await findBusy(deps.queue, [look])).size > 0) return false;
  await deps.db.transaction(async (tx) => {
    await enqueueLook({ db: tx, queue: deps.queue }, look);
    await noteTry(tx, id, tip);
  });
  return true;
}

/** The tip of the default branch; null when there is none. */
async function readTip(
  { db }: ReconcileDeps,
  octokit: Octokit,
  { id, fullName, defaultBranch }: KnownRepository,
): Promise<string | null> {
  const { owner, name: repo } = splitName(fullName);
  try {
    return await readIfChanged(
      db,
      `repositories/${id}/heads/${defaultBranch}`,
      (headers) => octokit.rest.git.getRef({ owner, repo, ref: `heads/${defaultBranch}`, headers }),
      ({ data }) => data.object.sha,
    );
  } catch (error) {
    // 409 is an empty repository; what is gone, or out of reach, the list of repositories tells.
    if (hasStatusCode(error, 404, 409)) return null;
    throw error;
  }
}

function differs(repository: KnownRepository, tip: string, bindings: readonly Binding[]): boolean {
  const { settledBranch, settledOid, triedOid, triedAt, defaultBranch } = repository;
  const connected = bindings.filter((one) => one.branch === defaultBranch && one.disconnected === null);
  const wrong =
    settledOid !== tip ||
    settledBranch !== defaultBranch ||
    connected.some(
      ({ liveOid, lastError, pendingOids }) =>
        pendingOids.length > 0 || (liveOid !== tip && lastError === null),
    );
  if (!wrong) return false;
  return triedOid !== tip || triedAt === null || Date.now() - triedAt.getTime() > REST_MS;
}
