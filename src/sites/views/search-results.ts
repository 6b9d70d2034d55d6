import { html, type Markup } from '../../markup/index.ts';
import type { ShownScope, ShownSentence, SiteSearchResult } from './site-page.ts';
import type { Words } from './words/index.ts';

/** A search and what it found, or a question and its answer, on a page without scripts. */
export interface ShownSearch {
  readonly query: string;
  readonly results: readonly SiteSearchResult[];
  /** One sentence about them; empty without a query. */
  readonly said: string;
  readonly scopes: readonly ShownScope[];
  /** The site-space from which it was made, and how far it reaches. */
  readonly from: string;
  readonly scope: string;
  /** Whether a model is offered to answer the query. */
  readonly canAsk: boolean;
  /** The answer of a model, which cites results; none where there is none. */
  readonly sentences: readonly ShownSentence[];
}

export function renderFoundOnSite(
  search: ShownSearch,
  options: { readonly action: string; readonly askAction: string; readonly words: Words },
): Markup {
  const { query, results, said, scopes, from, sentences } = search;
  const { action, words } = options;
  return html`<form class="search-page" role="search" aria-label="${words.pages}" action="${action}"><input type="search" name="q" value="${query}" aria-label="${words.search}"> <button type="submit">${words.search}</button><input type="hidden" name="from" value="${from}">${renderScopes(scopes, words)}</form>
${said === '' ? null : html`<p role="status">${said}</p>`}
${search.canAsk ? renderAskForm(search, options) : null}
${sentences.length === 0 ? null : renderSentences(sentences, results, words)}
<ol class="search-results">
${results.map(
  ({ title, href, trail, excerpt }, at) =>
    html`<li>${trail.length === 0 ? null : html`<small>${trail.join(' › ')}</small><br>`}<a href="${href}">${sentences.length === 0 ? null : `[${at + 1}] `}${title}</a>
<p>${excerpt.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text))}</p></li>
`,
)}</ol>`;
}

function renderAskForm(
  { query, from, scope }: ShownSearch,
  { askAction, words }: { readonly askAction: string; readonly words: Words },
): Markup {
  return html`<form class="ask" method="post" action="${askAction}"><input type="hidden" name="q" value="${query}"><input type="hidden" name="from" value="${from}"><input type="hidden" name="scope" value="${scope}"><button type="submit">${words.answerThis}</button></form>`;
}

/** What a model composed, as text; only the links after each sentence are ours. */
function renderSentences(
  sentences: readonly ShownSentence[],
  results: readonly SiteSearchResult[],
  words: Words,
): Markup {
  return html`<section class="answer" aria-label="${words.answer}"><p>${sentences.map(
    ({ text, cites }) =>
      html`${text} ${cites.map((at) => html`<a href="${results[at]?.href ?? ''}" title="${results[at]?.title ?? ''}">[${at + 1}]</a> `)}`,
  )}</p></section>`;
}

function renderScopes(scopes: readonly ShownScope[], words: Words): Markup | null {
  if (scopes.length === 0) return null;
  return html`
<fieldset class="scopes"><legend>${words.searchIn}</legend>${scopes.map(
    ({ name, label, isChosen }) =>
      html`<label><input type="radio" name="scope" value="${name}"${isChosen ? html` checked` : null}> ${label}</label>`,
  )}</fieldset>`;
}
