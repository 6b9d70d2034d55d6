import { type AuditEvent, type Db, diffFields, recordAudit, type SpaceRow } from '../../store/index.ts';
import type { Caller } from '../access/caller.ts';

/** Records what was done with a space. Call it in the transaction of the change. */
export async function recordSpace(
  tx: Db,
  caller: Caller,
  action: `space.${string}`,
  space: Pick<SpaceRow, 'id' | 'organizationId' | 'title'>,
  fields: Pick<AuditEvent, 'before' | 'after'> = {},
): Promise<void> {
  await recordAudit(tx, {
    organizationId: space.organizationId,
    action,
    actor: caller.actor,
    target: { kind: 'space', id: space.id, name: space.title },
    ...fields,
  });
}

const SETTINGS = [
  'title',
  'emoji',
  'language',
  'editMode',
  'visibility',
  'defaultLevel',
  'mergeRules',
] as const;

/** Records which settings of a space a change made different; nothing where it changed none. */
export async function recordSettings(
  tx: Db,
  caller: Caller,
  before: SpaceRow,
  after: SpaceRow,
): Promise<void> {
  const diff = diffFields(before, after, SETTINGS);
  if (diff !== null) await recordSpace(tx, caller, 'space.update', after, diff);
}

/** Records that a space is elsewhere now, in the logs of the organizations that it left and came to. */
export async function recordMove(
  tx: Db,
  caller: Caller,
  action: 'space.move' | 'space.transfer',
  before: SpaceRow,
  after: SpaceRow,
): Promise<void> {
  const diff = diffFields(before, after, ['organizationId', 'parentId', 'visibility']) ?? {};
  await recordSpace(tx, caller, action, after, diff);
  if (before.organizationId !== after.organizationId) await recordSpace(tx, caller, action, before, diff);
}
