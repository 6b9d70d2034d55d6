import type { ForgeContext } from '../forge-context.ts';
import { accountById, fullNameOf } from '../state/find-records.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { emitRepositoryEvent } from '../webhooks/emit-event.ts';

export type RepositoryChange =
  | { readonly name: string }
  | { readonly archived: boolean }
  | { readonly defaultBranch: string };

/** Changes a setting of a repository as its owner, and sends the event `repository`. */
export function editRepository(
  context: ForgeContext,
  repository: RepositoryRecord,
  change: RepositoryChange,
): void {
  const emit = (action: string, payload: object): void =>
    emitRepositoryEvent(context, {
      event: 'repository',
      action,
      repository,
      sender: accountById(context.data, repository.ownerId),
      payload,
    });
  if ('name' in change) {
    const from = repository.name;
    repository.formerNames = [...(repository.formerNames ?? []), fullNameOf(context.data, repository)];
    repository.name = change.name;
    emit('renamed', { changes: { repository: { name: { from } } } });
  } else if ('archived' in change) {
    repository.archived = change.archived;
    emit(change.archived ? 'archived' : 'unarchived', {});
  } else {
    const from = repository.defaultBranch;
    repository.defaultBranch = change.defaultBranch;
    emit('edited', { changes: { default_branch: { from } } });
  }
}
