import { html, type Markup } from '../../markup/index.ts';
import { formatNumber } from '../format.ts';

export interface Counts {
  readonly pages: number;
  readonly files?: number | undefined;
  readonly links: number;
  readonly broken: number;
}

/** The numbers of a space's pages, files and links, in large figures. */
export function renderNumbers({ pages, files, links, broken }: Counts): Markup {
  return html`<dl class="numbers">
<div><dt>${pages === 1 ? 'page' : 'pages'}</dt><dd>${formatNumber(pages)}</dd></div>
${files === undefined ? null : html`<div><dt>${files === 1 ? 'file' : 'files'}</dt><dd>${formatNumber(files)}</dd></div>`}
<div><dt>${links === 1 ? 'link' : 'links'}</dt><dd>${formatNumber(links)}</dd></div>
<div${broken > 0 ? html` class="bad"` : null}><dt>broken</dt><dd>${formatNumber(broken)}</dd></div>
</dl>`;
}
