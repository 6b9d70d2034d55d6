import type { Queue } from '../../queue/queue.ts';
import type { Database } from '../../store/db.ts';
import { findReports } from '../../store/reports.ts';
import { enqueueLook } from '../webhooks/delivery-job.ts';
import type { RequestedActionEvent } from '../webhooks/event-shapes.ts';
import { FIX_ACTIONS } from './offer-fixes.ts';

/**
 * Somebody pressed a button of a check run. The work is done in the line of its pull request, which our own report knows:
 * GitHub names none where the head is in a fork. Only the check run of the moment counts.
 */
export async function handleFixWish(
  deps: { readonly db: Database; readonly queue: Queue },
  { check_run, requested_action, sender, repository, installation }: RequestedActionEvent,
): Promise<void> {
  if (!Object.values<string>(FIX_ACTIONS).includes(requested_action.identifier)) return;
  for (const { pullNumber } of await findReports(deps.db, repository.id, { checkRunId: check_run.id })) {
    if (pullNumber === 0) continue;
    await enqueueLook(deps, {
      installationId: installation.id,
      repositoryId: repository.id,
      fullName: repository.full_name,
      subject: `pull/${pullNumber}`,
      fix: { headOid: check_run.head_sha, by: { login: sender.login, id: sender.id } },
    });
  }
}
