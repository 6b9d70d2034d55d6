import { html, type Markup } from '../../markup/index.ts';

/** A labelled input with its hint and what is wrong with it. */
export function textInput(input: {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password' | 'color';
  /** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill */
  readonly autocomplete: string;
  readonly maxLength: number;
  readonly value?: string;
  readonly hint?: HintText;
  readonly problem?: string | null;
  /** Whether it may be left empty. */
  readonly isOptional?: boolean;
}): Markup {
  const { id, hint, problem = null } = input;
  const described = [problem === null ? null : `${id}-problem`, hint === undefined ? null : `${id}-hint`];
  const describedBy = described.filter((one) => one !== null).join(' ');
  return html`<div class="field">
<label for="${id}">${input.label}</label>
<input id="${id}" name="${input.name}" type="${input.type}" autocomplete="${input.autocomplete}"${input.isOptional ? null : html` required`} maxlength="${input.maxLength}" spellcheck="false" autocapitalize="none"${input.value ? html` value="${input.value}"` : null}${describedBy === '' ? null : html` aria-describedby="${describedBy}"`}${problem === null ? null : html` aria-invalid="true"`}>
${problem === null ? null : html`<p class="error" id="${id}-problem" role="alert">${problem}</p>`}
${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}

type HintText = string | Markup;
