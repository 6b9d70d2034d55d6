import { type SearchTerm, writeSnippet } from '../../content/search/index.ts';
import type { SearchResult } from '../../contract/index.ts';
import type { FoundPage } from '../../store/index.ts';

/** The public fields of a found page. */
export function presentSearchResult(
  page: FoundPage,
  view: {
    readonly spaceId: string;
    readonly publicUrl: string;
    readonly terms: readonly SearchTerm[];
    /** Titles, from the top down. */
    readonly ancestors: readonly string[];
  },
): SearchResult {
  const app = `${view.publicUrl}/spaces/${view.spaceId}/pages/${page.id}`;
  const words = view.terms.flatMap((term) => (term.isExcluded ? [] : term.words));
  return {
    id: page.id,
    title: page.title,
    path: page.path,
    sections: page.sections.map(({ anchor, heading, body }) => {
      const fragment = anchor === null ? '' : `#${encodeURIComponent(anchor)}`;
      return {
        id: anchor ?? page.id,
        title: heading ?? page.title,
        path: `${page.path}${fragment}`,
        body: writeSnippet(body, words),
        urls: { app: `${app}${fragment}` },
      };
    }),
    ancestors: view.ancestors.map((title) => ({ title })),
    urls: { app },
  };
}
