import { diff3Merge } from 'node-diff3';
import { splitLines } from './compare-texts.ts';

/** A part of a merged text: what both sides agree on or only one of them changed, or where they contradict each other. */
export type MergedPart =
  | { readonly kind: 'merged'; readonly text: string }
  | { readonly kind: 'conflict'; readonly base: string; readonly ours: string; readonly theirs: string };

/** Merges what two texts changed in the same base, line by line. */
export function mergeTexts(base: string, ours: string, theirs: string): readonly MergedPart[] {
  const regions = diff3Merge(splitLines(ours), splitLines(base), splitLines(theirs), {
    excludeFalseConflicts: true,
  });
  return regions.map(({ ok, conflict }): MergedPart => {
    if (conflict === undefined) return { kind: 'merged', text: (ok ?? []).join('') };
    return {
      kind: 'conflict',
      base: conflict.o.join(''),
      ours: conflict.a.join(''),
      theirs: conflict.b.join(''),
    };
  });
}

/** The whole text where the sides contradict each other nowhere; else null. */
export function mergedText(parts: readonly MergedPart[]): string | null {
  return parts.every((part) => part.kind === 'merged') ? parts.map(({ text }) => text).join('') : null;
}
