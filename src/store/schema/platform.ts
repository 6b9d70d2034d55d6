/** Tables of the documentation platform: who may do what, and what the spaces hold. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytes, id, moment } from './columns.ts';

export const organizations = pgTable('organizations', {
  id: id('id').primaryKey(),
  title: text('title').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export const users = pgTable('users', {
  id: id('id').primaryKey(),
  displayName: text('display_name').notNull(),
  email: text('email').notNull().unique(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** `role` null means guest (see Role in the contract). */
export const members = pgTable(
  'members',
  {
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: id('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role'),
    joinedAt: moment('joined_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.userId] })],
);

/** Bearer tokens. Only the SHA-256 of a token is kept; the token itself is shown once, when it is made. */
export const apiTokens = pgTable('api_tokens', {
  id: id('id').primaryKey(),
  userId: id('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  name: text('name').notNull(),
  /** Set: the token opens this organization only, and its bearer may do what both `role` and the member's role allow. */
  organizationId: id('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
  role: text('role'),
  hash: text('hash').notNull().unique(),
  createdAt: moment('created_at').notNull().defaultNow(),
  lastUsedAt: moment('last_used_at'),
  revokedAt: moment('revoked_at'),
});

export const spaces = pgTable(
  'spaces',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    emoji: text('emoji'),
    parentId: id('parent_id'),
    language: text('language'),
    visibility: text('visibility').notNull().default('private'),
    editMode: text('edit_mode').notNull().default('live'),
    defaultLevel: text('default_level'),
    /** The revision that readers see. It is replaced in one statement, so content appears whole or not at all. */
    revisionId: id('revision_id'),
    /** Where the content comes from: `{repoName, installationProvider, integration, url, updatedAt}`. */
    gitSync: jsonb('git_sync'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    deletedAt: moment('deleted_at'),
  },
  (table) => [index('spaces_of_organization').on(table.organizationId, table.createdAt, table.id)],
);

/** One version of a space: a git-shaped tree and what was derived from it. */
export const revisions = pgTable(
  'revisions',
  {
    id: id('id').primaryKey(),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    parents: text('parents').array().notNull().default(sql`'{}'`),
    type: text('type').notNull(),
    /** Standalone revisions never become a space's content. */
    standalone: boolean('standalone').notNull().default(false),
    /** The commit that was imported, and the oid of its tree below `directory`. */
    commitOid: text('commit_oid'),
    treeOid: text('tree_oid'),
    /** The commit's whole tree: links may lead to files outside `directory`. */
    rootTreeOid: text('root_tree_oid'),
    /** SHA-256 of all that went into it: the tree, the directory, the addresses, the version of the engine. */
    inputs: text('inputs'),
    /** SHA-256 of all that was derived; two revisions with the same digest say the same. */
    digest: text('digest'),
    /** `{pages, files, links, broken, inApp, unchecked}`. */
    counts: jsonb('counts').notNull().default(sql`'{}'`),
    directory: text('directory').notNull().default(''),
    ref: text('ref'),
    message: text('message'),
    commitUrl: text('commit_url'),
    createdByService: boolean('created_by_service').notNull().default(false),
    format: text('format').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('revisions_of_space').on(table.spaceId, table.createdAt, table.id),
    index('revisions_by_inputs').on(table.spaceId, table.inputs),
  ],
);

/** Keeps the id of a page or file through revisions: the same path (or a file that git sees as moved) has the same id. */
export const contentIds = pgTable(
  'content_ids',
  {
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    gitPath: text('git_path').notNull(),
    id: id('id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.spaceId, table.kind, table.gitPath] })],
);

export const pages = pgTable(
  'pages',
  {
    revisionId: id('revision_id')
      .notNull()
      .references(() => revisions.id, { onDelete: 'cascade' }),
    id: id('id').notNull(),
    parentId: id('parent_id'),
    /** Order in the navigation, depth first, from 0. */
    position: integer('position').notNull(),
    type: text('type').notNull(),
    title: text('title').notNull(),
    emoji: text('emoji'),
    icon: text('icon'),
    slug: text('slug').notNull(),
    path: text('path').notNull(),
    description: text('description'),
    hidden: boolean('hidden').notNull().default(false),
    /** For `type: link`: where the navigation entry leads. */
    href: text('href'),
    gitPath: text('git_path'),
    gitOid: text('git_oid'),
    /** Kept from revision to revision while the page keeps its id; `updatedAt` moves with its bytes. */
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.revisionId, table.id] }),
    index('pages_by_position').on(table.revisionId, table.position),
    index('pages_by_path').on(table.revisionId, table.path),
    index('pages_below').on(table.revisionId, table.parentId),
  ],
);

/**
 * The bytes of pages, by git oid. They are many and small: here a whole import writes them in a few statements, where
 * a file of its own for each would wait for the disk thousands of times.
 */
export const texts = pgTable('texts', {
  oid: text('oid').primaryKey(),
  bytes: bytes('bytes').notNull(),
});

export const files = pgTable(
  'files',
  {
    revisionId: id('revision_id')
      .notNull()
      .references(() => revisions.id, { onDelete: 'cascade' }),
    id: id('id').notNull(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    width: integer('width'),
    height: integer('height'),
    gitPath: text('git_path').notNull(),
    gitOid: text('git_oid').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.revisionId, table.id] }),
    index('files_by_path').on(table.revisionId, table.gitPath, table.id),
  ],
);

/** Every reference of every page, judged. `targetPageId` and `targetFileId` are the backlinks' index. */
export const links = pgTable(
  'links',
  {
    revisionId: id('revision_id')
      .notNull()
      .references(() => revisions.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** Null for a file with references that is no page of the navigation. */
    pageId: id('page_id'),
    gitPath: text('git_path').notNull(),
    line: integer('line').notNull(),
    column: integer('column').notNull(),
    endLine: integer('end_line').notNull(),
    endColumn: integer('end_column').notNull(),
    target: text('target').notNull(),
    relation: text('relation').notNull(),
    status: text('status').notNull(),
    rule: text('rule'),
    message: text('message'),
    suggestion: text('suggestion'),
    targetKind: text('target_kind').notNull(),
    targetPageId: id('target_page_id'),
    targetFileId: id('target_file_id'),
    targetAnchor: text('target_anchor'),
    /** The address of a target that is no page and no file of the space. */
    targetUrl: text('target_url'),
  },
  (table) => [
    primaryKey({ columns: [table.revisionId, table.position] }),
    index('links_of_page').on(table.revisionId, table.pageId, table.position),
    index('links_to_page')
      .on(table.revisionId, table.targetPageId, table.position)
      .where(sql`target_page_id is not null`),
    index('links_to_file')
      .on(table.revisionId, table.targetFileId, table.position)
      .where(sql`target_file_id is not null`),
    index('links_to_mend')
      .on(table.revisionId, table.status, table.position)
      .where(sql`status in ('broken', 'in-app')`),
  ],
);

/** One git import or export of a space. Credentials rest sealed, and are dropped when the operation ends. */
export const gitOperations = pgTable(
  'git_operations',
  {
    id: id('id').primaryKey(),
    /** Order of arrival. */
    sequence: bigserial('sequence', { mode: 'number' }).notNull(),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    direction: text('direction').notNull(),
    /** `pending` → `running` → `success` or `failure`, or from either `skipped`; the API shows them as three states. */
    state: text('state').notNull(),
    stage: text('stage'),
    /** `{done, total}` of the stage. */
    progress: jsonb('progress'),
    /** `{code, message, path?, line?}` of a failure, or of the last try while another one is due. */
    error: jsonb('error'),
    /** What happened, in one sentence for people. */
    message: text('message'),
    /** The content was live already, so no revision was written. */
    unchanged: boolean('unchanged').notNull().default(false),
    standalone: boolean('standalone').notNull().default(false),
    /** The request without its credentials. */
    request: jsonb('request').notNull(),
    sealedCredentials: text('sealed_credentials'),
    /** When the event happened that asked for it; operations run in this order. */
    timestamp: moment('timestamp').notNull(),
    ref: text('ref').notNull(),
    commitOid: text('commit_oid'),
    revisionId: id('revision_id'),
    /** How often it was begun; also the fence that keeps a run which lost its turn from finishing. */
    attempts: integer('attempts').notNull().default(0),
    /** How many of the runs failed for a reason that may pass. */
    failures: integer('failures').notNull().default(0),
    /** The next try is not due before. */
    notBefore: moment('not_before'),
    createdAt: moment('created_at').notNull().defaultNow(),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('git_operations_of_space').on(table.spaceId, table.sequence),
    index('git_operations_open')
      .on(table.spaceId, table.timestamp)
      .where(sql`state in ('pending', 'running')`),
    index('git_operations_executed')
      .on(table.spaceId, table.timestamp)
      .where(sql`state in ('success', 'failure') and not standalone`),
    uniqueIndex('git_operations_sequence').on(table.sequence),
  ],
);
