import type pg from 'pg';
import { jobSchema } from './job-table.ts';

/** A job that has not ended well: it waits, runs, or failed. */
export interface ListedJob {
  readonly id: string;
  readonly payload: unknown;
  readonly state: 'waiting' | 'running' | 'failed';
  /** 1 for the first try; of a waiting one, the next. */
  readonly attempt: number;
  /** Why the last try failed; null when none did. */
  readonly error: string | null;
  /** Of a waiting one, when it is due; otherwise since when it is so. */
  readonly at: Date;
}

/** At most so many are listed, the latest first. */
const LISTED = 1_000;

/** What pg-boss and we keep of an error. */
const errorOf = `coalesce(output->>'message', output->'value'->>'message', output->>'value')`;

/** A job that failed, and is tried again by itself. */
export interface FailingJob {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  /** How often it was tried so far. */
  readonly attempts: number;
  readonly error: string;
  readonly nextAt: Date;
}

/** The jobs that failed and are tried again by themselves, the next first; at most `limit`, up to 1,000. */
export async function listFailing(pool: pg.Pool, limit: number): Promise<readonly FailingJob[]> {
  const { rows } = await pool.query<FailingJob>(
    `select id, name, data as payload, retry_count + 1 as attempts, ${errorOf} as error, start_after as "nextAt"
     from ${jobSchema}.job where state = 'retry' and ${errorOf} is not null
     order by start_after, id limit $1`,
    [Math.min(limit, LISTED)],
  );
  return rows;
}

/** The jobs of a kind whose payload holds one of these numbers or texts under `field`, that have not ended well. */
export async function listJobsAbout(
  pool: pg.Pool,
  name: string,
  field: string,
  values: readonly (number | string)[],
): Promise<readonly ListedJob[]> {
  if (values.length === 0) return [];
  const { rows } = await pool.query<ListedJob>(
    `select id, data as payload,
       case state when 'active' then 'running' when 'failed' then 'failed' else 'waiting' end as state,
       case when state = 'failed' then least(retry_count, retry_limit) + 1
         when state <> 'active' and started_on is not null then retry_count + 2 else retry_count + 1 end as attempt,
       ${errorOf} as error,
       case state when 'active' then started_on when 'failed' then completed_on else greatest(start_after, created_on) end as at
     from ${jobSchema}.job
     where name = $1 and data->>$2 = any($3::text[]) and state in ('created', 'retry', 'active', 'failed')
     order by created_on desc, id desc limit ${LISTED}`,
    [name, field, values.map(String)],
  );
  return rows;
}
