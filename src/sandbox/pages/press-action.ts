import type { IncomingMessage } from 'node:http';
import type { ForgeContext } from '../forge-context.ts';
import { accountById, findRepository, findRunRecord } from '../state/find-records.ts';
import { emitCheckRunEvent } from '../webhooks/check-run-event.ts';
import { awaitResult, describeCommit } from './await-result.ts';
import { isOwnForm } from './own-form.ts';

const ACTION = /^\/([^/]+)\/([^/]+)\/runs\/(\d{1,15})\/([^/]{1,60})$/;

/**
 * Presses a button of a check run, as the repository's owner, and waits a moment for what the App does. Returns the address
 * to redirect to; null for other requests, and for requests from another site's page.
 */
export async function pressAction(
  context: ForgeContext,
  url: URL,
  request: IncomingMessage,
): Promise<string | null> {
  const [, owner = '', name = '', runId = '', identifier = ''] = ACTION.exec(url.pathname) ?? [];
  if (request.method !== 'POST' || !isOwnForm(request)) return null;
  const repository = findRepository(context.data, owner, name);
  const run = repository && findRunRecord(context.data, repository.id, runId);
  if (!repository || !run?.actions.some((action) => action.identifier === identifier)) return null;
  const sender = accountById(context.data, repository.ownerId);
  const pull = context.data.pulls.findLast(
    (candidate) => candidate.repositoryId === repository.id && candidate.headSha === run.headSha,
  );
  const before = describeCommit(context, repository, run.headSha);
  emitCheckRunEvent(context, repository, run, { action: 'requested_action', identifier, sender });
  await awaitResult(context, repository, () => pull?.headSha ?? run.headSha, before);
  return pull ? `/${owner}/${name}/pull/${pull.number}` : `/${owner}/${name}/commit/${run.headSha}`;
}
