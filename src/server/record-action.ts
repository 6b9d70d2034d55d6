import { findActor } from '../identity/index.ts';
import { type AuditActor, type Database, recordAudit } from '../store/index.ts';
import type { PageEvent } from '../web/index.ts';
import { currentRequest } from './current-request.ts';

/**
 * Records what somebody did on a page of the server itself (its App, its jobs), in the log of the organization to which new
 * spaces belong.
 */
export async function recordAction(
  db: Database,
  organizationId: string | null,
  token: string | null,
  { action, target }: PageEvent,
): Promise<void> {
  const somebody: AuditActor = { kind: 'nobody', id: null, name: token === null ? 'the set-up key' : null };
  const actor = (token === null ? null : await findActor(db, token)) ?? somebody;
  await recordAudit(db, { organizationId, action, actor: { ...actor, ...currentRequest() }, target });
}
