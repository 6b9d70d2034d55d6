import { html, type Markup } from '../../markup/index.ts';

/** A level above the current page, or the page itself. */
export interface Crumb {
  readonly title: string;
  /** Null for a level without a page. */
  readonly href: string | null;
}

/** The levels from the top down to the page itself, which is the last. */
export function renderCrumbs(crumbs: readonly Crumb[]): Markup {
  const last = crumbs.length - 1;
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>
${crumbs.map(({ title, href }, index) => {
  if (index === last) return html`<li><span aria-current="page">${title}</span></li>`;
  return href === null ? html`<li>${title}</li>` : html`<li><a href="${href}">${title}</a></li>`;
})}
</ol></nav>`;
}
