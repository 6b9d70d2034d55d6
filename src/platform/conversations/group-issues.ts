import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { clusterInSteps, countStems, describeCluster, matchClusters } from '../../conversations/index.ts';
import type { JobContext } from '../../queue/index.ts';
import {
  type ClusterableRow,
  type IssueClusterRow,
  loadClusterableIssues,
  loadClusterRows,
  newId,
  replaceClusters,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';

/** A cluster gets at most this share of the issues for its description: those of a large one say it often enough. */
const DESCRIBED_ISSUES = 200;

/**
 * Groups all issues of an organization anew: so the clusters are those of its issues, in whatever order they came and
 * whatever was interrupted. A cluster goes on under its id.
 */
export async function groupIssues(
  { db }: Pick<PlatformDeps, 'db'>,
  organizationId: string,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<void> {
  const issues = await loadClusterableIssues(db, organizationId);
  const steps = clusterInSteps(issues);
  let step = steps.next();
  for (; !step.done; step = steps.next()) {
    signal.throwIfAborted();
    await turn();
  }
  const byKey = new Map(issues.map((issue) => [issue.key, issue]));
  const clusters = step.value.map((keys) => keys.flatMap((key) => byKey.get(key) ?? []));
  const earlier = new Map(
    issues.flatMap(({ key, clusterId }) => (clusterId === null ? [] : [[key, clusterId]])),
  );
  const ids = matchClusters(earlier, step.value);
  const known = new Map((await loadClusterRows(db, organizationId)).map((row) => [row.id, row]));
  await turn();
  const frequency = { of: countStems(issues), total: issues.length };
  const rows: Parameters<typeof replaceClusters>[2][number][] = [];
  for (const [index, members] of clusters.entries()) {
    signal.throwIfAborted();
    if (index % 20 === 0) await turn();
    const id = ids[index] ?? newId();
    const described = describe(members, frequency, known.get(id));
    rows.push({ row: { id, ...described }, issueIds: members.map((issue) => issue.id) });
  }
  await db.transaction(async (tx) => await replaceClusters(tx, organizationId, rows));
}

type Described = Omit<IssueClusterRow, 'id' | 'createdAt' | 'organizationId'>;

/** What a model said of a cluster stays as long as the terms of the cluster are the same. */
function describe(
  members: readonly ClusterableRow[],
  frequency: Parameters<typeof describeCluster>[1],
  known: IssueClusterRow | undefined,
): Described {
  const { label, summary, icon } = describeCluster(members.slice(0, DESCRIBED_ISSUES), frequency);
  const labelledDigest = createHash('sha256').update(label).digest('base64url');
  if (known?.method === 'model' && known.labelledDigest === labelledDigest)
    return { label: known.label, summary: known.summary, icon, method: 'model', labelledDigest };
  return { label, summary, icon, method: 'text', labelledDigest };
}
