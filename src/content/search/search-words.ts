/** Scripts that are written without spaces between words; their text is indexed by pairs of letters. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/u;
const RUNS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+|(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{N}\p{M}])+/gu;

/** Longer words are cut, in UTF-16 code units. */
const MAX_WORD = 200;

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** A folded word of a text or a query. */
export interface SearchWord {
  readonly word: string;
  /** Whether it is a pair of letters (or the last letter) of a run in a script without spaces. */
  readonly isPart: boolean;
}

/** Letters in lower case and without accents, so that `Über` and `uber` match. Vowel signs that are letters are not removed. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670]+/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđı]/g, (letter) => LETTERS[letter] ?? letter);
}

/**
 * The folded words of a text in order. A run of a script without spaces is split into all pairs of adjacent letters, and
 * its last letter, so that any part of it is found as a phrase of pairs, and a single letter as the start of a pair.
 */
export function searchWords(text: string): readonly SearchWord[] {
  const words: SearchWord[] = [];
  const runs = isAscii(text) ? text.match(/[A-Za-z0-9]+/g) : foldText(text).match(RUNS);
  for (const run of runs ?? []) {
    if (!isAscii(run) && UNSPACED.test(run)) {
      const letters = [...run];
      for (let at = 0; at < letters.length; at += 1) {
        words.push({ word: `${letters[at]}${letters[at + 1] ?? ''}`, isPart: true });
      }
    } else {
      words.push({ word: run.slice(0, MAX_WORD).toLowerCase(), isPart: false });
    }
  }
  return words;
}

/**
 * The words of a text for PostgreSQL's text search parser, separated by spaces. Names in code such as `getUserName` are
 * included whole, and their parts are appended at the end.
 */
export function indexText(text: string): string {
  const words = searchWords(text).map(({ word }) => word);
  for (const name of text.match(/\b[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b/g)?.slice(0, 2_000) ?? []) {
    if (name.length > MAX_WORD) continue;
    words.push(
      ...name
        .replace(/([a-z0-9])(?=[A-Z])/g, '$1 ')
        .toLowerCase()
        .split(' '),
    );
  }
  return words.join(' ');
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
