/** A piece of a text; `isMatch` where it is one of the words that were searched. */
export interface MarkedText {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Scripts that are written without spaces, whose words match inside of others. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits a text where one of the words occurs: at the beginning of words, whatever the case of letters. */
export function markWords(text: string, words: readonly string[]): readonly MarkedText[] {
  const patterns = words
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .map(
      (word) =>
        (UNSPACED.test(word) ? '' : '(?<![\\p{L}\\p{N}])') + word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
    );
  if (patterns.length === 0) return text === '' ? [] : [{ text, isMatch: false }];
  const pieces: MarkedText[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(patterns.join('|'), 'giu'))) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isMatch: false });
    pieces.push({ text: match[0], isMatch: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}
