import type { GitOperation } from '../../client/index.ts';

/** The newest operation whose result is live; null when that was long ago. `history`: newest first. */
export function findLiveOperation(
  history: readonly GitOperation[],
  revisionId: string | undefined,
): GitOperation | null {
  const isOfLive = ({ state, revision, standalone, skipped }: GitOperation) =>
    state === 'success' && revision === revisionId && !standalone && !skipped;
  return history.find(isOfLive) ?? null;
}

/**
 * When a commit became live, ISO 8601: with the first of the newest operations that brought it. A later sync that found the
 * same commit changes nothing. Null when it is older than all of them.
 */
export function liveSince(
  history: readonly GitOperation[],
  live: { readonly revision: string | undefined; readonly oid: string | undefined },
): string | null {
  const first = history.findLast(
    (operation) => operation.commit === live.oid && findLiveOperation([operation], live.revision) !== null,
  );
  return first?.endedAt ?? null;
}
