import { html, type Markup } from '../../markup/index.ts';

/** A form with one button. `about` distinguishes buttons with the same words for users of screen readers. */
export function renderButton(action: string, words: string, about: string): Markup {
  return html`<form method="post" action="${action}"><button class="quiet" type="submit">${words}<span class="visually-hidden"> (${about})</span></button></form>`;
}
