import { disconnectRepository, isNeverSynced, loadRepository } from '../../store/index.ts';
import { type Octokit, readRepository } from '../api/index.ts';

import { enqueueSync, type ReconcileDeps } from '../reconcile/index.ts';
import { DISCONNECTED, recordRepository } from '../repository/index.ts';
import type { RepositoryChangeEvent } from '../webhooks/index.ts';

/**
 * Handles a repository that was renamed, transferred, archived or deleted, or whose default branch changed. Its id stays,
 * so its spaces stay bound to it; where they cannot be synced any more, the reason is recorded. The current state on
 * GitHub decides, not the event.
 */
export async function handleRepository(
  deps: ReconcileDeps,
  event: RepositoryChangeEvent,
  octokit: Octokit,
): Promise<void> {
  const { repository: sent, installation } = event;
  const repository = await readRepository(octokit, { owner: sent.owner.login, name: sent.name });
  if (repository === null || repository.id !== sent.id) {
    const gone = { id: sent.id, installationId: installation.id };
    return await disconnectRepository(deps.db, gone, DISCONNECTED.removed);
  }
  await recordRepository(deps.db, installation.id, repository);
  const known = await loadRepository(deps.db, sent.id);
  // An event of the installation may have recorded the change before: the row says whether a sync is due, not what this one changed.
  if (known === null || !isNeverSynced(known) || repository.archived) return;
  await enqueueSync(deps, known, { tip: null });
}
