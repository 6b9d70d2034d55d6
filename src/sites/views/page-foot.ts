import { LRUCache } from 'lru-cache';
import { html, type Markup, safeHref } from '../../markup/index.ts';
import { anchor } from './anchor.ts';
import { renderFeedback } from './feedback-form.ts';
import type { ShownPage, SitePageLink } from './site-page.ts';
import type { Words } from './words/index.ts';

export interface PageFootOptions {
  readonly page: ShownPage;
  readonly language: string;
  readonly hasPagination: boolean;
  readonly words: Words;
}

/** What stands below the text: where to read on, and where the text comes from. */
export function renderPageFoot({ page, language, hasPagination, words }: PageFootOptions): Markup {
  const { editHref, updatedAt, previous, next } = page;
  const facts = [
    safeHref(editHref) === null ? null : anchor(editHref, words.edit),
    updatedAt === null
      ? null
      : html`<span>${words.updated}: <time datetime="${updatedAt.toISOString()}">${formatDate(updatedAt, language)}</time></span>`,
  ].filter((fact) => fact !== null);
  return html`<footer class="page-foot">
${page.feedback === null ? null : renderFeedback(page.feedback, words)}
${facts.length === 0 ? null : html`<p class="facts">${facts}</p>`}
${hasPagination ? renderNeighbours({ previous, next }, words) : null}
</footer>`;
}

function renderNeighbours(
  { previous, next }: Pick<ShownPage, 'previous' | 'next'>,
  words: Words,
): Markup | null {
  const links = [
    renderNeighbour('prev', words.previous, previous),
    renderNeighbour('next', words.next, next),
  ].filter((link) => link !== null);
  return links.length === 0
    ? null
    : html`<nav class="neighbours" aria-label="${words.neighbours}">${links}</nav>`;
}

function renderNeighbour(rel: 'prev' | 'next', name: string, page: SitePageLink | null): Markup | null {
  const href = safeHref(page?.href);
  return href === null || page === null
    ? null
    : html`<a rel="${rel}" href="${href}"><small>${name}</small> <span>${page.title}</span></a>`;
}

/** A day as people of that language write it; one that is no language is written in English. */
function formatDate(date: Date, language: string): string {
  return dateFormats.memo(language).format(date);
}

/** Making one takes as long as a hundredth of a page, and a site has few languages. */
const dateFormats = new LRUCache<string, Intl.DateTimeFormat>({
  max: 100,
  memoMethod(language) {
    const options = { dateStyle: 'long', timeZone: 'UTC' } as const;
    try {
      return new Intl.DateTimeFormat(language, options);
    } catch {
      return new Intl.DateTimeFormat('en', options);
    }
  },
});
