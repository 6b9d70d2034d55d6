import type { ForgeContext } from '../forge-context.ts';
import { presentAccount } from '../present/account.ts';
import { accountById, findInstallation, fullNameOf } from '../state/find-records.ts';
import type { AccountRecord, RepositoryRecord } from '../state/records.ts';
import { emitRepositoryEvent } from '../webhooks/emit-event.ts';
import { announceRepository, removeFromInstallation } from './install-app.ts';

/** Transfers a repository to another account. Events are sent where the App is installed, on either side. */
export function transferRepository(
  context: ForgeContext,
  repository: RepositoryRecord,
  owner: AccountRecord,
): void {
  const before = accountById(context.data, repository.ownerId);
  const installation = findInstallation(context.data, repository);
  repository.formerNames = [...(repository.formerNames ?? []), fullNameOf(context.data, repository)];
  repository.ownerId = owner.id;
  if (installation) removeFromInstallation(context, installation, repository);
  announceRepository(context, repository);
  const kind = before.type === 'Organization' ? 'organization' : 'user';
  emitRepositoryEvent(context, {
    event: 'repository',
    action: 'transferred',
    repository,
    sender: owner,
    payload: { changes: { owner: { from: { [kind]: presentAccount(context, before) } } } },
  });
}
