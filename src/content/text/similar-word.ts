/** Suffixes that change a word's form and not its topic. */
const ENDINGS = /(?:ations?|ments?|ings?|ions?|ers?|e?d|e?s|e)$/;

/** A stem is no shorter than this. */
const SHORTEST_STEM = 4;

/**
 * The distance of two words that are the same word, misspelt or in another form: 0 for equal words, null for different
 * ones. The longer the words, the more letters may differ, but never the first, which distinguishes `import` from
 * `export`; words with digits must be equal.
 */
export function wordCost(a: string, b: string): number | null {
  if (a === b) return 0;
  if (/\d/.test(a) || /\d/.test(b) || a[0] !== b[0]) return null;
  if (stemOf(a) === stemOf(b)) return 1;
  const shorter = Math.min(a.length, b.length);
  const limit = shorter < 4 ? 0 : shorter < 9 ? 1 : shorter < 14 ? 2 : 3;
  if (Math.abs(a.length - b.length) > limit) return null;
  if (shorter === 4 && !isShortSlip(a, b)) return null;
  const distance = editDistance(a, b, limit);
  return distance > limit ? null : distance;
}

/** In a short word, a changed letter or a further letter at its end other than `s` makes another word: `test`/`text`, `mode`/`model`. */
function isShortSlip(a: string, b: string): boolean {
  return a.length !== b.length && (a.at(-1) === b.at(-1) || `${a}s` === b || `${b}s` === a);
}

function stemOf(word: string): string {
  const stem = word.replace(ENDINGS, '');
  return stem.length < SHORTEST_STEM ? word : stem;
}

/** The Levenshtein distance, or any number above `limit` as soon as it must exceed that. */
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
