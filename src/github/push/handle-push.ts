import type { JobContext } from '../../queue/queue.ts';
import type { Octokit } from '../octokit.ts';
import type { PushEvent } from '../webhooks/event-shapes.ts';
import { type BranchHint, type PushDeps, syncBranch } from './sync-branch.ts';

const BRANCH = /^refs\/heads\/(.+)$/;

/** A push to a branch. Tags and deleted branches change nothing. */
export async function handlePush(
  deps: PushDeps,
  event: PushEvent,
  octokit: Octokit,
  run: JobContext,
): Promise<void> {
  const branch = branchOf(event.ref);
  if (branch === null || event.deleted) return;
  const { repository: sent, installation } = event;
  const hint: BranchHint = {
    installationId: installation.id,
    repositoryId: sent.id,
    name: { owner: sent.owner.login, name: sent.name },
    branch,
    at: readPushedAt(sent.pushed_at),
  };
  await syncBranch(deps, hint, octokit, run);
}

/** The branch of a full ref name; null for a tag. */
export function branchOf(ref: string): string | null {
  return BRANCH.exec(ref)?.[1] ?? null;
}

function readPushedAt(value: PushEvent['repository']['pushed_at']): Date {
  if (typeof value === 'number') return new Date(value * 1000);
  const moment = new Date(value ?? Number.NaN);
  return Number.isNaN(moment.getTime()) ? new Date() : moment;
}
