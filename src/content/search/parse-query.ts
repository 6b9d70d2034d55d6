import { foldText, searchWords } from './search-words.ts';

/** A word or phrase of a search query. */
export interface SearchTerm {
  /** As a condition of PostgreSQL's `to_tsquery` over the words of `indexText`. */
  readonly condition: string;
  /** As written, to be stemmed in the space's language; null when its words must match exactly. */
  readonly text: string | null;
  /** Its words, folded, to find it in a text. */
  readonly words: readonly string[];
  /** Whether pages with this term are excluded. */
  readonly isExcluded: boolean;
}

const MAX_TERMS = 16;
const MAX_WORDS = 32;

/**
 * Parses a search query: words, `"phrases"`, and `-words` that must not occur. A word also finds words that begin with it;
 * a word of one or two letters does so only as the last one, because it is probably still being typed.
 */
export function parseQuery(query: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = [];
  const storable = query.toWellFormed().replaceAll('\0', ' ');
  for (const [, minus, quoted, bare] of storable.matchAll(/(?<![^\s])(-)?(?:"([^"]*)"?|([^\s"]+))/g)) {
    if (terms.length >= MAX_TERMS) break;
    const text = quoted ?? bare ?? '';
    let words = searchWords(text).slice(0, MAX_WORDS);
    // The last letter of a run would stand for a pair whose second letter is not known.
    words = words.filter(
      ({ word, isPart }, at) => !isPart || [...word].length === 2 || !words[at - 1]?.isPart,
    );
    if (words.length === 0) continue;
    const isExcluded = minus !== undefined;
    const last = words.length - 1;
    const parts = words.map(({ word, isPart }, at) => {
      const isPrefix = isPart ? [...word].length === 1 : quoted === undefined && at === last;
      return `'${word}'${isPrefix && !isExcluded ? ':*' : ''}`;
    });
    terms.push({
      condition: parts.join(' <-> '),
      text: quoted === undefined && !words.some(({ isPart }) => isPart) ? text : null,
      words: quoted === undefined ? words.map(({ word }) => word) : [foldText(text)],
      isExcluded,
    });
  }
  return terms.map((term, at) =>
    at < terms.length - 1 ? { ...term, condition: wholeWhenShort(term.condition) } : term,
  );
}

/** Too many words begin with the same one or two letters, so such a term must match a whole word. */
function wholeWhenShort(condition: string): string {
  return condition.replace(/(^|[ ])'([a-z0-9]{1,2})':\*$/, "$1'$2'");
}
