import { type GitHubAddress, webAddress } from '../../github/index.ts';
import type { Queue } from '../../queue/index.ts';
import {
  type Binding,
  countExternal,
  type Database,
  type ExportRow,
  findBindingOfSpace,
  listExternalFindings,
  loadExports,
} from '../../store/index.ts';
import { gatherJob, writeScheduleKey } from '../../sync/index.ts';
import {
  EXTERNAL_STATES,
  type ExternalCounts,
  type ScheduledExport,
  type SchedulerResults,
} from '../../web/index.ts';

export interface ScheduledParts {
  readonly db: Database;
  readonly queue: Queue;
  /** The GitHub of the current App; null while there is none. */
  readonly address: () => GitHubAddress | null;
}

/** Loads what the scheduler did for a space; null for a space without a bound repository. */
export async function loadScheduled(
  { db, queue, address }: ScheduledParts,
  spaceId: string,
): Promise<SchedulerResults | null> {
  const binding = await findBindingOfSpace(db, spaceId);
  if (binding === null) return null;
  const [counts, findings, exports, [schedule]] = await Promise.all([
    countExternal(db, binding.id),
    listExternalFindings(db, binding.id),
    loadExports(db, [binding.id]),
    queue.schedules(
      gatherJob,
      writeScheduleKey({ kind: 'external-links', repositoryId: binding.repositoryId }),
    ),
  ]);
  const exported = exports.get(binding.id);
  return {
    exported: exported === undefined ? null : presentExport(binding, exported, address()),
    externalLinks: {
      counts: fillCounts(counts),
      next: schedule?.next.toISOString() ?? null,
      findings: findings.map(({ url, state, detail, target, missing, since, uses }) => ({
        url,
        state,
        detail,
        target,
        missing,
        since: since.toISOString(),
        uses,
      })),
    },
  };
}

/** Presents a binding's last export, with links to its pull request and commit. */
export function presentExport(
  binding: Pick<Binding, 'repository' | 'branch'>,
  { outcome, pullNumber, commitOid, error, paths, updatedAt }: ExportRow,
  address: GitHubAddress | null,
): ScheduledExport {
  const url = `${webAddress(address ?? { host: null, protocol: 'https' })}/${binding.repository}`;
  return {
    outcome,
    branch: binding.branch,
    pull: pullNumber === null ? null : { number: pullNumber, url: `${url}/pull/${pullNumber}` },
    commit: commitOid === null ? null : { oid: commitOid, url: `${url}/commit/${commitOid}` },
    error,
    paths,
    at: updatedAt.toISOString(),
  };
}

/** Adds the states that do not occur, with 0. */
export function fillCounts(counts: ReadonlyMap<string, number>): ExternalCounts {
  const all = EXTERNAL_STATES.map((state) => [state, counts.get(state) ?? 0] as const);
  return Object.fromEntries(all) as ExternalCounts;
}
