/** Tables of the queue's lanes, beside those of pg-boss: what may run at once and how often, shared by all processes. */
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** At most `count` runs in any `ms` milliseconds. */
export interface LaneRate {
  readonly count: number;
  readonly ms: number;
}

/** One way out, such as a remote host or an installation, with its limits. */
export const lanes = pgTable('lanes', {
  key: text('key').primaryKey(),
  concurrency: integer('concurrency').notNull(),
  /** All of them hold at once; none where the list is empty. */
  rates: jsonb('rates').$type<readonly LaneRate[]>().notNull(),
  /** Set by somebody; otherwise they are those of the job that came first, and the lane is forgotten when it is empty. */
  fixed: boolean('fixed').notNull().default(false),
  /** Nothing starts before this moment: the other side asked for it. */
  pausedUntil: moment('paused_until'),
  changedAt: moment('changed_at').notNull().defaultNow(),
});

/** Runs of jobs in their lane, kept for as long as the lane's rates look back. */
export const laneRuns = pgTable(
  'lane_runs',
  {
    jobId: uuid('job_id').notNull(),
    /** The job's `retry_count` when it was claimed. */
    attempt: integer('attempt').notNull(),
    lane: text('lane').notNull(),
    /** Whose turn it was, usually an organization's id: the lane is shared fairly between them. */
    share: text('share').notNull(),
    /** The process that runs it, by the number of the lock that it holds while it lives. */
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
