/**
 * Tables of the content of spaces. A revision is a git-shaped tree and what was derived from it. It shares rows with the
 * revisions before and after it: each row belongs to the versions `since` ≤ version < `until` of its history, so a push
 * writes only what it changed, and every old version can still be read.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytes, id, moment, searchVector } from './columns.ts';
import { issueClusters } from './conversations.ts';
import { spaces, users } from './platform.ts';

/** `until` of a row that belongs to the newest version of its history. */
export const OPEN_ENDED = 2_147_483_647;

/** A sequence of versions: those of a space's content, of a change request or of a standalone revision. */
export const histories = pgTable(
  'histories',
  {
    id: id('id').primaryKey(),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('histories_of_space').on(table.spaceId)],
);

/** One version of a space: a git-shaped tree and what was derived from it. */
export const revisions = pgTable(
  'revisions',
  {
    id: id('id').primaryKey(),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    historyId: id('history_id')
      .notNull()
      .references(() => histories.id, { onDelete: 'cascade' }),
    /** Counts up from 1 in its history. */
    version: integer('version').notNull(),
    parents: text('parents').array().notNull().default(sql`'{}'`),
    type: text('type').notNull(),
    /** Standalone revisions never become a space's content. */
    standalone: boolean('standalone').notNull().default(false),
    /** The commit that was imported, and the oid of its tree below `directory`. */
    commitOid: text('commit_oid'),
    treeOid: text('tree_oid'),
    /** The commit's whole tree: links may lead to files outside `directory`. */
    rootTreeOid: text('root_tree_oid'),
    /** SHA-256 of all inputs: the tree, the directory, the addresses, the version of the engine. */
    inputs: text('inputs'),
    /** `{pages, files, links, broken, inApp, unchecked}`. */
    counts: jsonb('counts').notNull().default(sql`'{}'`),
    /** `{count, items}`: files that are not shown as they are in the repository; null when there are none. */
    notices: jsonb('notices'),
    directory: text('directory').notNull().default(''),
    ref: text('ref'),
    message: text('message'),
    commitUrl: text('commit_url'),
    /** `{treeUrl?, repository?}`: the repository's web addresses, by which links are checked and written. */
    origin: jsonb('origin').notNull().default(sql`'{}'`),
    createdByService: boolean('created_by_service').notNull().default(false),
    /** Whether the space's blobs are recorded in `space_blobs`; releases before 0.2.0 do not. */
    blobsRecorded: boolean('blobs_recorded').notNull().default(false),
    format: text('format').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('revisions_of_space').on(table.spaceId, table.createdAt, table.id),
    index('revisions_by_inputs').on(table.spaceId, table.inputs),
    uniqueIndex('revisions_of_history').on(table.historyId, table.version),
  ],
);

/** The ids of pages and files, stable over revisions: the same path (or a file that git sees as moved) has the same id. */
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

const historyColumns = {
  historyId: id('history_id')
    .notNull()
    .references(() => histories.id, { onDelete: 'cascade' }),
  /** The first version that has the row. */
  since: integer('since').notNull(),
  /** The first version that does not have it any more. */
  until: integer('until').notNull().default(OPEN_ENDED),
};

/** The tree: every file of the repository with its oid, inside the space's directory and outside. */
export const entries = pgTable(
  'entries',
  {
    ...historyColumns,
    path: text('path').notNull(),
    oid: text('oid').notNull(),
    /** `file`, `executable`, `symlink` or `submodule`. */
    mode: text('mode').notNull(),
    /** In bytes; null where it is unknown. */
    size: bigint('size', { mode: 'number' }),
    /** The page made from the file; the first when the file is several times in the navigation. */
    pageId: id('page_id'),
    /** The set of its links; null when it has none, or none that count. */
    linksId: text('links_id'),
  },
  (table) => [
    primaryKey({ columns: [table.historyId, table.path, table.since] }),
    index('entries_by_links').on(table.historyId, table.linksId).where(sql`links_id is not null`),
    index('entries_by_page').on(table.historyId, table.pageId).where(sql`page_id is not null`),
  ],
);

