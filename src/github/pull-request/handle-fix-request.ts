import type { Queue } from '../../queue/index.ts';
import { type Database, findReportOfRun } from '../../store/index.ts';
import { enqueueRecheck, type RequestedActionEvent } from '../webhooks/index.ts';

import { FIX_ACTIONS } from './offer-fixes.ts';

/**
 * Handles a pressed button of a check run: enqueues the fix, in order with the other work on the pull request. Our report
 * knows the pull request; GitHub names none when the head is in a fork. Buttons of replaced check runs are ignored.
 */
export async function handleFixRequest(
  deps: { readonly db: Database; readonly queue: Queue },
  { check_run, requested_action, sender, repository, installation }: RequestedActionEvent,
): Promise<void> {
  if (!Object.values<string>(FIX_ACTIONS).includes(requested_action.identifier)) return;
  const found = await findReportOfRun(deps.db, repository.id, check_run.id);
  if (found === null || found.report.pullNumber === 0) return;
  await enqueueRecheck(deps, {
    installationId: installation.id,
    repositoryId: repository.id,
    fullName: repository.full_name,
    kind: 'fix',
    number: found.report.pullNumber,
    request: {
      headOid: check_run.head_sha,
      checkRunId: check_run.id,
      by: { login: sender.login, id: sender.id },
    },
  });
}
