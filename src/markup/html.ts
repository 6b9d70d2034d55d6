/**
 * The only way to make HTML: a template tag that escapes every value, except the markup that another template made or that
 * was passed to {@link sanitised} after a sanitiser.
 *
 * Values may be used in text and in quoted attributes, but not in the name of a tag or attribute, in an unquoted attribute,
 * in `<script>` or in `<style>`. Addresses that others wrote need {@link safeHref}, because escaping does not make
 * `javascript:` harmless.
 */

const secret = Symbol('markup');

/** Markup that is safe to send. Only `html` and `sanitised` create it. */
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

/** A value of a template. Null, undefined and false become nothing; lists are joined without a separator. */
export type HtmlValue = string | number | Markup | null | undefined | false | readonly HtmlValue[];

/** Makes markup of the literal parts as they are and the escaped values. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += write(value) + (parts[index + 1] ?? '');
  return new Markup(text, secret);
}

/** Marks the output of a sanitiser as safe. Nothing else may be passed here. */
export function sanitised(markup: string): Markup {
  return new Markup(markup, secret);
}

/** A block of data for programs that read the page, not run by browsers. `json` is serialized already. */
export function dataScript(type: string, json: string): Markup {
  // In JSON these characters only appear in strings, where their escapes mean the same.
  const safe = json.replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return new Markup(`<script type="${escapeHtml(type)}">${safe}</script>`, secret);
}

/** A stylesheet or a script of this program in the page itself, which its policy names by its digest. */
export function inline(element: 'style' | 'script', code: string): Markup {
  if (/<\/(?:style|script)|<!--/i.test(code)) throw new Error(`Its own code would end <${element}>.`);
  return new Markup(`<${element}>${code}</${element}>`, secret);
}

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** An address that is safe in `href`: http, https, mailto, a fragment or a path of this server; null for any other. */
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
