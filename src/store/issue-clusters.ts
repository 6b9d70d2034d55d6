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
    /** Only those with an issue from this source. */
    readonly source?: string | undefined;
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
    // One issue alone is no cluster: the others of it were deleted.
    .having(sql`count(*) > 1`)
    .as('counted');
  const value = {
    updatedAt: sql`${counted.lastAt}`,
    issues: sql`${counted.issues}`,
    conversations: sql`${counted.conversations}`,
  }[orderBy];
  const type = sql.raw(orderBy === 'updatedAt' ? 'timestamptz' : 'bigint');
  const [comparison, direction] = isAscending ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const isFrom =
    options.source === undefined
      ? undefined
      : sql`exists (
          select from ${conversationIssues} join ${conversations} on ${conversations.id} = ${conversationIssues.conversationId}
          where ${conversationIssues.clusterId} = ${issueClusters.id} and ${conversations.source} = ${options.source})`;
  const [total] = await db
    .select({ count: count() })
    .from(issueClusters)
    .innerJoin(counted, eq(counted.clusterId, issueClusters.id))
    .where(isFrom);
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
      and(
        isFrom,
        after === null
          ? undefined
          : sql`(${value}, ${issueClusters.id}) ${comparison} (${after.value}::${type}, ${after.id})`,
      ),
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

/** An issue as it is put into clusters. */
export interface ClusterableRow {
  readonly id: string;
  /** The same whenever its conversation came, and however often. */
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly clusterId: string | null;
}

/** All issues of an organization, in no order. */
export async function loadClusterableIssues(
  db: Db,
  organizationId: string,
): Promise<readonly ClusterableRow[]> {
  return await db
    .select({
      id: conversationIssues.id,
      key: sql<string>`${conversations.key} || ':' || ${conversationIssues.position}`,
      title: conversationIssues.title,
      summary: conversationIssues.summary,
      clusterId: conversationIssues.clusterId,
    })
    .from(conversationIssues)
    .innerJoin(conversations, eq(conversations.id, conversationIssues.conversationId))
    .where(eq(conversationIssues.organizationId, organizationId));
}

/** The clusters of an organization as they were described last. */
export async function loadClusterRows(db: Db, organizationId: string): Promise<readonly IssueClusterRow[]> {
  return await db.select().from(issueClusters).where(eq(issueClusters.organizationId, organizationId));
}

/** Locks a cluster until the transaction is complete. False where there is none. */
export async function lockIssueCluster(tx: Db, organizationId: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: issueClusters.id })
    .from(issueClusters)
    .where(and(eq(issueClusters.organizationId, organizationId), eq(issueClusters.id, id)))
    .for('no key update');
  return rows.length > 0;
}

/** Changes what a cluster is called; nothing where it is gone. */
export async function updateClusterLabel(
  db: Db,
  id: string,
  changes: Partial<Pick<IssueClusterRow, 'label' | 'summary' | 'method' | 'labelledDigest'>>,
): Promise<void> {
  await db.update(issueClusters).set(changes).where(eq(issueClusters.id, id));
}

/** Makes these the clusters of an organization, with these issues, and deletes all others. Call it in a transaction. */
export async function replaceClusters(
  tx: Db,
  organizationId: string,
  clusters: readonly {
    readonly row: Omit<IssueClusterRow, 'createdAt' | 'organizationId'>;
    readonly issueIds: readonly string[];
  }[],
): Promise<void> {
  const rows = clusters.map(({ row }) => ({ ...row, organizationId }));
  for (let at = 0; at < rows.length; at += 1_000)
    await tx
      .insert(issueClusters)
      .values(rows.slice(at, at + 1_000))
      .onConflictDoUpdate({
        target: issueClusters.id,
        set: {
          label: sql`excluded.label`,
          summary: sql`excluded.summary`,
          icon: sql`excluded.icon`,
          method: sql`excluded.method`,
          labelledDigest: sql`excluded.labelled_digest`,
        },
        setWhere: sql`(${issueClusters.label}, ${issueClusters.summary}, ${issueClusters.icon}, ${issueClusters.method}, ${issueClusters.labelledDigest})
          is distinct from (excluded.label, excluded.summary, excluded.icon, excluded.method, excluded.labelled_digest)`,
      });
  const placed = clusters.flatMap(({ row, issueIds }) => issueIds.map((id) => ({ id, cluster: row.id })));
  await tx.execute(sql`
    update ${conversationIssues} as issue set cluster_id = placed.cluster
    from (
      select mine.id, wanted.cluster from ${conversationIssues} as mine
      left join json_to_recordset(${JSON.stringify(placed)}::json) as wanted (id text, cluster text) on wanted.id = mine.id
      where mine.organization_id = ${organizationId}
    ) as placed
    where issue.id = placed.id and issue.cluster_id is distinct from placed.cluster`);
  await tx.execute(sql`
    delete from ${issueClusters} where organization_id = ${organizationId} and id not in (
      select json_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::json))`);
}
