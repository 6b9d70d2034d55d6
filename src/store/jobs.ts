/** Statements on the table of jobs, whose states `schema/queue.ts` describes. Claiming is in `claim-jobs.ts`. */
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from './db.ts';
import { newJobId } from './new-job-id.ts';
import { jobs } from './schema/queue.ts';

/** The channel on which processes notify each other of jobs that may start. */
export const jobChannel = 'docloom_jobs';

/** A running job without a heartbeat for this long counts as lost. */
export const heartbeatSeconds = 10;

/**
 * The same for a job whose process has released its lock. Longer than the interval of heartbeats, so that a process that
 * lost its connection for a moment, and the lock with it, has sent one.
 */
const orphanedSeconds = 4;

/** The first key of the advisory locks; every process with an open queue holds a lock of its own. */
export const processLocks = 0x70726f63;

const failedDays = 90;

/** The error of a job whose last runs never reported a result. */
export const exhausted =
  'It was not completed in any attempt: the process that ran it stopped or sent no heartbeat, or it took too long.';

export interface JobRow {
  readonly name: string;
  readonly payload: unknown;
  readonly key: string | null;
  readonly priority: number;
  readonly rateLimit: string | null;
  readonly share: string | null;
  /** Seconds from now. */
  readonly startAfter: number;
  readonly attemptLimit: number;
  readonly retryDelay: number;
  readonly retryDelayMax: number;
  readonly expireSeconds: number;
}

/** Identifies one run of a job. */
export interface Claim {
  readonly id: string;
  readonly attempt: number;
  readonly process: number;
}

/** Adds a job in the caller's transaction and notifies all processes when it commits. */
export async function insertJob(db: Db, job: JobRow): Promise<void> {
  // One statement, since every webhook's response waits for it.
  await db.execute(sql`
    with added as (
      insert into jobs (id, name, payload, key, priority, rate_limit, share, start_after,
        attempt_limit, retry_delay, retry_delay_max, expire_seconds)
      values (${newJobId()}, ${job.name}, ${JSON.stringify(job.payload)}, ${job.key}, ${job.priority}, ${job.rateLimit},
        ${job.share}, now() + ${job.startAfter}::float8 * interval '1 s',
        ${job.attemptLimit}, ${job.retryDelay}, ${job.retryDelayMax}, ${job.expireSeconds})
    )
    select pg_notify(${jobChannel}, '')`);
}

export async function notifyJobs(db: Db): Promise<void> {
  await db.execute(sql`select pg_notify(${jobChannel}, '')`);
}

/**
 * Lets waiting jobs of the key start `startAfter` seconds from now where they were to start later. Those that wait for their
 * next attempt keep their pause, except `withRetries`.
 */
export async function bringForwardJobs(
  db: Db,
  job: Pick<JobRow, 'name' | 'startAfter'> & { readonly key: string; readonly withRetries: boolean },
): Promise<void> {
  const start = sql`now() + ${job.startAfter}::float8 * interval '1 s'`;
  await db
    .update(jobs)
    .set({ startAfter: start })
    .where(
      and(
        eq(jobs.name, job.name),
        eq(jobs.key, job.key),
        eq(jobs.state, 'waiting'),
        gt(jobs.startAfter, start),
        job.withRetries ? undefined : eq(jobs.attempt, 0),
      ),
    );
}

/**
 * Whether a job of the key is waiting. It is locked, so that it starts after the caller's transaction and sees what that
 * wrote.
 */
export async function lockWaitingJob(db: Db, name: string, key: string): Promise<boolean> {
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.name, name), eq(jobs.key, key), eq(jobs.state, 'waiting')))
    .limit(1)
    .for('share');
  return rows.length > 0;
}

export async function deleteWaitingJobs(db: Db, names: readonly string[]): Promise<void> {
  await db.delete(jobs).where(and(inArray(jobs.name, [...names]), eq(jobs.state, 'waiting')));
}

/** The columns of a waiting job. */
const waiting = `state = 'waiting', process = null, heartbeat_at = null`;

/** The columns of a failed job. */
const failed = `state = 'failed', process = null, heartbeat_at = null, failed_at = now()`;

const ofClaim = `id = $1 and attempt = $2 and process = $3 and state = 'running'`;

const ofClaims = `state = 'running' and (id, attempt, process) in (select * from unnest($1::uuid[], $2::int[], $3::int[]))`;

/** Changes running jobs and returns how many; completed rate-limited runs are recorded for the group's rates. */
const closeRuns = (change: string) => `
  with ended as (${change} returning rate_limit, share, started_at),
  recorded as (
    insert into rate_limited_runs (rate_limit, share, started_at, ended_at)
      select rate_limit, share, started_at, clock_timestamp() from ended where rate_limit is not null
  )
  select count(*)::int as count from ended`;

export const completeStatement = closeRuns(`delete from jobs where ${ofClaim}`);

/** $4: the error, $5: the time of the retry, or null for the job's own delay, half of it random. */
export const retryStatement = closeRuns(
  `update jobs set ${waiting}, error = $4,
     start_after = coalesce($5::timestamptz, now() + (0.5 + random() / 2) * interval '1 s'
       * least(retry_delay * 2 ^ least(attempt - 1, 16), retry_delay_max))
   where ${ofClaim}`,
);

