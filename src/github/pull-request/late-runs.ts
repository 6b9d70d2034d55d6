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
 * Looks at the check runs of a report once more that came to its end. Of a process that was killed, or of a call that was
 * given up, the wish to open one may reach GitHub behind the end, and would stand there in progress for ever, in front of
 * the one that tells the verdict.
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

/** Lets the check runs of a report be looked at when no call of an earlier try can be under way any more. */
export async function watchLateRuns(
  { db, queue }: { readonly db: Db; readonly queue: Queue },
  { installationId, report }: { readonly installationId: number; readonly report: StoredReport },
): Promise<void> {
  const work = { installationId, repositoryId: report.repositoryId, reportId: report.id };
  await queue.enqueue(db, lateRunsJob, work, { startAfter: LATE_SECONDS });
}

/** Completes those in progress as the one of their name was completed, in whose place they stand now. */
export async function completeLateRuns(
  { db, publicUrl }: { readonly db: Database; readonly publicUrl: string },
  { reportId }: Static<typeof lateRunsJob.payload>,
  octokit: Octokit,
): Promise<void> {
  const report = await loadReport(db, reportId);
  if (report === null) return;
  const known = await loadRepository(db, report.repositoryId);
  if (known !== null && known.disconnected !== null) return;
  const place = checkRunTarget(report, splitName(known?.fullName ?? report.repository), publicUrl);
  try {
    const open = await listOpenRuns(octokit, place, externalPrefixOf(report));
    // Read behind them: then those that are open were so before the end that it tells. Whoever is at work on it now
    // looks again in the end.
    const ended = await loadReport(db, reportId);
    if (ended === null || ended.conclusion === IN_PROGRESS) return;
    const runs = await listRuns(db, ended);
    for (const { id, name } of open) {
      const told = runs.find((run) => run.name === name);
      const verdict = told?.verdict ?? withoutVerdict(ended);
      await completeCheckRun(octokit, place, id, { ...verdict, annotations: [] }, false);
      // GitHub shows the newest of a name.
      if (told !== undefined && told.id < id) await saveRun(db, { ...told, id });
    }
  } catch (error) {
    // Then there is nothing to complete.
    if (!isOutOfReach(error)) throw error;
  }
}

function withoutVerdict(report: StoredReport): RunVerdict {
  const reason = uncheckedReason(report);
  if (reason !== null) return describeUnchecked(report.kind, reason);
  return describeWithoutVerdict(
    'Another check took this one’s place',
    'This check was opened once more by mistake. What was found stands in the other checks of this commit.',
  );
}
