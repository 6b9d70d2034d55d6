/** Schedules of recurring jobs. Their cron expressions are evaluated by the queue. */
import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { jobSchedules } from './schema/queue.ts';

export type JobSchedule = typeof jobSchedules.$inferSelect;

/** Inserts a schedule, or replaces that of the same kind and key. */
export async function upsertSchedule(
  db: Db,
  schedule: Pick<JobSchedule, 'name' | 'key' | 'cron' | 'timeZone' | 'payload' | 'delaySeconds'> & {
    readonly nextAt: Date;
  },
): Promise<void> {
  await db
    .insert(jobSchedules)
    .values(schedule)
    .onConflictDoUpdate({
      target: [jobSchedules.name, jobSchedules.key],
      set: { ...schedule, doneUntil: sql`now()` },
    });
}

export async function deleteSchedule(db: Db, name: string, key: string): Promise<void> {
  await db.delete(jobSchedules).where(and(eq(jobSchedules.name, name), eq(jobSchedules.key, key)));
}

/** The schedules of a kind, or only that of a key, in order of key. */
export async function listSchedules(db: Db, name: string, key?: string): Promise<JobSchedule[]> {
  return await db
    .select()
    .from(jobSchedules)
    .where(and(eq(jobSchedules.name, name), key === undefined ? undefined : eq(jobSchedules.key, key)))
    .orderBy(asc(jobSchedules.key));
}

/** Locks and returns schedules of these kinds that are due, or whose next time is not known yet; at most `limit`. */
export async function lockDueSchedules(
  db: Db,
  names: readonly string[],
  limit: number,
): Promise<JobSchedule[]> {
  return await db
    .select()
    .from(jobSchedules)
    .where(
      and(
        inArray(jobSchedules.name, [...names]),
        or(isNull(jobSchedules.nextAt), lte(jobSchedules.nextAt, sql`now()`)),
      ),
    )
    .orderBy(asc(jobSchedules.nextAt))
    .limit(limit)
    .for('update', { skipLocked: true });
}

/** Sets when a schedule is due next; all earlier times count as done. */
export async function advanceSchedule(
  db: Db,
  { name, key }: Pick<JobSchedule, 'name' | 'key'>,
  nextAt: Date,
): Promise<void> {
  await db
    .update(jobSchedules)
    .set({ doneUntil: sql`now()`, nextAt })
    .where(and(eq(jobSchedules.name, name), eq(jobSchedules.key, key)));
}
