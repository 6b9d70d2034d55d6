import { html } from '../../markup/index.ts';
import { searchEverythingPath } from '../addresses.ts';
import type { FoundList } from './found-groups.ts';

/** The options of the palette, which its script puts into its list: grouped, each with an id for `aria-activedescendant`. */
export function renderPalette(options: {
  readonly lists: readonly FoundList[];
  readonly query: string;
  readonly organizationId: string | undefined;
}): string {
  const { lists, query, organizationId } = options;
  let nth = 0;
  const option = (path: string, title: string, detail: string | null) =>
    html`<a role="option" id="docloom-option-${nth++}" aria-selected="false" tabindex="-1" href="${path}"><span>${title}</span>${detail === null ? null : html` <span class="small soft">${detail}</span>`}</a>`;
  return html`${lists.map(
    (
      { title, entries },
      at,
    ) => html`<div role="group" aria-labelledby="docloom-options-${at}"><p role="presentation" id="docloom-options-${at}">${title}</p>
${entries.map((entry) => option(entry.path, entry.title, entry.detail))}</div>
`,
  )}${
    query === ''
      ? null
      : html`<div role="group" aria-labelledby="docloom-options-all"><p role="presentation" id="docloom-options-all">${lists.length === 0 ? 'Nothing is called so' : 'All results'}</p>
${option(searchEverythingPath({ organizationId, query }), `Search everything for “${query}”`, null)}</div>`
  }`.text;
}
