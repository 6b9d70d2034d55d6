import { type Anchor, MAX_SUGGESTION_WORK } from '../model/index.ts';
import { wordCost } from '../text/index.ts';

/** Limits the search for similar names in one analysis to `MAX_SUGGESTION_WORK` steps; shared by all its links. */
export class SuggestionBudget {
  /** The steps requested so far. */
  spent = 0;

  /** Spends steps; false when there are not enough left. */
  spend(steps: number): boolean {
    this.spent += steps;
    return this.spent <= MAX_SUGGESTION_WORK;
  }
}

/** Names with more words are not compared. */
const MAX_WORDS = 40;

/** The cost of a word that only one of two names has, unless it is a filler. */
const EXTRA_WORD = 3;

/** Words that can be added to a heading or removed from it without changing its meaning. */
const FILLERS = new Set(
  'a an and the of to in on for with your our my its is are how do does you we i id step or'.split(' '),
);

/**
 * Returns the name that a fragment without a match certainly means: the same letters, the same words in another order,
 * misspelt or inflected words, or one word more or less. A replaced word makes another heading. Null when no name is that
 * similar, or a second one nearly is.
 */
export function findSimilarAnchor(
  fragment: string,
  names: Iterable<string>,
  budget: SuggestionBudget,
): string | null {
  const wanted = shapeOf(fragment);
  if (wanted.letters === '' || wanted.words.length > MAX_WORDS) return null;
  const unnumbered = /^(.+)-\d+$/.exec(fragment)?.[1];
  let best = null as { readonly name: string; readonly cost: number } | null;
  let second = Number.POSITIVE_INFINITY;
  const numbered = new Set<string>();
  for (const name of names) {
    const stem = /^(.+)-\d+$/.exec(name)?.[1];
    if (stem !== undefined) numbered.add(stem);
    if (name.length > 2 * fragment.length + 40) continue;
    const candidate = shapeOf(name);
    if (!budget.spend(1 + name.length + wanted.words.length * candidate.words.length)) return null;
    const cost = name === unnumbered ? 2 : costOf(wanted, candidate, budget);
    if (cost === null || name === best?.name) continue;
    if (best === null || cost < best.cost) {
      second = best?.cost ?? second;
      best = { name, cost };
    } else {
      second = Math.min(second, cost);
    }
  }
  if (best === null || best.cost === second || best.cost * 2 > second) return null;
  // Among several headings with the same text the first is meant, unless the fragment differs from all of them.
  return best.cost > 1 && numbered.has(best.name) ? null : best.name;
}

/**
 * Returns the explicit id of the only heading whose text the fragment spells, which is the name that it would have
 * without that id. Null when there is no such heading, or several.
 */
export function findNamedHeading(
  fragment: string,
  anchors: readonly Anchor[],
  budget: SuggestionBudget,
): string | null {
  const { letters } = shapeOf(fragment);
  if (letters === '' || !budget.spend(10 * anchors.length)) return null;
  const spelt = anchors.filter(
    ({ heading, level }) =>
      heading !== null &&
      level > 0 &&
      heading.length <= 2 * fragment.length + 400 &&
      shapeOf(heading.replace(/\s*\{[:#][^{}]*\}\s*$/, '')).letters === letters,
  );
  const [first] = spelt;
  const isUnique = spelt.every(({ line }) => line === first?.line);
  return first === undefined || !isUnique || first.name === fragment ? null : first.name;
}

interface Shape {
  readonly words: readonly string[];
  /** Letters and digits alone, which are the same for all renderers. */
  readonly letters: string;
}

function shapeOf(name: string): Shape {
  const words =
    withoutAccents(name.slice(0, 400))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return { words, letters: words.join('') };
}

/** Renderers differ in whether `ü` becomes `u`. */
function withoutAccents(name: string): string {
  return /[\u{c0}-\u{24f}]/u.test(name) ? name.normalize('NFKD').replace(/\p{M}/gu, '') : name;
}

/** The distance of two names; 0 when only punctuation differs, null when they may mean different things. */
function costOf(a: Shape, b: Shape, budget: SuggestionBudget): number | null {
  if (a.letters === b.letters) return 0;
  if (b.words.length === 0 || b.words.length > MAX_WORDS) return null;
  if (a.words.length > 1 && [...a.words].sort().join(' ') === [...b.words].sort().join(' ')) return 1;
  const words = costOfWords(a.words, b.words, budget);
  if (a.words.length === b.words.length) return words;
  const joined = costOfJoined(a.letters, b.letters, budget);
  if (words === null || joined === null) return words ?? joined;
  return Math.min(words, joined);
}

/** The distance when words were joined or split, with little else changed. */
function costOfJoined(a: string, b: string, budget: SuggestionBudget): number | null {
  if (Math.abs(a.length - b.length) > 3 || Math.min(a.length, b.length) < 8) return null;
  return budget.spend(a.length * b.length) ? wordCost(a, b) : null;
}

/** The lowest cost of pairing the words of both names in their order. */
function costOfWords(a: readonly string[], b: readonly string[], budget: SuggestionBudget): number | null {
  if (Math.abs(a.length - b.length) > 4) return null;
  let previous = [0];
  for (const [at, word] of b.entries()) previous.push((previous[at] ?? 0) + extraCost(word, at === 0));
  for (const [row, word] of a.entries()) {
    const current = [(previous[0] ?? 0) + extraCost(word, row === 0)];
    for (const [column, candidate] of b.entries()) {
      if (word !== candidate && !budget.spend(word.length * candidate.length)) return null;
      const paired = word === candidate ? 0 : (wordCost(word, candidate) ?? Number.POSITIVE_INFINITY);
      current.push(
        Math.min(
          (previous[column] ?? 0) + paired,
          (previous[column + 1] ?? 0) + extraCost(word, row === 0),
          (current[column] ?? 0) + extraCost(candidate, column === 0),
        ),
      );
    }
    previous = current;
  }
  const cost = previous[b.length] ?? Number.POSITIVE_INFINITY;
  // One more word is little among several, and much beside a single one.
  const shared = a.filter((word) => !FILLERS.has(word) && b.includes(word)).length;
  return cost < EXTRA_WORD || (shared >= 2 && cost <= EXTRA_WORD + 1) ? cost : null;
}

/** A number distinguishes headings, unless it is a leading section number. */
function extraCost(word: string, isFirst: boolean): number {
  if (/\d/.test(word)) return isFirst && /^\d{1,3}$/.test(word) ? 1 : Number.POSITIVE_INFINITY;
  return FILLERS.has(word) ? 1 : EXTRA_WORD;
}
