/** Tables of the queue: jobs, their schedules, and the limits that all processes share. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** A moment with microseconds, as precise as the order of jobs has to be. */
const exactMoment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * Jobs that are not done.
 *
 * ```
 * enqueue ─▶ waiting ── claim ─▶ running ── complete ─▶ (deleted)
 *              ▲ ▲                 │ │
 *              │ └─ retry, postpone, hand back, process lost ─┘ └─ fail ─▶ failed ── after 90 days ─▶ (deleted)
 *              └────────────────────── retried by a person ─────────────────┘
 * ```
 *
 * A claim is identified by id, `attempt` and `process`: a statement of a claim that was lost meanwhile changes nothing.
 * Jobs with the same name and `key` run one at a time in order of (`created_at`, `id`). A waiting job holds back the later
 * ones of its key when it has been tried before or its `start_after` has passed.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    payload: jsonb('payload').notNull(),
    state: text('state', { enum: ['waiting', 'running', 'failed'] })
      .notNull()
      .default('waiting'),
    key: text('key'),
    /** Higher starts first. */
    priority: integer('priority').notNull().default(0),
    /** The group in `rate_limits` whose limits apply to it; null for a job without limits. */
    rateLimit: text('rate_limit'),
    /** On whose behalf it waits, usually an organization's id: a group is shared fairly between these. Set where `rate_limit` is. */
    share: text('share'),
    createdAt: exactMoment('created_at').notNull().defaultNow(),
    startAfter: exactMoment('start_after').notNull().defaultNow(),
    /** How many runs have started. */
    attempt: integer('attempt').notNull().default(0),
    /** After so many runs it fails; a run that was postponed or handed back raises it by one. */
    attemptLimit: integer('attempt_limit').notNull(),
    /** Seconds before the second run; doubled with each further one up to `retry_delay_max`. */
    retryDelay: integer('retry_delay').notNull(),
    retryDelayMax: integer('retry_delay_max').notNull(),
    expireSeconds: integer('expire_seconds').notNull(),
    /**
     * The process that runs it, by the number of the advisory lock that the process holds while it runs; null for one of
     * 0.1.0, whose jobs the migration `0002_jobs.sql` bridges.
     */
    process: integer('process'),
    /** When its last run started. */
    startedAt: exactMoment('started_at'),
    heartbeatAt: exactMoment('heartbeat_at'),
    failedAt: moment('failed_at'),
    /** Why the last run failed or was postponed. */
    error: text('error'),
  },
  (table) => [
    check('jobs_state', sql`${table.state} in ('waiting', 'running', 'failed')`),
    index('jobs_waiting')
      .on(table.name, table.priority.desc().nullsFirst(), table.createdAt, table.id)
      .where(sql`state = 'waiting' and rate_limit is null`),
    index('jobs_waiting_of_rate_limit')
      .on(table.rateLimit, table.share, table.priority.desc().nullsFirst(), table.createdAt, table.id)
      .where(sql`state = 'waiting' and rate_limit is not null`),
    index('jobs_start_after').on(table.name, table.startAfter).where(sql`state = 'waiting'`),
    index('jobs_of_key')
      .on(table.name, table.key, table.createdAt, table.id)
      .where(sql`state <> 'failed' and key is not null`),
    index('jobs_running').on(table.rateLimit, table.share).where(sql`state = 'running'`),
    index('jobs_failed').on(table.failedAt).where(sql`state = 'failed'`),
  ],
);

/** At most `count` runs in any `ms` milliseconds. */
export interface RunRate {
  readonly count: number;
  readonly ms: number;
}

/** Groups of jobs that share limits, such as those that call one remote host or use one installation. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  /** How many jobs run at once in all processes together. */
  concurrency: integer('concurrency').notNull(),
  /** All of them apply at once; an empty list limits nothing. */
  rates: jsonb('rates').$type<readonly RunRate[]>().notNull(),
  /** Whether the limits were set explicitly; otherwise they come from the first job, and the row is deleted when no job uses it. */
  fixed: boolean('fixed').notNull().default(false),
  /** Nothing starts before this moment, as the remote side requested. */
  pausedUntil: moment('paused_until'),
  changedAt: moment('changed_at').notNull().defaultNow(),
});

/** Completed runs of rate-limited jobs, stored for as long as the group's rates count them. */
export const rateLimitedRuns = pgTable(
  'rate_limited_runs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    rateLimit: text('rate_limit').notNull(),
    share: text('share').notNull(),
    startedAt: exactMoment('started_at').notNull(),
    endedAt: exactMoment('ended_at').notNull(),
  },
  (table) => [
    index('rate_limited_runs_ended').on(table.rateLimit, table.endedAt),
    index('rate_limited_runs_started').on(table.rateLimit, table.share, table.startedAt),
  ],
);

/** Jobs that are enqueued again and again. */
export const jobSchedules = pgTable(
  'job_schedules',
  {
    name: text('name').notNull(),
    key: text('key').notNull(),
    cron: text('cron').notNull(),
    timeZone: text('time_zone').notNull(),
    payload: jsonb('payload').notNull(),
    /** How long after each scheduled time the job starts. */
    delaySeconds: integer('delay_seconds').notNull(),
    /** Scheduled times up to this moment are done. */
    doneUntil: exactMoment('done_until').notNull().defaultNow(),
    /** The first scheduled time after `done_until`; null until a process has evaluated the expression. */
    nextAt: exactMoment('next_at'),
  },
  (table) => [primaryKey({ columns: [table.name, table.key] }), index('job_schedules_next').on(table.nextAt)],
);

/**
 * The limits and runs of 0.1.0, which stored its jobs in tables of pg-boss. Processes of that release use these tables
 * during an update; 0.3.0 drops them.
 */
export const lanes = pgTable('lanes', {
  key: text('key').primaryKey(),
  concurrency: integer('concurrency').notNull(),
  rates: jsonb('rates').$type<readonly RunRate[]>().notNull(),
  fixed: boolean('fixed').notNull().default(false),
  pausedUntil: moment('paused_until'),
  changedAt: moment('changed_at').notNull().defaultNow(),
});

/** See {@link lanes}. */
export const laneRuns = pgTable(
  'lane_runs',
  {
    jobId: uuid('job_id').notNull(),
    attempt: integer('attempt').notNull(),
    lane: text('lane').notNull(),
    share: text('share').notNull(),
    process: integer('process').notNull(),
    startedAt: moment('started_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.attempt] }),
    index('lane_runs_of_lane').on(table.lane, table.endedAt),
    index('lane_runs_of_share').on(table.lane, table.share, table.startedAt),
  ],
);
