import type { CommandIo, ExitCode } from '../command.ts';

export interface MoveOptions {
  readonly dryRun?: boolean;
}

/**
 * Moves a page, another file or a folder in the work tree, and rewrites every link to it and from it, also the entry
 * in a table of contents. Answers 1 when links are left that need a person; throws `UsageError` when it cannot move.
 */
export async function runMove(
  from: string,
  to: string,
  options: MoveOptions,
  io: CommandIo,
): Promise<ExitCode> {
  const { openMove } = await import('../move/open-move.ts');
  const { planMove } = await import('../move/plan-move.ts');
  const { carryOut } = await import('../move/carry-out.ts');
  const { number, printable } = await import('../check/print/report.ts');
  const move = await openMove(from, to, io);
  const plan = await planMove(move.tree, move.spaces, move.from, move.to);
  const problems = options.dryRun ? [] : await carryOut(move, plan, io.signal);
  const did = options.dryRun ? 'Would move' : 'Moved';
  const files = new Set(plan.edits.map((edit) => edit.file)).size;
  const rewrote = `${options.dryRun ? 'would rewrite' : 'rewrote'} ${number(plan.edits.length, 'link')} in ${number(files, 'file')}`;
  const lines = [
    `${did} ${move.from} to ${move.to}, and ${rewrote}.`,
    ...plan.edits.map(({ file, line, target, to: said }) => `  ${file}:${line}  ${target} → ${said}`),
    ...plan.unsure.map(({ file, line, target }) => `  ${file}:${line}  ${target}  change this by hand`),
    ...problems.map((problem) => `  ${problem}`),
  ];
  io.stdout.write(lines.map((line) => `${printable(line)}\n`).join(''));
  return plan.unsure.length + problems.length > 0 ? 1 : 0;
}
