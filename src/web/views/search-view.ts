import type { SearchResult, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { pagePath, searchEverythingPath } from '../addresses.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';

/** The pages of a space that match a query, the best first, each with its matching sections. */
export function renderSearch(options: {
  readonly frame: SpaceFrame;
  readonly query: string;
  readonly results: readonly SearchResult[];
  /** The address of the next results; null when there are no more. */
  readonly more: string | null;
}): string {
  const { frame, query, results, more } = options;
  return renderSpacePage({
    ...frame,
    tab: 'content',
    title: query === '' ? 'Search' : query,
    query,
    crumbs: [{ title: 'Search', href: null }],
    main: html`<div class="reading">
<h1>${query === '' ? 'Search' : html`Results for “${query}”`}</h1>
${results.length > 0 ? renderResults(frame.space, results) : renderNothing(query)}
${query === '' ? null : html`<p class="small"><a href="${searchEverythingPath({ query, organizationId: frame.organization?.id })}">Search everything for it</a></p>`}
${more === null ? null : html`<p class="more"><a href="${more}">More results</a></p>`}
</div>`,
  });
}

function renderNothing(query: string): Markup {
  if (query === '') return html`<p class="lead">Type what you are looking for into the field above.</p>`;
  return html`<p class="lead">No page contains it. Try fewer words, or the beginning of a word.</p>`;
}

/** Pages, each with its matching sections. @param level of their headings */
export function renderResults(
  space: Pick<Space, 'id'>,
  results: readonly SearchResult[],
  level: 2 | 3 = 2,
): Markup {
  return html`<ol class="plain rows results">
${results.map((result) => renderResult(space, result, level))}</ol>`;
}

function renderResult(
  space: Pick<Space, 'id'>,
  { id, title, ancestors, sections }: SearchResult,
  level: 2 | 3,
): Markup {
  const page = pagePath(space.id, id);
  const above = ancestors.map((ancestor) => ancestor.title).join(' / ');
  const link = html`<a href="${page}">${title}</a>`;
  return html`<li>${level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`}
${above === '' ? null : html`<p class="small soft">${above}</p>`}
${sections.map(
  (section) =>
    html`<p>${section.id === id ? null : html`<a href="${page}#${encodeURIComponent(section.id)}">${section.title}</a> `}<span class="soft">${section.body}</span></p>
`,
)}</li>
`;
}
