import { html, type Markup } from '../../markup/index.ts';
import { type FieldText, field } from './field.ts';

/** A field for several lines. */
export function textArea(
  input: FieldText & {
    readonly name: string;
    readonly rows: number;
    readonly isRequired: boolean;
    readonly maxLength: number;
    readonly value: string;
  },
): Markup {
  return field(
    input,
    // A parser drops the first line break of a textarea.
    (attributes) =>
      html`<textarea id="${input.id}" name="${input.name}" rows="${input.rows}"${input.isRequired ? html` required` : null} maxlength="${input.maxLength}" spellcheck="false" autocomplete="off" autocapitalize="none"${attributes}>
${input.value}</textarea>`,
  );
}
