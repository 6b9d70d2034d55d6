import { disconnectMissingRepositories } from '../../store/index.ts';
import { type CallScope, nullWhenMissing } from '../api/index.ts';

import { type ReconcileDeps, syncInstallation } from '../reconcile/index.ts';

import { DISCONNECTED } from '../repository/index.ts';
import type { InstallationEvent } from '../webhooks/index.ts';

/**
 * Something about an installation changed: it was made, removed, suspended, or has other repositories. What it has is
 * read as it is now, so late and doubled events lead to the same end.
 */
export async function handleInstallation(
  deps: ReconcileDeps,
  event: InstallationEvent,
  run: CallScope,
): Promise<void> {
  const { id } = event.installation;
  const app = await deps.access.app(run);
  const answer = await nullWhenMissing(app.rest.apps.getInstallation({ installation_id: id }));
  if (answer === null) return await disconnectMissingRepositories(deps.db, id, [], DISCONNECTED.uninstalled);
  await syncInstallation(deps, { id, suspended: answer.data.suspended_at !== null }, run);
}
