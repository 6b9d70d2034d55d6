import { disconnectMissingRepositories } from '../../store/index.ts';
import { type CallScope, nullWhenMissing } from '../api/index.ts';

import { type ReconcileDeps, syncInstallation } from '../reconcile/index.ts';

import { DISCONNECTED } from '../repository/index.ts';
import type { InstallationEvent } from '../webhooks/index.ts';

/**
 * Handles a change of an installation: it was created, removed or suspended, or its repositories changed. Its current
 * state is read from GitHub, so late and repeated events lead to the same result.
 */
export async function handleInstallation(
  deps: ReconcileDeps,
  event: InstallationEvent,
  run: CallScope,
): Promise<void> {
  const { id } = event.installation;
  const app = await deps.access.app(run);
  const response = await nullWhenMissing(app.rest.apps.getInstallation({ installation_id: id }));
  if (response === null)
    return await disconnectMissingRepositories(deps.db, id, [], DISCONNECTED.uninstalled);
  await syncInstallation(deps, { id, suspended: response.data.suspended_at !== null }, run);
}
