import type { Queue } from '../../queue/index.ts';
import { type Database, findReportOfRun } from '../../store/index.ts';
import { enqueueRecheck, type RequestedActionEvent } from '../webhooks/index.ts';

import { FIX_ACTIONS } from './offer-fixes.ts';

/**
 * Somebody pressed a button of a check run. The work is ordered with that of its pull request, which our report knows:
 * GitHub names none when the head is in a fork. Only the newest check run counts.
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