/** $4: the error, $5: the time of the next run, at most a day ahead. */
export const postponeStatement = closeRuns(
  `update jobs set ${waiting}, attempt_limit = attempt_limit + 1, error = $4,
     start_after = least($5::timestamptz, now() + interval '1 day')
   where ${ofClaim}`,
);

/** $4: the error. */
export const failStatement = closeRuns(`update jobs set ${failed}, error = $4 where ${ofClaim}`);

export const handBackStatement = closeRuns(
  `update jobs set ${waiting}, attempt_limit = attempt_limit + 1, start_after = now() where ${ofClaims}`,
);

export const heartbeatStatement = `update jobs set heartbeat_at = now() where ${ofClaims} returning id`;

const claimOf = ({ id, attempt, process }: Claim) => [id, attempt, process];

const claimsOf = (claims: readonly Claim[]) => [
  claims.map(({ id }) => id),
  claims.map(({ attempt }) => attempt),
  claims.map(({ process }) => process),
];

/** Completes a run and its job successfully. */
export async function completeJob(pool: pg.Pool, claim: Claim): Promise<void> {
  await pool.query(completeStatement, claimOf(claim));
}

/** Completes a failed run; the next starts at `at`, or after the job's retry delay where that is null. */
export async function retryJob(
  pool: pg.Pool,
  claim: Claim,
  { error, at }: { readonly error: string; readonly at: Date | null },
): Promise<void> {
  await pool.query(retryStatement, [...claimOf(claim), error, at]);
}

/** Completes a run that does not count as an attempt; the next starts at `until`, at most a day ahead. */
export async function postponeJob(
  pool: pg.Pool,
  claim: Claim,
  { error, until }: { readonly error: string; readonly until: Date },
): Promise<void> {
  await pool.query(postponeStatement, [...claimOf(claim), error, until]);
}

/** Completes a run; its job has failed permanently. */
export async function failJob(pool: pg.Pool, claim: Claim, error: string): Promise<void> {
  await pool.query(failStatement, [...claimOf(claim), error]);
}

/** Makes jobs wait again, so that any process can run them at once; their runs do not count as attempts. */
export async function handBackJobs(pool: pg.Pool, claims: readonly Claim[]): Promise<void> {
  await pool.query(handBackStatement, claimsOf(claims));
}

/** Returns the ids of the jobs that this process still has: others were completed, or taken over. */
export async function sendHeartbeats(pool: pg.Pool, claims: readonly Claim[]): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(heartbeatStatement, claimsOf(claims));
  return new Set(rows.map(({ id }) => id));
}

const silentFor = (seconds: number) => `heartbeat_at < now() - interval '${seconds} s'`;

const processIsGone = `jobs.process is not null and not exists (
  select 1 from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 2
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ${processLocks} and l.objid::bigint = jobs.process)`;

/** How many closing runs, after the last attempt, may end without a report before the job fails. */
const closingRuns = 10;

/** $1: whether no other process is running, $2: the error of jobs that fail. */
export const reclaimStatement = closeRuns(
  `update jobs set process = null, heartbeat_at = null,
     state = case when attempt < attempt_limit + ${closingRuns} then 'waiting' else 'failed' end,
     failed_at = case when attempt < attempt_limit + ${closingRuns} then null else now() end,
     error = case when attempt < attempt_limit + ${closingRuns} then error else $2 end,
     start_after = case when attempt = 1 then now()
       else now() + least(retry_delay * 2 ^ least(attempt - 2, 16), retry_delay_max) * interval '1 s' end
   where state = 'running'
     and ($1 or ${silentFor(heartbeatSeconds)} or (${silentFor(orphanedSeconds)} and ${processIsGone}))`,
);

const anyLostStatement = `select 1 from jobs where state = 'running'
  and ($1 or ${silentFor(orphanedSeconds)}) limit 1`;

/**
 * Makes jobs wait again whose process is gone: all running ones when no other process is running, otherwise those without
 * a heartbeat. The first time they run again at once, later after the delays of failed ones, so that a job that crashes
 * its process does not stop the others. When a job's attempts are used up it gets a closing run, which reports the
 * failure. Returns whether there were any.
 */
export async function reclaimLostJobs(
  db: pg.Pool | pg.Client,
  { alone }: { readonly alone: boolean },
): Promise<boolean> {
  // Read first, since usually there is nothing to write.
  const { rows } = await db.query(anyLostStatement, [alone]);
  if (rows.length === 0) return false;
  const { rows: lost } = await db.query<{ count: number }>(reclaimStatement, [alone, exhausted]);
  return (lost[0]?.count ?? 0) > 0;
}

export async function deleteOldFailedJobs(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from jobs where state = 'failed' and failed_at < now() - interval '${failedDays} days'`,
  );
}

/** Makes a failed job wait again, as the last of its key, with all its attempts. False when there is no such failed job. */
export async function retryFailedJob(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .update(jobs)
    .set({
      state: 'waiting',
      attempt: 0,
      createdAt: sql`now()`,
      startAfter: sql`now()`,
      startedAt: null,
      failedAt: null,
      error: null,
    })
    .where(and(eq(jobs.id, id), eq(jobs.state, 'failed')))
    .returning({ id: jobs.id });
  if (rows.length > 0) await notifyJobs(db);
  return rows.length > 0;
}
