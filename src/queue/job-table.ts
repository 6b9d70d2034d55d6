/**
 * What we do to the table of jobs beside what pg-boss does. It belongs to pg-boss, whose version is pinned; the
 * tests of this room run every statement.
 *
 * A claim is named by a job's id and its `retry_count`, which grows with each claim after the first: a statement for
 * a claim that was lost meanwhile changes nothing.
 */
import type pg from 'pg';
import type { FailedJob, JobCounts } from './queue.ts';

export const jobSchema = 'pgboss';
const jobs = `${jobSchema}.job`;

/** How long a job may be silent before it counts as lost. pg-boss takes no less than 10. */
export const heartbeatSeconds = 10;

/**
 * The same for a job with a lane whose process has let its lock go. Above the time between two heartbeats, so that a
 * process which lost its connection for a moment, and with it the lock, has said that it lives.
 */
const orphanedSeconds = 4;

/** The first key of the advisory locks of which every process with an open queue holds its own. */
export const livingLocks = 0x70726f63;

const keptFailedSeconds = 90 * 24 * 60 * 60;

/** Why a job ended that never said anything itself. */
export const exhausted =
  'It did not come to an end at any try: the process that ran it ended or fell silent, or it took too long.';

export interface Claim {
  readonly id: string;
  readonly retryCount: number;
}

/**
 * What failing for good sets. Under the policy of strict order a failed job blocks its key until someone deletes it;
 * with the policy taken off, the key goes on and the job is still there to be seen.
 */
const ended = `state = 'failed', policy = 'standard', completed_on = now(), heartbeat_on = null,
  deletion_seconds = ${keptFailedSeconds}`;

/** Ends a claimed job as failed. */
export async function endClaim(pool: pg.Pool, { id, retryCount }: Claim, message: string): Promise<void> {
  await pool.query(
    `update ${jobs} set ${ended}, output = $3 where id = $1 and state = 'active' and retry_count = $2`,
    [id, retryCount, { message }],
  );
}

/** Gives claimed jobs back, to be run as soon as possible by whoever comes first; the try is not counted. */
export async function handBack(pool: pg.Pool, claims: readonly Claim[]): Promise<void> {
  await pool.query(
    `update ${jobs} j set state = 'retry', start_after = now(), heartbeat_on = null, retry_limit = retry_limit + 1
     from unnest($1::uuid[], $2::int[]) as c (id, retry_count)
     where j.id = c.id and j.state = 'active' and j.retry_count = c.retry_count`,
    [claims.map(({ id }) => id), claims.map(({ retryCount }) => retryCount)],
  );
}

/** Puts a claimed job off until a moment, at most a day ahead; the try is not counted. */
export async function putOff(
  pool: pg.Pool,
  { id, retryCount }: Claim,
  { until, message }: { readonly until: Date; readonly message: string },
): Promise<void> {
  await pool.query(
    `update ${jobs} set state = 'retry', heartbeat_on = null, retry_limit = retry_limit + 1, output = $4,
       start_after = least($3::timestamptz, now() + interval '1 day')
     where id = $1 and state = 'active' and retry_count = $2`,
    [id, retryCount, until, { message }],
  );
}

/** Says that claimed jobs still run. */
export async function touchClaims(pool: pg.Pool, claims: readonly Claim[]): Promise<void> {
  await pool.query(
    `update ${jobs} j set heartbeat_on = now() from unnest($1::uuid[], $2::int[]) as c (id, retry_count)
     where j.id = c.id and j.state = 'active' and j.retry_count = c.retry_count`,
    [claims.map(({ id }) => id), claims.map(({ retryCount }) => retryCount)],
  );
}

/** Whether a job of the key waits. */
export const waitingStatement = `select 1 from ${jobs}
  where name = $1 and singleton_key = $2 and state < 'active' limit 1`;

/**
 * The same, and lets it begin after the caller's transaction only, so that it sees what that one wrote. Not for jobs in
 * lanes: their turns are taken by a statement that would wait, for several of them in any order.
 */
export const holdWaitingStatement = `${waitingStatement} for share`;

export const discardStatement = `delete from ${jobs} where name = any($1::text[]) and state in ('created', 'retry')`;

const silent = `heartbeat_on + heartbeat_seconds * interval '1 s' < now()`;

