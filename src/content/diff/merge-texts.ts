import { splitLines } from './compare-texts.ts';
import { matchLines } from './match-lines.ts';

/** A part of a merged text: what both sides agree on or only one of them changed, or where they contradict each other. */
export type MergedPart =
  | { readonly kind: 'merged'; readonly text: string }
  | { readonly kind: 'conflict'; readonly base: string; readonly ours: string; readonly theirs: string };

/** Merges what two texts changed in the same base, line by line, in linear time. */
export function mergeTexts(base: string, ours: string, theirs: string): readonly MergedPart[] {
  const [old, a, b] = [splitLines(base), splitLines(ours), splitLines(theirs)];
  const inOurs = new Map(matchLines(old, a));
  const inTheirs = new Map(matchLines(old, b));
  const parts: MergedPart[] = [];
  let merged = '';
  let [fromOld, fromA, fromB] = [0, 0, 0];
  // Between two lines that all three texts have in common, each side has replaced the lines of the base by its own.
  for (let at = 0; at <= old.length; at++) {
    const toA = at === old.length ? a.length : inOurs.get(at);
    const toB = at === old.length ? b.length : inTheirs.get(at);
    if (toA === undefined || toB === undefined) continue;
    const before = old.slice(fromOld, at).join('');
    const own = a.slice(fromA, toA).join('');
    const other = b.slice(fromB, toB).join('');
    if (own === other || other === before) merged += own;
    else if (own === before) merged += other;
    else {
      if (merged !== '') parts.push({ kind: 'merged', text: merged });
      merged = '';
      parts.push({ kind: 'conflict', base: before, ours: own, theirs: other });
    }
    merged += old[at] ?? '';
    [fromOld, fromA, fromB] = [at + 1, toA + 1, toB + 1];
  }
  if (merged !== '') parts.push({ kind: 'merged', text: merged });
  return parts;
}

/** The whole text where the sides contradict each other nowhere; else null. */
export function mergedText(parts: readonly MergedPart[]): string | null {
  return parts.every((part) => part.kind === 'merged') ? parts.map(({ text }) => text).join('') : null;
}
