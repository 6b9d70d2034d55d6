import { html, type Markup } from '../../markup/index.ts';
import { formatAhead } from '../format.ts';
import { selectInput } from './select-input.ts';

/** How long a token may be valid, in days; the longest is as long as the platform allows. */
export const TOKEN_DAYS = [7, 30, 90, 365] as const;

/** The choice of how long a new token is valid. */
export function expiryInput(input: {
  readonly id: string;
  readonly selected: string;
  readonly hint?: string;
  readonly problem: string | null;
}): Markup {
  return selectInput({
    ...input,
    name: 'days',
    label: 'Expires',
    options: TOKEN_DAYS.map((days) => ({
      value: String(days),
      label: days === 365 ? 'in a year' : `in ${days} days`,
    })),
  });
}

/** A new token, shown this once. @param sender who sends it, at the beginning of a sentence */
export function newTokenField(
  { token, expiresAt }: { readonly token: string; readonly expiresAt: string },
  sender: Markup | string,
  now: Date,
): Markup {
  return html`<p class="lead">Copy it now: it is shown this once, and only a hash of it is stored.</p>
<div class="field"><label for="docloom-token">Token</label>
<input id="docloom-token" type="text" readonly value="${token}" autocomplete="off" spellcheck="false" aria-describedby="docloom-token-hint">
<p class="hint" id="docloom-token-hint">${sender} <code>Authorization: Bearer</code>. It expires ${formatAhead(expiresAt, now)}.</p></div>`;
}
