import type { JobContext } from '../../queue/index.ts';
import {
  type Octokit,
  type PullHint,
  type PullRequest,
  readPullRequest,
  readRepository,
} from '../api/index.ts';

import { type MergeGroupEvent, type PullRequestEvent, pullOfGroup } from '../webhooks/index.ts';
import { checkHead } from './check-head.ts';
import { closeOvertaken } from './close-overtaken.ts';
import type { PullRequestDeps } from './deps.ts';

/** Handles an event of a pull request. Edits count only when they change the base branch. */
export async function handlePullRequest(
  deps: PullRequestDeps,
  event: PullRequestEvent,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  if (event.action === 'edited' && event.changes?.base === undefined) return;
  const { repository, installation, number } = event;
  const name = { owner: repository.owner.login, name: repository.name };
  const hint = { installationId: installation.id, repositoryId: repository.id, name, number };
  await checkPullRequest(deps, hint, octokit, run);
}

/**
 * Compares the pull request's current head with its merge base and completes a check run on the head. A head that was
 * already checked costs nothing. A verdict belongs to its commit, so it stays right when the head moves on in the meantime;
 * the newer head has its own event, whose work completes what was left open on an older head.
 */
export async function checkPullRequest(
  deps: PullRequestDeps,
  hint: PullHint,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const { repositoryId, installationId, number } = hint;
  // Also when it is closed: work on it must stop.
  await deps.onPullRequestSeen?.({ repositoryId, installationId, number, changesConfig: false });
  const pull = await readPullRequest(octokit, hint);
  await closeOvertaken(deps, hint, octokit, pull?.headOid ?? null);
  if (pull !== null) await checkHead(deps, pull, hint, octokit, run);
}

/** Checks the commit that a merge queue created for a pull request against the commit it is merged into. */
export async function checkMergeGroup(
  deps: PullRequestDeps,
  event: MergeGroupEvent,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const { repository: sent, merge_group: group, installation } = event;
  const name = { owner: sent.owner.login, name: sent.name };
  const repository = await readRepository(octokit, name);
  if (repository === null || repository.id !== sent.id || repository.archived) return;
  const number = pullOfGroup(group.head_ref) ?? 0;
  const pull: PullRequest = {
    repository,
    number,
    url: number === 0 ? repository.htmlUrl : `${repository.htmlUrl}/pull/${number}`,
    headOid: group.head_sha,
    headRef: group.head_ref,
    head: null,
    baseBranch: group.base_ref.replace(/^refs\/heads\//, ''),
    baseOid: group.base_sha,
  };
  const hint = { installationId: installation.id, repositoryId: sent.id, name, number };
  await checkHead(deps, pull, hint, octokit, run);
}
