/** Tables of the GitHub App: what GitHub told us, which repository feeds which space, what was reported. */
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';

/** Webhook deliveries, under GitHub's own delivery id, so that a redelivery is recognised. */
export const deliveries = pgTable(
  'deliveries',
  {
    /** `X-GitHub-Delivery`. */
    id: text('id').primaryKey(),
    event: text('event').notNull(),
    action: text('action'),
    installationId: bigint('installation_id', { mode: 'number' }),
    repositoryId: bigint('repository_id', { mode: 'number' }),
    repository: text('repository'),
    /** The body as received. */
    payload: text('payload').notNull(),
    /** `received`, `done`, `ignored` (nobody listens to it) or `failed` (with `error`). */
    state: text('state').notNull().default('received'),
    error: text('error'),
    attempts: integer('attempts').notNull().default(0),
    receivedAt: moment('received_at').notNull().defaultNow(),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    index('deliveries_of_repository').on(table.repositoryId, table.receivedAt),
    index('deliveries_by_time').on(table.receivedAt),
  ],
);

/** One space bound to a repository, branch and directory. Repositories are known by id: names change. */
export const bindings = pgTable(
  'bindings',
  {
    id: id('id').primaryKey(),
    installationId: bigint('installation_id', { mode: 'number' }).notNull(),
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    /** `owner/name` as last seen. */
    repository: text('repository').notNull(),
    branch: text('branch').notNull(),
    /** Below the repository's root, without slashes at the ends; empty for the root. */
    directory: text('directory').notNull(),
    title: text('title').notNull(),
    /**
     * The platform's space; the platform may be another process, so this is no foreign key. Null from the
     * moment when the binding was reserved until its space was created. Two bindings never share a space.
     */
    spaceId: id('space_id'),
    /** The commit that is live, and the reason why the last try failed, if it did. */
    liveOid: text('live_oid'),
    lastError: text('last_error'),
    /** Commits whose status says that they are being imported, and not yet how that ended. */
    pendingOids: text('pending_oids').array().notNull().default(sql`'{}'`),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('bindings_place').on(table.repositoryId, table.branch, table.directory),
    uniqueIndex('bindings_space').on(table.spaceId),
  ],
);

/**
 * What a check run found, for the report page. The id is 20 random characters and is the key to the page:
 * who has the address from the check run may read it.
 */
export const reports = pgTable(
  'reports',
  {
    id: id('id').primaryKey(),
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    repository: text('repository').notNull(),
    pullNumber: integer('pull_number').notNull(),
    headOid: text('head_oid').notNull(),
    baseOid: text('base_oid').notNull(),
    checkRunId: bigint('check_run_id', { mode: 'number' }),
    /** `in_progress`, then the check run's conclusion: `success`, `failure` or `neutral`. */
    conclusion: text('conclusion').notNull(),
    report: jsonb('report').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('reports_of_head').on(table.repositoryId, table.pullNumber, table.headOid)],
);
