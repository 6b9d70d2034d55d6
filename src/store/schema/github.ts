/** Tables of the GitHub App: what GitHub sent, which repository feeds which space, what was reported. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';

/** Webhook deliveries by GitHub's delivery id, so that a redelivery is recognised. */
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
    /** The body as received; empty when it never arrived, or was too large to be retained after its work. */
    payload: text('payload').notNull(),
    /**
     * `received`, `done`, `ignored` (no handler for the event), `failed` (with `error`) or `redelivered`: it never
     * arrived, and a redelivery was requested (`error` states why).
     */
    state: text('state').notNull().default('received'),
    error: text('error'),
    attempts: integer('attempts').notNull().default(0),
    /** How often a redelivery was requested, and when the last time. */
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

/** A space bound to a repository, branch and directory. Repositories are identified by id: names change. */
export const bindings = pgTable(
  'bindings',
  {
    id: id('id').primaryKey(),
    installationId: bigint('installation_id', { mode: 'number' }).notNull(),
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    /** `owner/name` as last seen. */
    repository: text('repository').notNull(),
    branch: text('branch').notNull(),
    /** Relative to the repository's root, without leading and trailing slashes; empty for the root. */
    directory: text('directory').notNull(),
    title: text('title').notNull(),
    /** Whether the configuration names the branch; otherwise it is the default branch, also when that changes. */
    pinned: boolean('pinned').notNull().default(false),
    /** `import`, `export` or `both`: what the configuration enables. */
    direction: text('direction').notNull().default('import'),
    /**
     * The platform's space. No foreign key, since the platform may be another process. Null from the reservation of the
     * binding until its space is created. Two bindings never share a space.
     */
    spaceId: id('space_id'),
    /** The commit that is live, and why the last attempt failed, if it did. */
    liveOid: text('live_oid'),
    lastError: text('last_error'),
    /** Of a pinned binding: the commit of its branch whose sync is complete, successful or not. */
    syncedOid: text('settled_oid'),
    /** Commits whose status on GitHub is still `pending`: their import was announced and its result not reported yet. */
    pendingOids: text('pending_oids').array().notNull().default(sql`'{}'`),
    /** Why pushes no longer reach the space, in one sentence; null while they do. */
    disconnected: text('disconnected'),
    /** Since when; null while they do, and where a process of 0.1.0 disconnected it and no other has seen it yet. */
    disconnectedAt: moment('disconnected_at'),
    /** Whether the configuration named an existing space, which then outlives the binding. */
    claimedSpace: boolean('claimed_space').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('bindings_place').on(table.repositoryId, table.branch, table.directory),
    uniqueIndex('bindings_space').on(table.spaceId),
  ],
);

/** The site of a repository on the platform, as it was made last. */
export interface RepositorySite {
  /** Null where none could be made yet. */
  readonly id: string | null;
  readonly title: string;
  /** Where it is read. */
  readonly address: string | null;
  /** Whether others than members read it. */
  readonly isPublished: boolean;
  /** Why it is not as the configuration says, in one sentence. */
  readonly error: string | null;
}

/** A repository that the App is, or was, installed on, as it was last seen. */
export const repositories = pgTable(
  'repositories',
  {
    id: bigint('id', { mode: 'number' }).primaryKey(),
    installationId: bigint('installation_id', { mode: 'number' }).notNull(),
    /** `owner/name`. */
    fullName: text('full_name').notNull(),
    defaultBranch: text('default_branch').notNull(),
    /** Why nothing from it reaches this server now, in one sentence; null while it does. */
    disconnected: text('disconnected'),
    /** Since when; see `bindings`. */
    disconnectedAt: moment('disconnected_at'),
    /** The bound branch and its commit whose sync is complete, successful or not. */
    syncedBranch: text('settled_branch'),
    syncedOid: text('settled_oid'),
    /** The commit for which the reconciler last requested a sync, and when. */
    attemptedOid: text('tried_oid'),
    attemptedAt: moment('tried_at'),
    /** When the reconciler of an older release last compared it with GitHub: only that one, beside this one, uses it. */
    reconciledAt: moment('looked_at'),
    /**
     * The configuration in force: the last one without an error (null when there was no file), and the commit at which it
     * was read; null before any was read.
     */
    configText: text('config_text'),
    configOid: text('config_oid'),
    /** What is wrong with the newest configuration, which then is not in force; null when nothing is. */
    configError: text('config_error'),
    /** The pull request that proposes a configuration: `open`, or `closed` for good; null before there was any. */
    onboarding: text('onboarding'),
    onboardingPull: integer('onboarding_pull'),
    /** The digest of its content, so that only changes are written. */
    onboardingDigest: text('onboarding_digest'),
    /** The site that its configuration declared last; null before any was made. */
    site: jsonb('site').$type<RepositorySite>(),
  },
  (table) => [index('repositories_of_installation').on(table.installationId, table.reconciledAt)],
);

