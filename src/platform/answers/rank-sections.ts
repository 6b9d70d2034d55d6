import { isFormOf, type MatchingSections, type RankableSection, type WordForms } from '../../store/index.ts';

/** What the ranking depends on; the bench tries others. */
export interface RankingWeights {
  /** How much an occurrence counts, by where it is: title, heading, description, text; and the words of the path. */
  readonly fields: { readonly A: number; readonly B: number; readonly C: number; readonly D: number };
  readonly path: number;
  /** How soon further occurrences stop to count (BM25’s k1), and how much long texts count less (b). */
  readonly saturation: number;
  readonly byLength: number;
  /** How much the rest of its page counts for a section. */
  readonly page: number;
  /** How much two words of the question count that stand together in the section, too. */
  readonly pairs: number;
  /** What the score of a page about former versions is multiplied by. */
  readonly former: number;
}

export const RANKING: RankingWeights = {
  fields: { A: 3, B: 2, C: 1.5, D: 1 },
  path: 1,
  saturation: 3,
  byLength: 0.5,
  page: 0.1,
  pairs: 0.5,
  former: 0.5,
};

/** By these, what speaks for a section is compared with what is enough; the order of sections needs others. */
const CONFIDENCE = { saturation: 1.2, page: 0.3, pairs: 0.5 } as const;
/** How much it counts for that, too, which share of the words a section has, however rare they are: one rare word is no answer. */
const SHARE_OF_WORDS = 0.15;
/** In fewer sections, it says little how many of them have a word. */
const FEW_SECTIONS = 50;

/** Paths of pages that say what changed, with the words of everything and rarely how it is now. */
const FORMER =
  /(?:^|[/_-])(?:changelog|change-log|changes|history|news|release-?notes|releases|what-?s-new|migrat\w+|upgrading)(?:[/_-]|$)/i;

/** A word of the question, with what speaks for it. */
export interface AskedWord extends WordForms {
  /** Less than 1 for one that somebody else may have meant. */
  readonly weight: number;
}

export interface RankedSection {
  readonly section: RankableSection;
  /** By which sections are ordered. */
  readonly score: number;
  /** How much speaks for it, compared with all that the question says. */
  readonly strength: number;
}

/** The best sections first (BM25F over titles, headings, descriptions, texts and paths, with the rest of the page). */
export function rankSections(
  matching: MatchingSections,
  words: readonly AskedWord[],
  weights: RankingWeights = RANKING,
): readonly RankedSection[] {
  const size = Math.max(matching.total, FEW_SECTIONS);
  const rarity = words.map(({ weight }, at) => {
    const count = matching.counts[at] ?? 0;
    return weight * Math.log(1 + (size - count + 0.5) / (count + 0.5));
  });
  const sum = rarity.reduce((total, value) => total + value, 0);
  if (sum === 0) return [];
  const frequencies = matching.sections.map((section) => ({
    section,
    found: words.map((word) => frequencyOf(section, word, matching.averageLength, weights)),
    pairs: countPairs(section, words, rarity),
  }));
  const byPage = new Map<string, readonly number[]>();
  for (const { section, found } of frequencies) {
    const best = byPage.get(keyOf(section)) ?? [];
    byPage.set(
      keyOf(section),
      found.map((value, at) => Math.max(value, best[at] ?? 0)),
    );
  }
  const weigh = (values: readonly number[], saturation: number) =>
    values.reduce((total, value, at) => total + (value / (saturation + value)) * (rarity[at] ?? 0), 0);
  return frequencies
    .map(({ section, found, pairs }) => {
      const page = byPage.get(keyOf(section)) ?? [];
      const total = ({ saturation, ...by }: Pick<RankingWeights, 'saturation' | 'page' | 'pairs'>) =>
        (weigh(found, saturation) + by.page * weigh(page, saturation) + by.pairs * pairs) / sum;
      return {
        section,
        score: total(weights) * (FORMER.test(section.path) ? weights.former : 1),
        strength:
          total(CONFIDENCE) + (SHARE_OF_WORDS * found.filter((value) => value > 0).length) / words.length,
      };
    })
    .sort(
      (a, b) =>
        b.score - a.score ||
        compare(a.section.path, b.section.path) ||
        a.section.ordinal - b.section.ordinal ||
        compare(a.section.spaceId, b.section.spaceId),
    );
}

/** How often a section has a word, by where it has it. */
function frequencyOf(
  section: RankableSection,
  word: AskedWord,
  averageLength: number,
  { fields, path, byLength }: RankingWeights,
): number {
  const counts = { A: 0, B: 0, C: 0, D: 0 };
  for (const field of ['A', 'B', 'C', 'D'] as const) {
    // The index has a word as it is and by its stem, so that they are not added up.
    counts[field] = Math.max(
      0,
      ...section.occurrences
        .filter(({ lexeme }) => isFormOf(lexeme, word))
        .map(({ weights }) => weights.filter((weight) => weight === field).length),
    );
  }
  const inPath = pathHas(section.path, word) ? path : 0;
  const inText = counts.D / (1 - byLength + byLength * (section.length / averageLength));
  return (
    fields.A * Math.min(counts.A, 1) +
    fields.B * Math.min(counts.B, 1) +
    fields.C * Math.min(counts.C, 1) +
    fields.D * inText +
    inPath
  );
}

function pathHas(path: string, word: AskedWord): boolean {
  return path
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((part) => part === word.word || (part.length > 3 && isFormOf(part, word)));
}

/** Of words that follow each other in the question, those that stand together in the section, weighed by how rare they are. */
function countPairs(
  section: RankableSection,
  words: readonly AskedWord[],
  rarity: readonly number[],
): number {
  const places = words.map((word) =>
    section.occurrences.filter(({ lexeme }) => isFormOf(lexeme, word)).flatMap(({ positions }) => positions),
  );
  let sum = 0;
  for (let at = 0; at + 1 < words.length; at += 1) {
    const next = new Set(places[at + 1]);
    const isTogether = places[at]?.some((place) => [1, 2, 3].some((step) => next.has(place + step)));
    if (isTogether) sum += Math.min(rarity[at] ?? 0, rarity[at + 1] ?? 0);
  }
  return sum;
}

function keyOf({ spaceId, pageId }: RankableSection): string {
  return `${spaceId} ${pageId}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
