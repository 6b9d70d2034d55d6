import { indexText } from '../../content/search/index.ts';
import { haveOpposites } from './opposites.ts';

/** How many of the telling words of a sentence the texts that it is about must have. */
const MIN_SHARED = 0.6;
/** Shorter words say little, and have other forms in most languages. */
const MIN_LENGTH = 4;
/** Forms of a word begin alike: so many letters are compared. */
const STEM = 5;
/** Two letters of Korean are as much as four of an alphabet. */
const HANGUL = /^\p{sc=Hangul}{2}/u;
/** A particle after a noun. */
const HANGUL_ENDING = /(?:은|는|이|가|을|를|의|에|로|으로|와|과|도|만|까지|부터|에서)$/u;
/** A pair of letters, as texts without spaces between words are read. */
const PAIR =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{2}$/u;

/** What no sentence may have, not even where a text has it: an address, or markup by which one could be written. */
const ADDRESS = /[a-z][a-z\d+.-]*:\/\/|www\.|\]\(|<\/?[a-z]|(?:javascript|data|mailto):|\S@\S/i;
/** Names of hosts and files, which a text must have. */
const DOTTED = /[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu;

/** Texts that a model was sent, by which its sentences are checked. */
export interface CheckedTexts {
  readonly whole: string;
  readonly words: ReadonlySet<string>;
  /** In how many of the texts each word is, in any form. */
  readonly stems: ReadonlyMap<string, number>;
}

export function readCheckedTexts(texts: readonly string[]): CheckedTexts {
  const words = new Set<string>();
  const stems = new Map<string, number>();
  for (const text of texts) {
    const own = wordsOf(text);
    for (const word of own) words.add(word);
    for (const stem of new Set(own.map(stemOf))) stems.set(stem, (stems.get(stem) ?? 0) + 1);
  }
  return { whole: texts.join('\n'), words, stems };
}

/**
 * Whether a sentence says what the texts say: most of its words are there, and all numbers and names with dots in it; it has
 * no address.
 *
 * @param options.minTexts in how many of the texts at least half of its telling words must be; in one when absent
 */
export function saysWhatTextsSay(
  sentence: string,
  { whole, words, stems }: CheckedTexts,
  { minTexts = 1 }: { readonly minTexts?: number } = {},
): boolean {
  if (ADDRESS.test(sentence)) return false;
  if (!(sentence.match(DOTTED) ?? []).every((name) => whole.includes(name))) return false;
  const said = wordsOf(sentence);
  // A language may put an ending after a number; a name with a number in it has none.
  const isGiven = (word: string) =>
    words.has(word) || (HANGUL_ENDING.test(word) && words.has(word.replace(HANGUL_ENDING, '')));
  if (!said.filter((word) => /\d/.test(word)).every(isGiven)) return false;
  const telling = said.filter(isTelling);
  const sharedBy = (count: number) =>
    telling.filter((word) => (stems.get(stemOf(word)) ?? 0) >= count).length;
  return (
    telling.length > 0 &&
    sharedBy(1) >= MIN_SHARED * telling.length &&
    sharedBy(minTexts) >= telling.length / 2
  );
}

/** A question says nothing: a sentence that only repeats its words may be the wrong answer to it. */
const QUESTION = /[^.!?。！？\n]*[?？]/gu;
/** The usual words that turn what is said into its contrary, in the languages of most docs. */
const NEGATION =
  /(?<![\p{L}\p{N}])(?:no|not|never|none|nothing|neither|nor|cannot|without|nicht|nichts|kein\w*|nie|niemals|ohne|pas|jamais|sans|nunca|ninguna?|sin|mai|senza|não|sem|niet|geen|nooit|bez|не|нет|никогда|без)(?![\p{L}\p{N}])|n['’]t(?!\p{L})|ません|ない|[不没無未]|않|없/iu;

/**
 * Whether the sentence of the texts that is most like this one denies where this one does, and only there, and has no word
 * of contrary meaning.
 */
function saysAlike(sentence: string, texts: readonly string[]): boolean {
  const own = new Set(wordsOf(sentence).map(stemOf));
  const alike = texts
    .flatMap((text) => text.split(/(?<=[.!。！])\s*|\n/u))
    .map((text) => ({ text, shared: new Set(wordsOf(text).map(stemOf)).intersection(own).size }));
  const most = Math.max(0, ...alike.map(({ shared }) => shared));
  const denies = NEGATION.test(sentence);
  return alike.some(
    ({ text, shared }) => shared === most && denies === NEGATION.test(text) && !haveOpposites(sentence, text),
  );
}

/** Whether each sentence says what the texts say that it cites, which must be given ones, and is not its contrary. */
export function checkSentences(
  sentences: readonly { readonly text: string; readonly cites: readonly number[] }[],
  texts: readonly string[],
): boolean {
  return sentences.every(({ text, cites }) => {
    const cited = cites.flatMap((at) => texts[at]?.replace(QUESTION, ' ') ?? []);
    return (
      cites.length > 0 &&
      cited.length === cites.length &&
      saysWhatTextsSay(text, readCheckedTexts(cited)) &&
      saysAlike(text, cited)
    );
  });
}

function wordsOf(text: string): readonly string[] {
  return indexText(text)
    .split(' ')
    .filter((word) => word !== '');
}

function isTelling(word: string): boolean {
  return [...word].length >= MIN_LENGTH || HANGUL.test(word) || PAIR.test(word);
}

function stemOf(word: string): string {
  return [...word].slice(0, HANGUL.test(word) ? 2 : STEM).join('');
}
