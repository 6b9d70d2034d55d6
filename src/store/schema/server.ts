/** Tables of the server itself. */
import { sql } from 'drizzle-orm';
import { bigint, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';
import { organizations } from './platform.ts';

/** Secrets of this server, such as the credentials of its GitHub App. */
export const serverSecrets = pgTable('server_secrets', {
  name: text('name').primaryKey(),
  /** As `Sealer.seal` returns it. */
  sealed: text('sealed').notNull(),
  updatedAt: moment('updated_at').notNull().default(sql`now()`),
});

/** The releases of Docloom that updated the schema, so that an older process knows whether it may use it. */
export const schemaReleases = pgTable('schema_releases', {
  release: text('release').primaryKey(),
  /** The oldest release whose processes can still run on the schema of this one. */
  compatibleFrom: text('compatible_from').notNull(),
  recordedAt: moment('recorded_at').notNull().default(sql`now()`),
});

/** What all processes on this database must agree on, so that one that does not can say so and stop. */
export const serverIdentity = pgTable('server_identity', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  recordedAt: moment('recorded_at').notNull().default(sql`now()`),
});

/** How much of the language model was used, by day in UTC. */
export const modelUsage = pgTable('model_usage', {
  day: date('day').primaryKey(),
  /** Those of calls that are under way are the most that they may use. */
  tokens: bigint('tokens', { mode: 'number' }).notNull(),
  calls: integer('calls').notNull(),
});

/** The same by organization and by what it was used for. */
export const organizationModelUsage = pgTable(
  'organization_model_usage',
  {
    day: date('day').notNull(),
    organizationId: id('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** See `ModelPurpose`. */
    purpose: text('purpose').notNull(),
    tokens: bigint('tokens', { mode: 'number' }).notNull(),
    calls: integer('calls').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.organizationId, table.purpose] })],
);
