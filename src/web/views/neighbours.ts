import type { NavigationEntry } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';

/** Links to the previous and the next page, for people who read a space from beginning to end. */
export function renderNeighbours(options: {
  readonly pages: readonly NavigationEntry[];
  /** The page that is open. */
  readonly current: string;
  readonly addressOf: (pageId: string) => string;
}): Markup | null {
  const { current, addressOf } = options;
  const order = readingOrder(options.pages);
  const at = order.findIndex(({ id }) => id === current);
  const [before, after] = at === -1 ? [] : [order[at - 1], order[at + 1]];
  if (before === undefined && after === undefined) return null;
  const link = (page: NavigationEntry | undefined, rel: 'prev' | 'next', words: string) =>
    page === undefined
      ? null
      : html`<a rel="${rel}" href="${addressOf(page.id)}"><span class="small soft">${words}</span>${page.title}</a>`;
  return html`<nav class="neighbours" aria-label="Neighbours">
${link(before, 'prev', 'Previous')}
${link(after, 'next', 'Next')}
</nav>`;
}

/** The pages with a body in the order of the navigation, without hidden ones. */
function readingOrder(pages: readonly NavigationEntry[]): readonly NavigationEntry[] {
  return pages.flatMap((page) => {
    if (page.hidden) return [];
    const below = readingOrder(page.pages);
    return page.type === 'document' ? [page, ...below] : below;
  });
}
