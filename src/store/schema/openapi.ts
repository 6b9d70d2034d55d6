/** Tables of API descriptions: their sources, their versions, and what pages show of the latest version. */
import {
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
import { organizations } from './platform.ts';

export const openapiSpecs = pgTable(
  'openapi_specs',
  {
    id: id('id').primaryKey(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    visibility: text('visibility').notNull().default('private'),
    /** `pending` → `progress` → `complete`, as the API shows it. */
    state: text('state').notNull().default('pending'),
    /** Counts the changes of the source: the result of a run for an older source is not stored. */
    generation: integer('generation').notNull().default(1),
    /** The address that it is fetched from, without secret parts; null for an uploaded description. */
    sourceUrl: text('source_url'),
    /** `{url, headers}` with all secrets, sealed. */
    sealedSource: text('sealed_source'),
    /** Of the last response, for the next conditional request. */
    etag: text('etag'),
    lastModified: text('last_modified'),
    /** The digest of the latest version's meaning. */
    digest: text('digest'),
    lastVersionId: id('last_version_id'),
    lastProcessedAt: moment('last_processed_at'),
    lastErrorCode: text('last_error_code'),
    /** `{message, code, path?, pointer?, line?, column?}[]` of the last run. */
    lastErrors: jsonb('last_errors').notNull().default([]),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('openapi_specs_by_slug').on(table.organizationId, table.slug),
    index('openapi_specs_of_organization').on(table.organizationId, table.createdAt, table.id),
  ],
);

/** Uploads that were not read yet; deleted when they are. */
export const openapiUploads = pgTable('openapi_uploads', {
  specId: id('spec_id')
    .primaryKey()
    .references(() => openapiSpecs.id, { onDelete: 'cascade' }),
  generation: integer('generation').notNull(),
  /** JSON of `{entry, files}`, compressed (gzip). */
  content: bytes('content').notNull(),
});

export const openapiVersions = pgTable(
  'openapi_versions',
  {
    id: id('id').primaryKey(),
    /** Order of creation. */
    sequence: bigserial('sequence', { mode: 'number' }).notNull(),
    specId: id('spec_id')
      .notNull()
      .references(() => openapiSpecs.id, { onDelete: 'cascade' }),
    digest: text('digest').notNull(),
    /** The title in the description. */
    title: text('title').notNull(),
    /** JSON of its files as `{entrypoint, files}`, compressed (gzip). */
    content: bytes('content').notNull(),
    /** JSON of all files bundled into one document, compressed (gzip); null where there is only one file. */
    document: bytes('document'),
    /** `{changes, total, breaking}` compared with the previous version; null for the first. */
    changes: jsonb('changes'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('openapi_versions_of_spec').on(table.specId, table.sequence)],
);

/** The operations of the latest version, for pages. */
export const openapiOperations = pgTable(
  'openapi_operations',
  {
    specId: id('spec_id')
      .notNull()
      .references(() => openapiSpecs.id, { onDelete: 'cascade' }),
    /** Order in the description. */
    ordinal: integer('ordinal').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    tag: text('tag'),
    title: text('title').notNull(),
    isDeprecated: boolean('is_deprecated').notNull(),
    /** JSON of the engine's OperationView, compressed (gzip). */
    view: bytes('view').notNull(),
    /** Of the engine that described it; 0 for releases that did not say so. Older ones are described again. */
    viewVersion: integer('view_version').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.specId, table.ordinal] }),
    index('openapi_operations_by_path').on(table.specId, table.path),
  ],
);
