import { setTimeout as pause } from 'node:timers/promises';
import type { ForgeContext } from '../forge-context.ts';
import { latestStatuses } from '../present/status.ts';
import type { RepositoryRecord } from '../state/records.ts';
import { isWaiting, runsOf } from './commit-state.ts';

/** In milliseconds: a page that takes longer seems broken. */
const LONGEST_WAIT = 5_000;
/** An App that did nothing by then has nothing to do. */
const FIRST_SIGN = 1_500;
const BETWEEN_POLLS = 50;

/**
 * Waits until what was pressed has a result on a commit: something changed since `before`, and nothing is in progress. Waits
 * no longer than five seconds, and not for an App that is not there or does nothing.
 */
export async function awaitResult(
  context: ForgeContext,
  repository: RepositoryRecord,
  commit: () => string | undefined,
  before: string,
): Promise<void> {
  if (!context.app) return;
  const start = performance.now();
  while (performance.now() < start + LONGEST_WAIT) {
    const { state, isEmpty, isDone } = readState(context, repository, commit());
    if (isDone && state !== before) return;
    if ((isEmpty || state === before) && performance.now() > start + FIRST_SIGN) return;
    await pause(BETWEEN_POLLS);
  }
}

/** What a commit shows, as a text that changes with it. */
export function describeCommit(
  context: ForgeContext,
  repository: RepositoryRecord,
  sha: string | undefined,
): string {
  return readState(context, repository, sha).state;
}

function readState(context: ForgeContext, repository: RepositoryRecord, sha: string | undefined) {
  const states =
    sha === undefined
      ? []
      : [
          ...latestStatuses(context, repository, sha).map(({ id, state }) => `${id} ${state}`),
          ...runsOf(context, repository, sha).map(
            (run) => `${run.id} ${run.conclusion ?? run.status} ${run.summary ?? ''}`,
          ),
        ];
  const isEmpty = states.length === 0;
  const isDone = !isEmpty && !states.some((state) => isWaiting(state.split(' ')[1] ?? ''));
  return { state: [sha, ...states].join('\n'), isEmpty, isDone };
}