export const pages = pgTable(
  'pages',
  {
    ...historyColumns,
    id: id('id').notNull(),
    parentId: id('parent_id'),
    /** Order among the pages of one parent, with gaps. */
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
    /** The file's Markdown dialect, for the renderer; null for an entry without a file. */
    dialect: text('dialect'),
    /** See StoredPageSettings; null where all of them are absent. */
    settings: jsonb('settings').$type<StoredPageSettings>(),
    /** The set of sections that search finds it by; null for a page that is not searchable. */
    sectionsId: text('sections_id'),
    /** The same in all revisions while the page has the same id; `updatedAt` changes with its bytes. */
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.historyId, table.id, table.since] }),
    index('pages_by_path').on(table.historyId, table.path),
    index('pages_below').on(table.historyId, table.parentId),
    index('pages_by_sections').on(table.historyId, table.sectionsId).where(sql`sections_id is not null`),
  ],
);

/** `settings` of a page. */
export interface StoredPageSettings {
  /** The page's own title, where `title` of the row is what the navigation calls it. */
  readonly title?: string;
  readonly layout?: Readonly<Record<string, boolean | string>>;
  readonly cover?: {
    readonly ref: StoredTarget;
    readonly refDark?: StoredTarget;
    readonly yPos?: number;
    readonly height?: number;
  };
  readonly noIndex?: true;
  readonly noRobotsIndex?: true;
  readonly condition?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly computed?: {
    readonly type: string;
    readonly dependencies?: Readonly<Record<string, { readonly kind: string; readonly spec?: string }>>;
    readonly props?: Readonly<Record<string, unknown>>;
  };
  /** The files that are included in its text, with those included in them. */
  readonly parts?: readonly StoredPart[];
}

/** A file that another file, `in`, includes as `target`, or the sentence why it is not shown. */
export type StoredPart = { readonly in: string; readonly target: string } & (
  | { readonly path: string; readonly oid: string }
  | { readonly problem: string }
);

/** A file of the space, or an address elsewhere. */
export type StoredTarget = { readonly file: string } | { readonly url: string };

/**
 * What a space defines besides its pages and files: `kind` is `variable`, `reusable`, `redirect`, `language` or
 * `default-language`.
 */
export const settings = pgTable(
  'settings',
  {
    ...historyColumns,
    /** The kind and the name, which together identify the row: `variable:version`. */
    key: text('key').notNull(),
    kind: text('kind').notNull(),
    /** The variable's name, the part's path in the repository, the old address, the folder of a language. */
    name: text('name').notNull(),
    /** The value of a variable, the file that a redirect leads to, the title of a part, the tag of a language. */
    value: text('value').notNull(),
    /** For a part: its id and the oid of its bytes. */
    contentId: id('content_id'),
    gitOid: text('git_oid'),
  },
  (table) => [primaryKey({ columns: [table.historyId, table.key, table.since] })],
);

/**
 * The text of pages as search finds it. A set is written once and never changes: its id is the digest of all its inputs,
 * and pages point to it, so that versions and spaces with the same page share it.
 */