/** The conversations that a repository's issues and discussions become, in each organization that its spaces belong to. */
export const repositoryConversations = pgTable(
  'repository_conversations',
  {
    repositoryId: bigint('repository_id', { mode: 'number' })
      .notNull()
      .references(() => repositories.id, { onDelete: 'cascade' }),
    /** Of the platform, which may be another process. */
    organizationId: id('organization_id').notNull(),
    /** The source of the conversations there. */
    source: text('source').notNull(),
    /** The digest of what the configuration wanted when they were listed last. */
    configDigest: text('config_digest'),
    /** When they were listed last; null before they were, or when all are to be read again. */
    listedAt: moment('listed_at'),
    /** Why some are missing, in one or more sentences; null while none is. */
    error: text('error'),
  },
  (table) => [primaryKey({ columns: [table.repositoryId, table.organizationId] })],
);

/** GitHub's answers to conditional requests, by a name of the request: a repeated request costs nothing when it is unchanged. */
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

/** When recent calls started of a kind that GitHub limits by the minute: all processes count them together. */
export const callWindows = pgTable('call_windows', {
  /** Names what is limited, such as an installation's writes. */
  key: text('key').primaryKey(),
  /** Oldest first, no more than the rate allows. */
  starts: moment('starts').array().notNull(),
});

/** Recurring work that only one of several processes does in each interval. */
export const claimedIntervals = pgTable('turns', {
  name: text('name').primaryKey(),
  claimedAt: moment('taken_at').notNull(),
});

/**
 * When each installation of the App was compared with GitHub. Several processes share the work by it: one of them requests
 * comparisons, and all claim installations that are due.
 */
export const installationComparisons = pgTable('installation_comparisons', {
  installationId: bigint('installation_id', { mode: 'number' }).primaryKey(),
  /** When its comparison was requested last, and the request that was worked on last, with success or without. */
  requestedAt: moment('requested_at').notNull(),
  settledAt: moment('settled_at'),
  /** When its repositories were last listed, and when all of them were last compared. */
  listedAt: moment('listed_at'),
  comparedAt: moment('compared_at'),
  /** Since when GitHub is known to have missed it with webhooks; null while it is not. */
  missedAt: moment('missed_at'),
  /** The process that compares it, until when it holds the claim, and the last repository that it compared. */
  claim: text('claim'),
  claimedUntil: moment('claimed_until'),
  afterRepository: bigint('after_repository', { mode: 'number' }),
});

/**
 * What a check run found, for the report page. The id is 20 random characters and serves as the key to the page:
 * whoever has the address from the check run may read it.
 */
