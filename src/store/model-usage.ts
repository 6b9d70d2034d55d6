import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { modelUsage } from './schema/server.ts';

/** Counts a call with so many tokens on this day in UTC, in all processes together. Null when the day's limit does not have them. */
export async function reserveTokens(db: Db, tokens: number, limit: number): Promise<string | null> {
  const { rows } = await db.execute<{ day: string }>(sql`
    insert into ${modelUsage} as u (day, tokens, calls)
    select (now() at time zone 'UTC')::date, ${tokens}::bigint, 1 where ${tokens}::bigint <= ${limit}::bigint
    on conflict (day) do update set tokens = u.tokens + excluded.tokens, calls = u.calls + 1
      where u.tokens + excluded.tokens <= ${limit}::bigint
    returning day::text`);
  return rows[0]?.day ?? null;
}

/** Corrects what was reserved by what was used. */
export async function correctTokens(db: Db, day: string, difference: number): Promise<void> {
  await db.execute(
    sql`update ${modelUsage} set tokens = greatest(0, tokens + ${difference}::bigint) where day = ${day}::date`,
  );
}

/** What was used today, for operators. */
export async function loadModelUsage(db: Db): Promise<{ readonly tokens: number; readonly calls: number }> {
  const { rows } = await db.execute<{ tokens: string; calls: number }>(
    sql`select tokens, calls from ${modelUsage} where day = (now() at time zone 'UTC')::date`,
  );
  return { tokens: Number(rows[0]?.tokens ?? 0), calls: rows[0]?.calls ?? 0 };
}
