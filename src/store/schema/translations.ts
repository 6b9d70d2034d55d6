/** Tables of translations: what is translated into what, and the memory of what was translated. */
import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
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
    /** See Document in the contract; null for none. */
    instructions: jsonb('instructions'),
    /** `{term, translation}[]`. */
    glossary: jsonb('glossary').notNull().default([]),
    /** `pending` → `running` → `completed` or `failed`. */
    status: text('status').notNull().default('pending'),
    error: text('error'),
    /** How many runs were asked for; the run under way, or the last one, is for those up to `run`. */
    requested: integer('requested').notNull().default(0),
    run: integer('run').notNull().default(0),
    /** The revision of the source that the run under way, or the last one that ended well, read. */
    sourceRevisionId: id('source_revision_id'),
    /** The same, of what `resultRevisionId` was written from. */
    writtenFromId: id('written_from_id'),
    resultSpaceId: id('result_space_id'),
    resultRevisionId: id('result_revision_id'),
    /** Words that the run under way leaves to the next because of the cap. */
    wordsLeft: integer('words_left').notNull().default(0),
    runs: integer('runs').notNull().default(0),
    totalWords: integer('total_words').notNull().default(0),
    totalPages: integer('total_pages').notNull().default(0),
    totalRequests: integer('total_requests').notNull().default(0),
    /** In milliseconds, as the next. */
    totalDuration: integer('total_duration').notNull().default(0),
    latestRunDuration: integer('latest_run_duration').notNull().default(0),
    latestPages: integer('latest_pages').notNull().default(0),
    latestWords: integer('latest_words').notNull().default(0),
    latestRequests: integer('latest_requests').notNull().default(0),
    /** Batches of the run under way that the provider did not answer. */
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

export const translationMemory = pgTable(
  'translation_memory',
  {
    translationId: id('translation_id')
      .notNull()
      .references(() => translations.id, { onDelete: 'cascade' }),
    /** A digest of the text and of what else decides its translation. */
    key: text('key').notNull(),
    /** `wanted`: to be asked for by the batch of the run. `machine` or `person`: translated. `refused`: see `reason`. */
    origin: text('origin').notNull(),
    run: integer('run').notNull(),
    batch: integer('batch').notNull().default(0),
    /** How often an answer was refused. */
    refusals: integer('refusals').notNull().default(0),
    source: text('source').notNull(),
    words: integer('words').notNull().default(0),
    text: text('text'),
    reason: text('reason'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.translationId, table.key] }),
    index('translation_memory_wanted').on(table.translationId, table.batch).where(sql`origin = 'wanted'`),
  ],
);
