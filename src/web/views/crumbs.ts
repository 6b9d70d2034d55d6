import { html, type Markup } from '../html.ts';

export interface Crumb {
  readonly title: string;
  /** Null for a level that has no page. */
  readonly href: string | null;
}

/** The way from the top to where the reader is; the last one is the page itself. */
export function renderCrumbs(crumbs: readonly Crumb[]): Markup {
  const last = crumbs.length - 1;
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
${crumbs.map(({ title, href }, index) => {
  if (index === last) return html`<li><span aria-current="page">${title}</span></li>`;
  return href === null ? html`<li>${title}</li>` : html`<li><a href="${href}">${title}</a></li>`;
})}
</ol></nav>`;
}
