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
       case state when 'failed' then least(retry_count, retry_limit) + 1 else retry_count + 1 end as attempt,
       coalesce(output->>'message', output->'value'->>'message', output->>'value') as error,
       case state when 'active' then started_on when 'failed' then completed_on else greatest(start_after, created_on) end as at
     from ${jobSchema}.job
     where name = $1 and data->>$2 = any($3::text[]) and state in ('created', 'retry', 'active', 'failed')
     order by created_on desc, id desc limit ${LISTED}`,
    [name, field, values.map(String)],
  );
  return rows;
}
