/** Tables of translations: what is translated into which language, and the translation memory. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';
import { organizations, spaces } from './platform.ts';

export const translations = pgTable(
  'translations',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    sourceSpaceId: id('source_space_id')
      .notNull()
      .references(() => spaces.id, { onDelete: 'cascade' }),
    sourceLanguage: text('source_language'),
    language: text('language').notNull(),
    provider: text('provider').notNull().default('pseudo'),
    /** See Document in the contract; null where there are none. */
    instructions: jsonb('instructions'),
    /** `{term, translation}[]`. */
    glossary: jsonb('glossary').notNull().default([]),
    /** `pending` → `running` → `completed` or `failed`. */
    status: text('status').notNull().default('pending'),
    error: text('error'),
    /** How many runs were requested; the current run, or else the last, fulfils the requests up to `run`. */
    requested: integer('requested').notNull().default(0),
    run: integer('run').notNull().default(0),
    /** Whether a person requested the run that is pending or in progress, or else the last one; otherwise the server did by itself. */
    runForPerson: boolean('run_for_person').notNull().default(false),
    /** The revision of the source that the current run, or else the last successful one, read. */
    sourceRevisionId: id('source_revision_id'),
    /** The revision of the source from which `resultRevisionId` was written. */
    writtenFromId: id('written_from_id'),
    resultSpaceId: id('result_space_id'),
    resultRevisionId: id('result_revision_id'),
    /** Words that the current run leaves to the next because of the cap. */
    wordsLeft: integer('words_left').notNull().default(0),
    runs: integer('runs').notNull().default(0),
    totalWords: integer('total_words').notNull().default(0),
    totalPages: integer('total_pages').notNull().default(0),
    totalRequests: integer('total_requests').notNull().default(0),
    /** In milliseconds, like the next column. */
    totalDuration: integer('total_duration').notNull().default(0),
    latestRunDuration: integer('latest_run_duration').notNull().default(0),
    latestPages: integer('latest_pages').notNull().default(0),
    latestWords: integer('latest_words').notNull().default(0),
    latestRequests: integer('latest_requests').notNull().default(0),
    /** Batches of the current run that the provider did not answer. */
    unanswered: integer('unanswered').notNull().default(0),
    /** `{count, items: {path, line, message}[]}`: texts that stayed in the language of the source. */
    problems: jsonb('problems').notNull().default({ count: 0, items: [] }),
    startedAt: moment('started_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('translations_of_organization').on(table.organizationId, table.createdAt, table.id),
    index('translations_of_space').on(table.sourceSpaceId),
    index('translations_to_space').on(table.resultSpaceId),
  ],
);

/** How a person came to write a translation. */
export interface StoredCorrection {
  /** What was written: what an older process overwrote says nothing about who did. */
  readonly text: string;
  /** Null for what was written in the result itself. */
  readonly userId: string | null;
  /** The texts before and after it in the page; null at its ends. */
  readonly neighbours: readonly [before: string | null, after: string | null];
}

export const translationMemory = pgTable(
  'translation_memory',
  {
    translationId: id('translation_id')
      .notNull()
      .references(() => translations.id, { onDelete: 'cascade' }),
    /** A digest of the text and of everything else that its translation depends on. */
    key: text('key').notNull(),
    /** `wanted`: to be requested in its batch of the run. `machine` or `person`: translated. `refused`: see `reason`. */
    origin: text('origin').notNull(),
    run: integer('run').notNull(),
    batch: integer('batch').notNull().default(0),
    /** How often an answer was refused. */
    refusals: integer('refusals').notNull().default(0),
    source: text('source').notNull(),
    words: integer('words').notNull().default(0),
    text: text('text'),
    reason: text('reason'),
    /** Of what a person wrote: the page in which they did; null for what was written before this was recorded. */
    path: text('path'),
    /** The same: see StoredCorrection. */
    correction: jsonb('correction').$type<StoredCorrection>(),
    /** Since when no page of the source has its text; null while one does. */
    unneededSince: moment('unneeded_since'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.translationId, table.key] }),
    index('translation_memory_corrected').on(table.translationId, table.path).where(sql`origin = 'person'`),
    index('translation_memory_wanted').on(table.translationId, table.batch).where(sql`origin = 'wanted'`),
  ],
);
