/** Tables of the scheduler: what was carried from spaces to where they came from. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';

/** How the last export of a binding's space ended. */
export const exports = pgTable('exports', {
  bindingId: id('binding_id').primaryKey(),
  /** The revision of the space that was looked at. */
  revisionId: id('revision_id').notNull(),
  /** The commit of the bound branch that was live in the space then; null where none was. */
  baseOid: text('base_oid'),
  /**
   * `same`: nothing differs. `pushed`: on the branch. `proposed`: in a pull request that is open. `declined`: its pull
   * request was closed, so this revision is not proposed again. `failed`: see `error`; tried again.
   */
  outcome: text('outcome').$type<ExportOutcome>().notNull(),
  /** The branch of the pull request, and its number. */
  branch: text('branch'),
  pullNumber: integer('pull_number'),
  commitOid: text('commit_oid'),
  /** Why it could not be pushed, or failed, in a sentence; and the files that both sides changed. */
  error: text('error'),
  paths: jsonb('paths').$type<readonly string[]>().notNull(),
  /** When it and its branch were last seen to be the same: what was merged since is new. */
  sameSince: moment('same_since'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export type ExportOutcome = 'same' | 'pushed' | 'proposed' | 'declined' | 'failed';

/** What is known of an address outside, whoever links to it. The address has no fragment. */
export const externalLinks = pgTable(
  'external_links',
  {
    url: text('url').primaryKey(),
    /**
     * `new`: never looked at. `ok`. `redirected`: for good, to `target`. `restricted`: it does not answer programs, so
     * nobody knows. `failing`: no good answer. `dead`: no good answer for days.
     */
    state: text('state').$type<ExternalState>().notNull().default('new'),
    /** What the last answer was, in a sentence. */
    detail: text('detail'),
    /** The status code of the last answer; null when there was none. */
    status: integer('status'),
    target: text('target'),
    /** When the state became what it is. */
    since: moment('since').notNull().defaultNow(),
    checkedAt: moment('checked_at'),
    /** Bad answers one after the other, and when the first was. */
    failures: integer('failures').notNull().default(0),
    failedSince: moment('failed_since'),
    /** Fragments that pages name: whether the page has them. Absent where that could not be told. */
    fragments: jsonb('fragments').$type<Readonly<Record<string, boolean>>>().notNull().default({}),
  },
  (table) => [index('external_links_checked').on(table.checkedAt)],
);

export type ExternalState = 'new' | 'ok' | 'redirected' | 'restricted' | 'failing' | 'dead';

/** Where pages of a binding's space link to an address outside. */
export const externalUses = pgTable(
  'external_uses',
  {
    bindingId: id('binding_id').notNull(),
    url: text('url').notNull(),
    /** Without the `#`; empty for none. */
    fragment: text('fragment').notNull(),
    path: text('path').notNull(),
    line: integer('line').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.bindingId, table.url, table.fragment, table.path, table.line] }),
    index('external_uses_of_url').on(table.url),
  ],
);

/** API specifications that repositories name in their configuration, as they were last given to the platform. */
export const openapiSources = pgTable('openapi_sources', {
  /** The slug: one repository has it at a time. */
  name: text('name').primaryKey(),
  repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
  /** Whether the repository's configuration still names it; if not, another may have it. */
  isNamed: boolean('is_named').notNull().default(true),
  /** What it was made from: the file or address, and the oids of all files that were asked for (null: not there). */
  source: text('source'),
  files: jsonb('files').$type<Readonly<Record<string, string | null>>>().notNull().default({}),
  /** The commit that was looked at last, and those that were told `pending` and not yet how it ended. */
  commitOid: text('commit_oid'),
  pendingOids: text('pending_oids').array().notNull().default(sql`'{}'`),
  /** The version that was live when it was last told, and why the last try failed. */
  versionId: id('version_id'),
  error: text('error'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** Translations that repositories name in their configuration, and how each of them follows it. */
export const repositoryTranslations = pgTable(
  'repository_translations',
  {
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    /** The directory of the space, and the platform's name of the language. */
    directory: text('directory').notNull(),
    language: text('language').notNull(),
    /** Whether the configuration still names it; if not, it stays as it is. */
    isNamed: boolean('is_named').notNull().default(true),
    organizationId: id('organization_id').notNull(),
    /** Null until it is made. */
    translationId: id('translation_id'),
    /** Of instructions and a glossary, which were given: what the configuration no longer says is taken back. */
    appliedSettings: text('given').array().notNull().default(sql`'{}'`),
    /** The commit and path of the glossary that was read last. */
    glossaryFrom: text('glossary_from'),
    /** The revision of the space that a run was asked for last. */
    revisionId: id('revision_id'),
    /** Why it does not follow, in a sentence. */
    error: text('error'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.repositoryId, table.directory, table.language] })],
);
