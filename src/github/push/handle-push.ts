import type { JobContext } from '../../queue/index.ts';
import { listBindings, loadRepository } from '../../store/index.ts';
import type { Octokit } from '../api/index.ts';
import { configInForce } from '../repository/index.ts';
import { branchOf, type PushEvent } from '../webhooks/index.ts';

import type { BranchHint, PushDeps } from './deps.ts';
import { skipUnrelatedPush } from './skip-push.ts';
import { syncBranch } from './sync-branch.ts';

/**
 * Handles a push to a branch, including its creation and deletion. Tags and branches without spaces are ignored, and cost
 * no request.
 */
export async function handlePush(
  deps: PushDeps,
  event: PushEvent,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const branch = branchOf(event.ref);
  if (branch === null) return;
  const { repository: sent, installation } = event;
  const known = await loadRepository(deps.db, sent.id);
  const isDefault = branch === sent.default_branch || branch === known?.defaultBranch;
  const bound = (await listBindings(deps.db, sent.id)).filter((binding) => binding.branch === branch);
  const isNamed = configInForce(known)?.config.spaces.some((space) => space.branch === branch) === true;
  if (!isDefault && !isNamed && bound.length === 0) return;
  if (known !== null && (await skipUnrelatedPush(deps.db, event, { known, bound, branch }, octokit))) {
    if (isDefault) await deps.onBranchMoved?.({ repositoryId: sent.id, installationId: installation.id });
    return;
  }
  const hint: BranchHint = {
    installationId: installation.id,
    repositoryId: sent.id,
    name: { owner: sent.owner.login, name: sent.name },
    branch,
    pushedOid: event.deleted ? null : event.after,
    at: readPushedAt(sent.pushed_at),
  };
  await syncBranch(deps, hint, octokit, run);
}

function readPushedAt(value: PushEvent['repository']['pushed_at']): Date {
  if (typeof value === 'number') return new Date(value * 1000);
  const moment = new Date(value ?? Number.NaN);
  return Number.isNaN(moment.getTime()) ? new Date() : moment;
}
