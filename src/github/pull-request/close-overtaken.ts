import { isApiReport } from '../../content/api-report.ts';
import { isLinkReport } from '../../content/report.ts';
import {
  concludeReport,
  listUnfinishedReports,
  type ReportKind,
  type StoredReport,
  saveReport,
} from '../../store/reports.ts';
import type { Octokit } from '../octokit.ts';
import { hasStatusCode } from '../repository.ts';
import { completeCheckRun, listOpenRuns } from './check-run.ts';
import type { PullRequestDeps } from './handle-pull-request.ts';
import { writeSentence } from './markdown.ts';
import type { PullHint } from './read-pull-request.ts';

/** What a report of a kind is about, in a sentence. */
const WHAT: Readonly<Record<ReportKind, string>> = { links: 'links', api: 'API specifications' };

/**
 * Completes the check runs of a pull request's earlier heads that no work will complete any more: its head moved on, or
 * it was closed, before a try came to its end. `headOid` is its head now; null when it is closed.
 */
export async function closeOvertaken(
  deps: Pick<PullRequestDeps, 'db' | 'publicUrl'>,
  hint: PullHint,
  octokit: Octokit,
  headOid: string | null,
  kind: ReportKind = 'links',
): Promise<void> {
  const what = WHAT[kind];
  const reason =
    headOid === null
      ? `The pull request was closed before the ${what} of this commit were checked.`
      : `Commit ${headOid.slice(0, 7)} took this one’s place before its ${what} were checked.`;
  const pull = { repositoryId: hint.repositoryId, pullNumber: hint.number, kind };
  for (const report of await listUnfinishedReports(deps.db, pull)) {
    if (report.headOid !== headOid) await closeUnfinished(deps, hint, octokit, report, reason);
  }
}

/** Completes the check runs of one report without a verdict, and says why on them and on the report. */
export async function closeUnfinished(
  { db, publicUrl }: Pick<PullRequestDeps, 'db' | 'publicUrl'>,
  hint: Pick<PullHint, 'name'>,
  octokit: Octokit,
  report: StoredReport,
  reason: string,
): Promise<void> {
  const place = {
    ...hint.name,
    headOid: report.headOid,
    externalId: externalIdOf(report),
    detailsUrl: `${publicUrl}/reports/${report.id}`,
  };
  const outcome = {
    conclusion: 'neutral',
    title: `The ${WHAT[report.kind]} were not checked`,
    summary: writeSentence(reason),
    annotations: [],
  } as const;
  try {
    // Also those that a try made which died before it could note them.
    for (const { id } of await listOpenRuns(octokit, place, `${report.id}:`)) {
      await completeCheckRun(octokit, place, id, outcome, false);
    }
  } catch (error) {
    // The repository is gone or out of reach, or the commit with it: there is nothing to complete.
    if (!hasStatusCode(error, 403, 404, 410, 422)) throw error;
  }
  const told = report.report;
  await saveReport(db, report.id, {
    version: 1,
    ...(report.kind === 'api' ? { about: 'api' } : {}),
    state: 'unchecked',
    repository: report.repository,
    pullNumber: report.pullNumber,
    pullUrl: isLinkReport(told) || isApiReport(told) ? told.pullUrl : '',
    headOid: report.headOid,
    reason,
  });
  await concludeReport(db, report.id, 'neutral');
}

/** How the check runs of a report are known: by it, what it is measured against, and who asked for them again. */
export function externalIdOf({ id, baseOid, rerunBy }: StoredReport): string {
  return rerunBy === null ? `${id}:${baseOid}` : `${id}:${baseOid}:${rerunBy}`;
}
