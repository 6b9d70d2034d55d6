import type { Span } from '../model/index.ts';
import { applyEdits, LineIndex, type Replacement } from '../text/index.ts';
import { type FoundDestination, findDestinations } from './find-destinations.ts';
import { findRepetition } from './find-repetition.ts';
import { writeDestination } from './write-destination.ts';

/** A destination to replace: the span of its construct, the current destination, and the new one. */
export interface DestinationEdit extends Span {
  readonly target: string;
  readonly to: string;
}

export interface Rewritten<Edit extends DestinationEdit> {
  readonly source: string;
  readonly applied: readonly Edit[];
  /** Edits whose destination was not certainly found or cannot be written there; the source is unchanged at these spans. */
  readonly refused: readonly Edit[];
}

/**
 * Replaces destinations and leaves every other character unchanged. The source is the file's text as its references were
 * read: without a byte order mark. `more` are further replacements in the same source.
 */
export function rewriteDestinations<Edit extends DestinationEdit>(
  source: string,
  edits: readonly Edit[],
  more: readonly Replacement[] = [],
): Rewritten<Edit> {
  const { replacements, refused } = planDestinations(source, edits);
  return {
    source: applyEdits(source, [...replacements, ...more]),
    applied: edits.filter((edit) => !refused.has(edit)),
    refused: edits.filter((edit) => refused.has(edit)),
  };
}

/** Returns the replacements of `rewriteDestinations`, in the order of the source. */
export function planDestinations<Edit extends DestinationEdit>(
  source: string,
  edits: readonly Edit[],
): { readonly replacements: readonly Replacement[]; readonly refused: ReadonlySet<Edit> } {
  const lines = new LineIndex(source);
  const plans = edits.map((edit) => ({ edit, replacements: planEdit(source, lines, edit) }));
  const all = plans.flatMap(({ edit, replacements }) =>
    replacements.map((replacement) => ({ ...replacement, edit })),
  );
  const refused = new Set(plans.filter((plan) => plan.replacements.length === 0).map((plan) => plan.edit));
  const accepted = new Map<number, Replacement>();
  let last: Replacement = { start: -1, end: -1, text: '' };
  for (const { edit, ...next } of all.sort((a, b) => a.start - b.start)) {
    // Equal replacements are made once.
    const isSame = next.start === last.start && next.end === last.end && next.text === last.text;
    if (isSame || refused.has(edit)) continue;
    if (next.start < last.end) refused.add(edit);
    else {
      accepted.set(next.start, next);
      last = next;
    }
  }
  return { replacements: [...accepted.values()], refused };
}

/** Empty when the destination is not certainly found, or cannot be written there. */
function planEdit(source: string, lines: LineIndex, edit: DestinationEdit): readonly Replacement[] {
  const start = offsetOf(lines, edit.line, edit.column);
  const end = offsetOf(lines, edit.endLine, edit.endColumn);
  if (start === null || end === null || end > source.length || start >= end) return [];
  const construct = source.slice(start, end);
  const found = findDestinations(construct, edit.target);
  const whole = found.flatMap((destination) => replace(destination, edit.to) ?? []);
  if (whole.length < found.length) return [];
  // The new text must decode to the new destination.
  const again = findDestinations(applyEdits(construct, whole), edit.to);
  if (again.length < whole.length) return [];
  const repeated = findRepetition(source, construct, end, edit.target);
  const more = repeated === null ? null : replace(repeated, edit.to);
  return [
    ...whole.map((inner) => ({ ...inner, start: inner.start + start, end: inner.end + start })),
    ...(more === null ? [] : [more]),
  ];
}

function replace({ start, end, notation }: FoundDestination, to: string): Replacement | null {
  const text = writeDestination(to, notation);
  return text === null ? null : { start, end, text };
}

function offsetOf({ starts }: LineIndex, line: number, column: number): number | null {
  const start = starts[line - 1];
  return start === undefined ? null : start + column - 1;
}
