import { html, type Markup } from '../../markup/index.ts';
import type { ShownScope, SiteSearchResult } from './site-page.ts';
import type { Words } from './words/index.ts';

/** A search and what it found, on a page without scripts. */
export interface ShownSearch {
  readonly query: string;
  readonly results: readonly SiteSearchResult[];
  /** One sentence about them; empty without a query. */
  readonly said: string;
  readonly scopes: readonly ShownScope[];
  /** The site-space from which it was made. */
  readonly from: string;
}

export function renderFoundOnSite(
  { query, results, said, scopes, from }: ShownSearch,
  { action, words }: { readonly action: string; readonly words: Words },
): Markup {
  return html`<form class="search-page" role="search" aria-label="${words.pages}" action="${action}"><input type="search" name="q" value="${query}" aria-label="${words.search}"> <button type="submit">${words.search}</button><input type="hidden" name="from" value="${from}">${renderScopes(scopes, words)}</form>
${said === '' ? null : html`<p role="status">${said}</p>`}
<ol class="search-results">
${results.map(
  ({
    title,
    href,
    trail,
    excerpt,
  }) => html`<li>${trail.length === 0 ? null : html`<small>${trail.join(' › ')}</small><br>`}<a href="${href}">${title}</a>
<p>${excerpt.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text))}</p></li>
`,
)}</ol>`;
}

function renderScopes(scopes: readonly ShownScope[], words: Words): Markup | null {
  if (scopes.length === 0) return null;
  return html`
<fieldset class="scopes"><legend>${words.searchIn}</legend>${scopes.map(
    ({ name, label, isChosen }) =>
      html`<label><input type="radio" name="scope" value="${name}"${isChosen ? html` checked` : null}> ${label}</label>`,
  )}</fieldset>`;
}
