import type { Space } from '../../client/index.ts';
import { searchPath } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import { type Crumb, renderCrumbs } from './crumbs.ts';

/** Above what belongs to a space: where the reader is, a way to all pages where they stand below, and its search. */
export function renderSpaceBar(options: {
  readonly space: Pick<Space, 'id' | 'title'>;
  readonly crumbs: readonly Crumb[];
  /** On the page of the search, which has no list of pages: what was searched for, empty before. */
  readonly query?: string;
}): Markup {
  const { space, crumbs, query } = options;
  return html`<div class="space-bar"><div class="wide">
${renderCrumbs(crumbs)}
${query === undefined ? html`<a class="to-pages" href="#docloom-pages">All pages</a>` : null}
<form role="search" action="${searchPath(space.id)}">
<label class="visually-hidden" for="docloom-search">Search ${space.title}</label>
<input id="docloom-search" name="q" type="search" value="${query ?? ''}" placeholder="Search" maxlength="512" required autocomplete="off">
<button class="quiet" type="submit">Search</button>
</form>
</div></div>`;
}
