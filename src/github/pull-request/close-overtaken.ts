import { isApiReport, isLinkReport } from '../../content/report/index.ts';
import type { Queue } from '../../queue/index.ts';
import {
  concludeReport,
  type Database,
  listUnfinishedReports,
  type ReportKind,
  type StoredReport,
  saveReport,
} from '../../store/index.ts';
import { completeCheckRun, isOutOfReach, listOpenRuns, type Octokit, type PullHint } from '../api/index.ts';

import {
  checkRunTarget,
  describeUnchecked,
  externalPrefixOf,
  SUBJECTS,
  unfinishedReport,
} from './head-report.ts';
import { watchLateRuns } from './late-runs.ts';

/**
 * Completes the check runs of a pull request's earlier heads that no job will complete any more, because the head moved on
 * or the pull request was closed first. `headOid` is the current head; null when it is closed.
 */
export async function closeOvertaken(
  deps: { readonly db: Database; readonly queue: Queue; readonly publicUrl: string },
  hint: PullHint,
  octokit: Octokit,
  headOid: string | null,
  kind: ReportKind = 'links',
): Promise<void> {
  const subject = SUBJECTS[kind];
  const reason =
    headOid === null
      ? `The pull request was closed before the ${subject} of this commit were checked.`
      : `Commit ${headOid.slice(0, 7)} replaced this one before its ${subject} were checked.`;
  const pull = { repositoryId: hint.repositoryId, pullNumber: hint.number, kind };
  for (const report of await listUnfinishedReports(deps.db, pull)) {
    if (report.headOid === headOid) continue;
    // An unfinished attempt may have left a call under way.
    await watchLateRuns(deps, { installationId: hint.installationId, report });
    await closeUnfinished(deps, hint, octokit, report, reason);
  }
}

/** Completes the check runs of a report without a verdict, and stores the reason in the report. */
export async function closeUnfinished(
  { db, publicUrl }: { readonly db: Database; readonly publicUrl: string },
  hint: Pick<PullHint, 'name'>,
  octokit: Octokit,
  report: StoredReport,
  reason: string,
): Promise<void> {
  const target = checkRunTarget(report, hint.name, publicUrl);
  const outcome = describeUnchecked(report.kind, reason);
  try {
    // Includes runs of an attempt that was killed before it could save them.
    for (const { id } of await listOpenRuns(octokit, target, externalPrefixOf(report))) {
      await completeCheckRun(octokit, target, id, outcome, false);
    }
  } catch (error) {
    // Then there is nothing to complete.
    if (!isOutOfReach(error)) throw error;
  }
  const { report: content } = report;
  const pullUrl = isLinkReport(content) || isApiReport(content) ? content.pullUrl : '';
  await saveReport(db, report.id, unfinishedReport(report, { pullUrl, reason }));
  await concludeReport(db, report.id, 'neutral');
}
