import { isLinkReport } from '../../content/report.ts';
import { concludeReport, listUnfinishedReports, type StoredReport, saveReport } from '../../store/reports.ts';
import type { Octokit } from '../octokit.ts';
import { hasStatusCode } from '../repository.ts';
import { completeCheckRun, listOpenRuns } from './check-run.ts';
import type { PullRequestDeps } from './handle-pull-request.ts';
import { writeSentence } from './markdown.ts';
import type { PullHint } from './read-pull-request.ts';

/**
 * Completes the check runs of a pull request's earlier heads that no work will complete any more: its head moved on, or
 * it was closed, before a try came to its end. `headOid` is its head now; null when it is closed.
 */
export async function closeOvertaken(
  deps: Pick<PullRequestDeps, 'db' | 'publicUrl'>,
  hint: PullHint,
  octokit: Octokit,
  headOid: string | null,
): Promise<void> {
  const reason =
    headOid === null
      ? 'The pull request was closed before the links of this commit were checked.'
      : `Commit ${headOid.slice(0, 7)} took this one’s place before its links were checked.`;
  const pull = { repositoryId: hint.repositoryId, pullNumber: hint.number, kind: 'links' } as const;
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
    title: report.kind === 'api' ? 'The API was not checked' : 'The links were not checked',
    summary: writeSentence(reason),
    annotations: [],
  } as const;
  try {
    // Also those that a try made which died before it could note them.
    for (const { id } of await listOpenRuns(octokit, place, prefixOf(report))) {
      await completeCheckRun(octokit, place, id, outcome, false);
    }
  } catch (error) {
    // The repository is gone or out of reach, or the commit with it: there is nothing to complete.
    if (!hasStatusCode(error, 403, 404, 410, 422)) throw error;
  }
  // Of an API the check run alone tells.
  if (report.kind === 'api') return await concludeReport(db, report.id, 'neutral');
  await saveReport(db, report.id, {
    version: 1,
    state: 'unchecked',
    repository: report.repository,
    pullNumber: report.pullNumber,
    pullUrl: isLinkReport(report.report) ? report.report.pullUrl : '',
    headOid: report.headOid,
    reason,
  });
  await concludeReport(db, report.id, 'neutral');
}

/** What the external ids of a report's check runs begin with, of each kind. */
function prefixOf({ id, kind }: StoredReport): string {
  return kind === 'api' ? `api:${id}:` : `${id}:`;
}

/** How the check runs of a report are known: by it, what it is measured against, and who asked for them again. */
export function externalIdOf({ id, baseOid, rerunBy }: StoredReport): string {
  return rerunBy === null ? `${id}:${baseOid}` : `${id}:${baseOid}:${rerunBy}`;
}
