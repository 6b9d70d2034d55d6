import type { Queue } from '../../queue/queue.ts';
import type { Database } from '../../store/db.ts';
import { findReports } from '../../store/reports.ts';
import { enqueueLook } from '../webhooks/delivery-job.ts';
import type { CheckRunEvent, CheckSuiteEvent } from '../webhooks/event-shapes.ts';

interface ChecksDeps {
  readonly db: Database;
  readonly queue: Queue;
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
  if (again) {
    // GitHub lists no pull requests of forks; our own reports know them.
    const of = 'check_run' in event ? { checkRunId: event.check_run.id } : { headOid: told.head_sha };
    for (const report of await findReports(deps.db, repository.id, of)) {
      if (report.pullNumber > 0) numbers.add(report.pullNumber);
    }
  }
  for (const number of numbers) {
    await enqueueLook(deps, {
      installationId: installation.id,
      repositoryId: repository.id,
      fullName: repository.full_name,
      subject: `pull/${number}`,
      ...(again ? { rerun: delivery } : {}),
    });
  }
}
