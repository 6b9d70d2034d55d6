import type { FoundGroup, SearchedSpace } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { searchPath, spacePath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import type { Destination } from './destinations.ts';
import type { FoundEntry, FoundList } from './found-groups.ts';
import { renderResults } from './search-view.ts';

/** An organization with what it has that matches: by its name, and spaces by their pages. */
export interface SearchedOrganization {
  readonly organization: { readonly id: string; readonly title: string };
  readonly groups: readonly FoundGroup[];
  readonly spaces: readonly SearchedSpace[];
}

/** Of each space the best pages; its own search has the others. */
const PAGES_SHOWN = 3;

/** What matches in one organization, or in several: what is called so, kind by kind, and pages by their text. */
export function renderSearchEverything(options: {
  readonly query: string;
  readonly found: readonly SearchedOrganization[];
  readonly named: readonly FoundList[];
  /** Pages of the dashboard. */
  readonly destinations: readonly Destination[];
  /** Whether one organization was searched only. */
  readonly isOne: boolean;
  readonly user: { readonly displayName: string };
}): string {
  const { query, found, named, destinations, isOne, user } = options;
  const organization = isOne ? (found[0]?.organization ?? null) : null;
  const spaces = found.flatMap(({ spaces: some }) => some);
  const isNothing = spaces.length === 0 && named.length === 0 && destinations.length === 0;
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
${query === '' ? html`<p class="soft after">Finds spaces, pages, change requests, sites, members and everything else that you may see, by a part of its name, and pages by their text.</p>` : null}
${query !== '' && isNothing ? html`<p class="lead after">Nothing is called so, and no page contains it. Try fewer words, or the beginning of a word.</p>` : null}
${query === '' || destinations.length === 0 ? null : renderList({ title: 'Go to', entries: destinations, more: false })}
${named.map(renderList)}
${spaces.length === 0 ? null : html`<h2>Pages</h2>`}
${spaces.map((space) => renderSpace(space, query))}
</div>`,
  });
}

function renderList({ title, entries, more }: FoundList): Markup {
  return html`<section aria-label="${title}"><h2>${title}</h2>
<ul class="plain found">
${entries.map(renderEntry)}</ul>
${more ? html`<p class="small soft">There are more of them: write more of the name.</p>` : null}</section>
`;
}

function renderEntry({ title, detail, path }: FoundEntry): Markup {
  return html`<li><a href="${path}">${title}</a>${detail === null ? null : html` <span class="small soft">${detail}</span>`}</li>\n`;
}

function renderSpace({ id, title, pages }: SearchedSpace, query: string): Markup {
  const more = pages.length - PAGES_SHOWN;
  return html`<section aria-label="Pages in ${title}"><p class="soft small after">In <a href="${spacePath(id)}">${title}</a></p>
${renderResults({ id }, pages.slice(0, PAGES_SHOWN), 3)}
${more > 0 ? html`<p class="more"><a href="${searchPath(id)}?q=${encodeURIComponent(query)}">More in ${title}</a></p>` : null}
</section>
`;
}
