import { type HtmlValue, html, type Markup } from '../../markup/index.ts';

/** Names with their values, each with a line about it where one is given. */
export function renderFacts(
  facts: readonly (readonly [name: string, value: HtmlValue, about?: string | undefined])[],
): Markup {
  return html`<dl class="facts">
${facts.map(
  ([name, value, about]) =>
    html`<div><dt>${name}</dt><dd>${value}${about === undefined ? null : html`<p class="hint">${about}</p>`}</dd></div>
`,
)}</dl>`;
}
