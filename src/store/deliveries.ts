import { and, eq, ne, sql } from 'drizzle-orm';
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
 * Keeps a delivery under its id. Answers whether there is work to do: true for a new one and for one whose
 * work had failed for good (a redelivery asks for another try), false for one that is known.
 * One statement, so two copies that arrive at the same moment cannot both be new.
 */
export async function storeDelivery(db: Db, delivery: NewDelivery): Promise<boolean> {
  const rows = await db
    .insert(deliveries)
    .values({ ...delivery, finishedAt: delivery.state === 'ignored' ? sql`now()` : null })
    .onConflictDoUpdate({
      target: deliveries.id,
      set: { state: 'received', error: null, finishedAt: null },
      setWhere: eq(deliveries.state, 'failed'),
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
