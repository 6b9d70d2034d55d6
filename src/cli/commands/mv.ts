import type { CommandIo, ExitCode } from '../command.ts';

export interface MoveOptions {
  readonly dryRun?: boolean;
  /** Move although links get worse. */
  readonly force?: boolean;
}

/**
 * Moves a page, another file or a folder in the work tree, and rewrites every link to it and from it, the entries of the
 * configuration that name it, and its redirects. Returns 1 when something is left that needs a person: if links would
 * get worse, nothing is moved then, unless `force` is set. Throws `UsageError` when it cannot move.
 */
export async function runMove(
  from: string,
  to: string,
  options: MoveOptions,
  io: CommandIo,
): Promise<ExitCode> {
  const { openMove } = await import('../move/open-move.ts');
  const { planInTree } = await import('../move/plan-in-tree.ts');
  const { carryOut } = await import('../move/carry-out.ts');
  const { describePlan } = await import('../move/describe-plan.ts');
  const move = await openMove(from, to, io);
  const plan = await planInTree(move);
  const isRefused = plan.worse.length > 0 && options.force !== true;
  if (!isRefused && options.dryRun !== true) await carryOut(move, plan, io.signal);
  const how = isRefused ? 'refused' : options.dryRun === true ? 'planned' : 'done';
  io.stdout.write(describePlan(move, plan, how));
  return plan.worse.length + plan.byHand.length > 0 ? 1 : 0;
}
