import { html, type Markup } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import type { NavigationItem } from './site-page.ts';
import { fill, type Words } from './words/index.ts';

export interface TreeOptions {
  readonly items: readonly NavigationItem[];
  readonly words: Words;
  readonly externalLinksInNewTab: boolean;
}

/** The pages of a section. What is below a page is folded in, except on the way to the current one. */
export function renderPageTree(options: TreeOptions): Markup {
  return html`<nav class="pages" aria-label="${options.words.pages}">${renderItems(options, true)}</nav>`;
}

function renderItems({ items, words, externalLinksInNewTab }: TreeOptions, isTop: boolean): Markup {
  return html`<ul>${items.map((item) => {
    const below = () => renderItems({ items: item.items, words, externalLinksInNewTab }, false);
    const title = titleOf(item);
    // A heading at the top only divides the list; one further down folds.
    if (item.href === null && isTop)
      return html`<li class="group"><p>${title}</p>${item.items.length === 0 ? null : below()}</li>`;
    if (item.href === null) {
      return item.items.length === 0
        ? html`<li><span>${title}</span></li>`
        : html`<li><details${item.isOpen ? html` open` : null}><summary>${title}</summary>${below()}</details></li>`;
    }
    const link = anchor(item.href, title, {
      className: item.isExternal ? 'away' : item.hasMore ? 'further' : null,
      current: item.isCurrent ? 'page' : null,
      isInNewTab: item.isExternal && externalLinksInNewTab,
    });
    if (item.items.length === 0) return html`<li>${link}</li>`;
    const label = fill(words.under, { title: item.title });
    return html`<li class="branch">${link}<details${
      item.isOpen || item.isCurrent ? html` open` : null
    }><summary aria-label="${label}"></summary>${below()}</details></li>`;
  })}</ul>`;
}

function titleOf({ emoji, title }: NavigationItem): Markup {
  return html`${emoji === null ? null : html`<i aria-hidden="true">${emoji}</i>`}${title}`;
}
