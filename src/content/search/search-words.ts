/** Scripts that are written without spaces between words: their text is found by pairs of letters. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/u;
const RUNS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+|(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{N}\p{M}])+/gu;

/** Longer words are no words. */
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

/** One word of a text or of what is looked for, folded. */
export interface SearchWord {
  readonly word: string;
  /** Whether it is a pair of letters (or the last one) of a script without spaces. */
  readonly isPart: boolean;
}

/** Letters in lower case and without accents, so that `Über` and `uber` are one. Vowel signs that are letters stay. */
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
 * The words of a text in their order, folded. A run of a script without spaces becomes its pairs of letters, and its
 * last letter: so any part of it is found as pairs that follow each other, and a single letter as the beginning of one.
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
 * The words of a text as PostgreSQL's parser takes them, one by one. Names of code as `getUserName` are there whole, and
 * once more by their parts at the end.
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
