import {
  type AuditEvent,
  type ChangeRequestRow,
  type Db,
  recordAudit,
  type SpaceRow,
} from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';

/** Records what was done with a change request. Call it in the transaction of the change. */
export async function recordChangeRequest(
  tx: Db,
  caller: Caller,
  action: `change-request.${string}`,
  { space, row }: { readonly space: SpaceRow; readonly row: ChangeRequestRow },
  fields: Pick<AuditEvent, 'before' | 'after'> = {},
): Promise<void> {
  await recordAudit(tx, {
    organizationId: space.organizationId,
    action,
    actor: caller.actor,
    target: { kind: 'change-request', id: row.id, name: row.subject },
    ...fields,
    after: { space: space.id, number: row.number, ...fields.after },
  });
}
