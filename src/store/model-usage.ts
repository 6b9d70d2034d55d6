import { sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { organizations } from './schema/platform.ts';
import { modelUsage, organizationModelUsage } from './schema/server.ts';

/** What the language model is used for. */
export const MODEL_PURPOSES = ['answers', 'conversations', 'translations'] as const;
export type ModelPurpose = (typeof MODEL_PURPOSES)[number];

/** Tokens that a call may use, until it is known what it used. */
export interface TokenReservation {
  /** In UTC. */
  readonly day: string;
  readonly organizationId: string;
  readonly purpose: ModelPurpose;
}

/** Counts a call with so many tokens on this day in UTC, in all processes together. Null when the day's limit does not have them. */
export async function reserveTokens(
  db: Db,
  {
    organizationId,
    purpose,
    tokens,
    limit,
  }: {
    readonly organizationId: string;
    readonly purpose: ModelPurpose;
    readonly tokens: number;
    readonly limit: number;
  },
): Promise<TokenReservation | null> {
  const { rows } = await db.execute<{ day: string }>(sql`
    with today as (
      insert into ${modelUsage} as u (day, tokens, calls)
      select (now() at time zone 'UTC')::date, ${tokens}::bigint, 1 where ${tokens}::bigint <= ${limit}::bigint
      on conflict (day) do update set tokens = u.tokens + excluded.tokens, calls = u.calls + 1
        where u.tokens + excluded.tokens <= ${limit}::bigint
      returning day),
    used as (
      insert into ${organizationModelUsage} as o (day, organization_id, purpose, tokens, calls)
      select today.day, ${organizations.id}, ${purpose}, ${tokens}::bigint, 1 from today, ${organizations}
      where ${organizations.id} = ${organizationId}
      on conflict (day, organization_id, purpose) do update set tokens = o.tokens + excluded.tokens, calls = o.calls + 1)
    select day::text from today`);
  const day = rows[0]?.day;
  return day === undefined ? null : { day, organizationId, purpose };
}

/** Corrects what was reserved by what was used. */
export async function correctTokens(
  db: Db,
  { day, organizationId, purpose }: TokenReservation,
  difference: number,
): Promise<void> {
  // The rows are locked in the order in which `reserveTokens` locks them.
  await db.execute(sql`
    with today as (
      update ${modelUsage} set tokens = greatest(0, tokens + ${difference}::bigint) where day = ${day}::date
      returning day)
    update ${organizationModelUsage} as o set tokens = greatest(0, o.tokens + ${difference}::bigint)
    from today where o.day = today.day and o.organization_id = ${organizationId} and o.purpose = ${purpose}`);
}

export interface UsedTokens {
  /** Of calls that are under way, the most that they may use. */
  readonly tokens: number;
  readonly calls: number;
}

/** What was used today in UTC, by all organizations together. */
export async function loadModelUsage(db: Db): Promise<UsedTokens> {
  const { rows } = await db.execute<{ tokens: string; calls: number }>(
    sql`select tokens, calls from ${modelUsage} where day = (now() at time zone 'UTC')::date`,
  );
  return { tokens: Number(rows[0]?.tokens ?? 0), calls: rows[0]?.calls ?? 0 };
}

/** What was used today in UTC, by purpose; by one organization where it is named. */
export async function loadModelUsageByPurpose(
  db: Db,
  organizationId: string | null,
): Promise<Readonly<Record<ModelPurpose, UsedTokens>>> {
  const { rows } = await db.execute<{ purpose: string; tokens: string; calls: string }>(sql`
    select purpose, sum(tokens) as tokens, sum(calls) as calls from ${organizationModelUsage}
    where day = (now() at time zone 'UTC')::date
      and (${organizationId}::text is null or organization_id = ${organizationId})
    group by purpose`);
  const usedFor = (purpose: ModelPurpose): UsedTokens => {
    const row = rows.find((each) => each.purpose === purpose);
    return { tokens: Number(row?.tokens ?? 0), calls: Number(row?.calls ?? 0) };
  };
  return {
    answers: usedFor('answers'),
    conversations: usedFor('conversations'),
    translations: usedFor('translations'),
  };
}
