import type { Correction } from './find-corrections.ts';

/** A text of a page, or of a page as it was. */
export interface TextInPlace {
  /** See `Segment.text`. */
  readonly text: string;
  readonly neighbours: Correction['neighbours'];
}

/** The least part of their words that two texts share when one became the other. */
const LEAST_SHARED = 0.5;

/**
 * Finds what corrected texts have become in their page. A text is what an earlier one became when they share half of their
 * words, or when both stand between the same two texts. Returns the positions of the earlier ones, by those of the texts.
 */
export function findOutdated(
  texts: readonly TextInPlace[],
  corrected: readonly TextInPlace[],
): ReadonlyMap<number, number> {
  const bags = corrected.map(({ text }) => wordsIn(text));
  const candidates = texts.flatMap((now, at) => {
    const bag = wordsIn(now.text);
    return corrected.flatMap((then, before) => {
      const shared = shareOf(bag, bags[before] ?? new Map());
      const likeness = shared >= LEAST_SHARED ? shared : isBetweenTheSame(now, then) ? 0 : null;
      return likeness === null ? [] : [{ at, before, likeness }];
    });
  });
  const found = new Map<number, number>();
  const used = new Set<number>();
  for (const { at, before } of candidates.toSorted((a, b) => b.likeness - a.likeness)) {
    if (found.has(at) || used.has(before)) continue;
    found.set(at, before);
    used.add(before);
  }
  return found;
}

function isBetweenTheSame({ neighbours: now }: TextInPlace, { neighbours: then }: TextInPlace): boolean {
  return now[0] === then[0] && now[1] === then[1] && now.some((text) => text !== null);
}

function wordsIn(text: string): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  const all =
    text
      .replaceAll(/<[^>]*>/g, ' ')
      .toLowerCase()
      .match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
  for (const word of all) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/** Twice the words that both have by the words of both (the Sørensen–Dice coefficient), from 0 to 1. */
function shareOf(one: ReadonlyMap<string, number>, two: ReadonlyMap<string, number>): number {
  let [both, all] = [0, 0];
  for (const [word, count] of one) both += Math.min(count, two.get(word) ?? 0);
  for (const words of [one, two]) for (const count of words.values()) all += count;
  return all === 0 ? 0 : (2 * both) / all;
}
