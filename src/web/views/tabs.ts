import { html, type Markup } from '../../markup/index.ts';

/** Pages that belong together, as links; the one that is open is marked. */
export function renderTabs(options: {
  /** What the pages are about, for users of screen readers. */
  readonly about: string;
  readonly tabs: readonly {
    readonly href: string;
    readonly label: string;
    /** A number beside the label. */
    readonly count?: string | null;
  }[];
  /** The address of the page that is open. */
  readonly current: string;
}): Markup {
  return html`<nav class="tabs" aria-label="${options.about}"><ul>
${options.tabs.map(({ href, label, count = null }) => html`<li><a href="${href}"${href === options.current ? html` aria-current="page"` : null}>${label}${count === null ? null : html` <span class="count">${count}</span>`}</a></li>\n`)}</ul></nav>`;
}
