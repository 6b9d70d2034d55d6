import type { Queue } from '../../queue/index.ts';
import {
  type Database,
  findReportOfRun,
  findReports,
  type ReportKind,
  type StoredReport,
} from '../../store/index.ts';
import { type CheckRunEvent, type CheckSuiteEvent, enqueueRecheck } from '../webhooks/index.ts';

import type { OnPullRequestSeen } from './deps.ts';

interface ChecksDeps {
  readonly db: Database;
  readonly queue: Queue;
  readonly onPullRequestSeen?: OnPullRequestSeen;
}

/**
 * Handles a request to run checks again, or GitHub's request for the checks of a new commit. Each affected pull request is
 * rechecked in its own order; the delivery's id ensures that a check is restarted only once, however often this runs.
 */
export async function handleChecks(
  deps: ChecksDeps,
  event: CheckRunEvent | CheckSuiteEvent,
  delivery: string,
): Promise<void> {
  const { repository, installation } = event;
  const checks = 'check_run' in event ? event.check_run : event.check_suite;
  const numbers = new Set(checks.pull_requests.map(({ number }) => number));
  const isRerun = event.action === 'rerequested';
  if (isRerun && (await rerunApiChecks(deps, event, delivery)) && 'check_run' in event) return;
  if (isRerun) {
    // GitHub does not list pull requests of forks; our reports know them.
    for (const report of await reportsOf(deps.db, event, 'links')) {
      if (report.pullNumber > 0) numbers.add(report.pullNumber);
    }
  }
  for (const number of numbers) {
    const checkRunId = 'check_run' in event ? event.check_run.id : null;
    await enqueueRecheck(deps, {
      kind: 'pull-request',
      installationId: installation.id,
      repositoryId: repository.id,
      fullName: repository.full_name,
      number,
      ...(isRerun && { rerun: { delivery, checkRunId } }),
    });
  }
}

/** Requests the event's checks of specifications again. Returns whether there are any. */
async function rerunApiChecks(
  { db, onPullRequestSeen }: ChecksDeps,
  event: CheckRunEvent | CheckSuiteEvent,
  rerun: string,
): Promise<boolean> {
  const { repository, installation } = event;
  const reports = await reportsOf(db, event, 'api');
  const seen = { repositoryId: repository.id, installationId: installation.id, changesConfig: false };
  for (const { pullNumber: number } of reports) await onPullRequestSeen?.({ ...seen, number, rerun });
  return reports.length > 0;
}

/** The reports of a kind behind the event's check runs. */
async function reportsOf(
  db: Database,
  event: CheckRunEvent | CheckSuiteEvent,
  kind: ReportKind,
): Promise<readonly StoredReport[]> {
  const repositoryId = event.repository.id;
  if ('check_suite' in event)
    return await findReports(db, { repositoryId, headOid: event.check_suite.head_sha, kind });
  const found = await findReportOfRun(db, repositoryId, event.check_run.id);
  return found?.report.kind === kind ? [found.report] : [];
}
