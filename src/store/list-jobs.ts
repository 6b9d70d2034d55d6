/** Queries that list and count jobs. */
import type pg from 'pg';

/** A job that failed permanently. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: Date;
}

/** Failed jobs of a kind, or of all where it is undefined, the latest first; at most `limit`. */
export async function listFailedJobs(
  pool: pg.Pool,
  name: string | undefined,
  limit: number,
): Promise<FailedJob[]> {
  const { rows } = await pool.query<FailedJob>(
    `select id, name, payload, least(attempt, attempt_limit) as attempts, failed_at as "failedAt",
       coalesce(error, 'unknown') as error
     from jobs where state = 'failed' and ($1::text is null or name = $1)
     order by failed_at desc, id desc limit $2`,
    [name ?? null, limit],
  );
  return rows;
}

/** A job that failed and will be retried. */
export interface FailingJob {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  /** How many attempts were made so far. */
  readonly attempts: number;
  readonly error: string;
  readonly nextAt: Date;
}

const MAX_LISTED_JOBS = 1_000;

/** The jobs that failed and will be retried, the next first; at most `limit`, up to 1,000. */
export async function listFailingJobs(pool: pg.Pool, limit: number): Promise<readonly FailingJob[]> {
  const { rows } = await pool.query<FailingJob>(
    `select id, name, payload, attempt as attempts, error, start_after as "nextAt"
     from jobs where state = 'waiting' and error is not null
     order by start_after, id limit $1`,
    [Math.min(limit, MAX_LISTED_JOBS)],
  );
  return rows;
}

/** A job that is not done: it waits, runs, or failed. */
export interface ListedJob {
  readonly id: string;
  readonly payload: unknown;
  readonly state: 'waiting' | 'running' | 'failed';
  /** 1 for the first attempt; of a waiting job, the next attempt. */
  readonly attempt: number;
  /** Why the last attempt failed; null when none did. */
  readonly error: string | null;
  /** Of a waiting job, when it is due; otherwise since when it has been in this state. */
  readonly at: Date;
}

/**
 * The jobs of a kind that are not done and whose payload has one of these values in `field`, the latest first; at most
 * 1,000.
 */
export async function listJobsAbout(
  pool: pg.Pool,
  name: string,
  field: string,
  values: readonly (number | string)[],
): Promise<readonly ListedJob[]> {
  if (values.length === 0) return [];
  const { rows } = await pool.query<ListedJob>(
    `select id, payload, state, error,
       case state when 'failed' then least(attempt, attempt_limit) when 'running' then attempt else attempt + 1 end as attempt,
       case state when 'running' then started_at when 'failed' then failed_at else greatest(start_after, created_at) end as at
     from jobs where name = $1 and payload->>$2 = any($3::text[])
     order by created_at desc, id desc limit ${MAX_LISTED_JOBS}`,
    [name, field, values.map(String)],
  );
  return rows;
}

/** Those of the keys (at most 10,000) that have a waiting or running job of this kind. */
export async function findUnfinishedKeys(
  pool: pg.Pool,
  name: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ key: string }>(
    `select distinct key from jobs where name = $1 and key = any($2::text[]) and state <> 'failed'`,
    [name, keys.slice(0, 10_000)],
  );
  return new Set(rows.map(({ key }) => key));
}

export interface JobCounts {
  readonly name: string;
  /** Not started, or between two attempts. */
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
}

/** How many jobs there are of these kinds and of all others that have any, in order of name. */
export async function countJobs(pool: pg.Pool, names: readonly string[]): Promise<JobCounts[]> {
  const { rows } = await pool.query<JobCounts>(
    `select name,
       (count(*) filter (where state = 'waiting'))::int as waiting,
       (count(*) filter (where state = 'running'))::int as active,
       (count(*) filter (where state = 'failed'))::int as failed
     from (select name, state from jobs union all select unnest($1::text[]), null) as found
     group by name order by name`,
    [names],
  );
  return rows;
}
