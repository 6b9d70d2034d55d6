/** The limits that jobs of a group share in all processes. */
import { eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './db.ts';
import { type RunRate, rateLimits } from './schema/queue.ts';

export interface SharedLimits {
  /** How many jobs run at once, in all processes together. */
  readonly concurrency: number;
  /** At most `count` jobs start in any `ms` milliseconds, at most a day; all rates apply. */
  readonly rates?: readonly RunRate[];
}

export interface RateLimitState extends SharedLimits {
  readonly key: string;
  readonly rates: readonly RunRate[];
  readonly waiting: number;
  readonly running: number;
  readonly pausedUntil: Date | null;
  /** When the last job started; null where no run is stored any more. */
  readonly lastStart: Date | null;
}

/** Sets the limits of a group. */
export async function setRateLimit(db: Db, key: string, limits: SharedLimits): Promise<void> {
  const values = { ...checkLimits(key, limits), fixed: true };
  await db
    .insert(rateLimits)
    .values({ key, ...values })
    .onConflictDoUpdate({ target: rateLimits.key, set: { ...values, changedAt: sql`now()` } });
}

/** Inserts a group where it is missing, and locks it against deletion until the caller's transaction is complete. */
export async function lockRateLimit(db: Db, key: string, limits: SharedLimits): Promise<void> {
  const values = checkLimits(key, limits);
  for (;;) {
    const rows = await db
      .select({ key: rateLimits.key })
      .from(rateLimits)
      .where(eq(rateLimits.key, key))
      .for('key share');
    if (rows.length > 0) return;
    await db
      .insert(rateLimits)
      .values({ key, ...values })
      .onConflictDoNothing();
  }
}

const dayMs = 24 * 60 * 60 * 1000;

function checkLimits(key: string, { concurrency, rates = [] }: SharedLimits): Required<SharedLimits> {
  const whole = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max;
  const isValid =
    whole(concurrency, 10_000) && rates.every(({ count, ms }) => whole(count, 1_000_000) && whole(ms, dayMs));
  if (!isValid) {
    throw new TypeError(
      `The limits of ${key} are wrong: its concurrency, and count and ms of its rates, must be whole numbers from 1, and no rate may cover more than a day.`,
    );
  }
  return { concurrency, rates };
}

/** Starts nothing of a group before this moment, at most a day ahead. It never shortens a pause. */
export async function pauseRateLimit(pool: pg.Pool, key: string, until: Date): Promise<void> {
  await pool.query(
    `update rate_limits set paused_until = greatest(paused_until, least($2::timestamptz, now() + interval '1 day'))
     where key = $1`,
    [key, until],
  );
}

/** The groups that have waiting or running jobs, or are paused, in order of key; at most 1,000. */
export async function listRateLimits(pool: pg.Pool): Promise<RateLimitState[]> {
  const { rows } = await pool.query<RateLimitState>(
    `select l.key, l.concurrency, l.rates, coalesce(j.waiting, 0)::int as waiting, coalesce(j.running, 0)::int as running,
       case when l.paused_until > now() then l.paused_until end as "pausedUntil",
       greatest(j.last_start, (select max(r.started_at) from rate_limited_runs r where r.rate_limit = l.key)) as "lastStart"
     from rate_limits l left join (
       select rate_limit, count(*) filter (where state = 'waiting') as waiting,
         count(*) filter (where state = 'running') as running, max(started_at) as last_start
       from jobs where state <> 'failed' and rate_limit is not null group by rate_limit
     ) j on j.rate_limit = l.key
     where j.rate_limit is not null or l.paused_until > now()
     order by l.key limit 1000`,
  );
  return rows;
}

/** Deletes runs that no rate counts any more. */
export async function deleteOldRuns(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from rate_limited_runs r using rate_limits l where l.key = r.rate_limit and r.ended_at < now() - interval '1 minute'
       - coalesce((select max(x.ms) from jsonb_to_recordset(l.rates) as x (ms int)), 0) * interval '1 ms'`,
  );
  await pool.query(`delete from rate_limited_runs r where r.ended_at < now() - interval '25 hours'`);
}

/** Deletes groups without jobs whose limits nobody set, a hundred at a time. A failed job needs its group: it may be retried. */
export async function deleteUnusedRateLimits(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // Enqueuing a job locks its group; with the groups locked here, the next statement sees all of their jobs.
    const { rows } = await tx.execute(sql`
      select key from rate_limits where not fixed and (paused_until is null or paused_until < now())
        and changed_at < now() - interval '1 hour' order by changed_at limit 100 for update skip locked`);
    const keys = sql`select jsonb_array_elements_text(${JSON.stringify(rows.map(({ key }) => key))}::jsonb)`;
    await tx.execute(sql`
      delete from rate_limits l where key in (${keys})
        and not exists (select 1 from rate_limited_runs r where r.rate_limit = l.key)
        and not exists (select 1 from jobs j where j.rate_limit = l.key)`);
    await tx.execute(sql`update rate_limits set changed_at = now() where key in (${keys})`);
  });
}
