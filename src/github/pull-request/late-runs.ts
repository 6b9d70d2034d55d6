import { type Static, Type } from 'typebox';
import { defineJob, type Queue } from '../../queue/index.ts';
import {
  type Database,
  type Db,
  IN_PROGRESS,
  listRuns,
  loadReport,
  loadRepository,
  type RunVerdict,
  type StoredReport,
  saveRun,
} from '../../store/index.ts';
import { completeCheckRun, isOutOfReach, listOpenRuns, type Octokit, splitName } from '../api/index.ts';

import { LATE_RECHECK, LATE_SECONDS } from '../webhooks/index.ts';
import {
  checkRunTarget,
  describeUnchecked,
  describeWithoutVerdict,
  externalPrefixOf,
  uncheckedReason,
} from './head-report.ts';

/**
 * Inspects the check runs of a completed report once more. If a process is killed or a call is abandoned, its request to
 * open a check run may reach GitHub after the completion. That check run would stay in progress for ever, and hide the one
 * with the verdict.
 */
export const lateRunsJob = defineJob({
  name: 'github.late-runs',
  payload: Type.Object({
    installationId: Type.Integer(),
    repositoryId: Type.Integer(),
    reportId: Type.String(),
  }),
  ...LATE_RECHECK,
  key: ({ reportId }) => reportId,
});

/** Schedules the inspection of a report's check runs for when no call of an earlier attempt can be under way any more. */
export async function watchLateRuns(
  { db, queue }: { readonly db: Db; readonly queue: Queue },
  { installationId, report }: { readonly installationId: number; readonly report: StoredReport },
): Promise<void> {
  const work = { installationId, repositoryId: report.repositoryId, reportId: report.id };
  await queue.enqueue(db, lateRunsJob, work, { startAfter: LATE_SECONDS });
}

/** Completes check runs in progress with the verdict of the completed run of the same name, which they hide. */
export async function completeLateRuns(
  { db, publicUrl }: { readonly db: Database; readonly publicUrl: string },
  { reportId }: Static<typeof lateRunsJob.payload>,
  octokit: Octokit,
): Promise<void> {
  const report = await loadReport(db, reportId);
  if (report === null) return;
  const known = await loadRepository(db, report.repositoryId);
  if (known !== null && known.disconnected !== null) return;
  const target = checkRunTarget(report, splitName(known?.fullName ?? report.repository), publicUrl);
  try {
    const open = await listOpenRuns(octokit, target, externalPrefixOf(report));
    // Read after the list, so that the open runs are older than the completion. A job that is working on the report
    // inspects them again when it completes.
    const completed = await loadReport(db, reportId);
    if (completed === null || completed.conclusion === IN_PROGRESS) return;
    const runs = await listRuns(db, completed);
    for (const { id, name } of open) {
      const reported = runs.find((run) => run.name === name);
      const verdict = reported?.verdict ?? describeMissingVerdict(completed);
      await completeCheckRun(octokit, target, id, { ...verdict, annotations: [] }, false);
      // GitHub shows the newest of a name.
      if (reported !== undefined && reported.id < id) await saveRun(db, { ...reported, id });
    }
  } catch (error) {
    // Then there is nothing to complete.
    if (!isOutOfReach(error)) throw error;
  }
}

function describeMissingVerdict(report: StoredReport): RunVerdict {
  const reason = uncheckedReason(report);
  if (reason !== null) return describeUnchecked(report.kind, reason);
  return describeWithoutVerdict(
    'Replaced by another check',
    'This check was opened twice by mistake. The other checks of this commit have the findings.',
  );
}
