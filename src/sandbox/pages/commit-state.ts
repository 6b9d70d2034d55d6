import type { ForgeContext } from '../forge-context.ts';
import { latestStatuses } from '../present/status.ts';
import type { CheckRunRecord, RepositoryRecord } from '../state/records.ts';
import { stateLabel } from './frame.ts';
import { type SafeHtml, safeHtml } from './html.ts';

const bad = new Set(['failure', 'error', 'timed_out', 'action_required', 'cancelled']);
const waiting = new Set(['pending', 'queued', 'in_progress']);

/** Whether a status or a check run is not final yet. */
export function isWaiting(state: string): boolean {
  return waiting.has(state);
}

/** The check runs of a commit, newest first. */
export function runsOf(context: ForgeContext, repository: RepositoryRecord, sha: string): CheckRunRecord[] {
  return context.data.checkRuns
    .filter((checkRun) => checkRun.repositoryId === repository.id && checkRun.headSha === sha)
    .toReversed();
}

/** The state of a commit's statuses and check runs in one label; the worst of them wins. */
export function commitState(context: ForgeContext, repository: RepositoryRecord, sha: string): SafeHtml {
  const states = [
    ...latestStatuses(context, repository, sha).map((candidate) => candidate.state),
    ...runsOf(context, repository, sha).map((run) => run.conclusion ?? run.status),
  ];
  if (states.length === 0) return safeHtml`<span class="soft small">no checks</span>`;
  if (states.some((state) => bad.has(state))) return stateLabel('failure');
  if (states.some((state) => waiting.has(state))) return stateLabel('pending');
  return stateLabel(states.includes('success') ? 'success' : 'neutral');
}
