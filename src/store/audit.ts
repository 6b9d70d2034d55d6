import { isDeepStrictEqual } from 'node:util';
import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  like,
  lt,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';
import { auditEvents, emailDomains } from './schema/people.ts';
import { members, users } from './schema/platform.ts';

export type AuditRow = typeof auditEvents.$inferSelect;

/** Where a request comes from. */
export interface RequestOrigin {
  /** The network address. */
  readonly address: string | null;
  /** What the program there calls itself. */
  readonly userAgent: string | null;
  readonly requestId: string | null;
}

/** Who did something, and from where. */
export interface AuditActor extends Partial<RequestOrigin> {
  readonly kind: 'user' | 'provider' | 'server' | 'nobody';
  readonly id: string | null;
  readonly name: string | null;
  readonly tokenId?: string | null;
  readonly sessionId?: string | null;
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

/** The fields of a row that a change made different, as they were and as they are; null when it changed none of them. */
export function diffFields<Row extends object, Field extends keyof Row & string>(
  before: Row,
  after: Row,
  fields: readonly Field[],
): Required<Pick<AuditEvent, 'before' | 'after'>> | null {
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (changed.length === 0) return null;
  const pick = (row: Row) => Object.fromEntries(changed.map((field) => [field, row[field]]));
  return { before: pick(before), after: pick(after) };
}

export interface AuditFilter {
  /** `member.remove`, or `member` for all that was done with members. */
  readonly action: string | null;
  /** The id of a user or provider. */
  readonly actor: string | null;
  /** The id of what it was done to. */
  readonly target: string | null;
  readonly outcome: string | null;
  readonly since: Date | null;
  /** Exclusive. */
  readonly until: Date | null;
}

/**
 * The events of an organization, newest first, before the one with the id `before`; at most `limit`. An event that concerns
 * no organization, such as a sign-in, belongs to those whose own person it is about.
 */
export async function listAuditEvents(
  db: Db,
  organizationId: string,
  filter: AuditFilter,
  { before, limit }: { readonly before: bigint | null; readonly limit: number },
): Promise<readonly AuditRow[]> {
  return await db
    .select()
    .from(auditEvents)
    .where(
      and(
        await isBetween(db, filter),
        matches(db, organizationId, filter),
        before === null ? undefined : lt(auditEvents.id, before),
      ),
    )
    .orderBy(desc(auditEvents.id))
    .limit(limit);
}

/** How many events match, but no more than `limit`: the log of two years has millions of them. */
export async function countAuditEvents(
  db: Db,
  organizationId: string,
  filter: AuditFilter,
  { limit }: { readonly limit: number },
): Promise<number> {
  const matching = db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(and(await isBetween(db, filter), matches(db, organizationId, filter)))
    .orderBy(desc(auditEvents.id))
    .limit(limit)
    .as('matching');
  const [row] = await db.select({ count: count() }).from(matching);
  return row?.count ?? 0;
}

/**
 * Condition for the ids that events of this time can have, so that a list of long ago does not pass by all that came later.
 * Ids follow the order in which events are written, and `at` is when their transaction began, so both have the same order
 * but for what happened while a transaction was open, which is never a day.
 */
async function isBetween(db: Db, { since, until }: AuditFilter): Promise<SQL | undefined> {
  const [last] = until === null ? [] : await findEvent(db, gte(auditEvents.at, later(until, DAY_MS)), asc);
  const [first] = since === null ? [] : await findEvent(db, lt(auditEvents.at, later(since, -DAY_MS)), desc);
  return and(
    last === undefined ? undefined : lt(auditEvents.id, last.id),
    first === undefined ? undefined : gt(auditEvents.id, first.id),
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The event next to a moment, by the index over moments. */
function findEvent(db: Db, condition: SQL, order: typeof asc) {
  return db
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(condition)
    .orderBy(order(auditEvents.at))
    .limit(1);
}

function later(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}

function matches(db: Db, organizationId: string, filter: AuditFilter): SQL | undefined {
  const { action, actor, target, outcome, since, until } = filter;
  return and(
    or(
      eq(auditEvents.organizationId, organizationId),
      and(
        sql`${auditEvents.organizationId} is null`,
        or(
          isOwnPerson(db, organizationId, auditEvents.actorId),
          and(eq(auditEvents.targetKind, 'user'), isOwnPerson(db, organizationId, auditEvents.targetId)),
        ),
      ),
    ),
    action === null
      ? undefined
      : or(eq(auditEvents.action, action), like(auditEvents.action, `${escapeLike(action)}.%`)),
    actor === null ? undefined : eq(auditEvents.actorId, actor),
    target === null ? undefined : eq(auditEvents.targetId, target),
    outcome === null ? undefined : eq(auditEvents.outcome, outcome),
    since === null ? undefined : gte(auditEvents.at, since),
    until === null ? undefined : lt(auditEvents.at, until),
  );
}

/**
 * Condition for events from when this person was a member, if what they do outside organizations is the organization's
 * business: they are in no other one, or their confirmed address is in a domain that it proved.
 */
function isOwnPerson(db: Db, organizationId: string, personId: PgColumn): SQL | undefined {
  const other = alias(members, 'other_members');
  const elsewhere = db
    .select({ userId: other.userId })
    .from(other)
    .where(and(eq(other.userId, members.userId), ne(other.organizationId, organizationId)));
  const proved = db
    .select({ domain: emailDomains.domain })
    .from(emailDomains)
    .where(
      and(
        eq(emailDomains.organizationId, organizationId),
        isNotNull(emailDomains.provedAt),
        eq(emailDomains.domain, sql`substring(${users.email} from '[^@]*$')`),
      ),
    );
  const people = db
    .select({ userId: members.userId })
    .from(members)
    .where(eq(members.organizationId, organizationId));
  const own = db
    .select({ userId: members.userId })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        eq(members.organizationId, organizationId),
        eq(members.userId, personId),
        lte(members.joinedAt, auditEvents.at),
        or(notExists(elsewhere), and(isNotNull(users.emailVerifiedAt), exists(proved))),
      ),
    );
  // The first condition says nothing more, but is one look into a set, so that the events of others are passed by fast.
  return and(inArray(personId, people), exists(own));
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
