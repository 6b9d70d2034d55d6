import { and, asc, count, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type AgeKey, isOlder } from './age-keys.ts';
import type { Db } from './db.ts';
import { newId } from './new-id.ts';
import { conversationIssues, conversations } from './schema/conversations.ts';

export type { StoredMessage } from './schema/conversations.ts';
export type ConversationRow = typeof conversations.$inferSelect;
export type ConversationIssueRow = typeof conversationIssues.$inferSelect;

/** What a list of conversations reads: everything but what was said. */
export type ConversationSummaryRow = Omit<ConversationRow, 'parts' | 'attributes'>;

/** An issue and the conversation that it is from. */
export interface IssueWithConversationRow {
  readonly issue: ConversationIssueRow;
  readonly conversation: ConversationSummaryRow;
}

const summaryColumns = {
  id: conversations.id,
  organizationId: conversations.organizationId,
  source: conversations.source,
  key: conversations.key,
  sourceId: conversations.sourceId,
  subject: conversations.subject,
  url: conversations.url,
  digest: conversations.digest,
  isDated: conversations.isDated,
  createdAt: conversations.createdAt,
  ingestedAt: conversations.ingestedAt,
  revision: conversations.revision,
  processedAt: conversations.processedAt,
};

export async function countConversations(db: Db, organizationId: string): Promise<number> {
  return await db.$count(conversations, eq(conversations.organizationId, organizationId));
}

/** Those of these keys that an organization has. */
export async function countConversationsByKey(
  db: Db,
  organizationId: string,
  keys: readonly string[],
): Promise<number> {
  const isNamed = sql`${conversations.key} = any(${sql.param([...keys])}::text[])`;
  return await db.$count(conversations, and(eq(conversations.organizationId, organizationId), isNamed));
}

/**
 * Stores conversations, each once for its key: a changed one replaces what was stored, and the same again changes
 * nothing. Pass them in order of their keys, so that two callers wait for each other rather than lock each other out.
 * Returns how many are new or changed.
 */