const orphaned = `heartbeat_on < now() - interval '${orphanedSeconds} s' and exists (
  select 1 from lane_runs r where r.job_id = job.id and r.attempt = job.retry_count and not exists (
    select 1 from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 2
      and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = ${livingLocks} and l.objid::bigint = r.process))`;

/** Closing runs that end without a word too; after so many the job is ended without one. */
const closingRuns = 10;

/**
 * Takes jobs back whose process is gone: all claimed ones when nobody else is there, otherwise those that have been
 * silent for too long, which is sooner where their process is known and no longer connected. The first time they run again at once, then after the pauses of failed ones: a job that kills
 * its process lets the others work meanwhile, and one that was merely near such a kill is soon out of its reach.
 * Those whose tries are used up, by that or by taking too long, get a closing run, so that whoever asked for the work
 * is told. True when there were any.
 */
export async function takeBackLost(
  db: pg.Pool | pg.Client,
  options: { readonly alone: boolean },
): Promise<boolean> {
  const lost = options.alone ? `state = 'active'` : `state = 'active' and (${silent} or ${orphaned})`;
  const { rows } = await db.query(`select 1 from ${jobs} where ${lost} limit 1`);
  if (rows.length > 0) {
    await db.query(
      `update ${jobs} set state = 'retry', heartbeat_on = null, start_after = now() + case when retry_count = 0
         then interval '0' else least(retry_delay * 2 ^ least(retry_count - 1, 16), coalesce(retry_delay_max, 3600)) * interval '1 s' end
       where ${lost} and retry_count < retry_limit + ${closingRuns}`,
    );
    await db.query(`update ${jobs} set ${ended}, output = $1 where ${lost}`, [{ message: exhausted }]);
  }
  // What pg-boss ended, because it took too long, differs from what we ended in how long it is kept.
  await db.query(
    `update ${jobs} set state = 'retry', retry_count = greatest(retry_count, retry_limit), start_after = now(),
       completed_on = null, heartbeat_on = null
     where state = 'failed' and deletion_seconds <> ${keptFailedSeconds} and started_on is not null
       and name not like '\\_\\_pgboss%'`,
  );
  return rows.length > 0;
}

export async function listFailed(
  pool: pg.Pool,
  name: string | undefined,
  limit: number,
): Promise<FailedJob[]> {
  const { rows } = await pool.query<FailedJob>(
    `select id, name, data as payload, least(retry_count, retry_limit) + 1 as attempts, completed_on as "failedAt",
       coalesce(output->>'message', output->'value'->>'message', output->>'value', 'unknown') as error
     from ${jobs} where state = 'failed' and ($1::text is null or name = $1)
     order by completed_on desc, id desc limit $2`,
    [name ?? null, limit],
  );
  return rows;
}

/** Gives the name of the kind when the job was failed and now waits anew. */
export async function retryFailed(pool: pg.Pool, id: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    `update ${jobs} j set state = 'created', policy = q.policy, created_on = now(), start_after = now(),
       keep_until = now() + q.retention_seconds * interval '1 s', deletion_seconds = q.deletion_seconds,
       retry_count = 0, started_on = null, completed_on = null, output = null
     from ${jobSchema}.queue q where q.name = j.name and j.id = $1 and j.state = 'failed' returning j.name`,
    [id],
  );
  return rows[0]?.name;
}

/** Those of the keys that have a job of this kind which has not ended. */
export async function findOpenKeys(
  pool: pg.Pool,
  name: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ key: string }>(
    `select distinct singleton_key as key from ${jobs}
     where name = $1 and singleton_key = any($2::text[]) and state in ('created', 'retry', 'active')`,
    [name, keys.slice(0, 10_000)],
  );
  return new Set(rows.map(({ key }) => key));
}

export async function countJobs(pool: pg.Pool): Promise<JobCounts[]> {
  const { rows } = await pool.query<JobCounts>(
    `select q.name,
       (count(*) filter (where j.state in ('created', 'retry')))::int as waiting,
       (count(*) filter (where j.state = 'active'))::int as active,
       (count(*) filter (where j.state = 'failed'))::int as failed
     from ${jobSchema}.queue q
     left join ${jobs} j on j.name = q.name and j.state in ('created', 'retry', 'active', 'failed')
     where q.name not like '\\_\\_pgboss%' group by q.name order by q.name`,
  );
  return rows;
}
