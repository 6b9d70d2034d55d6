import { type SearchTerm, typoCost } from '../../content/search/index.ts';
import {
  type Database,
  type Db,
  findOccurring,
  findSimilarWords,
  findWordsWith,
  hasTrigrams,
  type SearchScope,
  withinTime,
} from '../../store/index.ts';

/** Shorter words may mean too much. In characters. */
const MIN_LENGTH = 4;

/** Of a query; those who have misspelt more begin again. */
const MAX_WORDS = 3;

/** What a word may mean, of which the first that occurs is taken. */
const MAX_CANDIDATES = 5;

/** For each query of the database, in milliseconds: nobody waits for a guess. */
const MAX_MS = 250;

/** A query whose misspelt words were replaced by those that were probably meant. */
export interface CorrectedQuery {
  readonly query: string;
  readonly terms: readonly SearchTerm[];
}

/**
 * Replaces the words that do not occur in the contents by the nearest that do; null when there are none, when it would take
 * too long, or where the database does not find similar words. What replaces a word occurs as it is. No section has all of
 * the terms, so a single one does not occur.
 */
export async function correctTerms(
  db: Database,
  scopes: readonly SearchScope[],
  query: string,
  terms: readonly SearchTerm[],
): Promise<CorrectedQuery | null> {
  if (!terms.some((term) => wordOf(term) !== null) || !(await hasTrigrams(db))) return null;
  return await withinTime(db, MAX_MS, async (tx) => {
    const there = terms.length === 1 ? new Set<number>() : await findOccurring(tx, scopes, terms);
    const unknown = terms.filter((term, at) => !there.has(at) && !term.isExcluded);
    if (unknown.length === 0 || unknown.length > MAX_WORDS) return null;
    const corrected = new Map<SearchTerm, string>();
    for (const term of unknown) {
      const meant = await findMeant(tx, scopes, term);
      if (meant === null) return null;
      corrected.set(term, meant);
    }
    return {
      query: [...corrected].reduce((text, [term, word]) => text.replace(term.text ?? '', () => word), query),
      terms: terms.map((term) => {
        const word = corrected.get(term);
        return word === undefined ? term : { ...term, ...exactly(word), words: [word] };
      }),
    };
  });
}

/** For each of some words that do not occur in the contents, the nearest word that does, where there is one. */
export async function correctWords(
  db: Database,
  scopes: readonly SearchScope[],
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const corrected = new Map<string, string>();
  if (words.length === 0 || words.length > MAX_WORDS || !(await hasTrigrams(db))) return corrected;
  await withinTime(db, MAX_MS, async (tx) => {
    for (const word of words) {
      const meant = await findMeant(tx, scopes, { ...exactly(word), text: word, words: [word] });
      if (meant !== null) corrected.set(word, meant);
    }
  });
  return corrected;
}

/**
 * Terms that find the words of the contents in which those of the query are, as in “zypper” for “ypper”; null where that
 * takes reading the texts: for phrases, numbers and short words, and where the database does not find words in time.
 */
export async function termsInsideWords(
  db: Database,
  terms: readonly SearchTerm[],
): Promise<readonly SearchTerm[] | null> {
  const included = terms.filter((term) => !term.isExcluded);
  const typed = included.flatMap((term) => wordOf(term) ?? []);
  if (typed.length < included.length || !(await hasTrigrams(db))) return null;
  const wordsOf = await withinTime(db, MAX_MS, async (tx) => {
    const lists: (readonly string[])[] = [];
    for (const word of typed) lists.push(await findWordsWith(tx, word));
    return lists;
  });
  if (wordsOf === null) return null;
  const found = new Map<SearchTerm, SearchTerm>();
  for (const [at, term] of included.entries()) {
    const words = wordsOf[at] ?? [];
    const condition = words.map((word) => exactly(word).condition).join(' | ');
    found.set(term, { ...term, condition: `(${condition})`, text: null, words });
  }
  return terms.map((term) => found.get(term) ?? term);
}

async function findMeant(db: Db, scopes: readonly SearchScope[], term: SearchTerm): Promise<string | null> {
  const typed = wordOf(term);
  if (typed === null) return null;
  const candidates = (await findSimilarWords(db, typed))
    .flatMap((word) => {
      const cost = typoCost(typed, word);
      return cost === null ? [] : [{ word, cost }];
    })
    .sort((a, b) => a.cost - b.cost)
    .slice(0, MAX_CANDIDATES)
    .map(({ word }) => word);
  const there = await findOccurring(db, scopes, candidates.map(exactly));
  return candidates.find((_word, at) => there.has(at)) ?? null;
}

/** The word of a term that may be misspelt; null for phrases, numbers and short words. */
function wordOf({ text, words }: SearchTerm): string | null {
  const [word = ''] = words;
  const isCorrectable =
    text !== null && words.length === 1 && [...word].length >= MIN_LENGTH && !/\d/.test(word);
  return isCorrectable ? word : null;
}

/** As a condition: the word itself and no other form, so that nobody is shown a word that only hidden pages have. */
function exactly(word: string) {
  return { condition: `'${word.replaceAll("'", "''")}'`, text: null, isExcluded: false };
}
