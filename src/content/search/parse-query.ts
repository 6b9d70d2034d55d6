import { foldText, searchWords } from './search-words.ts';

/** One thing that is looked for. */
export interface SearchTerm {
  /** As a condition of PostgreSQL's `to_tsquery` over the words of `indexText`. */
  readonly condition: string;
  /** As written, to be stemmed by the space's language; null where its words are wanted as they are. */
  readonly text: string | null;
  /** Its words, folded, to find where it stands. */
  readonly words: readonly string[];
  /** Pages that have it are left out. */
  readonly isExcluded: boolean;
}

const MAX_TERMS = 16;
const MAX_WORDS = 32;

/**
 * Reads what people type into a search box: words, `"words that follow each other"`, and `-words` that must not be
 * there. A word finds those that begin with it; of one or two letters only the last does, while it is being typed.
 */
export function parseQuery(query: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = [];
  const storable = query.toWellFormed().replaceAll('\0', ' ');
  for (const [, sign, quoted, bare] of storable.matchAll(/(?<![^\s])(-)?(?:"([^"]*)"?|([^\s"]+))/g)) {
    if (terms.length >= MAX_TERMS) break;
    const text = quoted ?? bare ?? '';
    let words = searchWords(text).slice(0, MAX_WORDS);
    // The last letter of a run stands for a pair of which the other letter is not known.
    words = words.filter(
      ({ word, isPart }, at) => !isPart || [...word].length === 2 || !words[at - 1]?.isPart,
    );
    if (words.length === 0) continue;
    const isExcluded = sign !== undefined;
    const last = words.length - 1;
    const parts = words.map(({ word, isPart }, at) => {
      const isBegun = isPart ? [...word].length === 1 : quoted === undefined && at === last;
      return `'${word}'${isBegun && !isExcluded ? ':*' : ''}`;
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

/** Words that begin with one or two letters are too many to be meant. */
function wholeWhenShort(condition: string): string {
  return condition.replace(/(^|[ ])'([a-z0-9]{1,2})':\*$/, "$1'$2'");
}
