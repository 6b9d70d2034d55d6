import { type HtmlValue, html, type Markup } from '../../markup/index.ts';

/** What a button will do, before it does it. The hidden fields are sent along. */
export function renderConfirmation(options: {
  readonly sentence: HtmlValue;
  /** What else to know before. */
  readonly about?: Markup | null;
  readonly action: string;
  readonly button: string;
  /** Where people go who decide against it. */
  readonly back: string;
  readonly fields?: Readonly<Record<string, string>>;
}): Markup {
  const { sentence, about = null, action, button, back, fields = {} } = options;
  return html`<div class="reading">
<p class="lead">${sentence}</p>
${about}
<form method="post" action="${action}" class="buttons">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit" class="danger">${button}</button>
<a href="${back}">Cancel</a>
</form>
</div>`;
}
