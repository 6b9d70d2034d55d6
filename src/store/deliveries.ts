import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { deliveries } from './schema/github.ts';

export type Delivery = typeof deliveries.$inferSelect;

export interface NewDelivery {
  /** `X-GitHub-Delivery`, which is the same for a redelivery. */
  readonly id: string;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly repository: string | null;
  /** The body as received. */
  readonly payload: string;
  /** `ignored` when no handler exists for the event: it is stored for display only. */
  readonly state: 'received' | 'ignored';
}

/**
 * Stores a delivery under its id. Returns whether it has to be handled: true for a new one, for one that arrives after a
 * redelivery was requested, and for one whose handling had failed permanently (its redelivery is another attempt); false
 * for a known one. One statement, so that of two copies that arrive at the same moment only one is new.
 */
export async function storeDelivery(db: Db, delivery: NewDelivery): Promise<boolean> {
  const rows = await db
    .insert(deliveries)
    .values({ ...delivery, finishedAt: delivery.state === 'ignored' ? sql`now()` : null })
    .onConflictDoUpdate({
      target: deliveries.id,
      set: {
        state: delivery.state,
        payload: delivery.payload,
        repository: delivery.repository,
        error: null,
        finishedAt: delivery.state === 'ignored' ? sql`now()` : null,
      },
      setWhere: inArray(deliveries.state, ['failed', 'redelivered']),
    })
    .returning({ id: deliveries.id });
  return rows.length > 0 && delivery.state === 'received';
}

export async function loadDelivery(db: Db, id: string): Promise<Delivery | null> {
  const [row] = await db.select().from(deliveries).where(eq(deliveries.id, id));
  return row ?? null;
}

/** Records that a delivery was handled; one that is done already stays unchanged. */
export async function finishDelivery(db: Db, id: string): Promise<void> {
  await db
    .update(deliveries)
    .set({ state: 'done', error: null, finishedAt: sql`now()`, attempts: sql`${deliveries.attempts} + 1` })
    .where(and(eq(deliveries.id, id), ne(deliveries.state, 'done')));
}

/** Records that an attempt failed with `error` (one sentence without secrets); `final` when no further attempt follows. */
export async function recordDeliveryError(
  db: Db,
  id: string,
  failure: { readonly error: string; readonly final: boolean },
): Promise<void> {
  await db
    .update(deliveries)
    .set({
      error: failure.error,
      attempts: sql`${deliveries.attempts} + 1`,
      ...(failure.final ? { state: 'failed', finishedAt: sql`now()` } : {}),
    })
    .where(eq(deliveries.id, id));
}

/** Marks all deliveries as ignored that are not handled yet or whose redelivery has not arrived. */
export async function ignoreWaitingDeliveries(db: Db, reason: string): Promise<void> {
  await db
    .update(deliveries)
    .set({ state: 'ignored', error: reason, finishedAt: sql`now()` })
    .where(inArray(deliveries.state, ['received', 'redelivered']));
}

/** A delivery that GitHub could not deliver. */
export type MissedDelivery = Pick<
  NewDelivery,
  'id' | 'event' | 'action' | 'installationId' | 'repositoryId'
> & {
  /** Why, in one sentence. */
  readonly reason: string;
};

/** Records that a redelivery is about to be requested. */
export async function recordRedelivery(db: Db, { reason, ...missed }: MissedDelivery): Promise<void> {
  await db
    .insert(deliveries)
    .values({
      ...missed,
      repository: null,
      payload: '',
      state: 'redelivered',
      error: reason,
      redeliveries: 1,
      requestedAt: sql`now()` as never,
    })
    .onConflictDoUpdate({
      target: deliveries.id,
      set: { error: reason, redeliveries: sql`${deliveries.redeliveries} + 1`, requestedAt: sql`now()` },
      setWhere: eq(deliveries.state, 'redelivered'),
    });
}

/** Records that a delivery never arrived, and that its redelivery will not be requested any more. */
export async function recordLostDelivery(db: Db, { reason, ...missed }: MissedDelivery): Promise<void> {
  await db
    .insert(deliveries)
    .values({
      ...missed,
      repository: null,
      payload: '',
      state: 'failed',
      error: reason,
      finishedAt: sql`now()` as never,
    })
    .onConflictDoUpdate({
      target: deliveries.id,
      set: { state: 'failed', error: reason, finishedAt: sql`now()` },
      setWhere: eq(deliveries.state, 'redelivered'),
    });
}

/** The states of known deliveries among these, by id; `payload` is cut to its first character. At most 1,000. */
export async function loadDeliveryStates(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<Delivery, 'state' | 'payload' | 'redeliveries' | 'requestedAt'>>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: deliveries.id,
      state: deliveries.state,
      payload: sql<string>`left(${deliveries.payload}, 1)`,
      redeliveries: deliveries.redeliveries,
      requestedAt: deliveries.requestedAt,
    })
    .from(deliveries)
    .where(inArray(deliveries.id, [...ids]));
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** When the oldest redelivery that has not arrived yet was recorded, after `after`; null when there is none. */
export async function findOldestAwaited(db: Db, after: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: deliveries.receivedAt })
    .from(deliveries)
    .where(and(eq(deliveries.state, 'redelivered'), gt(deliveries.receivedAt, after)))
    .orderBy(asc(deliveries.receivedAt))
    .limit(1);
  return row?.at ?? null;
}
