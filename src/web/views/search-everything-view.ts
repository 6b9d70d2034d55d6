import type { SearchedSpace } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { searchPath, spacePath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import { renderResults } from './search-view.ts';

/** An organization with those of its spaces that have pages which match. */
export interface SearchedOrganization {
  readonly organization: { readonly id: string; readonly title: string };
  readonly spaces: readonly SearchedSpace[];
}

/** Of each space the best pages; its own search has the others. */
const PAGES_SHOWN = 3;

/** What matches in all spaces of one organization, or of several. */
export function renderSearchEverything(options: {
  readonly query: string;
  readonly found: readonly SearchedOrganization[];
  /** Whether one organization was searched only. */
  readonly isOne: boolean;
  readonly user: { readonly displayName: string };
}): string {
  const { query, found, isOne, user } = options;
  const organization = isOne ? (found[0]?.organization ?? null) : null;
  const spaces = found.flatMap(({ spaces: some }) => some);
  return renderLayout({
    title: query === '' ? 'Search' : query,
    user,
    where: { organization, query },
    main: html`<div class="reading">
<h1>${query === '' ? 'Search' : html`Results for “${query}”`}</h1>
<form class="filter" action="/search">
${organization === null ? null : html`<input type="hidden" name="organization" value="${organization.id}">`}
<div class="field"><label for="docloom-query">${organization === null ? 'Search everything' : `Search ${organization.title}`}</label>
<input id="docloom-query" name="q" type="search" value="${query}" maxlength="512" required autocomplete="off"></div>
<button type="submit">Search</button>
</form>
${query !== '' && spaces.length === 0 ? html`<p class="lead after">No page contains it. Try fewer words, or the beginning of a word.</p>` : null}
${spaces.map((space) => renderSpace(space, query))}
</div>`,
  });
}

function renderSpace({ id, title, pages }: SearchedSpace, query: string): Markup {
  const more = pages.length - PAGES_SHOWN;
  return html`<section aria-label="${title}"><p class="soft small after">In <a href="${spacePath(id)}">${title}</a></p>
${renderResults({ id }, pages.slice(0, PAGES_SHOWN))}
${more > 0 ? html`<p class="more"><a href="${searchPath(id)}?q=${encodeURIComponent(query)}">More in ${title}</a></p>` : null}
</section>
`;
}
