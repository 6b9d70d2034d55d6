import type { Logger } from 'pino';
import { GitError } from '../../git/index.ts';
import { findPostponed, type JobContext, PermanentFailure, type Queue } from '../../queue/index.ts';
import {
  concludeReport,
  type Database,
  type Db,
  deleteReportRuns,
  IN_PROGRESS,
  listRuns,
  newId,
  type ReportKind,
  reserveReport,
  restartReport,
  type StoredReport,
  saveReport,
} from '../../store/index.ts';
import { type Conclusion, explainError, type Octokit, type PullRequest, type Rerun } from '../api/index.ts';

import { refuseExhausted } from '../webhooks/index.ts';
import { checkRunTarget, describeFailedCheck, isChecked, unfinishedReport } from './head-report.ts';
import { openHeadRuns, type RunOutcome } from './head-runs.ts';
import { watchLateRuns } from './late-runs.ts';
import type { PlannedRun } from './plan-runs.ts';

export interface HeadRunsDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly publicUrl: string;
  readonly log: Logger;
}

/** A head of a pull request, and the check to run on it. */
export interface CheckWork {
  readonly kind: ReportKind;
  readonly pull: PullRequest;
  readonly installationId: number;
  readonly octokit: Octokit;
  readonly run: JobContext;
  readonly rerun: Rerun | undefined;
  /** The check runs that it gets whatever the check finds. */
  readonly planned: readonly PlannedRun[];
  /** Runs the check, and saves the findings under the report's id. */
  readonly check: (report: { readonly id: string; readonly url: string }) => Promise<CheckVerdict>;
}

export interface CheckVerdict {
  readonly outcomes: readonly RunOutcome[];
  /** Enqueues jobs that follow, before the conclusion is saved: it may be called twice. */
  readonly enqueueFollowing?: (db: Db) => Promise<void>;
}

/**
 * Opens the check runs of a head at once, and completes them whatever happens: with the verdict, or with the reason why
 * there is none. Does nothing when the runs are complete under these names.
 */
export async function reconcileCheckRuns(deps: HeadRunsDeps, work: CheckWork): Promise<void> {
  const { db, log } = deps;
  const { kind, pull, octokit, run, planned } = work;
  const id = newId();
  const { repository } = pull;
  const reserved = await reserveReport(db, {
    id,
    kind,
    repositoryId: repository.id,
    repository: repository.fullName,
    pullNumber: pull.number,
    headOid: pull.headOid,
    baseOid: pull.baseOid,
  });
  const report = (await restart(db, reserved, work.rerun)) ?? reserved;
  const isResumed = report.id !== id || run.attempt > 1;
  const commitTarget = checkRunTarget(report, repository, deps.publicUrl);
  const runs = await openHeadRuns({ db, octokit, report, commitTarget }, isResumed);
  if (hasVerdict(report) && runs.areReported(planned)) return;
  // Also when an earlier attempt completed it without a verdict: runs opened from here on must be completed again.
  if (report.conclusion !== IN_PROGRESS) await concludeReport(db, report.id, IN_PROGRESS);
  await runs.open(planned);
  const saveUnfinished = (reason: string | null) =>
    saveReport(db, report.id, unfinishedReport(report, { pullUrl: pull.url, reason }));
  await saveUnfinished(null);

  const complete = async (conclusion: Conclusion) => {
    const { installationId } = work;
    if (isResumed) await watchLateRuns(deps, { installationId, report });
    await concludeReport(db, report.id, conclusion);
  };
  try {
    refuseExhausted(run);
    const { outcomes, enqueueFollowing } = await work.check({ id: report.id, url: commitTarget.detailsUrl });
    await runs.report(outcomes);
    await runs.retire(outcomes);
    await enqueueFollowing?.(db);
    await complete(worstOf(outcomes.map(({ outcome }) => outcome.conclusion)));
  } catch (error) {
    // A run that was stopped or postponed says nothing about the pull request: the next run continues.
    if (run.signal.aborted || findPostponed(error) !== null) throw error;
    const isPermanent = error instanceof PermanentFailure || (error instanceof GitError && !error.retryable);
    const isFinal = isPermanent || run.lastAttempt;
    // The first failure is retried silently; later ones are reported, even if the next attempt may succeed.
    if (isFinal || run.attempt > 1) {
      const reason = explainError(error);
      await saveUnfinished(reason);
      const outcome = describeFailedCheck(kind, { reason, isFinal });
      await runs.reportReason(planned, outcome);
      await complete(outcome.conclusion);
    }
    if (!isPermanent) throw error;
    log.warn({ err: error, report: report.id }, 'A pull request could not be checked');
  }
}

/**
 * Restarts a check that somebody requested again; null when nobody did, or it was already restarted. A request for a check
 * run of another commit, such as a merge group's, is ignored.
 */
async function restart(
  db: Database,
  report: StoredReport,
  rerun: Rerun | undefined,
): Promise<StoredReport | null> {
  if (rerun === undefined) return null;
  const { checkRunId } = rerun;
  const runs = checkRunId === null ? [] : await listRuns(db, report);
  if (checkRunId !== null && !runs.some(({ id }) => id === checkRunId)) return null;
  return await db.transaction(async (tx) => {
    const restarted = await restartReport(tx, report.id, rerun.delivery);
    if (restarted !== null) await deleteReportRuns(tx, report.id, checkRunId);
    return restarted;
  });
}

/** Whether there is a verdict that only a new commit, a requested rerun or renamed checks can change. */
function hasVerdict(report: StoredReport): boolean {
  const { conclusion } = report;
  if (conclusion === 'success' || conclusion === 'failure') return true;
  return conclusion === 'neutral' && isChecked(report);
}

function worstOf(conclusions: readonly Conclusion[]): Conclusion {
  if (conclusions.includes('failure')) return 'failure';
  return conclusions.includes('neutral') ? 'neutral' : 'success';
}
