import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { signInFailures } from './schema/people.ts';

/** How many failures are free, and how long the pauses after further ones are: each twice as long as the one before. */
export interface LockoutRule {
  readonly free: number;
  /** In seconds: after each of them one failure is forgotten. Null where only a day without any forgets them. */
  readonly forgetOneAfter: number | null;
  /** In seconds. */
  readonly firstPause: number;
  readonly longestPause: number;
}

/** After so many seconds without a failure they are forgotten. */
const FORGET_SECONDS = 24 * 60 * 60;

/**
 * Counts an attempt as a failure, before it is known whether it is one, so that attempts at the same time count, too. Null
 * when the key is locked: then nothing is counted, and `lockedUntil` says until when.
 */
export async function countSignInAttempt(
  db: Db,
  key: string,
  rule: LockoutRule,
  now: Date,
): Promise<{ readonly lockedUntil: Date } | null> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const elapsed = sql`greatest(0, extract(epoch from ${at} - ${signInFailures.lastAt}))`;
  const forgotten =
    rule.forgetOneAfter === null ? sql`0` : sql`floor(${elapsed} / ${rule.forgetOneAfter})::int`;
  const count = sql`(case when ${elapsed} > ${FORGET_SECONDS}
    then 1 else greatest(0, ${signInFailures.failures} - ${forgotten}) + 1 end)`;
  // What remains of the time counts toward the next failure that is forgotten, however often somebody tries.
  const lastAt =
    rule.forgetOneAfter === null
      ? at
      : sql`${at} - make_interval(secs => (${elapsed}::numeric % ${rule.forgetOneAfter})::float8)`;
  const first = rule.free <= 1 ? sql`${at} + make_interval(secs => ${rule.firstPause})` : sql`null`;
  const { rowCount } = await db.execute(sql`
    insert into ${signInFailures} (key, failures, last_at, locked_until) values (${key}, 1, ${at}, ${first})
    on conflict (key) do update set failures = ${count}, last_at = ${lastAt},
      locked_until = case when ${count} >= ${rule.free} then ${at} + make_interval(secs =>
        least(${rule.longestPause}, ${rule.firstPause} * power(2, least(${count} - ${rule.free}, 20)))) end
    where ${signInFailures.lockedUntil} is null or ${signInFailures.lockedUntil} <= ${at}`);
  if ((rowCount ?? 0) > 0) return null;
  const [row] = await db
    .select({ lockedUntil: signInFailures.lockedUntil })
    .from(signInFailures)
    .where(eq(signInFailures.key, key));
  return { lockedUntil: row?.lockedUntil ?? now };
}

/** Until when a key is locked; null when it is not. */
export async function findSignInLock(db: Db, key: string, now: Date): Promise<Date | null> {
  const [row] = await db
    .select({ lockedUntil: signInFailures.lockedUntil })
    .from(signInFailures)
    .where(and(eq(signInFailures.key, key), gt(signInFailures.lockedUntil, now)));
  return row?.lockedUntil ?? null;
}

/** An attempt that was counted was none: the account's failures are forgotten. */
export async function clearSignInFailures(db: Db, key: string): Promise<void> {
  await db.delete(signInFailures).where(eq(signInFailures.key, key));
}

/** An attempt that was counted was none: others from the same network address stay counted. */
export async function uncountSignInAttempt(db: Db, key: string): Promise<void> {
  await db
    .update(signInFailures)
    .set({ failures: sql`greatest(0, ${signInFailures.failures} - 1)`, lockedUntil: null })
    .where(eq(signInFailures.key, key));
}
