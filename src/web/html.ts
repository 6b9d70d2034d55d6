/**
 * The one way to make HTML: a template tag that escapes every value. Only what another template made, or what
 * was sanitised and then named so with {@link sanitised}, goes in as it is.
 *
 * Values may stand in text and in quoted attributes. They may not stand in a tag's or attribute's name, in an
 * unquoted attribute, in `<script>` or in `<style>`. An address from outside goes through {@link safeHref} first,
 * because escaping does not take the harm out of `javascript:`.
 */

const secret = Symbol('markup');

/** Markup that is safe to send. Made by `html` and `sanitised` only. */
export class Markup {
  readonly text: string;

  constructor(text: string, key: typeof secret) {
    if (key !== secret) throw new Error('Markup is made by the html template.');
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What a template takes. Null, undefined and false are nothing; lists are joined without a separator. */
export type HtmlValue = string | number | Markup | null | undefined | false | readonly HtmlValue[];

/** Writes markup: the literal parts as they are, every value escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += write(value) + (parts[index + 1] ?? '');
  return new Markup(text, secret);
}

/** Takes markup that a sanitiser made. Nothing else may be passed here. */
export function sanitised(markup: string): Markup {
  return new Markup(markup, secret);
}

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** An address as it may stand in `href`: http, https, mailto or a path of this server; null for all others. */
export function safeHref(address: string | null | undefined): string | null {
  if (address === null || address === undefined) return null;
  if (/^\/(?![/\\])[^\0-\x20]*$/.test(address) || address.startsWith('#')) return address;
  if (!URL.canParse(address)) return null;
  return ['http:', 'https:', 'mailto:'].includes(new URL(address).protocol) ? address : null;
}

function write(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(write).join('');
  return escapeHtml(String(value));
}
