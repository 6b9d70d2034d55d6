import { html, type Markup } from '../../markup/index.ts';

/** A labelled choice with its hint and what is wrong with it. */
export function selectInput(input: {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly selected: string;
  readonly hint?: string;
  readonly problem?: string | null;
  /** The id of its form, where it is not inside it. */
  readonly form?: string;
}): Markup {
  const { id, hint, problem = null } = input;
  const described = [problem === null ? null : `${id}-problem`, hint === undefined ? null : `${id}-hint`];
  const describedBy = described.filter((one) => one !== null).join(' ');
  return html`<div class="field">
<label for="${id}">${input.label}</label>
<select id="${id}" name="${input.name}"${input.form === undefined ? null : html` form="${input.form}"`}${describedBy === '' ? null : html` aria-describedby="${describedBy}"`}${problem === null ? null : html` aria-invalid="true"`}>
${input.options.map(({ value, label }) => html`<option value="${value}"${value === input.selected ? html` selected` : null}>${label}</option>\n`)}</select>
${problem === null ? null : html`<p class="error" id="${id}-problem" role="alert">${problem}</p>`}
${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}
