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
  updateClusterLabel,
} from '../../store/index.ts';
import type { PlatformDeps } from '../deps.ts';
import { findModel, type GuidedModel } from '../models/find-model.ts';
import { startModelRun } from '../models/start-model-run.ts';
import { clusterJob } from './conversation-jobs.ts';
import { fitsMembers, labelCluster } from './label-cluster.ts';

/** A cluster gets at most this share of the issues for its description: those of a large one say it often enough. */
const DESCRIBED_ISSUES = 200;
/** Of a model, so many labels are requested at once. */
const LABELS_AT_ONCE = 6;
/** After so long, a further job goes on with the labels of a model. */
const TURN_MS = 5 * 60_000;

/**
 * Groups all issues of an organization anew: so the clusters are those of its issues, in whatever order they came and
 * whatever was interrupted. A cluster goes on under its id. The labels of a model follow, the largest clusters first.
 */
export async function groupIssues(
  deps: Pick<PlatformDeps, 'db' | 'queue' | 'model' | 'log'>,
  organizationId: string,
  { signal, turnMs = TURN_MS }: Pick<JobContext, 'signal'> & { readonly turnMs?: number },
): Promise<void> {
  const { db } = deps;
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
  const guided = await findModel(deps, organizationId);
  await turn();
  const frequency = { of: countStems(issues), total: issues.length };
  const described: DescribedCluster[] = [];
  for (const [index, members] of clusters.entries()) {
    signal.throwIfAborted();
    if (index % 20 === 0) await turn();
    const id = ids[index] ?? newId();
    described.push({ ...describe(members, frequency, { guided, known: known.get(id) }), id, members });
  }
  const rows = described.map(({ row, id, members }) => ({
    row: { id, ...row },
    issueIds: members.map((issue) => issue.id),
  }));
  await db.transaction(async (tx) => await replaceClusters(tx, organizationId, rows));
  if (guided !== null) await labelClusters(deps, { organizationId, guided, described }, { signal, turnMs });
}

type Described = Omit<IssueClusterRow, 'id' | 'createdAt' | 'organizationId'>;

interface DescribedCluster {
  readonly id: string;
  readonly row: Described;
  /** Of what a model would be sent to label it; null without a model. */
  readonly digest: string | null;
  readonly members: readonly ClusterableRow[];
}

/** What a model said of a cluster stays until the cluster has other terms or twice as many issues, and as long as they say it. */
function describe(
  members: readonly ClusterableRow[],
  frequency: Parameters<typeof describeCluster>[1],
  { guided, known }: { readonly guided: GuidedModel | null; readonly known: IssueClusterRow | undefined },
): Pick<DescribedCluster, 'row' | 'digest'> {
  const { label, summary, icon } = describeCluster(members.slice(0, DESCRIBED_ISSUES), frequency);
  if (guided === null)
    return { row: { label, summary, icon, method: 'text', labelledDigest: null }, digest: null };
  const size = Math.floor(Math.log2(members.length));
  const digest = createHash('sha256')
    .update(JSON.stringify([label, size, guided.model.name, guided.guidance]))
    .digest('base64url');
  const isLabelled = known?.labelledDigest === digest;
  if (isLabelled && known.method === 'model' && fitsMembers(known, members.slice(0, DESCRIBED_ISSUES)))
    return {
      row: { label: known.label, summary: known.summary, icon, method: 'model', labelledDigest: digest },
      digest,
    };
  const wasRefused = isLabelled && known.method === 'text';
  return {
    row: { label, summary, icon, method: 'text', labelledDigest: wasRefused ? digest : null },
    digest,
  };
}

async function labelClusters(
  { db, queue, log }: Pick<PlatformDeps, 'db' | 'queue' | 'log'>,
  {
    organizationId,
    guided,
    described,
  }: {
    readonly organizationId: string;
    readonly guided: GuidedModel;
    readonly described: readonly DescribedCluster[];
  },
  { signal, turnMs }: { readonly signal: AbortSignal; readonly turnMs: number },
): Promise<void> {
  const run = startModelRun(guided, log);
  const start = performance.now();
  const waiting = described
    .filter(({ row }) => row.labelledDigest === null)
    .sort((a, b) => b.members.length - a.members.length);
  for (let at = 0; at < waiting.length && run.isUsable; at += LABELS_AT_ONCE) {
    signal.throwIfAborted();
    if (at > 0 && performance.now() - start >= turnMs)
      return void (await queue.enqueue(db, clusterJob, { organizationId }, { unlessWaiting: true }));
    await Promise.all(
      waiting.slice(at, at + LABELS_AT_ONCE).map(async ({ id, digest: labelledDigest, members }) => {
        const outcome = await run.request((model) =>
          labelCluster(model, members.slice(0, DESCRIBED_ISSUES), { signal }),
        );
        if (outcome.kind === 'made')
          await updateClusterLabel(db, id, { ...outcome.value, method: 'model', labelledDigest });
        else if (outcome.kind === 'refused') await updateClusterLabel(db, id, { labelledDigest });
      }),
    );
  }
}
