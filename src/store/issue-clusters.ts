import { and, count, countDistinct, eq, inArray, max, min, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { conversationIssues, conversations, issueClusters } from './schema/conversations.ts';

export type IssueClusterRow = typeof issueClusters.$inferSelect;

/** How many weeks a pulse has. */
export const PULSE_WEEKS = 13;

/** By what clusters can be ordered. */
export type ClusterOrder = 'updatedAt' | 'issues' | 'conversations';

/** Where the next page of a list of clusters starts: the value that it is ordered by, and the id. */
export interface ClusterKey {
  readonly value: string | number;
  readonly id: string;
}

/** A cluster with what its issues are now. */
export interface CountedCluster {
  readonly row: IssueClusterRow;
  readonly issues: number;
  readonly conversations: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Its issues in each of the past weeks, the oldest first. */
  readonly weeklyPulse: readonly number[];
  /** Its issues by source. */
  readonly sources: Readonly<Record<string, number>>;
}

/** The number of an organization's clusters, and those after `after` in this order. */
export async function listClusters(
  db: Db,
  organizationId: string,
  options: {
    readonly id?: string;
    readonly orderBy: ClusterOrder;
    readonly isAscending: boolean;
    readonly after: ClusterKey | null;
    readonly limit: number;
  },
): Promise<{ readonly count: number; readonly rows: readonly CountedCluster[] }> {
  const { orderBy, isAscending, after, limit } = options;
  const counted = db
    .select({
      clusterId: conversationIssues.clusterId,
      issues: count().as('issues'),
      conversations: countDistinct(conversationIssues.conversationId).as('conversations'),
      firstAt: min(conversationIssues.createdAt).as('first_at'),
      lastAt: max(conversationIssues.createdAt).as('last_at'),
    })
    .from(conversationIssues)
    .where(
      and(
        eq(conversationIssues.organizationId, organizationId),
        options.id === undefined ? undefined : eq(conversationIssues.clusterId, options.id),
      ),
    )
    .groupBy(conversationIssues.clusterId)
    .as('counted');
  const value = {
    updatedAt: sql`${counted.lastAt}`,
    issues: sql`${counted.issues}`,
    conversations: sql`${counted.conversations}`,
  }[orderBy];
  const type = sql.raw(orderBy === 'updatedAt' ? 'timestamptz' : 'bigint');
  const [comparison, direction] = isAscending ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const [total] = await db
    .select({ count: count() })
    .from(issueClusters)
    .innerJoin(counted, eq(counted.clusterId, issueClusters.id));
  const rows = await db
    .select({
      row: issueClusters,
      issues: counted.issues,
      conversations: counted.conversations,
      firstAt: counted.firstAt,
      lastAt: counted.lastAt,
    })
    .from(issueClusters)
    .innerJoin(counted, eq(counted.clusterId, issueClusters.id))
    .where(
      after === null
        ? undefined
        : sql`(${value}, ${issueClusters.id}) ${comparison} (${after.value}::${type}, ${after.id})`,
    )
    .orderBy(sql`${value} ${direction}, ${issueClusters.id} ${direction}`)
    .limit(limit);
  const details = await loadDetails(
    db,
    rows.map(({ row }) => row.id),
  );
  return {
    count: total?.count ?? 0,
    rows: rows.map(({ firstAt, lastAt, ...found }) => ({
      ...found,
      firstAt: firstAt ?? found.row.createdAt,
      lastAt: lastAt ?? found.row.createdAt,
      ...(details.get(found.row.id) ?? { weeklyPulse: emptyPulse(), sources: {} }),
    })),
  };
}

const emptyPulse = () => Array.from({ length: PULSE_WEEKS }, () => 0);

type Details = Pick<CountedCluster, 'weeklyPulse' | 'sources'>;

async function loadDetails(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Details>> {
  const details = new Map<string, { weeklyPulse: number[]; sources: Record<string, number> }>();
  if (ids.length === 0) return details;
  for (const id of ids) details.set(id, { weeklyPulse: emptyPulse(), sources: {} });
  const isListed = inArray(conversationIssues.clusterId, [...ids]);
  const weeksAgo = sql<number>`greatest(0, floor(extract(epoch from now() - ${conversationIssues.createdAt}) / 604800))::int`;
  const weeks = await db
    .select({ id: conversationIssues.clusterId, weeksAgo: weeksAgo.as('weeks_ago'), issues: count() })
    .from(conversationIssues)
    .where(and(isListed, sql`${conversationIssues.createdAt} > now() - ${`${PULSE_WEEKS} weeks`}::interval`))
    .groupBy(conversationIssues.clusterId, sql`weeks_ago`);
  for (const week of weeks) {
    const pulse = details.get(week.id ?? '')?.weeklyPulse;
    if (pulse && week.weeksAgo < PULSE_WEEKS) pulse[PULSE_WEEKS - 1 - week.weeksAgo] = week.issues;
  }
  const sources = await db
    .select({ id: conversationIssues.clusterId, source: conversations.source, issues: count() })
    .from(conversationIssues)
    .innerJoin(conversations, eq(conversations.id, conversationIssues.conversationId))
    .where(isListed)
    .groupBy(conversationIssues.clusterId, conversations.source)
    .orderBy(conversations.source);
  for (const { id, source, issues } of sources) {
    const found = details.get(id ?? '');
    if (found) found.sources[source] = issues;
  }
  return details;
}
