import { type CollectionRow, type Db, diffFields, recordAudit } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';

const FIELDS = ['title', 'description', 'defaultLevel', 'organizationId', 'parentId'] as const;

/**
 * Records what was done with a collection, in the logs of the organizations that it was and is in. Call it in the
 * transaction of the change.
 */
export async function recordCollection(
  tx: Db,
  caller: Caller,
  action: `collection.${string}`,
  after: CollectionRow,
  before: CollectionRow = after,
): Promise<void> {
  const diff = diffFields(before, after, FIELDS);
  if (action === 'collection.update' && diff === null) return;
  for (const organizationId of new Set([after.organizationId, before.organizationId])) {
    await recordAudit(tx, {
      organizationId,
      action,
      actor: caller.actor,
      target: { kind: 'collection', id: after.id, name: after.title },
      ...diff,
    });
  }
}
