/**
 * What may run at once and how often in a lane, counted in the database, so that all processes share it.
 *
 * A run counts for a rate from its start until the rate's time after its **end**. The call that it makes reaches the
 * other side somewhere between the two, so no window of that length, measured there, ever holds more than the rate
 * allows, however long a call was on its way.
 */
import type pg from 'pg';
import type { LaneRate } from '../store/index.ts';
import { type Claim, jobSchema } from './job-table.ts';

const jobs = `${jobSchema}.job`;

/** The advisory lock of who hands out turns: what is free is counted and taken by one process at a time. */
const handingOut = 0x6c616e65;

/** Added to each rate's time: moments are kept in whole milliseconds, and clocks tick differently. */
const marginMs = 5;

export interface SharedLimits {
  /** How many jobs run at once, in all processes together. */
  readonly concurrency: number;
  /** At most so many start in so many milliseconds; all hold. At most a day each. */
  readonly rates?: readonly LaneRate[];
}

export interface LaneState extends SharedLimits {
  readonly key: string;
  readonly rates: readonly LaneRate[];
  readonly waiting: number;
  readonly running: number;
  readonly pausedUntil: Date | null;
  /** When the last job started, as far as it is remembered. */
  readonly lastStart: Date | null;
}

/** A job whose turn has come, claimed by this process. */
export interface LaneClaim extends Claim {
  readonly name: string;
  readonly data: unknown;
  readonly lane: string;
  readonly retryLimit: number;
  readonly expireInSeconds: number;
}

export interface TurnsWanted {
  /** How many jobs of each kind. */
  readonly room: ReadonlyMap<string, number>;
  /** The number of the process that will run them. */
  readonly process: number;
  /** As the look before answered it. */
  readonly cursor: string | null;
}

/**
 * Claims jobs whose lanes are free for them, for a process: at most `room` of each kind. In a lane the highest priority goes first;
 * among equals, whoever has the fewest running and was served longest ago. Jobs of one key run one at a time, in
 * their order. `nextMs` says in how many milliseconds a lane that is full now has room again or a waiting job's time
 * comes, as far as that is known: the end of a run may make room earlier. Where more lanes wait than one look takes,
 * `cursor` says where the next one goes on; null at the end.
 */
