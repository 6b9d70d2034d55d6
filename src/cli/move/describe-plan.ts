import type { MovePlan } from '../../content/move/index.ts';
import { number, printable } from '../check/print/report.ts';
import type { Move } from './open-move.ts';

/** Describes what a move does, did, or would do if its links did not get worse, a line for each change. */
export function describePlan(
  { from, to }: Pick<Move, 'from' | 'to'>,
  plan: MovePlan,
  how: 'done' | 'planned' | 'refused',
): string {
  const changes = plan.edits.map(
    ({ file, line, target, to: newTarget }) => `  ${file}:${line}  ${target} → ${newTarget}`,
  );
  const settings = plan.settings.map(({ file, line, target, to: value }) => {
    const what = target === '' ? `+ ${value}` : value === '' ? `- ${target}` : `${target} → ${value}`;
    return `  ${file}:${line}  ${what}`;
  });
  const symlinks = [...plan.symlinks].map(([file, { before, after }]) => `  ${file}  ${before} → ${after}`);
  const redirects = plan.redirects.map(({ file, from, to }) => `  ${file}  redirect ${from} → ${to}`);
  const byHand = plan.byHand.map(
    ({ file, line, message }) => `  ${file}:${line}  change this by hand: ${message}.`,
  );
  const worse = plan.worse.map(({ file, newFile, line, target, why }) => {
    return `  ${how === 'refused' ? file : newFile}:${line}  ${target}  ${why}`;
  });
  const lines =
    how === 'refused'
      ? [
          `${from} was not moved to ${to}: ${number(worse.length, 'link')} would get worse. Change ${worse.length === 1 ? 'it' : 'them'} first, or add --force to move all the same.`,
          ...worse,
        ]
      : [
          summary(from, to, plan, how),
          ...changes,
          ...settings,
          ...symlinks,
          ...redirects,
          ...byHand,
          ...(worse.length === 0
            ? []
            : [`${number(worse.length, 'link')} ${how === 'done' ? 'got' : 'would get'} worse:`, ...worse]),
          ...plan.notes,
        ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function summary(from: string, to: string, plan: MovePlan, how: 'done' | 'planned'): string {
  const files = new Set(plan.edits.map((edit) => edit.file)).size;
  const would = how === 'planned' ? 'would ' : '';
  const did = how === 'planned' ? 'Would move' : 'Moved';
  const rewrote = `${would}${how === 'planned' ? 'rewrite' : 'rewrote'} ${number(plan.edits.length, 'link')} in ${number(files, 'file')}`;
  const settings = plan.settings.length + plan.symlinks.size;
  const further = [
    ...(settings === 0
      ? []
      : [`${would}change${how === 'planned' ? '' : 'd'} ${number(settings, 'setting')}`]),
    ...(plan.redirects.length === 0
      ? []
      : [`${would}add${how === 'planned' ? '' : 'ed'} ${number(plan.redirects.length, 'redirect')}`]),
  ];
  const all = [rewrote, ...further];
  const last = all.pop();
  return `${did} ${from} to ${to}${all.map((change) => `, ${change}`).join('')}, and ${last}.`;
}
