import { type HtmlValue, html, type Markup } from '../../markup/index.ts';

/** A labelled field for several lines, with its hint and what is wrong with it. */
export function textArea(input: {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly rows: number;
  readonly isRequired: boolean;
  readonly maxLength: number;
  readonly value: string;
  readonly hint: HtmlValue;
  readonly problem: string | null;
}): Markup {
  const { id, problem } = input;
  const describedBy = problem === null ? `${id}-hint` : `${id}-problem ${id}-hint`;
  // A parser drops the first line break of a textarea.
  return html`<div class="field">
<label for="${id}">${input.label}</label>
<textarea id="${id}" name="${input.name}" rows="${input.rows}"${input.isRequired ? html` required` : null} maxlength="${input.maxLength}" spellcheck="false" autocomplete="off" autocapitalize="none" aria-describedby="${describedBy}"${problem === null ? null : html` aria-invalid="true"`}>
${input.value}</textarea>
${problem === null ? null : html`<p class="error" id="${id}-problem" role="alert">${problem}</p>`}
<p class="hint" id="${id}-hint">${input.hint}</p>
</div>`;
}
