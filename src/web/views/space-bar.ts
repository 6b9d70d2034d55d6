import type { Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { searchPath } from '../addresses.ts';

/** A level above the current page, or the page itself. */
export interface Crumb {
  readonly title: string;
  /** Null for a level without a page. */
  readonly href: string | null;
}

/** The bar above every page of a space: breadcrumbs, a link to the list of pages (which is below on small screens), and the search. */
export function renderSpaceBar(options: {
  readonly space: Pick<Space, 'id' | 'title'>;
  readonly crumbs: readonly Crumb[];
  /** Only on the search page, which has no list of pages: the query, empty at first. */
  readonly query?: string;
}): Markup {
  const { space, crumbs, query } = options;
  return html`<div class="space-bar"><div class="wide">
${renderCrumbs(crumbs)}
${query === undefined ? html`<nav class="to-pages" aria-label="All pages"><a href="#docloom-pages">All pages</a></nav>` : null}
<form role="search" action="${searchPath(space.id)}">
<label class="visually-hidden" for="docloom-search">Search ${space.title}</label>
<input id="docloom-search" name="q" type="search" value="${query ?? ''}" placeholder="Search" maxlength="512" required autocomplete="off">
<button class="quiet" type="submit">Search</button>
</form>
</div></div>`;
}

/** The levels from the top down to the page itself, which is the last. */
export function renderCrumbs(crumbs: readonly Crumb[]): Markup {
  const last = crumbs.length - 1;
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
${crumbs.map(({ title, href }, index) => {
  if (index === last) return html`<li><span aria-current="page">${title}</span></li>`;
  return href === null ? html`<li>${title}</li>` : html`<li><a href="${href}">${title}</a></li>`;
})}
</ol></nav>`;
}
