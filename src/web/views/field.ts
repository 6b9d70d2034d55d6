import { type HtmlValue, html, type Markup } from '../../markup/index.ts';

/** What stands around the control of a form. */
export interface FieldText {
  readonly id: string;
  readonly label: HtmlValue;
  readonly hint?: HtmlValue;
  readonly problem?: string | null;
}

/**
 * A control of a form with its label, its hint and what is wrong with it.
 *
 * @param control renders the control, whose id is that of the field, with the attributes that name its hint and problem.
 */
export function field(text: FieldText, control: (attributes: Markup) => Markup): Markup {
  const { id, hint, problem = null } = text;
  const described = [problem === null ? null : `${id}-problem`, hint === undefined ? null : `${id}-hint`];
  const describedBy = described.filter((part) => part !== null).join(' ');
  const attributes = html`${describedBy === '' ? null : html` aria-describedby="${describedBy}"`}${problem === null ? null : html` aria-invalid="true"`}`;
  return html`<div class="field">
<label for="${id}">${text.label}</label>
${control(attributes)}
${problem === null ? null : html`<p class="error" id="${id}-problem" role="alert">${problem}</p>`}
${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}
