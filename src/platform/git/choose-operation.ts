import type { GitOperationRow } from '../../store/index.ts';

export type OpenOperation = Pick<
  GitOperationRow,
  'id' | 'sequence' | 'timestamp' | 'standalone' | 'notBefore' | 'direction'
> & { readonly force: boolean };

/** The time of the newest event of each direction that was executed. */
export type LastExecuted = Readonly<Record<'import' | 'export', Date | null>>;

export interface Choice {
  /** The operation to run now. */
  readonly run: string | null;
  /** Operations that are no longer needed, each with the reason for people. */
  readonly skip: readonly { readonly id: string; readonly message: string }[];
  /** The time of the next operation if there is nothing to run now. */
  readonly dueAt: Date | null;
}

/**
 * Decides what to do with the open operations of a space. They run in the order of their events. An import always reads
 * the branch's tip and an export the space's current content, so of several operations in one direction only the newest
 * is needed, and none that is older than the last executed one. Imports do not make exports unnecessary, nor the
 * reverse. Forced and standalone operations always run.
 */
export function chooseOperation(
  open: readonly OpenOperation[],
  lastExecuted: LastExecuted,
  now: Date,
): Choice {
  const ordered = open.toSorted(
    (a, b) => a.timestamp.getTime() - b.timestamp.getTime() || a.sequence - b.sequence,
  );
  const newestOf = (direction: string) =>
    ordered.findLast(
      (operation) => !operation.standalone && !operation.force && operation.direction === direction,
    );
  const skip: { id: string; message: string }[] = [];
  const needed = ordered.filter((operation) => {
    const message =
      operation.standalone || operation.force
        ? null
        : reasonToSkip(
            operation,
            newestOf(operation.direction),
            lastExecuted[operation.direction as 'import' | 'export'],
          );
    if (message !== null) skip.push({ id: operation.id, message });
    return message === null;
  });
  const due = needed.find((operation) => operation.notBefore === null || operation.notBefore <= now);
  const waits = needed.flatMap((operation) =>
    operation.notBefore === null ? [] : [operation.notBefore.getTime()],
  );
  return {
    run: due?.id ?? null,
    skip,
    dueAt: due === undefined && waits.length > 0 ? new Date(Math.min(...waits)) : null,
  };
}

function reasonToSkip(
  operation: OpenOperation,
  newest: OpenOperation | undefined,
  lastExecuted: Date | null,
): string | null {
  if (lastExecuted !== null && operation.timestamp < lastExecuted) {
    return `Skipped: an event of ${lastExecuted.toISOString()}, which is newer, was already handled.`;
  }
  if (newest !== undefined && newest.id !== operation.id) {
    return `Skipped: an event of ${newest.timestamp.toISOString()} was waiting too, and has the same result.`;
  }
  return null;
}
