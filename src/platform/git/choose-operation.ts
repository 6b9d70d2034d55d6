import type { GitOperationRow } from '../../store/git-operations.ts';

export type OpenOperation = Pick<
  GitOperationRow,
  'id' | 'sequence' | 'timestamp' | 'standalone' | 'notBefore'
> & { readonly force: boolean };

export interface Choice {
  /** To be run now. */
  readonly run: string | null;
  /** Not needed any more, each with the reason for people. */
  readonly skip: readonly { readonly id: string; readonly message: string }[];
  /** When there is nothing to run now, but later. */
  readonly dueAt: Date | null;
}

/**
 * What to do with the open operations of a space. Those that change its content run in the order of their events;
 * since an import always takes the branch's tip, of several only the newest is needed, and none that is older than
 * what was executed last. Forced and standalone ones always run.
 */
export function chooseOperation(
  open: readonly OpenOperation[],
  lastExecuted: Date | null,
  now: Date,
): Choice {
  const ordered = open.toSorted(
    (a, b) => a.timestamp.getTime() - b.timestamp.getTime() || a.sequence - b.sequence,
  );
  const newest = ordered.findLast((one) => !one.standalone && !one.force);
  const skip: { id: string; message: string }[] = [];
  const needed = ordered.filter((one) => {
    const message = one.standalone || one.force ? null : reasonToSkip(one, newest, lastExecuted);
    if (message !== null) skip.push({ id: one.id, message });
    return message === null;
  });
  const due = needed.find((one) => one.notBefore === null || one.notBefore <= now);
  const waits = needed.flatMap((one) => (one.notBefore === null ? [] : [one.notBefore.getTime()]));
  return {
    run: due?.id ?? null,
    skip,
    dueAt: due === undefined && waits.length > 0 ? new Date(Math.min(...waits)) : null,
  };
}

function reasonToSkip(
  one: OpenOperation,
  newest: OpenOperation | undefined,
  lastExecuted: Date | null,
): string | null {
  if (lastExecuted !== null && one.timestamp < lastExecuted) {
    return `Skipped: an event of ${lastExecuted.toISOString()}, which is newer, was handled already.`;
  }
  if (newest !== undefined && newest.id !== one.id) {
    return `Skipped: an event of ${newest.timestamp.toISOString()} was waiting too, and its import brings the same branch's tip.`;
  }
  return null;
}
