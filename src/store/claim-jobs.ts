/**
 * Claims jobs for a process. Only one process at a time counts and claims jobs, so two processes never start jobs of one
 * key, or more jobs of a rate-limit group than its limits allow.
 *
 * A rate-limited run counts for a rate from its start until the rate's time after its **end**. The call that it makes
 * reaches the remote side between these two, so no window of that length, measured there, ever contains more calls than
 * the rate allows, however long a call is under way.
 */
import type pg from 'pg';
import type { Claim } from './jobs.ts';

/** The advisory locks for claiming jobs without limits, and rate-limited ones. */
const claimingPlain = 0x6a6f6273;
const claimingLimited = 0x6c616e65;

/** Added to each rate's time, since clocks run at different speeds. */
const marginMs = 5;

/** A job that a process has claimed and must run. */
export interface ClaimedJob extends Claim {
  readonly name: string;
  readonly payload: unknown;
  readonly attemptLimit: number;
  readonly expireSeconds: number;
  readonly rateLimit: string | null;
}

export interface ClaimRequest {
  /** At most how many jobs of each kind. */
  readonly room: ReadonlyMap<string, number>;
  /** The number of the process that will run them. */
  readonly process: number;
}

/** Whether an earlier job of the same key must be completed before `j` starts. */
const blocked = `j.key is not null and exists (
  select 1 from jobs b where b.name = j.name and b.key = j.key and b.state <> 'failed' and b.id <> j.id
    and (b.state = 'running' or (b.attempt > 0 or b.start_after <= now()) and (b.created_at, b.id) < (j.created_at, j.id)))`;

/** $3: the process. */
const claim = `state = 'running', attempt = attempt + 1, process = $3::int, started_at = now(), heartbeat_at = now()`;

const claimed = (job: string) => `${job}.id, ${job}.name, ${job}.payload, ${job}.attempt, ${job}.process,
  ${job}.attempt_limit as "attemptLimit", ${job}.expire_seconds as "expireSeconds", ${job}.rate_limit as "rateLimit"`;

/** $1, $2: how many jobs of each kind. Jobs that another transaction has locked are skipped. */
const claimPlainStatement = `
  with next as (
    select first.id from unnest($1::text[], $2::int[]) as capacity (name, room) cross join lateral (
      select j.id from jobs j
      where j.name = capacity.name and j.state = 'waiting' and j.rate_limit is null and j.start_after <= now()
        and not (${blocked})
      order by j.priority desc, j.created_at, j.id limit capacity.room for update skip locked
    ) first
  )
  update jobs j set ${claim} from next where j.id = next.id returning ${claimed('j')}`;

const nextPlainStatement = `
  select ceil(extract(epoch from min(later.start_after) - clock_timestamp()) * 1000)::float8 as ms
  from unnest($1::text[]) as kind (name) cross join lateral (
    select j.start_after from jobs j where j.state = 'waiting' and j.rate_limit is null and j.name = kind.name
      and j.start_after > now() order by j.start_after limit 1) later`;

/**
 * Claims jobs without limits: of each kind those with the highest priority, among equals the oldest. Jobs of one key run
 * one at a time, in their order. `nextMs` is the time until the next waiting job is due; null when there is none.
 */
export async function claimPlainJobs(
  pool: pg.Pool,
  { room, process }: ClaimRequest,
): Promise<{ readonly claims: readonly ClaimedJob[]; readonly nextMs: number | null }> {
  const names = [...room.keys()];
  return await claimAlone(pool, claimingPlain, async (client) => {
    const { rows } = await client.query<ClaimedJob>({
      name: 'docloom-claim-plain',
      text: claimPlainStatement,
      values: [names, [...room.values()], process],
    });
    const { rows: next } = await client.query<{ ms: number | null }>({
      name: 'docloom-next-plain',
      text: nextPlainStatement,
      values: [names],
    });
    return { claims: rows, nextMs: next[0]?.ms ?? null };
  });
}

/** How many groups one claim considers at most, so that its cost does not grow with their number. */
const groupsAtOnce = 200;

/**
 * The groups to consider: where few jobs are due, those of these jobs; otherwise the next `groupsAtOnce` groups with waiting
 * jobs after a key, found by steps through the index instead of reading all jobs.
 */
const waitingGroups = (after: string) => `
  due (key) as materialized (
    select j.rate_limit from jobs j where j.state = 'waiting' and j.rate_limit is not null
      and j.name = any($1::text[]) and j.start_after <= now() limit ${groupsAtOnce + 1}
  ),
  stepped (key, nth) as (
    (select j.rate_limit, 1 from jobs j where j.state = 'waiting' and j.rate_limit > coalesce(${after}::text, '')
      and (select count(*) from due) > ${groupsAtOnce} order by j.rate_limit limit 1)
    union all
    select (select j.rate_limit from jobs j where j.state = 'waiting' and j.rate_limit > s.key order by j.rate_limit limit 1),
      s.nth + 1
    from stepped s where s.key is not null and s.nth < ${groupsAtOnce}
  ),
  waiting (key) as materialized (
    select distinct key from due where (select count(*) from due) <= ${groupsAtOnce}
    union all
    select key from stepped where key is not null
  )`;

const running = (group: string) =>
  `(select count(*) from jobs r where r.state = 'running' and r.rate_limit = ${group})`;

