import { html, type Markup } from '../html.ts';

/** Forms of the same words say what they are about to who hears them only. */
export function renderButton(action: string, words: string, about: string): Markup {
  return html`<form method="post" action="${action}"><button class="quiet" type="submit">${words}<span class="visually-hidden"> (${about})</span></button></form>`;
}
