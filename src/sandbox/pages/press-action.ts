import type { IncomingMessage } from 'node:http';
import type { ForgeContext } from '../forge-context.ts';
import { accountById, findRepository } from '../state/find-records.ts';
import { emitCheckRunEvent } from '../webhooks/check-run-event.ts';

const ACTION = /^\/([^/]+)\/([^/]+)\/runs\/(\d{1,15})\/([^/]{1,60})$/;

/**
 * Presses a button of a check run, as the repository's owner. Returns the address to redirect to; null for other requests,
 * and for requests from another site's page.
 */
export function pressAction(context: ForgeContext, url: URL, request: IncomingMessage): string | null {
  const [, owner = '', name = '', runId = '', identifier = ''] = ACTION.exec(url.pathname) ?? [];
  const { origin, host } = request.headers;
  const isForeign = origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
  if (request.method !== 'POST' || isForeign) return null;
  const repository = findRepository(context.data, owner, name);
  const run = context.data.checkRuns.find(
    (checkRun) => checkRun.repositoryId === repository?.id && String(checkRun.id) === runId,
  );
  if (!repository || !run?.actions.some((action) => action.identifier === identifier)) return null;
  const sender = accountById(context.data, repository.ownerId);
  emitCheckRunEvent(context, repository, run, { action: 'requested_action', identifier, sender });
  const pull = context.data.pulls.findLast(
    (candidate) => candidate.repositoryId === repository.id && candidate.headSha === run.headSha,
  );
  return pull ? `/${owner}/${name}/pull/${pull.number}` : `/${owner}/${name}/commit/${run.headSha}`;
}