export const reports = pgTable(
  'reports',
  {
    id: id('id').primaryKey(),
    /** What was checked: `links`, or the specifications of APIs (`api`). */
    kind: text('kind').$type<'links' | 'api'>().notNull(),
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    repository: text('repository').notNull(),
    pullNumber: integer('pull_number').notNull(),
    headOid: text('head_oid').notNull(),
    baseOid: text('base_oid').notNull(),
    /** The delivery that last requested another run of the check. */
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

/** The output of a completed check run without its annotations. */
export interface RunVerdict {
  readonly conclusion: 'success' | 'failure' | 'neutral';
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  /** Its buttons; no buttons when absent. */
  readonly actions?: readonly RunAction[];
}

/** A button of a check run. https://docs.github.com/rest/checks/runs */
export interface RunAction {
  readonly label: string;
  readonly description: string;
  readonly identifier: string;
}

/** The check runs that show a report: one for all of it or, for links, one for each space. Only the newest of each name. */
export const reportRuns = pgTable(
  'report_runs',
  {
    /** GitHub's id of the check run. */
    id: bigint('id', { mode: 'number' }).primaryKey(),
    reportId: id('report_id')
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
    /** The base that the report was compared with at that time. */
    baseOid: text('base_oid').notNull(),
    name: text('name').notNull(),
    /** The directory of its space; null for all spaces. */
    directory: text('directory'),
    /** The digest of its verdict with all annotations; null while there is no verdict. */
    verdictDigest: text('told'),
    /** What it was last completed with: a verdict, or why there is none. Null while it is in progress. */
    verdict: jsonb('verdict').$type<RunVerdict>(),
    /** How many annotations it has; they cannot be removed. */
    annotations: integer('annotations').notNull().default(0),
  },
  (table) => [index('report_runs_of_report').on(table.reportId)],
);

/**
 * The merged change requests whose edits an export's pull request carries. Several may be in one, and one in several: in the
 * next when the first was closed without a merge.
 */
export const pullChangeRequests = pgTable(
  'pull_change_requests',
  {
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    pullNumber: integer('pull_number').notNull(),
    /** Of the platform, which may be another process. */
    spaceId: id('space_id').notNull(),
    changeRequestId: id('change_request_id').notNull(),
    /** When the pull request was last seen open, and since when it is known to be closed; null while it is not. */
    seenAt: moment('seen_at').notNull().defaultNow(),
    closedAt: moment('closed_at'),
    /** Why comments could not be mirrored, in one sentence; null while nothing is wrong. */
    error: text('error'),
  },
  (table) => [
    primaryKey({
      columns: [table.repositoryId, table.pullNumber, table.changeRequestId],
      name: 'pull_change_requests_pull',
    }),
    index('pull_change_requests_of_change_request').on(table.changeRequestId),
    index('pull_change_requests_by_age').on(table.seenAt),
  ],
);

/** Comments and replies that are both here and on a pull request: each once, whatever is sent or tried again. */
export const mirroredComments = pgTable(
  'mirrored_comments',
  {
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    /** `review` on a line or a file of the changes, `conversation` below them: GitHub numbers both by themselves. */
    kind: text('kind').$type<MirrorKind>().notNull(),
    /** GitHub's id of it. */
    remoteId: bigint('remote_id', { mode: 'number' }).notNull(),
    pullNumber: integer('pull_number').notNull(),
    changeRequestId: id('change_request_id').notNull(),
    /** The comment here; of a reply the one that it replies to. */
    commentId: id('comment_id').notNull(),
    /** Empty for the comment itself. */
    replyId: text('reply_id').notNull().default(''),
    /** Where it was written: `here`, or `there` on GitHub. */
    origin: text('origin').$type<'here' | 'there'>().notNull(),
    /** The digest of the text that was written to the other side last. */
    digest: text('digest').notNull(),
    /** Since when one of the two is known to be deleted: the other is left alone. */
    goneAt: moment('gone_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.repositoryId, table.kind, table.remoteId] }),
    uniqueIndex('mirrored_comments_once').on(table.commentId, table.replyId),
    index('mirrored_comments_of_pull').on(table.repositoryId, table.pullNumber, table.changeRequestId),
    foreignKey({
      columns: [table.repositoryId, table.pullNumber, table.changeRequestId],
      foreignColumns: [
        pullChangeRequests.repositoryId,
        pullChangeRequests.pullNumber,
        pullChangeRequests.changeRequestId,
      ],
      name: 'mirrored_comments_pull',
    }).onDelete('cascade'),
  ],
);

export type MirrorKind = 'review' | 'conversation';
