/** Tables of the scheduled syncs: exports to repositories, checks of external links, API sources and translations. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';

/** The result of the last export of a binding's space. */
export const exports = pgTable('exports', {
  bindingId: id('binding_id').primaryKey(),
  /** The revision of the space that was compared. */
  revisionId: id('revision_id').notNull(),
  /** The commit of the bound branch that was live in the space at that time; null where none was. */
  baseOid: text('base_oid'),
  /**
   * `same`: nothing differs. `pushed`: to the branch. `proposed`: in an open pull request. `declined`: its pull request
   * was closed, so this revision is not proposed again. `failed`: see `error`; retried.
   */
  outcome: text('outcome').$type<ExportOutcome>().notNull(),
  /** The branch of the pull request, and its number. */
  branch: text('branch'),
  pullNumber: integer('pull_number'),
  commitOid: text('commit_oid'),
  /** Why it could not be pushed, or failed, in one sentence; and the files that both sides changed. */
  error: text('error'),
  paths: jsonb('paths').$type<readonly string[]>().notNull(),
  /** When the space and its branch were last found equal: everything merged since is new. */
  sameSince: moment('same_since'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

export type ExportOutcome = 'same' | 'pushed' | 'proposed' | 'declined' | 'failed';

/** What is known of an external address, whoever links to it. The address has no fragment. */
export const externalLinks = pgTable(
  'external_links',
  {
    url: text('url').primaryKey(),
    /**
     * `new`: never checked. `ok`. `redirected`: permanently, to `target`. `restricted`: it does not answer programs, so
     * its state is unknown. `failing`: it answers with an error or not at all. `dead`: the same for days.
     */
    state: text('state').$type<ExternalState>().notNull().default('new'),
    /** The last response, in one sentence. */
    detail: text('detail'),
    /** The status code of the last response; null when there was none. */
    status: integer('status'),
    target: text('target'),
    /** Since when it has this state. */
    since: moment('since').notNull().defaultNow(),
    checkedAt: moment('checked_at'),
    /** The number of consecutive failures, and when the first was. */
    failures: integer('failures').notNull().default(0),
    failedSince: moment('failed_since'),
    /** For each fragment that pages link to, whether the target has it. Absent where that is unknown. */
    fragments: jsonb('fragments').$type<Readonly<Record<string, boolean>>>().notNull().default({}),
  },
  (table) => [index('external_links_checked').on(table.checkedAt)],
);

export type ExternalState = 'new' | 'ok' | 'redirected' | 'restricted' | 'failing' | 'dead';

/** Where pages of a binding's space link to an external address. */
export const externalUses = pgTable(
  'external_uses',
  {
    bindingId: id('binding_id').notNull(),
    url: text('url').notNull(),
    /** Without the `#`; empty where there is none. */
    fragment: text('fragment').notNull(),
    path: text('path').notNull(),
    line: integer('line').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.bindingId, table.url, table.fragment, table.path, table.line] }),
    index('external_uses_of_url').on(table.url),
  ],
);

/** API specifications that repositories name in their configuration, as they were last passed to the platform. */
export const openapiSources = pgTable('openapi_sources', {
  /** The slug; only one repository has it at a time. */
  name: text('name').primaryKey(),
  repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
  /** Whether the repository's configuration still names it; if not, another repository may claim it. */
  isNamed: boolean('is_named').notNull().default(true),
  /** Its inputs: the file or address, and the oids of all files that were requested (null: not found). */
  source: text('source'),
  files: jsonb('files').$type<Readonly<Record<string, string | null>>>().notNull().default({}),
  /** The commit that was read last, and those whose status on GitHub is still `pending`. */
  commitOid: text('commit_oid'),
  pendingOids: text('pending_oids').array().notNull().default(sql`'{}'`),
  /** The version that was live at the last report, and why the last attempt failed. */
  versionId: id('version_id'),
  error: text('error'),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** Translations that repositories name in their configuration, and how far each of them is in sync with it. */
export const repositoryTranslations = pgTable(
  'repository_translations',
  {
    repositoryId: bigint('repository_id', { mode: 'number' }).notNull(),
    /** The directory of the space, and the platform's name of the language. */
    directory: text('directory').notNull(),
    language: text('language').notNull(),
    /** Whether the configuration still names it; if not, it remains unchanged. */
    isNamed: boolean('is_named').notNull().default(true),
    organizationId: id('organization_id').notNull(),
    /** Null until it is created. */
    translationId: id('translation_id'),
    /** Which of `instructions` and `glossary` came from the configuration: they are reset when it no longer has them. */
    appliedSettings: text('given').array().notNull().default(sql`'{}'`),
    /**
     * The commit and path of the glossary that was applied last. 0.1.0 wrote those of an invalid one here, too, after
     * `wrong `.
     */
    glossaryFrom: text('glossary_from'),
    /** The commit and path of the glossary if the one that was read last is invalid; null otherwise. */
    invalidGlossaryFrom: text('invalid_glossary_from'),
    /** The revision of the space for which a run was last requested. */
    revisionId: id('revision_id'),
    /** Why it is not in sync, in one sentence. */
    error: text('error'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.repositoryId, table.directory, table.language] })],
);
