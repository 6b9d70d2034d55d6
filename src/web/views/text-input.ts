import { html, type Markup } from '../../markup/index.ts';
import { type FieldText, field } from './field.ts';

/** A field for one line. */
export function textInput(
  input: FieldText & {
    readonly name: string;
    readonly type: 'text' | 'email' | 'password' | 'color';
    /** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill */
    readonly autocomplete: string;
    readonly maxLength: number;
    readonly value?: string;
    /** Whether it may be left empty. */
    readonly isOptional?: boolean;
  },
): Markup {
  return field(
    input,
    (attributes) =>
      html`<input id="${input.id}" name="${input.name}" type="${input.type}" autocomplete="${input.autocomplete}"${input.isOptional ? null : html` required`} maxlength="${input.maxLength}" spellcheck="false" autocapitalize="none"${input.value ? html` value="${input.value}"` : null}${attributes}>`,
  );
}
