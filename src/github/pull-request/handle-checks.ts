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
 * Someone asked to run checks again, or GitHub asks for those of a new commit. Each pull request that is meant is
 * looked at in its own line; by the delivery's id a check is begun anew only once, however often this runs.
 */
export async function handleChecks(
  deps: ChecksDeps,
  event: CheckRunEvent | CheckSuiteEvent,
  delivery: string,
): Promise<void> {
  const { repository, installation } = event;
  const told = 'check_run' in event ? event.check_run : event.check_suite;
  const numbers = new Set(told.pull_requests.map(({ number }) => number));
  const again = event.action === 'rerequested';
  if (again && (await runApiAgain(deps, event, delivery)) && 'check_run' in event) return;
  if (again) {
    // GitHub lists no pull requests of forks; our own reports know them.
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
      ...(again && { rerun: { delivery, checkRunId } }),
    });
  }
}

/** Lets the check of specifications run again, where it is meant. Answers whether there is one. */
async function runApiAgain(
  { db, onPullRequestSeen }: ChecksDeps,
  event: CheckRunEvent | CheckSuiteEvent,
  rerun: string,
): Promise<boolean> {
  const { repository, installation } = event;
  const reports = await reportsOf(db, event, 'api');
  const place = { repositoryId: repository.id, installationId: installation.id, changesConfig: false };
  for (const { pullNumber: number } of reports) await onPullRequestSeen?.({ ...place, number, rerun });
  return reports.length > 0;
}

/** The reports of a kind that the event's check runs tell. */
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
