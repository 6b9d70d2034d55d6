import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';

export interface CallRate {
  /** At most so many calls start in any window of this length, in all processes together. */
  readonly count: number;
  readonly ms: number;
}

/**
 * Claims a call within the rate of a key. Returns 0, or after how many milliseconds the caller may try again. One
 * statement, so that two processes cannot claim the same call. A refused caller gets at least 1, since the wait is
 * computed without a call that another process claimed in the meantime. Tests pass `at` instead of the database's clock.
 */
export async function claimCall(db: Db, key: string, { count, ms }: CallRate, at?: Date): Promise<number> {
  const now = at === undefined ? sql`clock_timestamp()` : sql`${at.toISOString()}::timestamptz`;
  const { rows } = await db.execute<{ wait: number }>(sql`
    with now (at) as (select ${now}),
    claimed as (
      insert into call_windows as w (key, starts) select ${key}, array[now.at] from now
      on conflict (key) do update set starts = array(
        select start from unnest(w.starts || excluded.starts[1]) start
        where start > excluded.starts[1] - ${ms} * interval '1 ms' order by start
      ) where (
        select count(*) from unnest(w.starts) start where start > excluded.starts[1] - ${ms} * interval '1 ms'
      ) < ${count}
      returning key
    )
    select case when exists (select 1 from claimed) then 0 else greatest(1, (
      select ceil(extract(epoch from w.starts[cardinality(w.starts) - ${count} + 1] - now.at) * 1000 + ${ms})::float8
      from call_windows w, now where w.key = ${key}
    )) end as wait`);
  return Math.max(0, rows[0]?.wait ?? 0);
}

/** How many calls of each key that matches (`_` and `%` as in SQL's `like`) started within `ms`, the most first; at most 200. */
export async function countCalls(
  db: Db,
  pattern: string,
  ms: number,
): Promise<readonly { readonly key: string; readonly count: number }[]> {
  const { rows } = await db.execute<{ key: string; count: number }>(sql`
    select key, (
      select count(*) from unnest(starts) start where start > clock_timestamp() - ${ms} * interval '1 ms'
    )::int as count
    from call_windows where key like ${pattern} order by count desc, key limit 200`);
  return rows;
}
