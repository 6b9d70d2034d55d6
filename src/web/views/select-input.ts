import { html, type Markup } from '../../markup/index.ts';
import { type FieldText, field } from './field.ts';

/** A choice from a list. */
export function selectInput(
  input: FieldText & {
    readonly name: string;
    readonly options: readonly { readonly value: string; readonly label: string }[];
    /** Its value; null for what browsers select, the first one. */
    readonly selected: string | null;
    /** The id of its form, where it is not inside it. */
    readonly form?: string;
  },
): Markup {
  const { id, name, form, options, selected } = input;
  return field(
    input,
    (attributes) =>
      html`<select id="${id}" name="${name}"${form === undefined ? null : html` form="${form}"`}${attributes}>
${options.map(({ value, label }) => html`<option value="${value}"${value === selected ? html` selected` : null}>${label}</option>\n`)}</select>`,
  );
}
