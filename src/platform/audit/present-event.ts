import type { AuditEventResource } from '../../contract/index.ts';
import type { AuditRow } from '../../store/index.ts';

/** The public fields of an event. */
export function presentEvent(row: AuditRow): AuditEventResource {
  return {
    object: 'audit-event',
    id: String(row.id),
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome as AuditEventResource['outcome'],
    ...(row.reason === null ? {} : { reason: row.reason }),
    actor: {
      kind: row.actorKind as AuditEventResource['actor']['kind'],
      id: row.actorId,
      name: row.actorName,
      ...(row.tokenId === null ? {} : { token: row.tokenId }),
      ...(row.sessionId === null ? {} : { session: row.sessionId }),
      ...(row.address === null ? {} : { address: row.address }),
      ...(row.userAgent === null ? {} : { userAgent: row.userAgent }),
    },
    ...(row.requestId === null ? {} : { requestId: row.requestId }),
    ...(row.targetKind === null
      ? {}
      : { target: { kind: row.targetKind, id: row.targetId, name: row.targetName } }),
    ...(row.before === null ? {} : { before: row.before as Record<string, unknown> }),
    ...(row.after === null ? {} : { after: row.after as Record<string, unknown> }),
  };
}
