import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { deliveries } from './schema/github.ts';

export type Delivery = typeof deliveries.$inferSelect;

export interface NewDelivery {
  /** `X-GitHub-Delivery`: the same on a redelivery. */
  readonly id: string;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly repository: string | null;
  /** The body as received. */
  readonly payload: string;
  /** `ignored` when nobody listens to this event: it is kept for people, without work to do. */
  readonly state: 'received' | 'ignored';
}

/**
 * Keeps a delivery under its id. Answers whether there is work to do: true for a new one, for one that
 * never came here before GitHub was asked to send it again, and for one whose work had failed for good (a redelivery
 * asks for another try); false for one that is known.
 * One statement, so two copies that arrive at the same moment cannot both be new.
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

/** The work of a delivery is done. A delivery that is done already stays as it is. */
export async function finishDelivery(db: Db, id: string): Promise<void> {
  await db
    .update(deliveries)
    .set({ state: 'done', error: null, finishedAt: sql`now()`, attempts: sql`${deliveries.attempts} + 1` })
    .where(and(eq(deliveries.id, id), ne(deliveries.state, 'done')));
}

/** A try failed with `error` (one sentence, nothing secret in it); `final` when no further try follows. */
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

/** Deliveries whose work has not ended, here or on their way, are let be. */
export async function ignoreWaitingDeliveries(db: Db, reason: string): Promise<void> {
  await db
    .update(deliveries)
    .set({ state: 'ignored', error: reason, finishedAt: sql`now()` })
    .where(inArray(deliveries.state, ['received', 'redelivered']));
}

/** A delivery that GitHub could not bring here. */
export type MissedDelivery = Pick<
  NewDelivery,
  'id' | 'event' | 'action' | 'installationId' | 'repositoryId'
> & {
  /** Why, in a sentence. */
  readonly reason: string;
};

/** GitHub is about to be asked to send a delivery again. */
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

/** A delivery never came here, and GitHub is not asked for it any more. */
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

/** What is known of these deliveries, at most 1,000. */
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

/** When the oldest requested redelivery that has not arrived since was recorded; null for none after `after`. */
export async function findOldestAwaited(db: Db, after: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: deliveries.receivedAt })
    .from(deliveries)
    .where(and(eq(deliveries.state, 'redelivered'), gt(deliveries.receivedAt, after)))
    .orderBy(asc(deliveries.receivedAt))
    .limit(1);
  return row?.at ?? null;
}
