/** Tables of the GitHub App: what GitHub told us, which repository feeds which space, what was reported. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
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
    /**
     * `received`, `done`, `ignored` (nobody listens to it), `failed` (with `error`) or `redelivered`: it never came
     * here, and GitHub was asked to send it again (`error` says why).
     */
    state: text('state').notNull().default('received'),
    error: text('error'),
    attempts: integer('attempts').notNull().default(0),
    /** How often GitHub was asked to send it again, and when last. */
    redeliveries: integer('redeliveries').notNull().default(0),
    requestedAt: moment('asked_at'),
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
    /** Whether the configuration names the branch; otherwise it is the default one, whichever that becomes. */
    pinned: boolean('pinned').notNull().default(false),
    /** `import`, `export` or `both`: what the configuration lets flow. */
    direction: text('direction').notNull().default('import'),
    /**
     * The platform's space; the platform may be another process, so this is no foreign key. Null from the
     * moment when the binding was reserved until its space was created. Two bindings never share a space.
     */
    spaceId: id('space_id'),
    /** The commit that is live, and the reason why the last try failed, if it did. */
    liveOid: text('live_oid'),
    lastError: text('last_error'),
    /** Of a pinned one: the commit of its branch whose sync came to its end, good or bad. */
    settledOid: text('settled_oid'),
    /** Commits whose status says that they are being imported, and not yet how that ended. */
    pendingOids: text('pending_oids').array().notNull().default(sql`'{}'`),
    /** Why pushes no longer reach the space, in a sentence; null while they do. */
    disconnected: text('disconnected'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('bindings_place').on(table.repositoryId, table.branch, table.directory),
    uniqueIndex('bindings_space').on(table.spaceId),
  ],
);

/** A repository that the App is, or was, installed on, as it was last seen. */
export const repositories = pgTable(
  'repositories',
  {
    id: bigint('id', { mode: 'number' }).primaryKey(),
    installationId: bigint('installation_id', { mode: 'number' }).notNull(),
    /** `owner/name`. */
    fullName: text('full_name').notNull(),
    defaultBranch: text('default_branch').notNull(),
    /** Why nothing of it reaches us now, in a sentence; null while it does. */
    disconnected: text('disconnected'),
    /** The commit of the bound branch whose sync came to its end, good or bad. */
    settledBranch: text('settled_branch'),
    settledOid: text('settled_oid'),
    /** The commit for which the reconciler last asked for a sync, and when. */
    triedOid: text('tried_oid'),
    triedAt: moment('tried_at'),
    /** When the reconciler last compared it with GitHub. */
    reconciledAt: moment('looked_at'),
    /**
     * The configuration in force: the last one without a mistake (null when there was no file), and the commit that it
     * was read at; null before any was read.
     */
    configText: text('config_text'),
    configOid: text('config_oid'),
    /** What is wrong with the newest one, which is then not the one in force; null while it is. */
    configError: text('config_error'),
    /** The pull request that proposes a configuration: `open`, or `closed` for good; null before there was one. */
    onboarding: text('onboarding'),
    onboardingPull: integer('onboarding_pull'),
    /** The digest of what it says, so that only what differs is written. */
    onboardingDigest: text('onboarding_digest'),
  },
  (table) => [index('repositories_of_installation').on(table.installationId, table.reconciledAt)],
);

/** What GitHub answered to a conditional request, under our name for the request: asked again, "unchanged" costs nothing. */
export const answers = pgTable(
  'github_answers',
  {
    key: text('key').primaryKey(),
    etag: text('etag').notNull(),
    /** The fields that we use. */
    value: jsonb('value').notNull(),
    usedAt: moment('used_at').notNull().defaultNow(),
  },
  (table) => [index('github_answers_by_use').on(table.usedAt)],
);

/** When calls of a kind that GitHub limits by the minute began, of late: all processes count them together. */
export const callWindows = pgTable('call_windows', {
  /** Such as an installation's writes. */
  key: text('key').primaryKey(),
  /** Oldest first, no more than the rate allows. */
  starts: moment('starts').array().notNull(),
});

/** Work that one of several processes does, every so often. */
export const claimedIntervals = pgTable('turns', {
  name: text('name').primaryKey(),
  claimedAt: moment('taken_at').notNull(),
});

/**
 * What a check run found, for the report page. The id is 20 random characters and is the key to the page:
 * who has the address from the check run may read it.
 */
export const reports = pgTable(
  'reports',
  {
    id: id('id').primaryKey(),
    /** What was looked at: `links`, or the specifications of APIs (`api`). */
    kind: text('kind').$type<'links' | 'api'>().notNull(),
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    repository: text('repository').notNull(),
    pullNumber: integer('pull_number').notNull(),
    headOid: text('head_oid').notNull(),
    baseOid: text('base_oid').notNull(),
    /** The delivery by which someone asked to have it checked again, last. */
    rerunBy: text('rerun_by'),
    /** `in_progress`, then the check run's conclusion: `success`, `failure` or `neutral`. */
    conclusion: text('conclusion').notNull(),
    report: jsonb('report').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('reports_of_head').on(table.repositoryId, table.pullNumber, table.headOid, table.kind),
  ],
);

/** What a completed check run says, but for its annotations. */
export interface RunVerdict {
  readonly conclusion: 'success' | 'failure' | 'neutral';
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  /** Its buttons; none when absent. */
  readonly actions?: readonly RunAction[];
}

/** A button of a check run. https://docs.github.com/rest/checks/runs */
export interface RunAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

/** The check runs that tell a report: one of the whole, or of links one of each space. Of each name only the newest. */
export const reportRuns = pgTable(
  'report_runs',
  {
    /** GitHub's. */
    id: bigint('id', { mode: 'number' }).primaryKey(),
    reportId: id('report_id')
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
    /** What the report was measured against then. */
    baseOid: text('base_oid').notNull(),
    name: text('name').notNull(),
    /** Of the space that it is about; null for all of them. */
    directory: text('directory'),
    /** The digest of its verdict with all annotations; null while it has none. */
    verdictDigest: text('told'),
    /** What it was completed with last, be it a verdict or why there is none; null while it is in progress. */
    verdict: jsonb('verdict').$type<RunVerdict>(),
    /** How many annotations it was given, which nobody can take back. */
    annotations: integer('annotations').notNull().default(0),
  },
  (table) => [index('report_runs_of_report').on(table.reportId)],
);
