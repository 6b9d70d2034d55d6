import type { Logger } from 'pino';
import { isApiReport } from '../../content/api-report.ts';
import {
  type CheckOutcome,
  type CheckRunPlace,
  completeCheckRun,
  explainError,
  findCheckRun,
  hasStatusCode,
  markdown,
  type Octokit,
  openCheckRun,
  type PullHint,
  type PullRequest,
  splitName,
} from '../../github/index.ts';
import { findPostponed, type JobContext, PermanentFailure } from '../../queue/index.ts';
import { type Database, newId } from '../../store/index.ts';
import {
  concludeReport,
  IN_PROGRESS,
  listUnfinishedReports,
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

/**
 * Completes the check runs of earlier heads that no work will complete any more. `headOid` is the head of now; null when
 * the pull request is closed.
 */
export async function closeOvertakenRuns(
  { db, publicUrl }: Pick<CheckRunDeps, 'db' | 'publicUrl'>,
  { repositoryId, number }: Pick<PullHint, 'repositoryId' | 'number'>,
  octokit: Octokit,
  headOid: string | null,
): Promise<void> {
  const pull = { repositoryId, pullNumber: number, kind: 'api' } as const;
  for (const report of await listUnfinishedReports(db, pull)) {
    if (report.headOid === headOid) continue;
    const reason =
      headOid === null
        ? 'The pull request was closed before the API specifications of this commit were checked.'
        : `Commit ${headOid.slice(0, 7)} took this one’s place before its API specifications were checked.`;
    const place = placeOf(report, publicUrl);
    try {
      const checkRunId = report.checkRunId ?? (await findCheckRun(octokit, place));
      const outcome = neutral('The API specifications were not checked', reason);
      if (checkRunId !== null) await completeCheckRun(octokit, place, checkRunId, outcome, false);
    } catch (error) {
      // The repository is gone or out of reach, or the commit with it: there is nothing to complete.
      if (!hasStatusCode(error, 403, 404, 410, 422)) throw error;
    }
    const pullUrl = isApiReport(report.report) ? report.report.pullUrl : '';
    await saveUnfinished(db, report, pullUrl, reason);
    await concludeReport(db, report.id, 'neutral');
  }
}

function placeOf(
  { id, repository, headOid, baseOid, rerunBy }: StoredReport,
  publicUrl: string,
): CheckRunPlace {
  return {
    ...splitName(repository),
    check: CHECK_NAME,
    headOid,
    externalId: ['api', id, baseOid, ...(rerunBy === null ? [] : [rerunBy])].join(':'),
    detailsUrl: `${publicUrl}/reports/${id}`,
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
