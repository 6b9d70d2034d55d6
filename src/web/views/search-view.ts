import type { SearchResult, Space } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { homePath, pagePath, spacePath } from '../addresses.ts';
import { renderLayout } from '../layout.ts';
import { renderSpaceBar } from './space-bar.ts';

/** The pages of a space that match a query, the best first, each with its matching sections. */
export function renderSearch(options: {
  readonly space: Space;
  readonly query: string;
  readonly results: readonly SearchResult[];
  /** The address of the next results; null when there are no more. */
  readonly more: string | null;
  readonly user: { readonly displayName: string };
}): string {
  const { space, query, results, more } = options;
  return renderLayout({
    title: `${query === '' ? 'Search' : query} · ${space.title}`,
    user: options.user,
    above: renderSpaceBar({
      space,
      query,
      crumbs: [
        { title: 'Spaces', href: homePath },
        { title: space.title, href: spacePath(space.id) },
        { title: 'Search', href: null },
      ],
    }),
    main: html`<div class="reading">
<h1>${query === '' ? 'Search' : html`Results for “${query}”`}</h1>
${results.length > 0 ? renderResults(space, results) : renderNothing(query)}
${more === null ? null : html`<p class="more"><a href="${more}">More results</a></p>`}
</div>`,
  });
}

function renderNothing(query: string): Markup {
  if (query === '') return html`<p class="lead">Type what you are looking for into the field above.</p>`;
  return html`<p class="lead">No page contains it. Try fewer words, or the beginning of a word.</p>`;
}

function renderResults(space: Space, results: readonly SearchResult[]): Markup {
  return html`<ol class="plain rows results">
${results.map((result) => renderResult(space, result))}</ol>`;
}

function renderResult(space: Space, { id, title, ancestors, sections }: SearchResult): Markup {
  const page = pagePath(space.id, id);
  const above = ancestors.map((ancestor) => ancestor.title).join(' / ');
  return html`<li><h2><a href="${page}">${title}</a></h2>
${above === '' ? null : html`<p class="small soft">${above}</p>`}
${sections.map(
  (section) =>
    html`<p>${section.id === id ? null : html`<a href="${page}#${encodeURIComponent(section.id)}">${section.title}</a> `}<span class="soft">${section.body}</span></p>
`,
)}</li>
`;
}