/** Runs that count for a rate: running ones, and those that ended within its time. */
const used = (rate: string, group: string) => `(${running(group)} + (
  select count(*) from rate_limited_runs u where u.rate_limit = ${group}
    and u.ended_at > now() - (${rate}.ms + ${marginMs}) * interval '1 ms'))`;

/** $1, $2: how many jobs of each kind, $4: the cursor. */
const claimLimitedStatement = `
  with recursive ${waitingGroups('$4')},
  free as materialized (
    select l.key, least(
        l.concurrency - ${running('l.key')},
        (select min(x.count - ${used('x', 'l.key')}) from jsonb_to_recordset(l.rates) as x (count int, ms int))
      )::int as room
    from waiting w join rate_limits l on l.key = w.key
    where l.paused_until is null or l.paused_until <= now()
  ),
  next as (
    select chosen.*, row_number() over (
      partition by chosen.name order by chosen.priority desc, chosen.turn, chosen.created_at, chosen.id) as nth
    from free f cross join lateral (
      with recursive shares (share) as (
        (select share from jobs where state = 'waiting' and rate_limit = f.key order by share limit 1)
        union all
        select (select j.share from jobs j where j.state = 'waiting' and j.rate_limit = f.key and j.share > s.share
          order by j.share limit 1)
        from shares s where s.share is not null
      )
      select first.id, first.name, first.priority, first.created_at,
        row_number() over (order by first.priority desc, before.running + first.nth, before.last_start nulls first,
          first.created_at, first.id) as turn
      from shares s
      cross join lateral (
        select count(*) as running, greatest(max(r.started_at), (
          select max(e.started_at) from rate_limited_runs e where e.rate_limit = f.key and e.share = s.share)) as last_start
        from jobs r where r.state = 'running' and r.rate_limit = f.key and r.share = s.share
      ) before
      cross join lateral (
        select j.id, j.name, j.priority, j.created_at,
          row_number() over (order by j.priority desc, j.created_at, j.id) as nth
        from jobs j
        where j.state = 'waiting' and j.rate_limit = f.key and j.share = s.share and j.name = any($1::text[])
          and j.start_after <= now() and not (${blocked})
        order by j.priority desc, j.created_at, j.id limit f.room
      ) first
      order by turn limit f.room
    ) chosen
    where f.room > 0
  ),
  locked as (
    select j.id from jobs j join next n on n.id = j.id
      join unnest($1::text[], $2::int[]) as capacity (name, room) on capacity.name = n.name and n.nth <= capacity.room
    where j.state = 'waiting' for update of j skip locked
  )
  update jobs j set ${claim} from locked where j.id = locked.id returning ${claimed('j')}`;

const nextLimitedStatement = `
  with recursive ${waitingGroups('$2')}
  select ceil(extract(epoch from least(
      min(l.paused_until) filter (where l.paused_until > now()),
      min(full_until.moment),
      (select min(later.start_after) from unnest($1::text[]) as kind (name) cross join lateral (
        select j.start_after from jobs j where j.state = 'waiting' and j.rate_limit is not null
          and j.name = kind.name and j.start_after > now() order by j.start_after limit 1) later)
    ) - clock_timestamp()) * 1000)::float8 as ms,
    (select max(key) from stepped having count(key) = ${groupsAtOnce}) as cursor
  from waiting w join rate_limits l on l.key = w.key
  left join lateral (
    select max((select u.ended_at from rate_limited_runs u where u.rate_limit = l.key
        and u.ended_at > now() - (x.ms + ${marginMs}) * interval '1 ms' order by u.ended_at limit 1)
        + (x.ms + ${marginMs}) * interval '1 ms') as moment
    from jsonb_to_recordset(l.rates) as x (count int, ms int)
    where ${used('x', 'l.key')} >= x.count
  ) full_until on true`;

/**
 * Claims rate-limited jobs whose groups have room. In a group the highest priority goes first; among equals, the share
 * that has the fewest running jobs and was served longest ago. Jobs of one key run one at a time, in their order.
 *
 * `nextMs` is the time until a full group has room again or a waiting job is due, as far as that is known: a completed run
 * may make room earlier. Where more groups wait than one claim considers, `cursor` is where the next claim continues; null
 * at the end.
 *
 * @param request.cursor as the previous claim returned it; null for the first.
 */
export async function claimLimitedJobs(
  pool: pg.Pool,
  { room, process, cursor }: ClaimRequest & { readonly cursor: string | null },
): Promise<{
  readonly claims: readonly ClaimedJob[];
  readonly nextMs: number | null;
  readonly cursor: string | null;
}> {
  const names = [...room.keys()];
  return await claimAlone(pool, claimingLimited, async (client) => {
    const { rows } = await client.query<ClaimedJob>({
      name: 'docloom-claim-limited',
      text: claimLimitedStatement,
      values: [names, [...room.values()], process, cursor],
    });
    const { rows: next } = await client.query<{ ms: number | null; cursor: string | null }>({
      name: 'docloom-next-limited',
      text: nextLimitedStatement,
      values: [names, cursor],
    });
    return { claims: rows, nextMs: next[0]?.ms ?? null, cursor: next[0]?.cursor ?? null };
  });
}

/** Runs the statements separately after the lock is acquired, so that they see what others claimed before. */
async function claimAlone<T>(
  pool: pg.Pool,
  lock: number,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query(`begin; select pg_advisory_xact_lock(${lock})`);
    const result = await run(client);
    await client.query('commit');
    broken = false;
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => (broken = false),
      () => {},
    );
    throw error;
  } finally {
    client.release(broken);
  }
}