export async function claimTurns(
  pool: pg.Pool,
  { room, process, cursor }: TurnsWanted,
): Promise<{
  readonly claims: readonly LaneClaim[];
  readonly nextMs: number | null;
  readonly cursor: string | null;
}> {
  const client = await pool.connect();
  let broken = true;
  try {
    // Statements of their own: the next one sees what others took until we got the lock. A claim does not wait for the
    // disk: when the database's machine dies, the last ones may be undone and their jobs run again, which all stand.
    await client.query(
      `begin; set local synchronous_commit = off; select pg_advisory_xact_lock(${handingOut})`,
    );
    const names = [...room.keys()];
    const { rows } = await client.query<LaneClaim>({
      name: 'docloom-claim-turns',
      text: claimStatement,
      values: [names, [...room.values()], process, cursor],
    });
    const { rows: next } = await client.query<{ ms: number | null; cursor: string | null }>({
      name: 'docloom-next-turn',
      text: nextStatement,
      values: [names, cursor],
    });
    await client.query('commit');
    broken = false;
    return { claims: rows, nextMs: next[0]?.ms ?? null, cursor: next[0]?.cursor ?? null };
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

/** One look takes so many lanes at most: what it costs does not grow with how many there are. */
const lanesAtOnce = 200;

/**
 * The lanes to look at. Where few jobs are due, those that have one. Otherwise so many lanes with waiting jobs from a key
 * on, found by steps through the index instead of reading all jobs.
 */
const waitingLanes = (after: string) => `
  due (key) as materialized (
    select j.group_id from ${jobs} j where j.state < 'active' and j.group_id is not null
      and j.name = any($1::text[]) and j.start_after <= now() limit ${lanesAtOnce + 1}
  ),
  stepped (key, nth) as (
    (select j.group_id, 1 from ${jobs} j where j.state < 'active' and j.group_id > coalesce(${after}::text, '')
      and (select count(*) from due) > ${lanesAtOnce} order by j.group_id limit 1)
    union all
    select (select j.group_id from ${jobs} j where j.state < 'active' and j.group_id > s.key order by j.group_id limit 1),
      s.nth + 1
    from stepped s where s.key is not null and s.nth < ${lanesAtOnce}
  ),
  waiting (key) as materialized (
    select distinct key from due where (select count(*) from due) <= ${lanesAtOnce}
    union all
    select key from stepped where key is not null
  )`;

/** Runs under way, and those that ended within a rate's time: counted apart, since each is a range of the index. */
const underWay = (lane: string) =>
  `(select count(*) from lane_runs r where r.lane = ${lane} and r.ended_at is null)`;

const used = (rate: string, lane: string) => `(${underWay(lane)} + (
  select count(*) from lane_runs u where u.lane = ${lane}
    and u.ended_at > now() - (${rate}.ms + ${marginMs}) * interval '1 ms'))`;

const claimStatement = `
  with recursive ${waitingLanes('$4')},
  free as materialized (
    select l.key, least(
        l.concurrency - ${underWay('l.key')},
        (select min(x.count - ${used('x', 'l.key')}) from jsonb_to_recordset(l.rates) as x (count int, ms int))
      )::int as room
    from waiting w join lanes l on l.key = w.key
    where l.paused_until is null or l.paused_until <= now()
  ),
  next as (
    select chosen.*, row_number() over (partition by chosen.name order by chosen.priority desc, chosen.place, chosen.created_on, chosen.id) as nth
    from free f cross join lateral (
      with recursive shares (share) as (
        (select group_tier from ${jobs} where state < 'active' and group_id = f.key order by group_tier limit 1)
        union all
        select (select j.group_tier from ${jobs} j where j.state < 'active' and j.group_id = f.key and j.group_tier > s.share
          order by j.group_tier limit 1)
        from shares s where s.share is not null
      )
      select first.id, first.name, first.priority, first.created_on, s.share,
        row_number() over (order by first.priority desc, before.running + first.place, before.last_start nulls first,
          first.created_on, first.id) as place
      from shares s
      cross join lateral (
        select
          (select count(*) from lane_runs r where r.lane = f.key and r.ended_at is null and r.share = s.share) as running,
          (select max(r.started_at) from lane_runs r where r.lane = f.key and r.share = s.share) as last_start
      ) before
      cross join lateral (
        select j.id, j.name, j.priority, j.created_on,
          row_number() over (order by j.priority desc, j.created_on, j.id) as place
        from ${jobs} j
        where j.state < 'active' and j.group_id = f.key and j.group_tier = s.share and j.name = any($1::text[])
          and j.start_after <= now()
          and (j.singleton_key is null or not exists (
            select 1 from ${jobs} b where b.name = j.name and b.singleton_key = j.singleton_key and b.group_id is not null
              and (b.state = 'active' or b.state < 'active' and (b.state = 'retry' or b.start_after <= now())
                and (b.created_on, b.id) < (j.created_on, j.id))))
        order by j.priority desc, j.created_on, j.id limit f.room
      ) first
      order by place limit f.room
    ) chosen
    where f.room > 0
  ),
  claimed as (
    update ${jobs} j set state = 'active', started_on = now(), heartbeat_on = now(),
      retry_count = case when j.started_on is not null then j.retry_count + 1 else j.retry_count end
    from next n join unnest($1::text[], $2::int[]) as capacity (name, room) on capacity.name = n.name
    where j.id = n.id and j.name = n.name and n.nth <= capacity.room
    returning j.id, j.name, j.data, j.retry_count, j.retry_limit, j.expire_seconds, j.group_id, j.group_tier
  ),
  noted as (
    insert into lane_runs (job_id, attempt, lane, share, process)
    select id, retry_count, group_id, group_tier, $3::int from claimed
  )
  select id, name, data, retry_count as "retryCount", retry_limit as "retryLimit",
    expire_seconds as "expireInSeconds", group_id as lane from claimed`;

const nextStatement = `
  with recursive ${waitingLanes('$2')}
  select ceil(extract(epoch from least(
      min(l.paused_until) filter (where l.paused_until > now()),
      min(full_until.moment),
      (select min(later.start_after) from unnest($1::text[]) as kind (name) cross join lateral (
        select j.start_after from ${jobs} j where j.state < 'active' and j.group_id is not null
          and j.name = kind.name and j.start_after > now() order by j.start_after limit 1) later)
    ) - clock_timestamp()) * 1000)::float8 as ms,
    (select max(key) from stepped having count(key) = ${lanesAtOnce}) as cursor
  from waiting w join lanes l on l.key = w.key
  left join lateral (
    select max((select u.ended_at from lane_runs u where u.lane = l.key
        and u.ended_at > now() - (x.ms + ${marginMs}) * interval '1 ms' order by u.ended_at limit 1)
        + (x.ms + ${marginMs}) * interval '1 ms') as moment
    from jsonb_to_recordset(l.rates) as x (count int, ms int)
    where ${used('x', 'l.key')} >= x.count
  ) full_until on true`;

/** Ends a run: its job is done, or tried again, as the caller writes in the same statement. */
async function endRun(pool: pg.Pool, { id, retryCount }: Claim, change: string, values: readonly unknown[]) {
  await pool.query(
    `with ended as (
       update lane_runs set ended_at = clock_timestamp() where job_id = $1 and attempt = $2 and ended_at is null
     )
     update ${jobs} set ${change} where id = $1 and state = 'active' and retry_count = $2`,
    [id, retryCount, ...values],
  );
}

export async function completeTurn(pool: pg.Pool, claim: Claim): Promise<void> {
  await endRun(pool, claim, `state = 'completed', completed_on = now(), heartbeat_on = null`, []);
}

/** Has a job tried again: at the moment that was asked for, or after its kind's pause, half of it left to chance. */
export async function retryTurn(
  pool: pg.Pool,
  claim: Claim,
  { message, at }: { readonly message: string; readonly at: Date | null },
): Promise<void> {
  await endRun(
    pool,
    claim,
    `state = 'retry', heartbeat_on = null, output = $3,
     start_after = coalesce($4::timestamptz, now() + (0.5 + random() / 2) * interval '1 s'
       * least(retry_delay * 2 ^ least(retry_count, 16), coalesce(retry_delay_max, 3600)))`,
    [{ message }, at],
  );
}

/**
 * Frees the places of runs that nobody ended: their process was killed, and their jobs were taken back. Forgets
 * those that no rate looks back to.
 */
export async function tidyRuns(db: pg.Pool | pg.Client): Promise<void> {
  await db.query(
    `update lane_runs r set ended_at = clock_timestamp() where ended_at is null and not exists (
       select 1 from ${jobs} j where j.id = r.job_id and j.state = 'active' and j.retry_count = r.attempt)`,
  );
  await db.query(
    `delete from lane_runs r using lanes l where l.key = r.lane and r.ended_at < now() - interval '1 minute'
       - coalesce((select max(x.ms) from jsonb_to_recordset(l.rates) as x (ms int)), 0) * interval '1 ms'`,
  );
}

/** Forgets lanes that nobody uses, a hundred at a time. */
export async function forgetLanes(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    // Who puts a job in holds its lane; with ours held, the next statement sees every job that is in it.
    const { rows } = await client.query<{ key: string }>(
      `select key from lanes where not fixed and (paused_until is null or paused_until < now())
         and changed_at < now() - interval '1 hour' order by changed_at limit 100 for update skip locked`,
    );
    await client.query(
      `delete from lanes l where key = any($1::text[])
         and not exists (select 1 from lane_runs r where r.lane = l.key)
         and not exists (select 1 from ${jobs} j where j.group_id = l.key and j.state <= 'active')
         and not exists (select 1 from ${jobSchema}.schedule s where s.options->'group'->>'id' = l.key)`,
      [rows.map(({ key }) => key)],
    );
    await client.query(`update lanes set changed_at = now() where key = any($1::text[])`, [
      rows.map(({ key }) => key),
    ]);
    await client.query('commit');
    broken = false;
  } finally {
    client.release(broken);
  }
}

type Run = (text: string, values: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;

/** Sets the limits of a lane. */
export async function writeLane(
  run: Run,
  key: string,
  { concurrency, rates = [] }: SharedLimits,
): Promise<void> {
  checkLimits(key, { concurrency, rates });
  await run(
    `insert into lanes (key, concurrency, rates, fixed) values ($1, $2, $3, true) on conflict (key) do
       update set concurrency = excluded.concurrency, rates = excluded.rates, fixed = true, changed_at = now()`,
    [key, concurrency, JSON.stringify(rates)],
  );
}

/** Makes a lane where it is not there, and holds it until the end of the caller's transaction. */
export async function holdLane(
  run: Run,
  key: string,
  { concurrency, rates = [] }: SharedLimits,
): Promise<void> {
  checkLimits(key, { concurrency, rates });
  for (;;) {
    const { rows } = await run('select 1 from lanes where key = $1 for key share', [key]);
    if (rows.length > 0) return;
    await run(
      'insert into lanes (key, concurrency, rates) values ($1, $2, $3) on conflict (key) do nothing',
      [key, concurrency, JSON.stringify(rates)],
    );
  }
}

const dayMs = 24 * 60 * 60 * 1000;

function checkLimits(key: string, { concurrency, rates }: Required<SharedLimits>): void {
  const whole = (value: number, max: number) => Number.isInteger(value) && value >= 1 && value <= max;
  const good =
    whole(concurrency, 10_000) && rates.every(({ count, ms }) => whole(count, 1_000_000) && whole(ms, dayMs));
  if (!good) {
    throw new TypeError(
      `The limits of the lane ${key} are wrong: its concurrency, and count and ms of its rates, must be whole numbers from 1, and no rate may look back further than a day.`,
    );
  }
}

export async function pauseLane(pool: pg.Pool, key: string, until: Date): Promise<void> {
  await pool.query(
    `update lanes set paused_until = greatest(paused_until, least($2::timestamptz, now() + interval '1 day'))
     where key = $1`,
    [key, until],
  );
}

export async function listLanes(pool: pg.Pool): Promise<LaneState[]> {
  const { rows } = await pool.query<LaneState>(
    `select l.key, l.concurrency, l.rates, coalesce(j.waiting, 0)::int as waiting, coalesce(j.running, 0)::int as running,
       case when l.paused_until > now() then l.paused_until end as "pausedUntil",
       (select max(r.started_at) from lane_runs r where r.lane = l.key) as "lastStart"
     from lanes l left join (
       select group_id, count(*) filter (where state < 'active') as waiting, count(*) filter (where state = 'active') as running
       from ${jobs} where state <= 'active' and group_id is not null group by group_id
     ) j on j.group_id = l.key
     where j.group_id is not null or l.paused_until > now()
     order by l.key limit 1000`,
  );
  return rows;
}

/** The indexes that turns are found by: those due now, when the next is, and the jobs of a key in order. */
export async function indexTurns(pool: pg.Pool): Promise<void> {
  // One statement string is one transaction; of processes that start at once, one makes them and the others wait.
  await pool.query(
    `select pg_advisory_xact_lock(${handingOut});
     create index if not exists docloom_lane on ${jobs} (group_id, group_tier, priority desc, created_on, id)
       where state < 'active' and group_id is not null;
     create index if not exists docloom_lane_time on ${jobs} (name, start_after)
       where state < 'active' and group_id is not null;
     create index if not exists docloom_lane_key on ${jobs} (name, singleton_key, created_on, id)
       where state <= 'active' and group_id is not null and singleton_key is not null`,
  );
}
