import {
  type MarkedText,
  markWords,
  parseQuery,
  type SearchTerm,
  writeSnippet,
} from '../../content/search/index.ts';
import {
  type Database,
  type FolderChoice,
  loadFoundPages,
  searchSpaces,
  type Version,
} from '../../store/index.ts';
import { correctTerms, termsInsideWords } from './correct-terms.ts';
import { searchLanguage } from './search-language.ts';
import { modesFor, type SearchMode, searchInModes } from './search-modes.ts';

/** Of one page: more would push other pages out of sight. */
const SECTIONS_PER_PAGE = 3;

/** Sections that are ranked: of thousands with the same words, no order is the right one. */
const CANDIDATES = 5_000;

/** Content to search in. */
export interface SearchedContent extends Version {
  readonly spaceId: string;
  /** A language code; null when unknown. */
  readonly language: string | null;
  /** Only these pages; all when null or absent. */
  readonly folders?: FolderChoice | null;
}

/** A section with a text that matches, or the beginning of a page whose title does. */
export interface SectionHit {
  readonly spaceId: string;
  readonly pageId: string;
  /** The title of the section; that of the page for the text before its first heading. */
  readonly title: string;
  readonly anchor: string | null;
  readonly excerpt: readonly MarkedText[];
}

/** What a search found. */
export interface FoundSections {
  readonly hits: readonly SectionHit[];
  /** The query to which the hits belong, where nothing matches the one that was asked and its words are misspelt. */
  readonly corrected: string | null;
}

/**
 * The sections of several contents that match a query, those of the best pages first, with up to `perSpace` pages each. When
 * no section has all words, misspelt ones are corrected; else those with any of them, or with words that contain them.
 */
export async function searchContents(
  db: Database,
  contents: readonly SearchedContent[],
  query: string,
  perSpace: number,
): Promise<FoundSections> {
  const asked = parseQuery(query);
  const scopes = contents.map((content) => ({ ...content, language: searchLanguage(content.language) }));
  const run = async (terms: readonly SearchTerm[], modes: readonly SearchMode[]) => {
    const result = await searchInModes(terms, modes, (search) =>
      searchSpaces(db, scopes, search, {
        after: null,
        limit: scopes.length,
        perSpace,
        candidates: CANDIDATES,
      }),
    );
    return { ...result, terms, corrected: null as string | null };
  };
  const correct = async () => {
    const meant = await correctTerms(db, scopes, query, asked);
    return meant && { ...(await run(meant.terms, ['all'])), corrected: meant.query };
  };
  // Reading the texts of all sections takes long, so words are looked up where they can be.
  const runInside = async () => {
    const inside = await termsInsideWords(db, asked);
    if (inside?.some(({ words }) => words.length === 0)) return null;
    return await (inside === null ? run(asked, ['inside']) : run(inside, ['all']));
  };
  const [strictest, ...looser] = modesFor(asked);
  // What all words may mean is nearer than what has one of them, or has them inside of others; and it is found sooner.
  const steps = [
    correct,
    ...looser.map((mode) => (mode === 'inside' ? runInside : () => run(asked, [mode]))),
  ];
  let best = await run(asked, [strictest]);
  for (const step of steps) {
    if (best.found.count > 0) break;
    best = (await step()) ?? best;
  }
  const words = best.terms.flatMap((term) => (term.isExcluded ? [] : term.words));
  const found = best.found.rows.flatMap(({ pages }) => pages).toSorted((a, b) => b.score - a.score);
  const pages = new Map(
    await Promise.all(
      scopes.map(async (scope) => {
        const ids = found.filter(({ spaceId }) => spaceId === scope.spaceId).map(({ pageId }) => pageId);
        return [scope.spaceId, await loadFoundPages(db, scope, best.search, ids, SECTIONS_PER_PAGE)] as const;
      }),
    ),
  );
  const hits = found.flatMap(({ spaceId, pageId }) => {
    const page = pages.get(spaceId)?.get(pageId);
    return (page?.sections ?? []).map(({ anchor, heading, body }) => ({
      spaceId,
      pageId,
      title: heading ?? page?.title ?? '',
      anchor,
      excerpt: markWords(writeSnippet(body, words), words),
    }));
  });
  return { hits, corrected: hits.length > 0 ? best.corrected : null };
}
