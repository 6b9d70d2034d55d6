import { type SQL, sql } from 'drizzle-orm';
import { daysAgo } from './days-ago.ts';
import type { Db } from './db.ts';
import { answers, deliveries, reports } from './schema/github.ts';
import { gitOperations, spaces } from './schema/platform.ts';
import { RESTORABLE_DAYS } from './spaces.ts';

/** How long completed rows are retained, in days. `docs/operation.md` states the same. */
export const RETENTION_DAYS = {
  deliveries: 30,
  failedDeliveries: 90,
  reports: 180,
  gitOperations: 180,
} as const;

/** How many git operations of each space stay whatever their age: the newest shows what is live. */
const RETAINED_OPERATIONS = 100;

/** Rows of one statement: few enough that nobody waits for its locks. */
const BATCH = 1_000;

/**
 * Deletes rows whose work was completed long ago: deliveries with their payloads, reports of pull requests, git
 * operations. What is not done, and what readers see, stays. Returns how many rows were deleted. Running it twice, or in
 * two processes at once, does no harm.
 */
export async function removeOldRows(
  db: Db,
  signal: AbortSignal,
): Promise<{ readonly deliveries: number; readonly reports: number; readonly gitOperations: number }> {
  await removeAll(
    db,
    signal,
    sql`delete from ${answers} where key in (
      select key from ${answers} where used_at < ${daysAgo(RETENTION_DAYS.deliveries)} limit ${BATCH})`,
  );
  return {
    deliveries: await removeAll(
      db,
      signal,
      sql`delete from ${deliveries} where id in (
        select id from ${deliveries} where received_at < ${daysAgo(RETENTION_DAYS.deliveries)} and (
          state in ('done', 'ignored', 'redelivered')
          or (state = 'failed' and received_at < ${daysAgo(RETENTION_DAYS.failedDeliveries)}))
        limit ${BATCH})`,
    ),
    reports: await removeAll(
      db,
      signal,
      sql`delete from ${reports} where id in (
        select id from ${reports} where created_at < ${daysAgo(RETENTION_DAYS.reports)} limit ${BATCH})`,
    ),
    gitOperations: await removeAll(
      db,
      signal,
      sql`delete from ${gitOperations} where id in (
        select id from (
          select id, state, ended_at, row_number() over (partition by space_id order by sequence desc) as nth
          from ${gitOperations}) as numbered
        where nth > ${RETAINED_OPERATIONS} and state in ('success', 'failure', 'skipped')
          and ended_at < ${daysAgo(RETENTION_DAYS.gitOperations)}
        limit ${BATCH})`,
    ),
  };
}

async function removeAll(db: Db, signal: AbortSignal, statement: SQL): Promise<number> {
  for (let removed = 0; ; ) {
    signal.throwIfAborted();
    const { rowCount } = await db.execute(statement);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return removed;
  }
}

/**
 * Deletes the spaces that were marked deleted too long ago to be restored, with all their rows: content, history, change
 * requests, git operations. Each in a statement of its own, the oldest first, so that no lock is held for long. Returns
 * how many were deleted.
 */
export async function purgeSpaces(db: Db, signal: AbortSignal): Promise<number> {
  for (let purged = 0; ; purged++) {
    signal.throwIfAborted();
    const { rowCount } = await db.execute(sql`
      delete from ${spaces} where id in (
        select id from ${spaces} where deleted_at <= ${daysAgo(RESTORABLE_DAYS)}
        order by deleted_at limit 1 for update skip locked)`);
    if (rowCount === 0) return purged;
  }
}
