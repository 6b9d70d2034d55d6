import type { ExecutedOperation, GitOperationRow } from '../../store/index.ts';

/** The directory of a branch of a repository that an operation reads or writes. */
export type OperationSource = Pick<ExecutedOperation, 'url' | 'ref' | 'directory'>;

export type OpenOperation = Pick<
  GitOperationRow,
  'id' | 'sequence' | 'timestamp' | 'standalone' | 'notBefore' | 'direction'
> &
  OperationSource & { readonly force: boolean };

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
 * the branch's tip and an export the space's current content, so of several operations in one direction and with one
 * source only the newest is needed, and none that is older than the last executed one. An operation with another source
 * says nothing about whether this one succeeds, so both run; but what a newer import made live, no older one replaces.
 * Imports do not make exports unnecessary, nor the reverse. Forced and standalone operations always run.
 *
 * @param executed what was executed since the oldest open operation
 */
export function chooseOperation(
  open: readonly OpenOperation[],
  executed: readonly ExecutedOperation[],
  now: Date,
): Choice {
  const ordered = open.toSorted(
    (a, b) => a.timestamp.getTime() - b.timestamp.getTime() || a.sequence - b.sequence,
  );
  const isCollapsible = ({ standalone, force }: OpenOperation) => !standalone && !force;
  const collapsible = ordered.filter(isCollapsible);
  const skip: { id: string; message: string }[] = [];
  const needed = ordered.filter((operation) => {
    const message = isCollapsible(operation) ? reasonToSkip(operation, collapsible, executed) : null;
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
  waiting: readonly OpenOperation[],
  executed: readonly ExecutedOperation[],
): string | null {
  const handled = executed.find(
    (last) => last.timestamp > operation.timestamp && makesUnnecessary(last, operation),
  );
  if (handled !== undefined) {
    return `Skipped: an event of ${handled.timestamp.toISOString()}, which is newer, was already handled.`;
  }
  const newest = waiting.findLast((other) => isAlike(other, operation));
  if (newest !== undefined && newest.id !== operation.id) {
    return `Skipped: an event of ${newest.timestamp.toISOString()} was waiting too, and has the same result.`;
  }
  return null;
}

function makesUnnecessary(last: ExecutedOperation, operation: OpenOperation): boolean {
  if (isAlike(last, operation)) return true;
  return last.direction === 'import' && operation.direction === 'import' && last.state === 'success';
}

type DirectedSource = OperationSource & Pick<OpenOperation, 'direction'>;

function isAlike(a: DirectedSource, b: DirectedSource): boolean {
  return a.direction === b.direction && a.url === b.url && a.ref === b.ref && a.directory === b.directory;
}
