import type { LinkReport, UnfinishedReport } from '../../content/report.ts';
import { isLinkReport } from '../../content/report.ts';
import { GitError } from '../../git/repository.ts';
import { findPostponed, type JobContext } from '../../queue/index.ts';
import { listBindings } from '../../store/bindings.ts';
import { newId } from '../../store/new-id.ts';
import { forgetRuns, listRuns } from '../../store/report-runs.ts';
import {
  concludeReport,
  IN_PROGRESS,
  reserveReport,
  restartReport,
  type StoredReport,
  saveReport,
} from '../../store/reports.ts';
import { loadRepository } from '../../store/repositories.ts';
import { refuseExhausted } from '../delivery-run.ts';
import { explainError } from '../explain-error.ts';
import type { Octokit } from '../octokit.ts';
import { configInForce } from '../push/config-in-force.ts';
import type { Conclusion } from './check-run.ts';
import { externalIdOf } from './close-overtaken.ts';
import type { PullRequestDeps } from './handle-pull-request.ts';
import { openHeadRuns } from './head-runs.ts';
import { describeFailure, type Judgement, judgePull } from './judge-pull.ts';
import { planRuns } from './plan-runs.ts';
import { previewJob } from './preview-job.ts';
import type { PullHint, PullRequest } from './read-pull-request.ts';

/** Judges the links of one head and completes its check runs. A head that was judged, and told under these names, costs nothing. */
export async function checkHead(
  deps: PullRequestDeps,
  pull: PullRequest,
  hint: PullHint,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const { db } = deps;
  const id = newId();
  const { repository } = pull;
  const reserved = await reserveReport(db, {
    id,
    kind: 'links',
    repositoryId: repository.id,
    repository: repository.fullName,
    pullNumber: pull.number,
    headOid: pull.headOid,
    baseOid: pull.baseOid,
  });
  const report = (await restart(deps, reserved, hint)) ?? reserved;
  const resumed = report.id !== id;
  const inForce = configInForce(await loadRepository(db, repository.id));
  const planned = planRuns({
    repositoryName: repository.name,
    defaultBranch: repository.defaultBranch,
    baseBranch: pull.baseBranch,
    inForce,
    bound: (await listBindings(db, repository.id)).filter(({ disconnected }) => disconnected === null),
  });
  const reportUrl = `${deps.publicUrl}/reports/${report.id}`;
  const runs = await openHeadRuns(
    {
      db,
      octokit,
      report,
      place: {
        owner: repository.owner,
        name: repository.name,
        headOid: pull.headOid,
        externalId: externalIdOf(report),
        detailsUrl: reportUrl,
      },
    },
    resumed || run.attempt > 1,
  );
  if (isJudged(report)) {
    if (runs.areTold(planned)) return;
    await concludeReport(db, report.id, IN_PROGRESS);
  }
  await runs.open(planned);
  await saveReport(db, report.id, unfinished(pull, null));

  const finish = async ({ outcomes, previewed }: Judgement) => {
    await runs.tell(outcomes);
    await runs.retire(outcomes);
    // Before the conclusion is kept, which ends the work: a second job for the same previews finds them made.
    if (previewed.length > 0) {
      await deps.queue.enqueue(db, previewJob, {
        installationId: hint.installationId,
        repositoryId: repository.id,
        fullName: repository.fullName,
        number: pull.number,
        headOid: pull.headOid,
        reportId: report.id,
        bindingIds: previewed.map((one) => one.id),
      });
    }
    await concludeReport(db, report.id, worstOf(outcomes.map(({ outcome }) => outcome.conclusion)));
  };
  try {
    refuseExhausted(run);
    await finish(
      await judgePull(deps, pull, {
        octokit,
        installationId: hint.installationId,
        reportId: report.id,
        reportUrl,
        inForce,
        planned,
        signal: run.signal,
      }),
    );
  } catch (error) {
    // A run that was stopped or put off says nothing about the pull request: the next one goes on with it.
    if (run.signal.aborted || findPostponed(error) !== null) throw error;
    const permanent = error instanceof GitError && !error.retryable;
    // The first failure is tried again in silence; after that people are told, whatever the next try brings.
    if (permanent || run.attempt > 1 || run.lastAttempt) {
      const reason = explainError(error);
      await saveReport(db, report.id, unfinished(pull, reason));
      const outcome = describeFailure(reason, permanent || run.lastAttempt);
      await runs.giveReason(planned, outcome);
      await concludeReport(db, report.id, outcome.conclusion);
    }
    if (!permanent) throw error;
    deps.log.warn({ err: error, report: report.id }, 'A pull request could not be checked');
  }
}

/**
 * Begins anew what somebody wants to have checked again; null where nobody does, or it was begun already. A check run of
 * another commit, such as a merge group's, is none of this one's.
 */
async function restart(
  { db }: PullRequestDeps,
  report: StoredReport,
  { rerun }: PullHint,
): Promise<StoredReport | null> {
  if (rerun === undefined) return null;
  const { checkRunId } = rerun;
  const runs = checkRunId === null ? [] : await listRuns(db, report);
  if (checkRunId !== null && !runs.some(({ id }) => id === checkRunId)) return null;
  return await db.transaction(async (tx) => {
    const restarted = await restartReport(tx, report.id, rerun.delivery);
    if (restarted !== null) await forgetRuns(tx, report.id, checkRunId);
    return restarted;
  });
}

/** Whether a verdict stands that nothing but a new commit, a wish or other names of checks change. */
function isJudged({ conclusion, report }: StoredReport): boolean {
  if (conclusion === 'success' || conclusion === 'failure') return true;
  return conclusion === 'neutral' && isLinkReport(report) && report.state === 'checked';
}

function unfinished(pull: PullRequest, reason: string | null): UnfinishedReport {
  return {
    version: 1,
    state: reason === null ? 'checking' : 'unchecked',
    repository: pull.repository.fullName,
    pullNumber: pull.number,
    pullUrl: pull.url,
    headOid: pull.headOid,
    reason,
  } satisfies LinkReport;
}

function worstOf(conclusions: readonly Conclusion[]): Conclusion {
  if (conclusions.includes('failure')) return 'failure';
  return conclusions.includes('neutral') ? 'neutral' : 'success';
}
