import type { Db } from './db.ts';
import { auditEvents } from './schema/people.ts';

/** Who did something, and from where. */
export interface AuditActor {
  readonly kind: 'user' | 'provider' | 'server' | 'nobody';
  readonly id: string | null;
  readonly name: string | null;
  readonly tokenId?: string | null;
  readonly sessionId?: string | null;
  /** The network address, and what the program there calls itself. */
  readonly address?: string | null;
  readonly userAgent?: string | null;
  readonly requestId?: string | null;
}

/** What happened, for the audit log. */
export interface AuditEvent {
  /** Null for what concerns no organization. */
  readonly organizationId: string | null;
  /** The kind of thing and what was done with it, for example `member.remove`. */
  readonly action: string;
  /** `success` when absent. */
  readonly outcome?: 'success' | 'refused' | 'failure';
  /** Of a refusal or failure, in one sentence without secrets. */
  readonly reason?: string;
  readonly actor: AuditActor;
  readonly target?: {
    readonly kind: string;
    readonly id: string | null;
    readonly name?: string | null;
  };
  /** The fields that changed, before and after, without secrets. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** The longest name, reason or description that is stored, in characters. */
const MAX_TEXT = 300;

/** Adds an event to the audit log. Call it in the transaction of the change, so that neither is there without the other. */
export async function recordAudit(db: Db, event: AuditEvent): Promise<void> {
  const { actor, target } = event;
  await db.insert(auditEvents).values({
    organizationId: event.organizationId,
    action: event.action,
    outcome: event.outcome ?? 'success',
    reason: clip(event.reason),
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: clip(actor.name),
    tokenId: actor.tokenId ?? null,
    sessionId: actor.sessionId ?? null,
    address: clip(actor.address),
    userAgent: clip(actor.userAgent),
    requestId: clip(actor.requestId),
    targetKind: target?.kind ?? null,
    targetId: target?.id ?? null,
    targetName: clip(target?.name),
    before: event.before ?? null,
    after: event.after ?? null,
  });
}

function clip(text: string | null | undefined): string | null {
  return text == null ? null : text.slice(0, MAX_TEXT).toWellFormed().replaceAll('\u0000', '');
}
