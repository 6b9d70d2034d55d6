import type { NavigationEntry } from '../../client/index.ts';
import { html, type Markup, safeHref } from '../../markup/index.ts';

/** Deeper levels are not shown; their pages are still reachable by links. */
const maximumDepth = 12;

/** The pages of a space as nested lists. */
export function renderNavigation(options: {
  readonly pages: readonly NavigationEntry[];
  /** The page that is open. */
  readonly current: string | null;
  readonly addressOf: (pageId: string) => string;
}): Markup {
  const { current, addressOf } = options;
  const list = (pages: readonly NavigationEntry[], depth: number): Markup | null => {
    const shown = pages.filter((page) => !page.hidden || page.id === current);
    if (shown.length === 0 || depth > maximumDepth) return null;
    return html`<ul${depth === 1 ? html` class="tree"` : null}>
${shown.map((page) => html`<li>${entry(page, addressOf, current)}${list(page.pages, depth + 1)}</li>\n`)}</ul>`;
  };
  return html`<nav aria-labelledby="docloom-pages"><h2 id="docloom-pages">Pages</h2>
${list(options.pages, 1) ?? html`<p class="soft small">No pages yet.</p>`}
</nav>`;
}

function entry(page: NavigationEntry, addressOf: (pageId: string) => string, current: string | null): Markup {
  const title = html`${page.emoji ? `${page.emoji} ` : null}${page.title}`;
  if (page.type === 'group') return html`<span class="group">${title}</span>`;
  if (page.type === 'link') {
    // A path is that of a page on the published site, not on this server.
    const href = page.href?.startsWith('/') === true ? null : safeHref(page.href);
    return href === null
      ? html`<span class="group">${title}</span>`
      : html`<a class="away" href="${href}">${title}</a>`;
  }
  const here = page.id === current ? html` aria-current="page"` : null;
  return html`<a href="${addressOf(page.id)}"${here}>${title}</a>`;
}

/** The pages from the top of the tree down to the page with this id; empty when there is no such page. */
export function findTrail(pages: readonly NavigationEntry[], id: string): readonly NavigationEntry[] {
  const stack = pages.map((page) => [page]);
  for (let trail = stack.pop(); trail; trail = stack.pop()) {
    const page = trail.at(-1);
    if (page === undefined || page.id === id) return trail;
    for (const child of page.pages) stack.push([...trail, child]);
  }
  return [];
}

/** Counts the entries that have a body. */
export function countPages(pages: readonly NavigationEntry[]): number {
  let count = 0;
  const stack = [...pages];
  for (let page = stack.pop(); page; page = stack.pop()) {
    if (page.type === 'document' || page.type === 'computed') count += 1;
    stack.push(...page.pages);
  }
  return count;
}

/** The first page with a body, in the order of the navigation. */
export function firstPage(pages: readonly NavigationEntry[]): NavigationEntry | null {
  for (const page of pages) {
    const found = page.type === 'document' ? page : firstPage(page.pages);
    if (found) return found;
  }
  return null;
}
