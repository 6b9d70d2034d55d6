import type { Span } from '../model/index.ts';
import { applyEdits, type Replacement } from '../text/index.ts';
import { type FoundDestination, findDestinations } from './find-destinations.ts';
import { findRepetition } from './find-repetition.ts';
import { writeDestination } from './write-destination.ts';

/** One destination to be replaced: where its construct stands, what it says now, and what it shall say. */
export interface DestinationEdit extends Span {
  readonly target: string;
  readonly to: string;
}

export interface Rewritten<Edit extends DestinationEdit> {
  readonly source: string;
  readonly applied: readonly Edit[];
  /** Edits whose destination was not surely found, or cannot be written at its place; the source is as it was there. */
  readonly refused: readonly Edit[];
}

/**
 * Replaces destinations exactly where they stand and leaves every other character alone. The source is the file's text
 * as its references were read: a byte order mark is not part of it. `others` are other edits of the same source.
 */
export function rewriteDestinations<Edit extends DestinationEdit>(
  source: string,
  edits: readonly Edit[],
  others: readonly Replacement[] = [],
): Rewritten<Edit> {
  const { replacements, refused } = planDestinations(source, edits);
  return {
    source: applyEdits(source, [...replacements, ...others]),
    applied: edits.filter((edit) => !refused.has(edit)),
    refused: edits.filter((edit) => refused.has(edit)),
  };
}

/** What `rewriteDestinations` would replace, in the order of the source. */
export function planDestinations<Edit extends DestinationEdit>(
  source: string,
  edits: readonly Edit[],
): { readonly replacements: readonly Replacement[]; readonly refused: ReadonlySet<Edit> } {
  const lines = lineStarts(source);
  const plans = edits.map((edit) => ({ edit, replacements: planEdit(source, lines, edit) }));
  const all = plans.flatMap(({ edit, replacements }) => replacements.map((one) => ({ ...one, edit })));
  const refused = new Set(plans.filter((one) => one.replacements.length === 0).map((one) => one.edit));
  const kept = new Map<number, Replacement>();
  let last: Replacement = { start: -1, end: -1, text: '' };
  for (const { edit, ...one } of all.sort((a, b) => a.start - b.start)) {
    // Two edits of one place that say the same are one.
    const isSame = one.start === last.start && one.end === last.end && one.text === last.text;
    if (isSame || refused.has(edit)) continue;
    if (one.start < last.end) refused.add(edit);
    else {
      kept.set(one.start, one);
      last = one;
    }
  }
  return { replacements: [...kept.values()], refused };
}

/** Empty when the destination is not surely found, or cannot be written there. */
function planEdit(source: string, lines: readonly number[], edit: DestinationEdit): readonly Replacement[] {
  const start = offsetOf(lines, edit.line, edit.column);
  const end = offsetOf(lines, edit.endLine, edit.endColumn);
  if (start === null || end === null || end > source.length || start >= end) return [];
  const construct = source.slice(start, end);
  const found = findDestinations(construct, edit.target);
  const whole = found.flatMap((one) => replace(one, edit.to) ?? []);
  if (whole.length < found.length) return [];
  // The proof: what is written there is found again as what was to be said.
  const again = findDestinations(applyEdits(construct, whole), edit.to);
  if (again.length < whole.length) return [];
  const repeated = findRepetition(source, construct, end, edit.target);
  const more = repeated === null ? null : replace(repeated, edit.to);
  return [
    ...whole.map((one) => ({ ...one, start: one.start + start, end: one.end + start })),
    ...(more === null ? [] : [more]),
  ];
}

function replace({ start, end, notation }: FoundDestination, to: string): Replacement | null {
  const text = writeDestination(to, notation);
  return text === null ? null : { start, end, text };
}

function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function offsetOf(lines: readonly number[], line: number, column: number): number | null {
  const start = lines[line - 1];
  return start === undefined ? null : start + column - 1;
}
