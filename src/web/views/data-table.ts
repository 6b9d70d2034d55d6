import { html, type Markup } from '../../markup/index.ts';

/** A heading with a table below it, which scrolls by itself where the window is narrow; a sentence where there are no rows. */
export function renderTable(table: {
  /** Begins with `docloom-`. */
  readonly id: string;
  readonly title: string;
  readonly columns: readonly string[];
  /** `<tr>` elements. */
  readonly rows: readonly Markup[];
  readonly empty: string;
}): Markup {
  const { id, title, columns, rows, empty } = table;
  const heading = html`<h2 id="${id}">${title}</h2>`;
  if (rows.length === 0) return html`${heading}\n<p class="soft">${empty}</p>`;
  return html`${heading}
<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}"><table class="roomy">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}
