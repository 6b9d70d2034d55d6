import { html, type Markup } from '../../markup/index.ts';
import { anchor, leadsElsewhere } from './anchor.ts';
import type { SiteFrame } from './site-page.ts';
import type { Words } from './words/index.ts';

/** The links of the whole site, in groups, and its copyright. */
export function renderFooter({ footer, look }: SiteFrame, words: Words): Markup | null {
  const { groups, copyright } = footer;
  if (groups.length === 0 && copyright === null) return null;
  return html`<footer class="bottom"><div>
${
  groups.length === 0
    ? null
    : html`<nav aria-label="${words.footer}">${groups.map(
        ({ title, links }) =>
          html`<div><p>${title}</p><ul>${links.map(
            (link) =>
              html`<li>${anchor(link.href, link.title, {
                isInNewTab: look.externalLinksInNewTab && leadsElsewhere(link.href),
              })}</li>`,
          )}</ul></div>`,
      )}</nav>\n`
}${copyright === null ? null : html`<p>${copyright}</p>`}
</div></footer>`;
}