export const sections = pgTable(
  'sections',
  {
    setId: text('set_id').notNull(),
    /** Order in the page; the first section is the text before the first heading. */
    ordinal: integer('ordinal').notNull(),
    /** The fragment of its heading; null where there is none. */
    anchor: text('anchor'),
    heading: text('heading'),
    /** Without markup. */
    body: text('body').notNull(),
    words: searchVector('words').notNull(),
    /** When it was last written or needed; an old set that no page points to is deleted. */
    lastNeededAt: moment('kept_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.setId, table.ordinal] }),
    index('sections_by_words').using('gin', table.words),
    // Few of the sections with a frequent word have it in their page's title or their heading.
    index('sections_by_titles').using('gin', sql`ts_filter(${table.words}, '{a,b}')`),
  ],
);

/**
 * The words of sections as people write them, to find what a mistyped word may mean. Whose they are is not stored: only
 * those that occur in what somebody searches are shown. Where the server has `pg_trgm`, an index finds similar ones.
 */
export const knownWords = pgTable(
  'known_words',
  {
    /** Without accents and in lower case. */
    word: text('word').primaryKey(),
    /** When a section was last known to have it. */
    checkedAt: moment('checked_at').notNull().defaultNow(),
  },
  (table) => [index('known_words_by_check').on(table.checkedAt)],
);

/** Former addresses of a space's pages, so that they still lead to them. */
export const movedPages = pgTable(
  'moved_pages',
  {
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    /** As `path` of a page, below the space. */
    path: text('path').notNull(),
    pageId: id('page_id').notNull(),
    movedAt: moment('moved_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.spaceId, table.path] })],
);

/**
 * The bytes of pages, by git oid. They are many and small: in this table a whole import writes them in a few statements,
 * whereas a file for each would wait for the disk thousands of times.
 */
export const texts = pgTable('texts', {
  oid: text('oid').primaryKey(),
  bytes: bytes('bytes').notNull(),
  /** When they were last written or needed; an old text that no entry points to is deleted. */
  lastNeededAt: moment('kept_at').notNull().defaultNow(),
});

/**
 * When a blob of an object store was last needed, for all processes. A blob is deleted under the lock of its row; in a
 * folder, the time of the file says the same.
 */
export const blobUses = pgTable(
  'blob_uses',
  {
    oid: text('oid').primaryKey(),
    neededAt: moment('needed_at').notNull().defaultNow(),
  },
  (table) => [index('blob_uses_by_time').on(table.neededAt)],
);

/**
 * The blobs whose bytes a space received, from its repository or from its editors. Bytes are stored once for all spaces,
 * under an oid that anybody may know, so this row is what says that the space's readers may have them.
 */
export const spaceBlobs = pgTable(
  'space_blobs',
  {
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    oid: text('oid').notNull(),
    /** When they were last received or needed; an old row whose blob no tree of the space has is deleted. */
    lastNeededAt: moment('last_needed_at').notNull().defaultNow(),
    /** Since when the store is known to lack the bytes, or to have others; null while it is not. */
    lostAt: moment('lost_at'),
    /** When an import last looked for lost bytes in the repository, which did not have them; null before. */
    soughtAt: moment('sought_at'),
  },
  (table) => [
    primaryKey({ columns: [table.spaceId, table.oid] }),
    index('space_blobs_lost').on(table.spaceId).where(sql`lost_at is not null`),
  ],
);

export const files = pgTable(
  'files',
  {
    ...historyColumns,
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
    primaryKey({ columns: [table.historyId, table.id, table.since] }),
    index('files_by_path').on(table.historyId, table.gitPath, table.id),
  ],
);

/**
 * The checked links of a file. A set is written once and never changes: its id is the digest of its content, and the
 * tree's entries point to it. `targetPageId` and `targetFileId` are the backlinks' index.
 */
export const links = pgTable(
  'links',
  {
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    setId: text('set_id').notNull(),
    /** Order in the file. */
    ordinal: integer('ordinal').notNull(),
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
    /** The address of a target that is neither a page nor a file of the space. */
    targetUrl: text('target_url'),
  },
  (table) => [
    primaryKey({ columns: [table.spaceId, table.setId, table.ordinal] }),
    index('links_to_page').on(table.spaceId, table.targetPageId).where(sql`target_page_id is not null`),
    index('links_to_file').on(table.spaceId, table.targetFileId).where(sql`target_file_id is not null`),
    index('links_to_spec').on(table.spaceId, table.target).where(sql`target_kind = 'openapi'`),
    index('links_to_mend')
      .on(table.spaceId, table.status, table.setId)
      .where(sql`status in ('broken', 'in-app')`),
  ],
);

/** Proposed revisions of a space. */
export const changeRequests = pgTable(
  'change_requests',
  {
    id: id('id').primaryKey(),
    spaceId: id('space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    /** Counts up from 1 in its space. */
    number: integer('number').notNull(),
    subject: text('subject').notNull().default(''),
    /** Markdown. */
    description: text('description').notNull().default(''),
    /** `draft`, `open`, `archived` or `merged`; see ChangeRequest in the contract. */
    status: text('status').notNull(),
    createdBy: id('created_by').references(() => users.id, { onDelete: 'set null' }),
    /** The space's revision that it is compared with: where it began, or what it was last updated to. */
    baseRevisionId: id('base_revision_id')
      .notNull()
      .references(() => revisions.id),
    /** The revision that it proposes; the base itself until something is changed. */
    revisionId: id('revision_id')
      .notNull()
      .references(() => revisions.id),
    /** The users who changed what it proposes, in no order; a release before 0.2.0 records none. */
    editors: text('editors').array().notNull().default(sql`'{}'`),
    mergedRevisionId: id('merged_revision_id').references(() => revisions.id),
    mergedBy: id('merged_by').references(() => users.id, { onDelete: 'set null' }),
    mergedAt: moment('merged_at'),
    /** What people ask that it is to answer; null for nothing, and once that group is gone. */
    clusterId: id('cluster_id').references(() => issueClusters.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('change_requests_of_space').on(table.spaceId, table.number),
    index('change_requests_by_update').on(table.spaceId, table.updatedAt, table.id),
    index('change_requests_by_status').on(table.spaceId, table.status, table.updatedAt, table.id),
    index('change_requests_of_cluster').on(table.clusterId).where(sql`cluster_id is not null`),
  ],
);
