import type { Logger } from 'pino';
import { isApiReport } from '../../content/api-report.ts';
import {
  type CheckOutcome,
  type CheckRunPlace,
  completeCheckRun,
  explainError,
  externalIdOf,
  markdown,
  type Octokit,
  openCheckRun,
  type PullRequest,
  splitName,
} from '../../github/index.ts';
import { findPostponed, type JobContext, PermanentFailure } from '../../queue/index.ts';
import { type Database, newId } from '../../store/index.ts';
import {
  concludeReport,
  IN_PROGRESS,
  recordCheckRun,
  reserveReport,
  restartReport,
  type StoredReport,
  saveReport,
} from '../../store/reports.ts';

/** One run for all specifications of a pull request. */
const CHECK_NAME = 'Docloom API';

export interface CheckRunDeps {
  readonly db: Database;
  readonly publicUrl: string;
  readonly log: Logger;
}

export interface HeadWork {
  readonly pull: PullRequest;
  /** The delivery by which someone asked to have it checked again. */
  readonly rerun: string | undefined;
  readonly octokit: Octokit;
  readonly run: JobContext;
  /** Does the work, and keeps its report under this id. */
  readonly judge: (reportId: string, reportUrl: string) => Promise<CheckOutcome>;
}

/**
 * Opens the check run of a head at once, and completes it whatever happens: with the verdict, or with the reason why there
 * is none. A head that was judged already costs nothing.
 */
export async function keepCheckRun(
  { db, publicUrl, log }: CheckRunDeps,
  { pull, rerun, octokit, run, judge }: HeadWork,
): Promise<void> {
  const id = newId();
  const { repository } = pull;
  const reserved = await reserveReport(db, {
    id,
    kind: 'api',
    repositoryId: repository.id,
    repository: repository.fullName,
    pullNumber: pull.number,
    headOid: pull.headOid,
    baseOid: pull.baseOid,
  });
  const report = (rerun === undefined ? null : await restartReport(db, reserved.id, rerun)) ?? reserved;
  if (isJudged(report)) return;
  const resumed = report.id !== id || run.attempt > 1;
  const place = placeOf(report, publicUrl);
  const checkRunId = report.checkRunId ?? (await openCheckRun(octokit, place, resumed));
  await recordCheckRun(db, report.id, checkRunId);
  const give = async (outcome: CheckOutcome) => {
    await completeCheckRun(octokit, place, checkRunId, outcome, resumed);
    await concludeReport(db, report.id, outcome.conclusion);
  };
  try {
    if (run.exhausted)
      throw new PermanentFailure(
        'Docloom ended each time while it worked on this, or did not get done in time; its operator finds more in the log.',
      );
    await saveUnfinished(db, report, pull.url, null);
    await give(await judge(report.id, place.detailsUrl));
  } catch (error) {
    // A run that was stopped or put off says nothing about the pull request: the next one goes on with it.
    if (run.signal.aborted || findPostponed(error) !== null) throw error;
    const isFinal = error instanceof PermanentFailure || run.lastAttempt;
    // The first failure is tried again in silence; after that people are told, whatever the next try brings.
    if (isFinal || run.attempt > 1) {
      const reason = error instanceof PermanentFailure ? error.message : explainError(error);
      await saveUnfinished(db, report, pull.url, reason);
      const next = isFinal ? 'Push again to have them checked.' : 'It is tried again by itself.';
      await give(neutral('The API specifications could not be checked', `${reason} ${next}`));
    }
    log.warn({ err: error, report: report.id }, 'The specifications of a pull request could not be checked');
    if (!isFinal) throw error;
  }
}

/** Whether a verdict stands that nothing but a new commit or a wish changes. */
function isJudged({ conclusion, report }: StoredReport): boolean {
  return conclusion !== IN_PROGRESS && isApiReport(report) && report.state === 'checked';
}

function placeOf(report: StoredReport, publicUrl: string): CheckRunPlace {
  return {
    ...splitName(report.repository),
    check: CHECK_NAME,
    headOid: report.headOid,
    externalId: externalIdOf(report),
    detailsUrl: `${publicUrl}/reports/${report.id}`,
  };
}

async function saveUnfinished(
  db: Database,
  { id, repository, pullNumber, headOid }: StoredReport,
  pullUrl: string,
  reason: string | null,
): Promise<void> {
  await saveReport(db, id, {
    version: 1,
    about: 'api',
    state: reason === null ? 'checking' : 'unchecked',
    repository,
    pullNumber,
    pullUrl,
    headOid,
    reason,
  });
}

function neutral(title: string, sentence: string): CheckOutcome {
  return { conclusion: 'neutral', title, summary: markdown.writeSentence(sentence), annotations: [] };
}
