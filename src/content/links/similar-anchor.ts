import { MAX_SUGGESTION_WORK } from '../limits.ts';

/** How much searching for similar names one analysis may still do; shared by all its links. */
export class SuggestionBudget {
  #left = MAX_SUGGESTION_WORK;

  /** Takes the steps, or answers false when there are not enough left. */
  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/**
 * The one name that is clearly meant by a fragment that fits none: equal but for punctuation, else nearest by edits
 * with no second one near. Null when nothing, or more than one, is near.
 */
export function findSimilarAnchor(
  fragment: string,
  names: Iterable<string>,
  budget: SuggestionBudget,
): string | null {
  const wanted = bare(fragment);
  if (wanted === '') return null;
  const limit = Math.floor(wanted.length * 0.34);
  let best = null as { readonly name: string; readonly distance: number } | null;
  let second = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const candidate = bare(name);
    if (Math.abs(candidate.length - wanted.length) > limit) continue;
    if (!budget.take(1 + wanted.length * candidate.length)) return null;
    const distance = editDistance(wanted, candidate, limit);
    if (distance > limit || name === best?.name) continue;
    if (best === null || distance < best.distance) {
      second = best?.distance ?? second;
      best = { name, distance };
    } else {
      second = Math.min(second, distance);
    }
  }
  if (best === null) return null;
  return best.distance * 2 <= second && best.distance < second ? best.name : null;
}

/** Letters and digits alone: how a name sounds, whatever renderer made it. */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 200);
}

/** Levenshtein's distance, or more than `limit` as soon as that is sure. */
function editDistance(a: string, b: string, limit: number): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const value = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
      current.push(value);
      least = Math.min(least, value);
    }
    if (least > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