export async function storeConversations(
  tx: Db,
  rows: readonly (typeof conversations.$inferInsert)[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const excluded = (column: string) => sql.raw(`excluded.${column}`);
  const stored = await tx
    .insert(conversations)
    .values([...rows])
    .onConflictDoUpdate({
      target: [conversations.organizationId, conversations.key],
      set: {
        sourceId: excluded('source_id'),
        subject: excluded('subject'),
        url: excluded('url'),
        attributes: excluded('attributes'),
        parts: excluded('parts'),
        digest: excluded('digest'),
        isDated: excluded('is_dated'),
        createdAt: sql`case when excluded.is_dated then excluded.created_at else ${conversations.createdAt} end`,
        ingestedAt: sql`now()`,
        revision: sql`${conversations.revision} + 1`,
        processedAt: null,
      },
      setWhere: sql`${conversations.digest} <> excluded.digest`,
    })
    .returning({ id: conversations.id });
  return stored.length;
}

/**
 * Deletes the conversations of a source with their issues, or the one with this key; in the order in which they are
 * written. Returns how many there were.
 */
export async function deleteConversations(
  tx: Db,
  organizationId: string,
  { source, key }: { readonly source: string; readonly key: string | null },
): Promise<number> {
  const matching = and(
    eq(conversations.organizationId, organizationId),
    eq(conversations.source, source),
    key === null ? undefined : eq(conversations.key, key),
  );
  const rows = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(matching)
    .orderBy(asc(conversations.key))
    .for('update');
  if (rows.length > 0) await tx.delete(conversations).where(matching);
  return rows.length;
}

export async function loadConversation(
  db: Db,
  organizationId: string,
  id: string,
): Promise<ConversationRow | null> {
  const [row] = await db
    .select()
    .from(conversations)
    .where(and(eq(conversations.organizationId, organizationId), eq(conversations.id, id)));
  return row ?? null;
}

/** The number of an organization's conversations, and those before `after`, the newest first. */
export async function listConversations(
  db: Db,
  organizationId: string,
  options: {
    readonly source: string | undefined;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly ConversationSummaryRow[] }> {
  const { source, after, limit } = options;
  const matching = and(
    eq(conversations.organizationId, organizationId),
    source === undefined ? undefined : eq(conversations.source, source),
  );
  const total = await db.$count(conversations, matching);
  const rows = await db
    .select(summaryColumns)
    .from(conversations)
    .where(and(matching, isOlder(conversations, after)))
    .orderBy(desc(conversations.createdAt), desc(conversations.id))
    .limit(limit);
  return { count: total, rows };
}

/** Conversations whose issues are to be made, those that came first before the others. */
export async function listUnprocessed(
  db: Db,
  organizationId: string,
  limit: number,
): Promise<readonly ConversationRow[]> {
  return await db
    .select()
    .from(conversations)
    .where(and(eq(conversations.organizationId, organizationId), isNull(conversations.processedAt)))
    .orderBy(asc(conversations.ingestedAt), asc(conversations.id))
    .limit(limit);
}

/** What an issue says, and which way made it. */
export interface NewIssue {
  readonly title: string;
  readonly summary: string;
  /** What of the conversation a model made it of, word for word. */
  readonly quotes: readonly string[];
  readonly method: 'text' | 'model';
}

/**
 * Replaces the issues of a conversation; those at the same position keep their ids. False when the conversation is gone
 * or has changed since it was read, and is still to be processed then.
 */
export async function completeConversation(
  tx: Db,
  conversation: ConversationRow,
  issues: readonly NewIssue[],
): Promise<boolean> {
  const { id, organizationId, createdAt, ingestedAt, revision } = conversation;
  const marked = await tx
    .update(conversations)
    .set({ processedAt: sql`now()` })
    .where(
      and(eq(conversations.id, id), eq(conversations.revision, revision), isNull(conversations.processedAt)),
    )
    .returning({ id: conversations.id });
  if (marked.length === 0) return false;
  await tx
    .delete(conversationIssues)
    .where(
      and(eq(conversationIssues.conversationId, id), sql`${conversationIssues.position} >= ${issues.length}`),
    );
  if (issues.length === 0) return true;
  await tx
    .insert(conversationIssues)
    .values(
      issues.map((issue, position) => ({
        ...issue,
        id: newId(),
        organizationId,
        conversationId: id,
        position,
        createdAt,
        ingestedAt,
      })),
    )
    .onConflictDoUpdate({
      target: [conversationIssues.conversationId, conversationIssues.position],
      set: {
        title: sql`excluded.title`,
        summary: sql`excluded.summary`,
        quotes: sql`excluded.quotes`,
        method: sql`excluded.method`,
        createdAt: sql`excluded.created_at`,
        ingestedAt: sql`excluded.ingested_at`,
      },
    });
  return true;
}

/** The organizations that have conversations to process. */
export async function listOrganizationsToProcess(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectDistinct({ id: conversations.organizationId })
    .from(conversations)
    .where(isNull(conversations.processedAt));
  return rows.map((row) => row.id);
}

const withConversation = (db: Db, condition: SQL | undefined) =>
  db
    .select({ issue: conversationIssues, conversation: summaryColumns })
    .from(conversationIssues)
    .innerJoin(conversations, eq(conversations.id, conversationIssues.conversationId))
    .where(condition);

export async function loadConversationIssue(
  db: Db,
  organizationId: string,
  id: string,
): Promise<IssueWithConversationRow | null> {
  const [row] = await withConversation(
    db,
    and(eq(conversationIssues.organizationId, organizationId), eq(conversationIssues.id, id)),
  );
  return row ?? null;
}

/** The number of an organization's issues, and those before `after`, the newest first. */
export async function listConversationIssues(
  db: Db,
  organizationId: string,
  options: {
    readonly clusterId: string | undefined;
    readonly conversationId: string | undefined;
    readonly after: AgeKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly IssueWithConversationRow[] }> {
  const { clusterId, conversationId, after, limit } = options;
  const matching = and(
    eq(conversationIssues.organizationId, organizationId),
    clusterId === undefined ? undefined : eq(conversationIssues.clusterId, clusterId),
    conversationId === undefined ? undefined : eq(conversationIssues.conversationId, conversationId),
  );
  const [total] = await db.select({ count: count() }).from(conversationIssues).where(matching);
  const rows = await withConversation(db, and(matching, isOlder(conversationIssues, after)))
    .orderBy(desc(conversationIssues.createdAt), desc(conversationIssues.id))
    .limit(limit);
  return { count: total?.count ?? 0, rows };
}

/** How many conversations of a source an organization has. */
export interface SourceCount {
  readonly source: string;
  readonly count: number;
}

/** The sources of an organization's conversations, those with the most first. */
export async function listConversationSources(
  db: Db,
  organizationId: string,
  limit: number,
): Promise<readonly SourceCount[]> {
  const found = count();
  return await db
    .select({ source: conversations.source, count: found })
    .from(conversations)
    .where(eq(conversations.organizationId, organizationId))
    .groupBy(conversations.source)
    .orderBy(desc(found), asc(conversations.source))
    .limit(limit);
}

/** Which conversations of an organization: of one source, or of those whose name begins so. */
export type CountedSources = { readonly source: string } | { readonly prefixes: readonly string[] };

const isOf = (organizationId: string, sources: CountedSources) =>
  and(
    eq(conversations.organizationId, organizationId),
    'source' in sources
      ? eq(conversations.source, sources.source)
      : or(...sources.prefixes.map((prefix) => sql`starts_with(${conversations.source}, ${prefix})`)),
  );

/** How many of these conversations came within the last hour. */
export async function countRecentConversations(
  db: Db,
  organizationId: string,
  sources: CountedSources,
): Promise<number> {
  const isRecent = sql`${conversations.ingestedAt} > now() - interval '1 hour'`;
  return await db.$count(conversations, and(isOf(organizationId, sources), isRecent));
}

/**
 * Deletes those of these conversations that came longest ago, all but `retained` of them and at most `limit`; what somebody
 * else works on is left for the next time.
 */
export async function evictConversations(
  tx: Db,
  organizationId: string,
  sources: CountedSources,
  { retained, limit }: { readonly retained: number; readonly limit: number },
): Promise<void> {
  const surplus = (await tx.$count(conversations, isOf(organizationId, sources))) - retained;
  if (surplus <= 0) return;
  const oldest = tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(isOf(organizationId, sources))
    .orderBy(asc(conversations.ingestedAt), asc(conversations.id))
    .limit(Math.min(surplus, limit))
    .for('update', { skipLocked: true });
  await tx.delete(conversations).where(inArray(conversations.id, oldest));
}
