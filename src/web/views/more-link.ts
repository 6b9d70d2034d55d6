import { html, type Markup } from '../../markup/index.ts';

/** A link to the next part of a list; nothing where there is none. */
export function renderMore(address: string | null, words: string): Markup | null {
  return address === null ? null : html`<p class="more"><a href="${address}" rel="next">${words}</a></p>`;
}
