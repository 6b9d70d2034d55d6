import { type MarkedText, markWords, parseQuery, writeSnippet } from '../../content/search/index.ts';
import { type Db, loadFoundPages, searchSpaces, type Version } from '../../store/index.ts';
import { searchLanguage } from './search-language.ts';
import { searchInModes } from './search-modes.ts';

/** Of one page: more would push other pages out of sight. */
const SECTIONS_PER_PAGE = 3;

/** Sections that are ranked: of thousands with the same words, no order is the right one. */
const CANDIDATES = 5_000;

/** Content to search in. */
export interface SearchedContent extends Version {
  readonly spaceId: string;
  /** A language code; null when unknown. */
  readonly language: string | null;
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

/** The sections of several contents that match a query, those of the best pages first, with up to `perSpace` pages each. */
export async function searchContents(
  db: Db,
  contents: readonly SearchedContent[],
  query: string,
  perSpace: number,
): Promise<readonly SectionHit[]> {
  const terms = parseQuery(query);
  const words = terms.flatMap((term) => (term.isExcluded ? [] : term.words));
  const scopes = contents.map((content) => ({ ...content, language: searchLanguage(content.language) }));
  const { search, found } = await searchInModes(terms, null, (modeSearch) =>
    searchSpaces(db, scopes, modeSearch, {
      after: null,
      limit: scopes.length,
      perSpace,
      candidates: CANDIDATES,
    }),
  );
  const hits = found.rows.flatMap(({ pages }) => pages).toSorted((a, b) => b.score - a.score);
  const pages = new Map(
    await Promise.all(
      scopes.map(async (scope) => {
        const ids = hits.filter(({ spaceId }) => spaceId === scope.spaceId).map(({ pageId }) => pageId);
        return [scope.spaceId, await loadFoundPages(db, scope, search, ids, SECTIONS_PER_PAGE)] as const;
      }),
    ),
  );
  return hits.flatMap(({ spaceId, pageId }) => {
    const page = pages.get(spaceId)?.get(pageId);
    return (page?.sections ?? []).map(({ anchor, heading, body }) => ({
      spaceId,
      pageId,
      title: heading ?? page?.title ?? '',
      anchor,
      excerpt: markWords(writeSnippet(body, words), words),
    }));
  });
}
