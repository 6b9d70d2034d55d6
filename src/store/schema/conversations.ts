/** Tables of what people ask: conversations, the issues in them, and their clusters; and of what a model is told. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, moment } from './columns.ts';
import { organizations } from './platform.ts';

const ofOrganization = () =>
  id('organization_id')
    .notNull()
    .references(() => organizations.id, { onDelete: 'cascade' });

/** Everything that people wrote is redacted here. */
export const conversations = pgTable(
  'conversations',
  {
    id: id('id').primaryKey(),
    organizationId: ofOrganization(),
    source: text('source').notNull(),
    /** A digest of the source and of the id that the source sent: that itself may name a person. */
    key: text('key').notNull(),
    /** That id, redacted. */
    sourceId: text('source_id').notNull(),
    subject: text('subject'),
    url: text('url'),
    attributes: jsonb('attributes').$type<Readonly<Record<string, string>>>().notNull(),
    parts: jsonb('parts').$type<readonly StoredMessage[]>().notNull(),
    /** Of everything that the source sent, redacted: the same again changes nothing. */
    digest: text('digest').notNull(),
    /** Whether the source said when it was; otherwise it is when it came first. */
    isDated: boolean('is_dated').notNull(),
    createdAt: moment('created_at').notNull(),
    /** When it came, or changed, last. */
    ingestedAt: moment('ingested_at').notNull().defaultNow(),
    /** Raised by each change, so that issues are made of the latest. */
    revision: integer('revision').notNull().default(1),
    /** When its issues were made; null until then, and again after a change. */
    processedAt: moment('processed_at'),
  },
  (table) => [
    uniqueIndex('conversations_by_key').on(table.organizationId, table.key),
    index('conversations_of_organization').on(table.organizationId, table.createdAt, table.id),
    index('conversations_of_source').on(table.organizationId, table.source, table.createdAt, table.id),
    index('conversations_to_process')
      .on(table.organizationId, table.ingestedAt, table.id)
      .where(sql`processed_at is null`),
    index('conversations_by_time').on(table.ingestedAt),
  ],
);

/** A message of a conversation. */
export interface StoredMessage {
  readonly type: 'message';
  readonly role: 'user' | 'assistant' | 'team-member';
  readonly body: string;
}

export const issueClusters = pgTable(
  'issue_clusters',
  {
    id: id('id').primaryKey(),
    organizationId: ofOrganization(),
    label: text('label').notNull(),
    summary: text('summary').notNull(),
    icon: text('icon').notNull(),
    /** `text` or `model`: which way made label and summary. */
    method: text('method').notNull(),
    /** Of what a model was sent to label it; null where no model has answered. The label of its terms stays where its answer was refused. */
    labelledDigest: text('labelled_digest'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('issue_clusters_of_organization').on(table.organizationId, table.id)],
);

export const conversationIssues = pgTable(
  'conversation_issues',
  {
    id: id('id').primaryKey(),
    organizationId: ofOrganization(),
    conversationId: id('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** Its position in the conversation, from 0. */
    position: integer('position').notNull(),
    title: text('title').notNull(),
    summary: text('summary').notNull(),
    /** What of the conversation a model made it of, word for word; none where it is made of its sentences. */
    quotes: jsonb('quotes').$type<readonly string[]>().notNull().default([]),
    /** `text` or `model`: which way made it. */
    method: text('method').notNull(),
    clusterId: id('cluster_id').references(() => issueClusters.id, { onDelete: 'set null' }),
    /** Of the conversation, as is the next one. */
    createdAt: moment('created_at').notNull(),
    ingestedAt: moment('ingested_at').notNull(),
  },
  (table) => [
    uniqueIndex('conversation_issues_by_position').on(table.conversationId, table.position),
    index('conversation_issues_of_organization').on(table.organizationId, table.createdAt, table.id),
    index('conversation_issues_of_cluster').on(table.clusterId, table.createdAt, table.id),
  ],
);

/** Each version of what an organization tells its model; the newest is in force. */
export const agentInstructions = pgTable(
  'agent_instructions',
  {
    id: id('id').primaryKey(),
    organizationId: ofOrganization(),
    version: integer('version').notNull(),
    /** A Document of the API. */
    instructions: jsonb('instructions').notNull(),
    /** The user; they may be gone. Null for the server. */
    createdBy: id('created_by'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('agent_instructions_by_version').on(table.organizationId, table.version)],
);
